/* The copy bandwidth, the reference for all other bandwidths. */
#include "report/clock.h"
#include "report/spread.h"
#include "vector/vector.h"
#include "vector/verbs.h"
#include "vksolve/context.h"

enum { REPEATS = 5 };

/* The most bytes of an array. Builds whose results are not used define less (CMakePresets.json). */
#ifndef VKS_MOST_COPIED
#define VKS_MOST_COPIED (1ull << 30)
#endif

/* Bytes of each array: far beyond the device's caches, yet copied in milliseconds. */
static uint64_t bytes_for(const struct device_info *info)
{
    uint64_t bytes = info->kind == DEVICE_DISCRETE   ? 1ull << 30
                     : info->kind == DEVICE_SOFTWARE ? 1ull << 25
                                                     : 1ull << 28;
    while (bytes > VKS_MOST_COPIED || bytes > info->largest_array ||
           (info->memory && bytes > info->memory / 8))
        bytes /= 2;
    return bytes;
}

/* Times several copies in one submission, so that the cost of a submission does not matter. */
static vks_status time_copies(struct rec *r, double *median)
{
    double seconds[REPEATS];
    vks_status s = rec_run(r); /* warms up, and touches the pages */
    for (int i = 0; i < REPEATS && !s; i++) {
        uint64_t ticket;
        double begun = clock_seconds();
        s = rec_submit(r, &ticket);
        IF_OK(s, device_wait(r->device, ticket, DEVICE_WAIT_SECONDS));
        seconds[i] = clock_seconds() - begun;
    }
    if (s)
        return s;
    *median = spread_of(seconds, REPEATS).median;
    return VKS_OK;
}

vks_status vks_context_copy_bandwidth(vks_context *context, double *bytes_per_second)
{
    context_begin(context);
    *bytes_per_second = context->copy_bandwidth;
    if (context->copy_bandwidth > 0)
        return VKS_OK;
    struct device *d = context->device;
    enum precision p = d->info.f64 ? PRECISION_F64 : PRECISION_F32;
    uint64_t bytes = bytes_for(&d->info);
    uint32_t n = (uint32_t)(bytes / real_bytes(p)), copies = d->info.kind == DEVICE_DISCRETE ? 4 : 1;
    struct memory x = {0}, y = {0};
    struct rec r = rec_once(d, p);
    vks_status s = device_allocate(d, MEMORY_DEVICE, bytes, "the copy benchmark", &x);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, bytes, "the copy benchmark", &y));
    for (uint32_t i = 0; i < copies; i++)
        copy(&r, vec_in(&x, n, p), vec_in(&y, n, p));
    double seconds = 0;
    IF_OK(s, time_copies(&r, &seconds));
    if (!s)
        *bytes_per_second = context->copy_bandwidth = (double)r.bytes / seconds;
    rec_destroy(&r);
    device_release(d, &x);
    device_release(d, &y);
    return s;
}
