#include "device/reduction.h"

#include <stdlib.h>

vks_status reduction_create(struct device *d, uint32_t n, uint32_t rows, struct reduction *out)
{
    *out = (struct reduction){0};
    uint64_t tiles = n ? ((uint64_t)n + 255) / 256 : 1, sums = tiles, groups = 0;
    for (uint64_t count = tiles; count > 1;) {
        count = (count + 255) / 256;
        sums += count;
        groups += count;
    }
    out->stride = (uint32_t)sums;
    uint64_t bytes = (groups ? groups : 1) * 4;
    vks_status s = device_allocate(d, MEMORY_DEVICE, sums * rows * 8, "partial sums", &out->sums);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, bytes, "reduction tickets", &out->tickets);
    void *zeros = s ? NULL : calloc(1, bytes);
    if (!s && !zeros)
        s = fail_memory(d->message, "reduction tickets", bytes);
    if (!s)
        s = device_write(d, &out->tickets, 0, zeros, bytes);
    free(zeros);
    if (s)
        reduction_destroy(d, out);
    return s;
}

void reduction_destroy(struct device *d, struct reduction *w)
{
    device_release(d, &w->sums);
    device_release(d, &w->tickets);
    *w = (struct reduction){0};
}
