#include "device/record_parts.h"

#include <stdlib.h>

void parts_release(struct rec *r)
{
    if (r->parts)
        device_is_forked(r->device);
    for (uint32_t i = 0; i < r->parts; i++)
        if (r->part[i].backend)
            r->device->ops->discard(&r->part[i]);
    free(r->part);
    r->part = NULL;
    r->parts = 0;
}

static vks_status make_parts(struct rec *r, uint32_t parts)
{
    if (r->parts == parts)
        return VKS_OK;
    parts_release(r);
    r->part = calloc(parts, sizeof *r->part);
    if (!r->part)
        return fail_memory(r->device->message, "a recording", parts * sizeof *r->part);
    r->parts = parts;
    return VKS_OK;
}

/* Makes the dispatches from `first` to the next pause a part. Returns the index of that pause. */
static uint32_t take_part(const struct rec *r, uint32_t first, struct rec *part)
{
    void *backend = part->backend;
    *part = (struct rec){
        .device = r->device, .precision = r->precision, .list = r->list + first, .backend = backend};
    for (uint32_t i = first; i < r->count && !r->list[i].pause; i++) {
        const struct rec *unit = r->list[i].unit;
        part->count++;
        part->includes += unit != NULL;
        part->dispatches += unit ? unit->dispatches : 1;
    }
    return first + part->count;
}

vks_status parts_prepare(struct rec *r)
{
    if (r->is_unit)
        return VKS_OK;
    TRY(make_parts(r, r->pauses + 1));
    for (uint32_t i = 0, first = 0; i < r->parts; i++) {
        first = take_part(r, first, &r->part[i]) + 1;
        TRY(r->device->ops->prepare(&r->part[i]));
    }
    return VKS_OK;
}

/* The pause after part i. */
static struct pause *pause_behind(const struct rec *r, uint32_t i)
{
    const struct rec *part = &r->part[i];
    return part->list[part->count].pause;
}

vks_status parts_submit(struct rec *r, uint64_t *ticket)
{
    struct device *d = r->device;
    vks_status s = VKS_OK;
    for (uint32_t i = 0; i < r->parts; i++) {
        IF_OK(s, d->ops->submit(&r->part[i], ticket));
        if (i + 1 == r->parts)
            break;
        struct pause *p = pause_behind(r, i);
        if (!s && !p->early)
            s = device_wait(d, *ticket, DEVICE_WAIT_SECONDS);
        if (!p->act(p, &s))
            break;
    }
    return s;
}
