/* The cases of the kernels on small blocks. */
#ifndef VKS_TESTS_BLOCK_CASES_H
#define VKS_TESTS_BLOCK_CASES_H

#include "block/verbs.h"
#include "tests/support/job.h"

/* Sizes of blocks: all `size`, or where that is 0, whatever comes. */
static inline uint32_t size_of_block(uint32_t size, uint32_t b)
{
    static const uint32_t of[] = {3, 1, 16, 5, 32, 4, 9, 8, 17, 2, 31};
    return size ? size : of[b % 11];
}

/* A block: mostly random; but every third a permutation with scales, every fifth with a row that is a sum of
 * two before it (of one row: zero), every seventh with a large part of zeros. */
static inline void make_block(enum precision p, double *a, uint32_t n, uint32_t b, uint64_t *seed)
{
    for (uint32_t k = 0; k < n * n; k++) {
        double v = random_wide(seed, p, 3);
        a[k] = b % 3 == 1                            ? (k % n == (7 * (k / n) + b) % n ? v : 0)
               : b % 7 == 2 && random_bits(seed) % 2 ? 0
                                                     : v;
    }
    uint32_t i = b % n, j = (b + 1) % n, l = (b + 2) % n;
    for (uint32_t k = 0; k < n && b % 5 == 4; k++) /* powers of two alone add up exactly */
        a[i * n + k] = n < 3 ? (n == 1 ? 0 : a[j * n + k]) : n % 2 ? 0 : a[j * n + k] * 2 + a[l * n + k] * 0;
}

/* The blocks of a job, one after the other; their number of elements. */
static inline uint32_t make_blocks(const struct job *j, uint32_t size, double *to)
{
    uint64_t seed = 1000 * (uint64_t)j->n + size + 1;
    uint32_t at = 0;
    for (uint32_t b = 0; b < j->n; b++) {
        uint32_t n = size_of_block(size, b);
        if (to)
            make_block(j->p, to + at, n, b, &seed);
        at += n * n;
    }
    return at;
}

static inline void record_blocks_of(struct job *j, uint32_t size, bool in_place)
{
    uint32_t entries = make_blocks(j, size, NULL), *rows = room(2 * (size_t)j->n + 1, 4),
             *at = rows + j->n + 1;
    double *v = room(entries, 8);
    static const uint32_t none = BLOCK_FAULT_NONE;
    make_blocks(j, size, v);
    for (uint32_t b = 0, place = 0; b < j->n; b++) {
        uint32_t n = size_of_block(size, b);
        rows[b + 1] = rows[b] + n;
        at[b] = place;
        place += n * n;
    }
    const struct memory *from = put(j, v, entries, "blocks"),
                        *to = in_place ? from : new_reals(j, entries, "inverses");
    const struct memory *fault = put_words(j, &none, 1, "fault");
    struct block_batch q = {.count = j->n, .size = size, .most = 32, .entries = entries};
    if (!size) {
        q.rows = words_at(put_words(j, rows, j->n + (uint64_t)1, "rows"));
        q.at = words_at(put_words(j, at, j->n, "places"));
    }
    invert_blocks(&j->r, &q, reals_at(from), reals_at(to), words_at(fault));
    compared(j, to, j->p, entries);
    compared_words(j, fault, 1);
    free(rows);
    free(v);
}

/* Textbook Gauss-Jordan on the transpose, in place, rows changing places; then the columns change theirs
 * back. Among equal candidates the one that stood first in the beginning is taken. False, and the step:
 * singular. */
static inline bool inverse_of_block(enum precision p, const double *a, double *out, uint32_t n,
                                    uint32_t *step)
{
    double t[32][32];
    uint32_t origin[32];
    for (uint32_t i = 0; i < n; i++) {
        origin[i] = i;
        for (uint32_t j = 0; j < n; j++)
            t[i][j] = a[j * n + i];
    }
    for (uint32_t k = 0; k < n; k++) {
        uint32_t best = k;
        for (uint32_t i = k; i < n; i++)
            if (fabs(t[i][k]) > fabs(t[best][k]) ||
                (fabs(t[i][k]) == fabs(t[best][k]) && origin[i] < origin[best]))
                best = i;
        *step = k;
        if (t[best][k] == 0)
            return false;
        for (uint32_t j = 0; j < n; j++) {
            double kept = t[k][j];
            t[k][j] = t[best][j];
            t[best][j] = kept;
        }
        uint32_t kept = origin[k];
        origin[k] = origin[best];
        origin[best] = kept;
        double inverse = rounded(p, 1 / t[k][k]);
        for (uint32_t j = 0; j < n; j++)
            t[k][j] = j == k ? inverse : rounded(p, t[k][j] * inverse);
        for (uint32_t i = 0; i < n; i++) {
            double f = t[i][k];
            for (uint32_t j = 0; j < n && i != k; j++)
                t[i][j] = j == k ? -rounded(p, f * inverse) : rounded(p, t[i][j] - rounded(p, f * t[k][j]));
        }
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            out[origin[j] * n + i] = t[i][j];
    return true;
}

static inline void expect_blocks_of(const struct job *j, uint32_t size, double *want)
{
    uint32_t entries = make_blocks(j, size, NULL), at = 0;
    double *v = room(entries, 8), *fault = want + entries;
    make_blocks(j, size, v);
    *fault = BLOCK_FAULT_NONE;
    for (uint32_t b = 0; b < j->n; b++) {
        uint32_t n = size_of_block(size, b), step;
        if (!inverse_of_block(j->p, v + at, want + at, n, &step)) {
            memset(want + at, 0, n * n * sizeof *want);
            *fault = *fault < 32.0 * b + step ? *fault : 32.0 * b + step;
        }
        at += n * n;
    }
    free(v);
}

/* The last are more than three groups take: of 64 blocks of up to 4 rows each, of 8 of up to 32. */
static const uint32_t blocks_at[] = {0, 1, 2, 9, 64, 65, 200}, large_blocks_at[] = {0, 1, 8, 33};
static const struct sizes sizes_of_blocks = {blocks_at, sizeof blocks_at / sizeof *blocks_at, 6},
                          sizes_of_large_blocks = {large_blocks_at,
                                                   sizeof large_blocks_at / sizeof *large_blocks_at, 3};

#define BLOCK_CASE_(name, size, in_place)                               \
    static inline void record_##name(struct job *j)                     \
    {                                                                   \
        record_blocks_of(j, size, in_place);                            \
    }                                                                   \
    static inline void expect_##name(const struct job *j, double *want) \
    {                                                                   \
        expect_blocks_of(j, size, want);                                \
    }

BLOCK_CASE_(blocks_of_1, 1, false)
BLOCK_CASE_(blocks_of_3, 3, true)
BLOCK_CASE_(blocks_of_6, 6, false)
BLOCK_CASE_(blocks_of_16, 16, false)
BLOCK_CASE_(blocks_of_27, 27, true)
BLOCK_CASE_(blocks_of_any_size, 0, false)
#undef BLOCK_CASE_

#define BLOCK_CASES(X)                                             \
    X(blocks_of_1, .sizes = &sizes_of_blocks)                      \
    X(blocks_of_3, .sizes = &sizes_of_blocks, .once = true)        \
    X(blocks_of_6, .sizes = &sizes_of_blocks)                      \
    X(blocks_of_16, .sizes = &sizes_of_large_blocks)               \
    X(blocks_of_27, .sizes = &sizes_of_large_blocks, .once = true) \
    X(blocks_of_any_size, .sizes = &sizes_of_large_blocks)

#endif
