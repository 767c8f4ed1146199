/* The workspace of a reduction: partial results of tiles of 256 elements, tiles of these, and so on. */
#ifndef VKS_DEVICE_REDUCTION_H
#define VKS_DEVICE_REDUCTION_H

#include "device/record.h"

/* The partial results of all levels over n elements, `rows` times, and a ticket for each workgroup. */
struct reduction {
    struct memory sums, tickets;
    uint32_t stride; /* sums in a row */
};

vks_status reduction_create(struct device *d, uint32_t n, uint32_t rows, struct reduction *out);
void reduction_destroy(struct device *d, struct reduction *w); /* a zeroed struct is fine */

/* The number of rows for a reduction of items of `item_bytes`. */
static inline uint32_t reduction_rows(uint32_t item_bytes)
{
    return (item_bytes + 7) / 8;
}

static inline sums reduction_sums(const struct reduction *w)
{
    return (sums)(uintptr_t)w->sums.address;
}

static inline sums64 reduction_wide_sums(const struct reduction *w)
{
    return (sums64)(uintptr_t)w->sums.address;
}

static inline tickets reduction_tickets(const struct reduction *w)
{
    return (tickets)(uintptr_t)w->tickets.address;
}

static inline partials reduction_partials(const struct reduction *w)
{
    return (partials)(uintptr_t)w->sums.address;
}

#endif
