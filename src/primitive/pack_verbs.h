/* Verbs that rearrange arrays, used with sorts and prefix sums to make matrices. */
#ifndef VKS_PRIMITIVE_PACK_VERBS_H
#define VKS_PRIMITIVE_PACK_VERBS_H

#include "primitive/verbs.h"

/* y[i] = step i */
static inline void multiples_words(struct rec *r, u32s y, uint32_t n, uint32_t step)
{
    run(r, iota_words, groups_each(n), .y = y, .n = n, .step = step);
    bill(r, 4 * (uint64_t)n);
}

/* y[i] = i */
static inline void iota_words(struct rec *r, u32s y, uint32_t n)
{
    multiples_words(r, y, n, 1);
}

/* total[0 .. 1] = the sum of x, the low word first */
static inline void total_words(struct rec *r, u32s x, u32s total, uint32_t n)
{
    uint64_t groups = groups_each(n) < 256 ? groups_each(n) : 256;
    fill_words(r, total, 0, 0, 2, 1);
    run(r, total_words, groups, .x = x, .total = total, .n = n);
    bill(r, 4 * (uint64_t)n);
}

/* to[i] = from[place[i]] */
static inline void gather_words(struct rec *r, u32s from, u32s place, u32s to, uint32_t n)
{
    run(r, gather_words, groups_each(n), .from = from, .place = place, .to = to, .n = n);
    bill(r, 12 * (uint64_t)n);
}

static inline void gather_reals(struct rec *r, reals from, u32s place, reals to, uint32_t n)
{
    run(r, gather_reals, groups_each(n), .from = from, .place = place, .to = to, .n = n);
    bill(r, 4 * (uint64_t)n + 2 * vector_bytes(r, n));
}

/* flag[i] = whether (x[i], y[i]) is the first of its kind; the pairs are sorted */
static inline void mark_firsts(struct rec *r, u32s x, u32s y, u32s flag, uint32_t n)
{
    run(r, mark_firsts, groups_each(n), .x = x, .y = y, .flag = flag, .n = n);
    bill(r, (x == y ? 8 : 12) * (uint64_t)n);
}

/* to = from[i] & mask for each flagged i; position has the n + 1 exclusive sums of the flags */
static inline void pack_words(struct rec *r, u32s from, u32s position, u32s to, uint32_t n, uint32_t mask)
{
    run(r, pack_words, groups_each(n), .from = from, .position = position, .to = to, .n = n, .mask = mask,
        .indices = 0);
    bill(r, 8 * (uint64_t)n);
}

/* to = each flagged i */
static inline void pack_indices(struct rec *r, u32s position, u32s to, uint32_t n)
{
    run(r, pack_words, groups_each(n), .from = NULL, .position = position, .to = to, .n = n, .indices = 1);
    bill(r, 4 * (uint64_t)n);
}

static inline void pack_reals(struct rec *r, reals from, u32s position, reals to, uint32_t n)
{
    run(r, pack_reals, groups_each(n), .from = from, .position = position, .to = to, .n = n);
    bill(r, 4 * (uint64_t)n + vector_bytes(r, n));
}

/* bound[i] = how many of the n ascending keys are less than i << shift, for i below `count` */
static inline void lower_bounds(struct rec *r, u32s keys, uint32_t n, u32s bound, uint32_t count,
                                uint32_t shift)
{
    run(r, lower_bounds, groups_each(count), .keys = keys, .bound = bound, .n = n, .count = count,
        .shift = shift);
    bill(r, 4 * (uint64_t)count);
}

/* A list of counts to be turned into offsets. */
struct counts {
    u32s at;
    uint32_t n;
    const char *what;
    uint32_t *total;
};

/* Turns the first n of the n + 1 words at `count` into their exclusive prefix sums, and the last into the
 * total, which is also returned in *total. VKS_LIMIT if the total exceeds VKS_LARGEST_INDEX: the message
 * names `what` and the number of entries, and the words are undefined. */
vks_status offsets_from_counts(struct device *d, u32s count, uint32_t n, const char *what, uint32_t *total);
/* offsets_from_counts for up to MOST_COUNTS lists. First runs the recording r, which is empty afterwards. */
enum { MOST_COUNTS = 2 };
vks_status offsets_after(struct rec *r, const struct counts *lists, uint32_t number);

#endif
