#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"

vks_status offsets_from_counts(struct device *d, u32s count, uint32_t n, const char *what, uint32_t *total)
{
    struct memory sum;
    struct scan_space w = {0};
    struct rec r;
    uint32_t words[2] = {0};
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof words, "a sum", &sum);
    if (!s)
        s = scan_space_create(d, n + 1, 4, false, &w);
    total_words(&r, count, (u32s)(uintptr_t)sum.address, n);
    scan_u32(&r, &w, count, count, false, true);
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &sum, 0, words, sizeof words);
    *total = words[0];
    if (!s && (words[1] || words[0] > VKS_LARGEST_INDEX))
        s = fail(d->message, VKS_LIMIT, "%s would have %llu entries; the most is %u", what,
                 (unsigned long long)words[1] << 32 | words[0], VKS_LARGEST_INDEX);
    rec_destroy(&r);
    scan_space_destroy(d, &w);
    device_release(d, &sum);
    return s;
}
