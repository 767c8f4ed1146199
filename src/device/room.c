#include "device/room.h"

#include <stdlib.h>
#include <string.h>

struct block {
    struct block *next;
    max_align_t bytes[];
};

void room_open(struct room *w, struct device *d)
{
    *w = (struct room){.device = d};
}

static struct memory *arrays(struct room *w)
{
    return w->many ? w->many : w->few;
}

void room_close(struct room *w)
{
    for (uint32_t i = 0; i < w->count; i++)
        device_release(w->device, &arrays(w)[i]);
    free(w->many);
    for (struct block *b = w->host; b;) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
    *w = (struct room){.device = w->device};
}

static bool has_place(const struct room *w)
{
    return w->count < (w->many ? w->capacity : ROOM_FEW);
}

/* Grows the list before an allocation, so that the new array is not lost. */
static void make_place(struct room *w)
{
    if (w->status || has_place(w))
        return;
    uint32_t capacity = 2 * w->count;
    struct memory *many = realloc(w->many, capacity * sizeof *many);
    if (!many) {
        w->status = fail_memory(w->device->message, "a list of arrays", capacity * sizeof *many);
        return;
    }
    if (!w->many)
        memcpy(many, w->few, sizeof w->few);
    w->many = many;
    w->capacity = capacity;
}

void room_keep(struct room *w, struct memory *m)
{
    if (!m->handle)
        return;
    make_place(w);
    if (!has_place(w)) {
        device_release(w->device, m);
        return;
    }
    arrays(w)[w->count++] = *m;
    w->bytes += m->bytes;
}

struct memory room_memory(struct room *w, enum memory_kind kind, uint64_t bytes, const char *what)
{
    struct memory m = {0};
    make_place(w);
    IF_OK(w->status, device_allocate(w->device, kind, bytes, what, &m));
    room_keep(w, &m);
    return m;
}

struct memory room_copy(struct room *w, const void *from, uint64_t bytes, const char *what)
{
    struct memory m = room_memory(w, MEMORY_DEVICE, bytes, what);
    IF_OK(w->status, device_write(w->device, &m, 0, from, bytes));
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
    struct memory *all = arrays(w);
    for (uint32_t i = 0; i < w->count; i++)
        if (all[i].handle == m->handle && m->handle) {
            w->bytes -= all[i].bytes;
            device_release(w->device, &all[i]);
            all[i] = all[--w->count];
            break;
        }
    *m = (struct memory){0};
}
