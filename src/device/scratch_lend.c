#include "device/scratch.h"

#include <stdlib.h>

/* The list with room for one more element of `size` bytes; NULL if out of memory. */
static void *grown(struct scratch *s, void *list, uint32_t count, uint32_t *room, size_t size)
{
    if (count < *room)
        return list;
    uint32_t more = *room ? 2 * *room : 32;
    void *longer = realloc(list, more * size);
    if (longer)
        *room = more;
    else
        s->status = fail_memory(s->device->message, "a list of what is used again", more * size);
    return longer;
}

bool scratch_lend(struct scratch *s, enum memory_kind kind, uint64_t bytes, struct memory *out)
{
    for (uint32_t i = 0; i < s->array_count; i++) {
        struct scratch_array *a = &s->arrays[i];
        if (a->used || a->kind != kind || a->memory.bytes != bytes)
            continue;
        a->used = a->lent = true;
        *out = a->memory;
        return true;
    }
    return false;
}

void scratch_note(struct scratch *s, enum memory_kind kind, const struct memory *m)
{
    struct scratch_array *list = grown(s, s->arrays, s->array_count, &s->array_room, sizeof *list);
    if (!list)
        return;
    s->arrays = list;
    list[s->array_count++] = (struct scratch_array){.memory = *m, .kind = kind, .used = true, .lent = true};
}

bool scratch_keep(struct scratch *s, const struct memory *m)
{
    for (uint32_t i = 0; i < s->array_count; i++)
        if (s->arrays[i].lent && s->arrays[i].memory.handle == m->handle) {
            s->arrays[i].lent = false;
            return true;
        }
    return false;
}

void scratch_lend_rec(struct scratch *s, struct rec *r)
{
    uint32_t i = 0;
    while (i < s->rec_count && s->recs[i].used)
        i++;
    if (i == s->rec_count) {
        struct scratch_rec *list = grown(s, s->recs, s->rec_count, &s->rec_room, sizeof *list);
        if (!list)
            return;
        s->recs = list;
        list[s->rec_count++] = (struct scratch_rec){0};
    }
    const struct rec *kept = &s->recs[i].rec;
    r->list = kept->list;
    r->capacity = kept->capacity;
    r->backend = kept->backend;
    r->changed = true;
    r->loan = ++s->device->loans;
    s->recs[i] = (struct scratch_rec){.loan = r->loan, .used = true};
}

bool scratch_keep_rec(struct scratch *s, struct rec *r)
{
    for (uint32_t i = 0; r->loan && !r->is_unit && i < s->rec_count; i++)
        if (s->recs[i].loan == r->loan) {
            s->recs[i].rec = (struct rec){
                .device = r->device, .list = r->list, .capacity = r->capacity, .backend = r->backend};
            s->recs[i].loan = 0;
            return true;
        }
    return false;
}
