/* The cases of the kernels of prefix sums, through their verbs, and their oracle: the definition in
 * shaders/primitive/scan.glsl, element by element. */
#ifndef VKS_TESTS_SCAN_CASES_H
#define VKS_TESTS_SCAN_CASES_H

#include "primitive/scan_verbs.h"
#include "tests/support/job.h"

/* A run has 4 elements, a row 128, a tile 4,096. */
static const uint32_t scans_at[] = {0,   1,   3,   4,    5,    31,   32,   33,   127,
                                    128, 129, 511, 4095, 4096, 4097, 8192, 8193, 20481};
static const struct sizes sizes_of_scans = {scans_at, sizeof scans_at / sizeof *scans_at, 17};

/* The sum since the last segment head, and whether there was one. */
struct sum_part {
    double sum;
    bool head;
};

static inline struct sum_part after(enum precision p, struct sum_part a, struct sum_part b)
{
    struct sum_part none_before = {b.sum, true}, both = {rounded(p, a.sum + b.sum), a.head};
    return b.head ? none_before : both;
}

/* The sum of parts first .. end - 1, in order, from zero. */
static inline struct sum_part chain(enum precision p, const struct sum_part *v, size_t first, size_t end)
{
    struct sum_part all = {0, false};
    for (size_t k = first; k < end; k++)
        all = after(p, all, v[k]);
    return all;
}

/* Runs up to l of a row, after combining all at a distance of up to `apart`. */
static inline struct sum_part met(enum precision p, const struct sum_part *runs, int l, int apart)
{
    if (!apart)
        return runs[l];
    struct sum_part near = met(p, runs, l, apart / 2);
    return l >= apart ? after(p, met(p, runs, l - apart, apart / 2), near) : near;
}

/* The sum of elements first .. last of a run, in order. */
static inline struct sum_part run_to(enum precision p, const struct sum_part *x, size_t first, size_t last)
{
    struct sum_part all = x[first];
    for (size_t k = first + 1; k <= last; k++)
        all = after(p, all, x[k]);
    return all;
}

/* upto[i] and ahead[i] = the sum up to i, and before i, of the elements of one tile (4,096), after `offset`.
 * The first element of a run has the sum before the run. Returns the sum of the tile. */
static inline struct sum_part tile_sums(enum precision p, const struct sum_part *x, double offset,
                                        double *upto, double *ahead)
{
    static struct sum_part runs[1024], rows[32], squads[8];
    for (size_t k = 0; k < 1024; k++)
        runs[k] = run_to(p, x, 4 * k, 4 * k + 3);
    for (size_t k = 0; k < 32; k++)
        rows[k] = met(p, runs + 32 * k, 31, 16);
    for (size_t k = 0; k < 8; k++)
        squads[k] = chain(p, rows, 4 * k, 4 * k + 4);
    for (size_t k = 0; k < 1024; k++) {
        size_t row = k / 32, squad = k / 128;
        struct sum_part before = {0, false};
        if (k % 32)
            before = met(p, runs + 32 * row, (int)(k % 32) - 1, 16);
        before = after(p, chain(p, rows, 4 * squad, row), before);
        before = after(p, chain(p, squads, 0, squad), before);
        before = after(p, (struct sum_part){offset, false}, before);
        for (size_t i = 4 * k; i < 4 * k + 4; i++) {
            upto[i] = after(p, before, run_to(p, x, 4 * k, i)).sum;
            ahead[i] = i == 4 * k ? before.sum : upto[i - 1];
        }
    }
    return chain(p, squads, 0, 8);
}

/* Replaces parts by the sums before them: all earlier groups of 32 in order, then the earlier parts of the
 * group. */
static inline void offsets_from_totals(enum precision p, const struct sum_part *totals, size_t tiles,
                                       double *offsets)
{
    struct sum_part *groups = room(tiles / 32 + 1, sizeof *groups);
    for (size_t g = 0; g < tiles / 32; g++)
        groups[g] = chain(p, totals, 32 * g, 32 * g + 32);
    for (size_t t = 0; t < tiles; t++)
        offsets[t] = after(p, chain(p, groups, 0, t / 32), chain(p, totals, t / 32 * 32, t)).sum;
    free(groups);
}

/* The sums of n parts, tile by tile; x, upto and ahead have space for whole tiles. */
static inline void part_sums(enum precision p, const struct sum_part *x, size_t n, double *upto,
                             double *ahead)
{
    size_t tiles = (n + 4095) / 4096;
    struct sum_part *totals = room(tiles, sizeof *totals);
    double *offsets = room(tiles, 8);
    for (size_t t = 0; t < tiles; t++)
        totals[t] = tile_sums(p, x + 4096 * t, 0, upto, ahead);
    offsets_from_totals(p, totals, tiles, offsets);
    for (size_t t = 0; t < tiles; t++)
        tile_sums(p, x + 4096 * t, offsets[t], upto + 4096 * t, ahead + 4096 * t);
    free(totals);
    free(offsets);
}

/* heads may be NULL. */
static inline void expect_sums_of(enum precision p, const double *x, const bool *heads, size_t n,
                                  bool exclusive, double *y)
{
    struct sum_part *parts = room(n + 4096, sizeof *parts);
    double *upto = room(n + 4096, 8), *ahead = room(n + 4096, 8);
    for (size_t i = 0; i < n; i++)
        parts[i] = (struct sum_part){x[i], heads && heads[i]};
    part_sums(p, parts, n, upto, ahead);
    for (size_t i = 0; i < n; i++)
        y[i] = !exclusive ? upto[i] : heads && heads[i] ? 0 : ahead[i];
    free(parts);
    free(upto);
    free(ahead);
}

/* Offsets of segments: many if n is even, few if it is odd; some are repeated or beyond the end. */
static inline uint32_t offsets_of(const struct job *j, uint32_t **offsets)
{
    uint32_t count = j->n / (j->n % 2 ? 400 : 7) + 2;
    *offsets = room(count, 4);
    for (uint32_t k = 0; k < count; k++)
        (*offsets)[k] = (uint32_t)((k * 2654435761u + 3) % (j->n + (uint64_t)9));
    return count;
}

static inline bool *heads_of(const struct job *j)
{
    uint32_t *offsets, count = offsets_of(j, &offsets);
    bool *heads = room(j->n, sizeof *heads);
    for (uint32_t k = 0; k < count; k++)
        if (offsets[k] < j->n)
            heads[offsets[k]] = true;
    free(offsets);
    return heads;
}

static inline const struct scan_space *new_space(struct job *j, uint32_t item_bytes, struct scan_space *w)
{
    uint64_t bits = 4 * (uint64_t)head_words(j->n);
    *w = (struct scan_space){.sums = *new_bytes(j, (uint64_t)scan_tiles(j->n) * item_bytes, "sums of tiles"),
                             .heads = *new_bytes(j, bits + 4 * scan_tiles(j->n), "heads"),
                             .n = j->n};
    return w;
}

/* Four scans: plain and in segments, inclusive and exclusive; the last one in place. */
static inline void record_scan_real(struct job *j)
{
    uint32_t *offsets, count = offsets_of(j, &offsets);
    struct scan_space w;
    const struct memory *x = put(j, j->x, j->n, "x"), *at = put_words(j, offsets, count, "offsets");
    new_space(j, real_bytes(j->p), &w);
    free(offsets);
    mark_heads(&j->r, &w, words_at(at), count);
    for (int k = 0; k < 4; k++) {
        const struct memory *y = new_reals(j, j->n, "y");
        compared(j, y, j->p, j->n);
        if (k == 3)
            copy(&j->r, job_vec(j, x), job_vec(j, y));
        scan_real(&j->r, &w, reals_at(k == 3 ? y : x), reals_at(y), k / 2, k % 2);
    }
}

static inline void expect_scan_real(const struct job *j, double *want)
{
    bool *heads = heads_of(j);
    for (size_t k = 0; k < 4; k++)
        expect_sums_of(j->p, j->x, k / 2 ? heads : NULL, j->n, k % 2, want + k * j->n);
    free(heads);
}

/* The bound on the error of prefix sum i per unit of the sum of magnitudes: an element passes through so many
 * additions, each with one rounding error (N. J. Higham, "Accuracy and stability of numerical algorithms",
 * section 3.1). These are 3 in the run, 5 over the runs of a row, 3 over the rows of a squad, 7 over squads,
 * 31 over the tiles of a group, one less than the number of earlier groups, and 3 down to the element
 * again. */
static inline long double scan_bound(enum precision p, uint32_t i)
{
    long double unit = p == PRECISION_F64 ? 0x1p-53L : 0x1p-24L, additions = 51 + i / (32 * 4096);
    return additions * unit / (1 - additions * unit);
}

/* Inclusive sums have the promised accuracy. */
static inline void check_scan_real(const struct job *j, const double *got)
{
    struct precise_sum exact = {0}, magnitude = {0};
    for (uint32_t i = 0; i < j->n; i++) {
        precise_add(&exact, j->x[i]);
        precise_add(&magnitude, fabsl((long double)j->x[i]));
        cr_assert(fabsl(got[i] - precise_value(&exact)) <= scan_bound(j->p, i) * precise_value(&magnitude),
                  "prefix sum %u of %u is too far off", i, j->n);
    }
}

static inline void record_scan_u32(struct job *j)
{
    uint32_t *offsets, count = offsets_of(j, &offsets);
    struct scan_space w;
    const struct memory *x = put_words(j, j->words, j->n, "x"), *at = put_words(j, offsets, count, "offsets");
    new_space(j, 4, &w);
    free(offsets);
    mark_heads(&j->r, &w, words_at(at), count);
    for (int k = 0; k < 4; k++) {
        const struct memory *y = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), j->n);
        if (k == 3)
            copy_words(&j->r, words_at(x), words_at(y), j->n);
        scan_u32(&j->r, &w, words_at(k == 3 ? y : x), words_at(y), k / 2, k % 2);
    }
}

static inline void serial_sums(const uint32_t *x, const bool *heads, uint32_t n, bool exclusive, double *y)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum = heads && heads[i] ? 0 : sum;
        y[i] = exclusive ? sum : sum + x[i];
        sum += x[i];
    }
}

static inline void expect_scan_u32(const struct job *j, double *want)
{
    bool *heads = heads_of(j);
    for (size_t k = 0; k < 4; k++)
        serial_sums(j->words, k / 2 ? heads : NULL, j->n, k % 2, want + k * j->n);
    free(heads);
}

/* Polls other workgroups for a while, and never: every workgroup then sums all tiles before its own. */
static inline void record_scan_once_u32(struct job *j)
{
    const struct memory *x = put_words(j, j->words, j->n, "x");
    const struct memory *space = new_bytes(j, 4 * (uint64_t)scan_once_words(j->n), "sums of tiles");
    for (int k = 0; k < 3; k++) {
        const struct memory *y = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), j->n);
        scan_once_u32(&j->r, words_at(space), words_at(x), words_at(y), j->n, k % 2, k < 2 ? SCAN_POLLS : 0);
    }
}

static inline void expect_scan_once_u32(const struct job *j, double *want)
{
    for (size_t k = 0; k < 3; k++)
        serial_sums(j->words, NULL, j->n, k % 2, want + k * j->n);
}

/* The same, of floats. */
static inline void record_scan_once_real(struct job *j)
{
    const struct memory *x = put(j, j->x, j->n, "x");
    const struct memory *space =
        new_bytes(j, 4 * (uint64_t)scan_once_real_words(j->n, real_bytes(j->p)), "states");
    for (int k = 0; k < 3; k++) {
        const struct memory *y = compared(j, new_reals(j, j->n, "y"), j->p, j->n);
        scan_once_real(&j->r, words_at(space), reals_at(x), reals_at(y), j->n, k % 2, k < 2 ? SCAN_POLLS : 0);
    }
}

static inline void expect_scan_once_real(const struct job *j, double *want)
{
    for (size_t k = 0; k < 2; k++)
        expect_sums_of(j->p, j->x, NULL, j->n, k, want + k * j->n);
    memcpy(want + 2 * (size_t)j->n, want, j->n * sizeof *want);
}

/* X(verb, further members) */
#define SCAN_CASES(X)                                                \
    X(scan_real, .sizes = &sizes_of_scans, .check = check_scan_real) \
    X(scan_u32, .words = true, .sizes = &sizes_of_scans)             \
    X(scan_once_u32, .words = true, .sizes = &sizes_of_scans)        \
    X(scan_once_real, .sizes = &sizes_of_scans, .check = check_scan_real)

#endif
