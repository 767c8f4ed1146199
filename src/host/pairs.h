/* Arithmetic on pairs of floats, and their sums in the canonical order; shaders/pairs.glsl is the twin, and
 * has the sources. */
#ifndef VKS_HOST_PAIRS_H
#define VKS_HOST_PAIRS_H

#include "device/pair.h"
#include "host/sum.h"

/* a + b = high + low exactly. */
static inline struct pair exact_sum(float a, float b)
{
    float sum = a + b, back = sum - a;
    return (struct pair){sum, (a - (sum - back)) + (b - back)};
}

/* The same where a is zero or its exponent not below that of b. */
static inline struct pair exact_sum_ordered(float a, float b)
{
    float sum = a + b;
    return (struct pair){sum, b - (sum - a)};
}

/* The first twelve bits of a. */
static inline float first_half(float a)
{
    uint32_t bits;
    memcpy(&bits, &a, sizeof bits);
    bits &= 0xFFFFF000u;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static inline struct pair exact_product(float a, float b)
{
    float a1 = first_half(a), a2 = a - a1, b1 = first_half(b), b2 = b - b1;
    float product = a * b;
    return (struct pair){product, ((a1 * b1 - product) + a1 * b2 + a2 * b1) + a2 * b2};
}

static inline struct pair pair_plus(struct pair a, struct pair b)
{
    struct pair high = exact_sum(a.high, b.high), low = exact_sum(a.low, b.low);
    struct pair sum = exact_sum_ordered(high.high, high.low + low.high);
    return exact_sum_ordered(sum.high, low.low + sum.low);
}

static inline struct pair pair_plus_float(struct pair a, float b)
{
    struct pair high = exact_sum(a.high, b);
    return exact_sum_ordered(high.high, a.low + high.low);
}

static inline struct pair pair_times(struct pair a, struct pair b)
{
    struct pair high = exact_product(a.high, b.high);
    float low = a.high * b.low + a.low * b.high;
    return exact_sum_ordered(high.high, high.low + low);
}

/* The halving tree over v, in whose place it goes, from this stride on. */
static inline struct pair pair_tree(struct pair *v, uint32_t stride)
{
    for (; stride; stride /= 2)
        for (uint32_t j = 0; j < stride; j++)
            v[j] = pair_plus(v[j], v[j + stride]);
    return v[0];
}

/* Of `length` values. */
static inline struct pair pair_tile_sum(const struct pair *from, uint32_t length)
{
    struct pair v[TILE] = {{0, 0}};
    memcpy(v, from, length * sizeof *v);
    return pair_tree(v, TILE / 2);
}

/* The whole sum of the `count` sums at s, in whose place the levels go. */
static inline struct pair pair_sum_in_place(struct pair *s, uint32_t count)
{
    for (; count > 1; count = tiles_of(count))
        for (uint32_t g = 0; g < tiles_of(count); g++)
            s[g] = pair_tile_sum(s + (size_t)g * TILE, tile_length(g, count));
    return *s;
}

/* Entries k .. end - 1 of a row of A x by 1, 2 ... 32 lanes. */
static inline struct pair pair_row_sum(const uint32_t *col, const struct pair *val, const struct pair *x,
                                       uint32_t k, uint32_t end, uint32_t lanes)
{
    struct pair v[32] = {{0, 0}};
    for (uint32_t lane = 0; k < end; k++, lane = (lane + 1) % lanes)
        v[lane] = pair_plus(v[lane], pair_times(val[k], x[col[k]]));
    return pair_tree(v, lanes / 2);
}

#endif
