/* Workgroup counts of dispatches, and the bytes they move. A kernel's workgroups stride over elements that
 * they do not cover at once. */
#ifndef VKS_DEVICE_GROUPS_H
#define VKS_DEVICE_GROUPS_H

#include "device/record.h"

/* One workgroup for each 256 of n elements. */
static inline uint64_t groups_each(uint64_t n)
{
    return (n + 255) / 256;
}

/* groups_each, limited to the number of workgroups that the device runs at once. */
static inline uint64_t groups_at_once(const struct rec *r, uint64_t n)
{
    uint32_t most = r->device->info.groups_at_once;
    return most && most < groups_each(n) ? most : groups_each(n);
}

/* For sums over n elements: one workgroup for each eight tiles of 256. */
static inline uint64_t groups_tiles(uint64_t n)
{
    uint64_t groups = (n + 2047) / 2048;
    return groups < 8192 ? groups : 8192;
}

/* Limits the workgroups of a kernel whose workgroups each first add up the sums of an earlier kernel. More
 * would cost more time than they save, even on a large GPU. */
static inline uint64_t few_groups(uint64_t groups)
{
    return groups < 512 ? groups : 512;
}

/* The bytes of n reals in the precision of the recording. */
static inline uint64_t vector_bytes(const struct rec *r, uint32_t n)
{
    return (uint64_t)n * real_bytes(r->precision);
}

#endif
