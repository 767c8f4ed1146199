#include "device/scratch.h"

#include <assert.h>
#include <stdlib.h>

void scratch_begin(struct scratch *s, struct device *d)
{
    assert(!d->scratch);
    s->device = d;
    s->status = VKS_OK;
    for (uint32_t i = 0; i < s->array_count; i++)
        s->arrays[i].used = false;
    for (uint32_t i = 0; i < s->rec_count; i++)
        s->recs[i].used = false;
    d->scratch = s;
}

/* Forgets the items that were not returned. */
static void forget_lent(struct scratch *s)
{
    uint32_t arrays = 0, recs = 0;
    s->bytes = 0;
    for (uint32_t i = 0; i < s->array_count; i++)
        if (!s->arrays[i].lent) {
            s->bytes += s->arrays[i].memory.bytes;
            s->arrays[arrays++] = s->arrays[i];
        }
    for (uint32_t i = 0; i < s->rec_count; i++)
        if (!s->recs[i].loan)
            s->recs[recs++] = s->recs[i];
    s->array_count = arrays;
    s->rec_count = recs;
}

vks_status scratch_end(struct scratch *s)
{
    s->device->scratch = NULL;
    forget_lent(s);
    return s->status;
}

void scratch_close(struct scratch *s)
{
    for (uint32_t i = 0; i < s->array_count; i++)
        device_release(s->device, &s->arrays[i].memory);
    for (uint32_t i = 0; i < s->rec_count; i++)
        rec_destroy(&s->recs[i].rec);
    free(s->arrays);
    free(s->recs);
    *s = (struct scratch){0};
}
