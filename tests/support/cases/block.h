/* The cases of the kernels on small blocks. */
#ifndef VKS_TESTS_BLOCK_CASES_H
#define VKS_TESTS_BLOCK_CASES_H

#include "block/verbs.h"
#include "shaders/solver/state.h"
#include "tests/support/job.h"

/* Sizes of blocks: all `size` or, if that is 0, varying. */
static inline uint32_t size_of_block(uint32_t size, uint32_t b)
{
    static const uint32_t of[] = {3, 1, 16, 5, 32, 4, 9, 8, 17, 2, 31};
    return size ? size : of[b % 11];
}

/* A block: mostly random. Every third is a scaled permutation; every fifth has a row that is the sum of two
 * earlier ones (with one row: zero); every seventh has many zeros. */
static inline void make_block(enum precision p, double *a, uint32_t n, uint32_t b, uint64_t *seed)
{
    for (uint32_t k = 0; k < n * n; k++) {
        double v = random_wide(seed, p, 3);
        a[k] = b % 3 == 1                            ? (k % n == (7 * (k / n) + b) % n ? v : 0)
               : b % 7 == 2 && random_bits(seed) % 2 ? 0
                                                     : v;
    }
    uint32_t i = b % n, j = (b + 1) % n, l = (b + 2) % n;
    for (uint32_t k = 0; k < n && b % 5 == 4; k++) /* sums are exact only for powers of two */
        a[i * n + k] = n < 3 ? (n == 1 ? 0 : a[j * n + k]) : n % 2 ? 0 : a[j * n + k] * 2 + a[l * n + k] * 0;
}

/* Makes the blocks of a job, one after the other; returns their number of elements. */
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

/* Textbook Gauss-Jordan elimination of the transpose, in place, with exchanged rows; afterwards the columns
 * are exchanged back. Among equal candidates, the one whose original row came first is taken. False, and the
 * step, if singular. */
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

/* The last sizes exceed three groups, which take 64 blocks each of up to 4 rows, or 8 of up to 32. */
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

/* A bit for each row that has the same columns as the row before. */
static inline void record_rows_alike(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t words = j->n / 32 + 1, *zeros = room(words, 4);
    const struct memory *alike = put_words(j, zeros, words, "bits");
    free(zeros);
    rows_alike(&j->r, A, words_at(compared_words(j, alike, words)));
}

static inline void expect_rows_alike(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    memset(want, 0, (j->n / 32 + 1) * sizeof *want);
    for (uint32_t i = 1; i < j->n; i++) {
        uint32_t length = A->row[i + 1] - A->row[i], same = A->row[i] - A->row[i - 1] == length;
        for (uint32_t k = 0; k < length && same; k++)
            same = A->col[A->row[i] + k] == A->col[A->row[i - 1] + k];
        want[i / 32] += same ? ldexp(1, i % 32) : 0;
    }
}

/* Blocks on the diagonal of a matrix that has more diagonal entries than the job's random one; their sizes
 * are as above, and the last block takes the remaining rows. */
static inline struct host_csr make_banded(const struct job *j)
{
    struct host_csr A = new_csr(j->n, j->n, 9 * (size_t)j->n);
    uint64_t seed = j->n + 77;
    for (uint32_t i = 0, k = 0; i < j->n; i++) {
        for (int gap = -40; gap <= 40; gap += 1 + (int)random_below(&seed, 20))
            if ((gap >= 0 || (uint32_t)-gap <= i) && (gap < 0 || (uint32_t)gap < j->n - i)) {
                A.col[k] = (uint32_t)((int64_t)i + gap);
                A.val[k++] = random_wide(&seed, stored_precision(j->p), 3);
                if (k - A.row[i] == 9)
                    break;
            }
        A.row[i + 1] = k;
    }
    return A;
}

/* Host arrays for the blocks on the diagonal; `first` and `at` have one element more. */
struct block_places {
    uint32_t count, entries, *first, *at, *of;
};

static inline struct block_places make_places(uint32_t n)
{
    struct block_places q = {.first = room((size_t)n + 1, 4), .at = room((size_t)n + 1, 4), .of = room(n, 4)};
    for (uint32_t i = 0; i < n; q.count++) {
        uint32_t rows = size_of_block(0, q.count) < n - i ? size_of_block(0, q.count) : n - i;
        q.first[q.count] = i;
        q.at[q.count] = q.entries;
        for (uint32_t k = 0; k < rows; k++)
            q.of[i + k] = q.count;
        q.entries += rows * rows;
        i += rows;
    }
    q.first[q.count] = n;
    q.at[q.count] = q.entries;
    return q;
}

static inline void free_places(struct block_places *q)
{
    free(q->first);
    free(q->at);
    free(q->of);
}

static inline struct diagonal_blocks put_places(struct job *j, const struct block_places *q)
{
    struct diagonal_blocks d = {.count = q->count, .most = 32, .entries = q->entries};
    d.of = *put_words(j, q->of, j->n, "the block of each row");
    d.first = *put_words(j, q->first, q->count + (uint64_t)1, "the first rows");
    d.at = *put_words(j, q->at, q->count + (uint64_t)1, "the places");
    return d;
}

static inline void record_block_gather(struct job *j)
{
    struct host_csr A = make_banded(j);
    struct block_places q = make_places(j->n);
    const struct host_csr *kept = j->A;
    j->A = &A;
    const struct csr *put = put_matrix(j);
    j->A = kept;
    struct diagonal_blocks d = put_places(j, &q);
    d.value = *compared(j, new_reals(j, q.entries, "blocks"), j->p, q.entries);
    block_gather(&j->r, put, &d);
    free_places(&q);
    host_csr_free(&A);
}

static inline void expect_block_gather(const struct job *j, double *want)
{
    struct host_csr A = make_banded(j);
    struct block_places q = make_places(j->n);
    memset(want, 0, q.entries * sizeof *want);
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++) {
            uint32_t b = q.of[i], rows = q.first[b + 1] - q.first[b];
            if (q.of[A.col[k]] == b)
                want[q.at[b] + (A.col[k] - q.first[b]) * rows + (i - q.first[b])] = A.val[k];
        }
    free_places(&q);
    host_csr_free(&A);
}

/* Arbitrary numbers as inverses. */
static inline double *random_blocks(const struct job *j, const struct block_places *q)
{
    double *v = room(q->entries, 8);
    uint64_t seed = j->n;
    for (uint32_t k = 0; k < q->entries; k++)
        v[k] = random_wide(&seed, j->p, 3);
    return v;
}

static inline void record_block_shares(struct job *j)
{
    struct host_csr A = make_banded(j);
    struct block_places q = make_places(j->n);
    double *v = random_blocks(j, &q);
    const struct host_csr *kept = j->A;
    j->A = &A;
    const struct csr *matrix = put_matrix(j);
    j->A = kept;
    struct diagonal_blocks d = put_places(j, &q);
    d.value = *put(j, v, q.entries, "blocks");
    block_shares(&j->r, matrix, &d, reals_at(compared(j, new_reals(j, j->n, "shares"), j->p, j->n)));
    free(v);
    free_places(&q);
    host_csr_free(&A);
}

static inline void expect_block_shares(const struct job *j, double *want)
{
    struct host_csr A = make_banded(j);
    struct block_places q = make_places(j->n);
    double *v = random_blocks(j, &q);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t b = q.of[i], rows = q.first[b + 1] - q.first[b];
        double a = 0;
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            a = A.col[k] == i ? A.val[k] : a;
        double product = rounded(j->p, a * v[q.at[b] + (i - q.first[b]) * (rows + 1)]);
        want[i] = rows == 1 ? 0 : rounded(j->p, 1 - rounded(j->p, 1 / product));
    }
    free(v);
    free_places(&q);
    host_csr_free(&A);
}

/* z, and r . z from stripe sums with their own reduction; dot provides the sum of z r, too. */
static inline void record_block_apply(struct job *j)
{
    struct block_places q = make_places(j->n);
    double *v = random_blocks(j, &q);
    const uint32_t running = 0, stopped = 1;
    struct diagonal_blocks d = put_places(j, &q);
    d.value = *put(j, v, q.entries, "blocks");
    const struct memory *r = put(j, j->x, j->n, "r"), *z = put(j, j->y, j->n, "z"),
                        *y = put(j, j->y, j->n, "y");
    const struct reduction *w = new_reduction(j, 2);
    rec_guard(&j->r, words_at(put_words(j, &running, 1, "a guard")));
    block_apply(&j->r, &d, job_vec(j, r), job_vec(j, z), w, 1);
    rec_guard(&j->r, words_at(put_words(j, &stopped, 1, "a guard")));
    block_apply(&j->r, &d, job_vec(j, r), job_vec(j, y), w, 1);
    rec_guard(&j->r, NULL);
    stripe_levels(&j->r, w, j->n, 1, 1);
    uint32_t tiles = j->n ? (uint32_t)groups_each(j->n) : 1;
    compared(j, z, j->p, j->n);
    compared(j, y, j->p, j->n);
    if (tiles == 1) { /* the sum of a single tile is the total */
        compared(j, &w->sums, j->p, 1);
        j->outputs[j->output_count - 1].first = w->stride;
    }
    free_places(&q);
    free(v);
}

static inline void expect_block_apply(const struct job *j, double *want)
{
    struct block_places q = make_places(j->n);
    double *v = random_blocks(j, &q);
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t b = q.of[i], rows = q.first[b + 1] - q.first[b];
        double sum = 0;
        for (uint32_t k = 0; k < rows; k++)
            sum = rounded(
                j->p, sum + rounded(j->p, v[q.at[b] + k * rows + (i - q.first[b])] * j->x[q.first[b] + k]));
        want[i] = sum;
        want[j->n + i] = j->y[i];
    }
    if (j->n <= 256)
        want[2 * (size_t)j->n] = canonical_dot(j->p, j->x, want, j->n);
    free_places(&q);
    free(v);
}

static const uint32_t block_rows_at[] = {0, 1, 3, 31, 32, 33, 255, 256, 257, 1000, 2049, 8200};
static const struct sizes sizes_of_block_rows = {block_rows_at, sizeof block_rows_at / sizeof *block_rows_at,
                                                 9};

#define BLOCK_CASES(X)                                             \
    X(blocks_of_1, .sizes = &sizes_of_blocks)                      \
    X(blocks_of_3, .sizes = &sizes_of_blocks, .once = true)        \
    X(blocks_of_6, .sizes = &sizes_of_blocks)                      \
    X(blocks_of_16, .sizes = &sizes_of_large_blocks)               \
    X(blocks_of_27, .sizes = &sizes_of_large_blocks, .once = true) \
    X(blocks_of_any_size, .sizes = &sizes_of_large_blocks)         \
    X(rows_alike, .sparse = true)                                  \
    X(block_gather, .sizes = &sizes_of_block_rows)                 \
    X(block_shares, .sizes = &sizes_of_block_rows)                 \
    X(block_apply, .sizes = &sizes_of_block_rows)

#endif
