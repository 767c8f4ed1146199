#include "device/room.h"

#include <stdlib.h>

struct block {
    struct block *next;
    max_align_t bytes[];
};

void room_open(struct room *w, struct device *d)
{
    *w = (struct room){.device = d};
}

void room_close(struct room *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        device_release(w->device, &w->taken[i]);
    free(w->taken);
    for (struct block *b = w->host; b;) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    *w = (struct room){.device = w->device};
}

/* Makes the list longer, so that what is allocated next is not lost. */
static void make_place(struct room *w)
{
    if (w->status || w->count < w->capacity)
        return;
    uint32_t capacity = w->capacity ? 2 * w->capacity : 16;
    struct memory *taken = realloc(w->taken, capacity * sizeof *taken);
    if (!taken) {
        w->status = fail_memory(w->device->message, "a list of arrays", capacity * sizeof *taken);
        return;
    }
    w->taken = taken;
    w->capacity = capacity;
}

void room_keep(struct room *w, struct memory *m)
{
    if (!m->handle)
        return;
    make_place(w);
    if (w->count == w->capacity) {
        device_release(w->device, m);
        return;
    }
    w->taken[w->count++] = *m;
    w->bytes += m->bytes;
}

struct memory room_memory(struct room *w, enum memory_kind kind, uint64_t bytes, const char *what)
{
    struct memory m = {0};
    make_place(w);
    if (!w->status)
        w->status = device_allocate(w->device, kind, bytes, what, &m);
    room_keep(w, &m);
    return m;
}

struct memory room_copy(struct room *w, const void *from, uint64_t bytes, const char *what)
{
    struct memory m = room_memory(w, MEMORY_DEVICE, bytes, what);
    if (!w->status)
        w->status = device_write(w->device, &m, 0, from, bytes);
    return m;
}

void *room_host(struct room *w, uint64_t bytes, const char *what)
{
    if (w->status)
        return NULL;
    struct block *b = calloc(1, sizeof *b + bytes);
    if (!b) {
        w->status = fail_memory(w->device->message, what, bytes);
        return NULL;
    }
    b->next = w->host;
    w->host = b;
    return b->bytes;
}

void room_drop(struct room *w, struct memory *m)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (w->taken[i].handle == m->handle && m->handle) {
            w->bytes -= w->taken[i].bytes;
            device_release(w->device, &w->taken[i]);
            w->taken[i] = w->taken[--w->count];
            break;
        }
    *m = (struct memory){0};
}
