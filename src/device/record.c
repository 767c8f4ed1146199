#include "device/record_parts.h"
#include "device/scratch.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void rec_create(struct rec *r, struct device *d, enum precision p)
{
    *r = (struct rec){.device = d, .precision = p};
    if (d->scratch)
        scratch_lend_rec(d->scratch, r);
}

struct rec rec_once(struct device *d, enum precision p)
{
    struct rec r;
    rec_create(&r, d, p);
    return r;
}

void rec_destroy(struct rec *r)
{
    parts_release(r);
    bool kept = r->device && r->device->scratch && scratch_keep_rec(r->device->scratch, r);
    if (r->backend && !kept) {
        device_is_forked(r->device);
        r->device->ops->discard(r);
    }
    if (!kept)
        free(r->list);
    *r = (struct rec){0};
}

void rec_clear(struct rec *r)
{
    r->count = r->includes = r->dispatches = r->pauses = 0;
    r->changed = true;
    r->bytes = 0;
    r->guard = NULL;
    r->status = VKS_OK;
}

/* Whether all units that r includes are unchanged since. */
static bool is_current(const struct rec *r)
{
    bool good = true;
    for (uint32_t i = 0; r->includes && good && i < r->count; i++) {
        const struct rec *unit = r->list[i].unit;
        good = !unit || (!unit->changed && unit->version == r->list[i].version && is_current(unit));
    }
    return good;
}

static vks_status check_units(const struct rec *r)
{
    return is_current(r) ? VKS_OK
                         : fail(r->device->message, VKS_INVALID_ARGUMENT,
                                "a recording includes another one that has changed since");
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

/* Returns NULL if the recording has failed. */
static struct dispatch *add_dispatch(struct rec *r, enum kernel_id kernel, uint64_t groups, const void *args,
                                     uint32_t args_bytes)
{
    const struct kernel *k = &kernels[kernel];
    assert(args_bytes == k->args_bytes && args_bytes <= sizeof r->list->args);
    if (!r->status)
        r->status = check(r, k);
    struct dispatch *d = add(r);
    if (!d)
        return NULL;
    r->dispatches++;
    uint32_t most = r->device->info.max_groups;
    *d = (struct dispatch){.kernel = kernel,
                           .precision = k->values ? r->precision : real_precision(r->precision),
                           .guard = r->guard};
    d->groups = groups == 0 ? 1 : groups > most ? most : (uint32_t)groups;
    memcpy(d->args, args, args_bytes);
    if (k->guard_at != NO_GUARD)
        memcpy((char *)d->args + k->guard_at, &r->guard, sizeof r->guard);
    return d;
}

void rec_dispatch(struct rec *r, enum kernel_id kernel, uint64_t groups, const void *args,
                  uint32_t args_bytes)
{
    const struct dispatch *d = add_dispatch(r, kernel, groups, args, args_bytes);
    if (d && r->device->ops->want)
        r->device->ops->want(r->device, kernel, d->precision, d->args);
}

void rec_dispatch_program(struct rec *r, struct program *program, enum kernel_id kernel, uint64_t groups,
                          const void *args, uint32_t args_bytes)
{
    struct dispatch *d = add_dispatch(r, kernel, groups, args, args_bytes);
    if (d)
        d->program = program;
}

static vks_status check_unit(const struct rec *r, const struct rec *unit)
{
    bool prepared = !unit->status && !unit->changed && (unit->backend || unit->pauses);
    const char *fault = unit->device != r->device ? "belongs to another device"
                        : !unit->is_unit          ? "is not a unit"
                        : !prepared               ? "is not prepared"
                                                  : NULL;
    return fault ? fail(r->device->message, VKS_INVALID_ARGUMENT, "a recording that is to be included %s",
                        fault)
                 : VKS_OK;
}

void rec_pause(struct rec *r, struct pause *p)
{
    struct dispatch *d = add(r);
    if (!d)
        return;
    *d = (struct dispatch){.pause = p};
    r->pauses++;
}

/* A unit with pauses cannot be part of a submission, so its list is copied. */
static void copy_list(struct rec *r, const struct rec *unit)
{
    for (uint32_t i = 0; i < unit->count; i++) {
        const struct dispatch *from = &unit->list[i];
        if (from->unit) {
            rec_include(r, from->unit);
            continue;
        }
        struct dispatch *d = add(r);
        if (!d)
            return;
        *d = *from;
        r->pauses += from->pause != NULL;
        r->dispatches += from->pause == NULL;
    }
}

void rec_include(struct rec *r, const struct rec *unit)
{
    if (!r->status)
        r->status = check_unit(r, unit);
    if (unit->pauses) {
        uint64_t bytes = r->bytes + unit->bytes;
        copy_list(r, unit);
        r->bytes = bytes;
        return;
    }
    struct dispatch *d = add(r);
    if (!d)
        return;
    *d = (struct dispatch){.unit = unit, .version = unit->version};
    r->includes++;
    r->dispatches += unit->dispatches;
    r->bytes += unit->bytes;
}

vks_status rec_prepare(struct rec *r)
{
    if (!r->status)
        r->status = check_units(r);
    if (!r->status && (r->changed || !(r->backend || r->part))) {
        r->status = r->pauses ? parts_prepare(r) : r->device->ops->prepare(r);
        r->version++;
    }
    r->changed = r->status != VKS_OK;
    return r->status;
}

vks_status rec_submit(struct rec *r, uint64_t *ticket)
{
    if (r->is_unit)
        return fail(r->device->message, VKS_INVALID_ARGUMENT,
                    "a recording that is to be included cannot be submitted itself");
    vks_status s = r->status ? r->status : check_units(r);
    if (s || !r->pauses)
        return s ? s : r->device->ops->submit(r, ticket);
    return parts_submit(r, ticket);
}

/* Adds the time of each dispatch to the total of its kernel. Returns the number of times used. */
static uint32_t add_to_kernels(const struct rec *r, struct spent *spent, const double *seconds)
{
    uint32_t taken = 0;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct dispatch *d = &r->list[i];
        if (d->unit) {
            taken += add_to_kernels(d->unit, spent, seconds + taken);
            continue;
        }
        spent[d->kernel].runs++;
        spent[d->kernel].seconds += seconds[taken++];
    }
    return taken;
}

/* Adds up the times of the dispatches of the last submission. */
static vks_status add_times(struct rec *r)
{
    uint64_t bytes = (r->dispatches + (uint64_t)1) * sizeof(double); /* + 1: so that NULL means failure */
    double *seconds = malloc(bytes);
    vks_status s = seconds ? rec_times(r, seconds) : fail_memory(r->device->message, "timestamps", bytes);
    for (uint32_t i = 0; !s && i < r->dispatches; i++)
        r->device->kernel_seconds += seconds[i];
    if (!s)
        add_to_kernels(r, r->device->spent, seconds);
    free(seconds);
    return s;
}

vks_status rec_start(struct rec *r, uint64_t *ticket)
{
    TRY(rec_prepare(r));
    return rec_submit(r, ticket);
}

vks_status rec_finish(struct rec *r, uint64_t ticket)
{
    vks_status s = device_wait(r->device, ticket, DEVICE_WAIT_SECONDS);
    if (s || !r->device->timed)
        return s;
    r->device->waits++;
    return add_times(r);
}

vks_status rec_leave(struct rec *r)
{
    uint64_t ticket = 0;
    return r->device->timed ? rec_run(r) : rec_start(r, &ticket);
}

vks_status rec_run(struct rec *r)
{
    uint64_t ticket = 0;
    TRY(rec_start(r, &ticket));
    return rec_finish(r, ticket);
}

vks_status rec_try(struct rec *r)
{
    uint64_t ticket = 0;
    TRY(rec_start(r, &ticket));
    return device_wait(r->device, ticket, r->device->patience);
}

vks_status rec_run_once(struct rec *r, vks_status status)
{
    IF_OK(status, rec_run(r));
    rec_destroy(r);
    return status;
}

vks_status rec_leave_once(struct rec *r, vks_status status)
{
    IF_OK(status, rec_leave(r));
    rec_destroy(r);
    return status;
}

vks_status rec_times(struct rec *r, double *seconds)
{
    if (r->pauses)
        return fail(r->device->message, VKS_UNSUPPORTED, "a recording with pauses has no times");
    return r->status ? r->status : r->device->ops->times(r, seconds);
}

vks_status rec_span(struct rec *r, double *seconds)
{
    *seconds = NAN;
    return r->status || !r->spanned || r->pauses ? r->status : r->device->ops->span(r, seconds);
}
