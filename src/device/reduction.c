#include "device/reduction.h"

/* Writes `bytes` zeros. */
static vks_status clear(struct device *d, struct memory *m, uint64_t bytes)
{
    static const char zeros[4096];
    vks_status s = VKS_OK;
    for (uint64_t done = 0; !s && done < bytes;) {
        uint64_t some = bytes - done < sizeof zeros ? bytes - done : sizeof zeros;
        s = device_write(d, m, done, zeros, some);
        done += some;
    }
    return s;
}

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
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, bytes, "reduction tickets", &out->tickets));
    IF_OK(s, clear(d, &out->tickets, bytes));
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
