/* Random choices determined by a seed: xorshift64* (S. Vigna, "An experimental exploration of Marsaglia's
 * xorshift generators, scrambled", 2016). */
#ifndef VKS_TESTS_FUZZ_RANDOM_H
#define VKS_TESTS_FUZZ_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

static inline uint64_t random_bits(struct random *r)
{
    r->state ^= r->state >> 12;
    r->state ^= r->state << 25;
    r->state ^= r->state >> 27;
    return r->state * UINT64_C(0x2545F4914F6CDD1D);
}

static inline struct random random_from(uint64_t seed)
{
    struct random r = {seed * UINT64_C(0x9E3779B97F4A7C15) + 1};
    for (int i = 0; i < 8; i++)
        random_bits(&r);
    return r;
}

/* 0 .. n - 1; 0 if n is 0. */
static inline uint32_t random_below(struct random *r, uint32_t n)
{
    return n ? (uint32_t)((random_bits(r) >> 32) % n) : 0;
}

static inline bool one_in(struct random *r, uint32_t n)
{
    return random_below(r, n) == 0;
}

/* 0 .. 1, and -1 .. 1, without the upper end. */
static inline double random_unit(struct random *r)
{
    return (double)(random_bits(r) >> 11) * 0x1p-53;
}

static inline double random_both(struct random *r)
{
    return 2 * random_unit(r) - 1;
}

#define ONE_OF(r, list) ((list)[random_below(r, sizeof(list) / sizeof *(list))])

#endif
