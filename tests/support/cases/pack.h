/* The cases of the kernels that rearrange arrays, through their verbs. */
#ifndef VKS_TESTS_PACK_CASES_H
#define VKS_TESTS_PACK_CASES_H

#include "primitive/pack_verbs.h"
#include "tests/support/job.h"

static inline void record_iota_words(struct job *j)
{
    const struct memory *y = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), j->n);
    iota_words(&j->r, words_at(y), j->n);
}

static inline void expect_iota_words(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = i;
}

static inline void record_multiples_words(struct job *j)
{
    const struct memory *y = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), j->n);
    multiples_words(&j->r, words_at(y), j->n, 7);
}

static inline void expect_multiples_words(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = 7 * i;
}

static inline void record_total_words(struct job *j)
{
    const struct memory *x = put_words(j, j->words, j->n, "x");
    const struct memory *total = compared_words(j, new_bytes(j, 8, "the total"), 2);
    total_words(&j->r, words_at(x), words_at(total), j->n);
}

static inline void expect_total_words(const struct job *j, double *want)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < j->n; i++)
        sum += j->words[i];
    want[0] = (uint32_t)sum;
    want[1] = (uint32_t)(sum >> 32);
}

/* Indices below n. */
static inline uint32_t *places_of(const struct job *j)
{
    uint32_t *v = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = j->words[i] % j->n;
    return v;
}

static inline void record_gather_words(struct job *j)
{
    uint32_t *places = places_of(j);
    const struct memory *from = put_words(j, j->words, j->n, "from"),
                        *place = put_words(j, places, j->n, "places"),
                        *to = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "to"), j->n);
    gather_words(&j->r, words_at(from), words_at(place), words_at(to), j->n);
    free(places);
}

static inline void expect_gather_words(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->words[j->words[i] % j->n];
}

static inline void record_gather_reals(struct job *j)
{
    uint32_t *places = places_of(j);
    const struct memory *from = put(j, j->x, j->n, "from"), *place = put_words(j, places, j->n, "places"),
                        *to = compared(j, new_reals(j, j->n, "to"), j->p, j->n);
    gather_reals(&j->r, reals_at(from), words_at(place), reals_at(to), j->n);
    free(places);
}

static inline void expect_gather_reals(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->x[j->words[i] % j->n];
}

/* A word that often equals its neighbour, and does not ascend. */
static inline uint32_t coarse(const struct job *j, uint32_t i, uint32_t bit)
{
    return j->words[i] >> bit & 1;
}

static inline void record_mark_firsts(struct job *j)
{
    uint32_t *x = room(j->n, 4), *y = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++) {
        x[i] = coarse(j, i, 3);
        y[i] = coarse(j, i, 4);
    }
    const struct memory *a = put_words(j, x, j->n, "x"), *b = put_words(j, y, j->n, "y"),
                        *flag = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "flags"), j->n);
    mark_firsts(&j->r, words_at(a), words_at(b), words_at(flag), j->n);
    free(x);
    free(y);
}

static inline void expect_mark_firsts(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = i == 0 || coarse(j, i, 3) != coarse(j, i - 1, 3) || coarse(j, i, 4) != coarse(j, i - 1, 4);
}

/* The exclusive prefix sums of flags, some of which are set. */
static inline const struct memory *put_positions(struct job *j, uint32_t *kept)
{
    uint32_t *v = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        v[i + (size_t)1] = v[i] + coarse(j, i, 3);
    *kept = v[j->n];
    const struct memory *m = put_words(j, v, j->n + (uint64_t)1, "positions");
    free(v);
    return m;
}

static inline void record_pack_words(struct job *j)
{
    uint32_t kept;
    const struct memory *from = put_words(j, j->words, j->n, "from"), *position = put_positions(j, &kept),
                        *to = compared_words(j, new_bytes(j, 4 * (uint64_t)kept, "to"), kept),
                        *places = compared_words(j, new_bytes(j, 4 * (uint64_t)kept, "indices"), kept);
    pack_words(&j->r, words_at(from), words_at(position), words_at(to), j->n, 0xFFFF);
    pack_indices(&j->r, words_at(position), words_at(places), j->n);
}

static inline void expect_pack_words(const struct job *j, double *want)
{
    for (int indices = 0; indices < 2; indices++)
        for (uint32_t i = 0; i < j->n; i++)
            if (coarse(j, i, 3))
                *want++ = indices ? i : j->words[i] & 0xFFFF;
}

static inline void record_pack_reals(struct job *j)
{
    uint32_t kept;
    const struct memory *from = put(j, j->x, j->n, "from"), *position = put_positions(j, &kept),
                        *to = compared(j, new_reals(j, kept, "to"), j->p, kept);
    pack_reals(&j->r, reals_at(from), words_at(position), reals_at(to), j->n);
}

static inline void expect_pack_reals(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        if (coarse(j, i, 3))
            *want++ = j->x[i];
}

/* Ascending keys with gaps and repeats; if n is odd, the last is at the end of the range. */
static inline uint32_t *ascending_of(const struct job *j)
{
    uint32_t *v = room(j->n, 4), at = 0;
    for (uint32_t i = 0; i < j->n; i++)
        v[i] = at += j->words[i] % 8 < 4 ? 0 : j->words[i] % 8 * 16;
    if (j->n % 2)
        v[j->n - 1] = UINT32_MAX;
    return v;
}

enum { BOUNDS = 777 };
static const uint32_t shifts[] = {0, 5, 28, 32};

static inline void record_lower_bounds(struct job *j)
{
    uint32_t *keys = ascending_of(j);
    const struct memory *from = put_words(j, keys, j->n, "keys");
    for (int k = 0; k < 4; k++) {
        const struct memory *to = compared_words(j, new_bytes(j, 4 * BOUNDS, "bounds"), BOUNDS);
        lower_bounds(&j->r, words_at(from), j->n, words_at(to), BOUNDS, shifts[k]);
    }
    free(keys);
}

static inline void expect_lower_bounds(const struct job *j, double *want)
{
    uint32_t *keys = ascending_of(j);
    for (int k = 0; k < 4; k++)
        for (uint32_t i = 0, below = 0; i < BOUNDS; i++) {
            while (below < j->n && keys[below] < (uint64_t)i << shifts[k])
                below++;
            *want++ = below;
        }
    free(keys);
}

/* X(verb, further members) */
#define PACK_CASES(X)                 \
    X(iota_words, .words = true)      \
    X(multiples_words, .words = true) \
    X(total_words, .words = true)     \
    X(gather_words, .words = true)    \
    X(gather_reals, .once = false)    \
    X(mark_firsts, .words = true)     \
    X(pack_words, .words = true)      \
    X(pack_reals, .once = false)      \
    X(lower_bounds, .words = true)

#endif
