#include "device/record.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rec_create(struct rec *r, struct device *d, enum precision p)
{
    *r = (struct rec){.device = d, .precision = p};
}

void rec_destroy(struct rec *r)
{
    if (r->backend) {
        device_is_forked(r->device);
        r->device->ops->discard(r);
    }
    free(r->list);
    *r = (struct rec){0};
}

void rec_clear(struct rec *r)
{
    r->count = 0;
    r->changed = true;
    r->bytes = 0;
    r->guard = NULL;
    r->status = VKS_OK;
}

u32s rec_guard(struct rec *r, u32s word)
{
    u32s before = r->guard;
    r->guard = word;
    return before;
}

static struct dispatch *add(struct rec *r)
{
    if (r->status)
        return NULL;
    if (r->count == r->capacity) {
        uint32_t capacity = r->capacity ? 2 * r->capacity : 16;
        struct dispatch *list = realloc(r->list, capacity * sizeof *list);
        if (!list) {
            r->status = fail_memory(r->device->message, "a recording", capacity * sizeof *list);
            return NULL;
        }
        r->list = list;
        r->capacity = capacity;
    }
    r->changed = true;
    return &r->list[r->count++];
}

static vks_status check(const struct rec *r, const struct kernel *k)
{
    if (r->precision != PRECISION_F32 && !r->device->info.f64)
        return fail(r->device->message, VKS_UNSUPPORTED, "%s has no 64-bit floats, which kernel %s needs",
                    r->device->info.name, k->name);
    if (r->guard && k->guard_at == NO_GUARD)
        return fail(r->device->message, VKS_UNSUPPORTED,
                    "kernel %s takes no guard, and cannot be recorded where one is set", k->name);
    return VKS_OK;
}

void rec_dispatch(struct rec *r, enum kernel_id kernel, uint64_t groups, const void *args,
                  uint32_t args_bytes)
{
    const struct kernel *k = &kernels[kernel];
    assert(args_bytes == k->args_bytes && args_bytes <= sizeof r->list->args);
    if (!r->status)
        r->status = check(r, k);
    struct dispatch *d = add(r);
    if (!d)
        return;
    uint32_t most = r->device->info.max_groups;
    *d = (struct dispatch){.kernel = kernel,
                           .precision = k->values ? r->precision : real_precision(r->precision),
                           .guard = r->guard};
    d->groups = groups == 0 ? 1 : groups > most ? most : (uint32_t)groups;
    memcpy(d->args, args, args_bytes);
    if (k->guard_at != NO_GUARD)
        memcpy((char *)d->args + k->guard_at, &r->guard, sizeof r->guard);
}

void rec_dispatch_program(struct rec *r, struct program *program, enum kernel_id kernel, uint64_t groups,
                          const void *args, uint32_t args_bytes)
{
    rec_dispatch(r, kernel, groups, args, args_bytes);
    if (!r->status)
        r->list[r->count - 1].program = program;
}

vks_status rec_prepare(struct rec *r)
{
    if (!r->status && (r->changed || !r->backend))
        r->status = r->device->ops->prepare(r);
    r->changed = r->status != VKS_OK;
    return r->status;
}

vks_status rec_submit(struct rec *r, uint64_t *ticket)
{
    return r->status ? r->status : r->device->ops->submit(r, ticket);
}

/* Adds up what the dispatches of the last submission took. */
static vks_status add_times(struct rec *r)
{
    uint64_t bytes = (r->count + (uint64_t)1) * sizeof(double); /* + 1: so that NULL is a failure */
    double *seconds = malloc(bytes);
    vks_status s = seconds ? rec_times(r, seconds) : fail_memory(r->device->message, "timestamps", bytes);
    for (uint32_t i = 0; !s && i < r->count; i++)
        r->device->kernel_seconds += seconds[i];
    free(seconds);
    return s;
}

vks_status rec_start(struct rec *r, uint64_t *ticket)
{
    vks_status s = rec_prepare(r);
    return s ? s : rec_submit(r, ticket);
}

vks_status rec_finish(struct rec *r, uint64_t ticket)
{
    vks_status s = device_wait(r->device, ticket, DEVICE_WAIT_SECONDS);
    return !s && r->device->timed ? add_times(r) : s;
}

vks_status rec_run(struct rec *r)
{
    uint64_t ticket = 0;
    vks_status s = rec_start(r, &ticket);
    return s ? s : rec_finish(r, ticket);
}

vks_status rec_times(struct rec *r, double *seconds)
{
    return r->status ? r->status : r->device->ops->times(r, seconds);
}

vks_status rec_span(struct rec *r, double *seconds)
{
    *seconds = NAN;
    return r->status || !r->spanned ? r->status : r->device->ops->span(r, seconds);
}
