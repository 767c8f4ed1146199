/* The cases of the kernels of the multigrid setup for matrices with blocks, through their arguments; and of
 * Collatz-Wielandt quotients in long rows. */
#ifndef VKS_TESTS_NODE_BLOCKS_CASES_H
#define VKS_TESTS_NODE_BLOCKS_CASES_H

#include "shaders/multigrid/strength.h"
#include "tests/support/cases/blocks.h"

/* The pattern of the job; every third row gets a diagonal block if it lacks one. */
static inline struct host_csr pattern_of_job(const struct job *j, bool all_diagonals)
{
    const struct host_csr *from = j->A;
    struct host_csr a = new_csr(j->n, j->n, (size_t)from->row[j->n] + j->n);
    uint32_t to = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        bool wanted = all_diagonals || i % 3 == 0;
        for (uint32_t k = from->row[i]; k < from->row[i + 1]; k++) {
            if (wanted && from->col[k] > i)
                a.col[to++] = i;
            wanted &= from->col[k] < i;
            a.col[to++] = from->col[k];
        }
        if (wanted)
            a.col[to++] = i;
        a.row[i + 1] = to;
    }
    return a;
}

/* Every eleventh block consists of zeros of either sign. */
static inline struct host_blocks node_blocks(const struct job *j, const struct host_csr *pattern,
                                             uint32_t size)
{
    struct host_blocks b = host_blocks_of(j->p, pattern, size, size, 10 + size);
    for (uint32_t q = 4; q < pattern->row[j->n]; q += 11)
        for (uint32_t k = 0; k < size * size; k++)
            b.val[q * size * size + k] = k % 2 ? 0.0 : -0.0;
    return b;
}

static inline const struct memory *put_rows_of_blocks(struct job *j, const struct host_csr *a)
{
    uint32_t *rows = room(a->row[a->rows], 4);
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t q = a->row[i]; q < a->row[i + 1]; q++)
            rows[q] = i;
    const struct memory *m = put_words(j, rows, a->row[a->rows], "rows of blocks");
    free(rows);
    return m;
}

/* A row without a diagonal block leaves `inverse` unchanged. */
static inline void record_norms_of(struct job *j, uint32_t size)
{
    struct host_csr pattern = pattern_of_job(j, false);
    struct host_blocks b = node_blocks(j, &pattern, size);
    struct blocks B = put_host_blocks(j, &b);
    const struct memory *norm = compared(j, new_reals(j, B.csr.entries, "norms"), j->p, B.csr.entries);
    const struct memory *inverse = compared(j, put(j, j->x, j->n, "an inverse"), j->p, j->n);
    run(&j->r, block_norms, groups_each(B.csr.entries), .col = B.csr.col, .val = blocks_reals(&B),
        .rows = words_at(put_rows_of_blocks(j, &pattern)), .norm = reals_at(norm),
        .inverse = reals_at(inverse), .entries = B.csr.entries, .size = size);
    host_csr_free(&pattern);
    free(b.val);
}

static inline void expect_norms_of(const struct job *j, uint32_t size, double *norm)
{
    struct host_csr pattern = pattern_of_job(j, false);
    struct host_blocks b = node_blocks(j, &pattern, size);
    double *inverse = norm + pattern.row[j->n], *v = b.val;
    memcpy(inverse, j->x, j->n * sizeof *inverse);
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t q = pattern.row[i]; q < pattern.row[i + 1]; q++, norm++) {
            double sum = 0;
            for (uint32_t k = 0; k < size * size; k++, v++)
                sum = rounded(j->p, sum + rounded(j->p, *v * *v));
            *norm = rounded(j->p, sqrt(sum));
            if (pattern.col[q] == i)
                inverse[i] = rounded(j->p, 1 / *norm);
        }
    host_csr_free(&pattern);
    free(b.val);
}

/* The filtered pattern: all diagonal blocks, and those others that a hash selects. */
static inline struct host_csr filtered_of(const struct job *j, const struct host_csr *a)
{
    struct host_csr s = new_csr(j->n, j->n, a->row[j->n]);
    uint32_t to = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        for (uint32_t q = a->row[i]; q < a->row[i + 1]; q++)
            if (a->col[q] == i || (j->words[i] >> q % 32 & 1))
                s.col[to++] = a->col[q];
        s.row[i + 1] = to;
    }
    return s;
}

static const double smoother_weight = 0.6712345678901234;

static inline double inverse_at(const struct job *j, uint32_t row)
{
    return j->x[row % j->n];
}

static inline void record_smoother_of(struct job *j, uint32_t size)
{
    struct host_csr pattern = pattern_of_job(j, true), filtered = filtered_of(j, &pattern);
    struct host_blocks b = node_blocks(j, &pattern, size);
    uint32_t rows = j->n * size;
    double *inverse = room(rows, 8), w = rounded(j->p, smoother_weight);
    for (uint32_t i = 0; i < rows; i++)
        inverse[i] = inverse_at(j, i);
    struct blocks A = put_host_blocks(j, &b), S = put_blocks_with(j, &filtered, size, size, NULL);
    compare_last(j, (uint64_t)S.csr.entries * size * size);
    run(&j->r, smoother_blocks, groups_each(S.csr.entries), .row = A.csr.row, .col = A.csr.col,
        .val = blocks_reals(&A), .to_row = S.csr.row, .to_col = S.csr.col, .to_val = blocks_reals(&S),
        .inverse = reals_at(put(j, inverse, rows, "an inverse diagonal")),
        .w = number_at(put(j, &w, 1, "a weight")), .n = j->n, .entries = S.csr.entries, .size = size);
    host_csr_free(&filtered);
    host_csr_free(&pattern);
    free(inverse);
    free(b.val);
}

/* An element of row `row` of a block of A, as it enters the block of S in the same column. */
static inline double smoothed(const struct job *j, uint32_t row, double a)
{
    double w = rounded(j->p, smoother_weight);
    return -rounded(j->p, rounded(j->p, w * inverse_at(j, row)) * a);
}

static inline void expect_smoother_of(const struct job *j, uint32_t size, double *want)
{
    struct host_csr a = pattern_of_job(j, true), s = filtered_of(j, &a);
    struct host_blocks b = node_blocks(j, &a, size);
    double w = rounded(j->p, smoother_weight);
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t e = s.row[i], q = a.row[i]; e < s.row[i + 1]; e++) {
            while (a.col[q] != s.col[e])
                q++;
            for (uint32_t r = 0; r < size; r++)
                for (uint32_t c = 0; c < size; c++)
                    *want++ = s.col[e] == i && r == c
                                  ? rounded(j->p, 1 - w)
                                  : smoothed(j, i * size + r, b.val[(q * size + r) * size + c]);
        }
    host_csr_free(&a);
    host_csr_free(&s);
    free(b.val);
}

/* Aggregates from the words of the job: the root of a node is any node, and a fifth of all nodes have
 * none. */
struct owned {
    uint32_t *owner, *before, *row;
};

static inline struct owned make_owned(const struct job *j)
{
    struct owned o = {room(j->n, 4), room(j->n, 4), room(j->n + (size_t)1, 4)};
    for (uint32_t i = 0; i < j->n; i++) {
        bool in = j->words[i] % 5 != 0;
        o.owner[i] = in ? j->words[i] / 5 % j->n : NO_AGGREGATE;
        o.before[i] = i ? o.before[i - 1] + j->words[i - 1] % 2 : 0;
        o.row[i + 1] = o.row[i] + in;
    }
    return o;
}

static inline void free_owned(struct owned *o)
{
    free(o->owner);
    free(o->before);
    free(o->row);
}

/* `elements` of each node; 0: only the numbers of aggregates. */
static inline void record_tentative_of(struct job *j, uint32_t elements)
{
    struct owned o = make_owned(j);
    uint32_t in = o.row[j->n];
    const struct memory *col = NULL, *val = NULL, *block = NULL;
    const struct memory *owner = put_words(j, o.owner, j->n, "roots"),
                        *before = put_words(j, o.before, j->n, "roots before"),
                        *row = put_words(j, o.row, j->n + (uint64_t)1, "row offsets");
    const struct memory *number = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "aggregates"), j->n);
    col = compared_words(j, put_words(j, j->words, in, "columns"), in);
    if (elements) {
        double *of_nodes = random_vector(j->p, (size_t)j->n * elements, 3, elements);
        block = put(j, of_nodes, (uint64_t)j->n * elements, "blocks of nodes");
        val = compared(j, new_reals(j, (uint64_t)in * elements, "values"), j->p, (uint64_t)in * elements);
        free(of_nodes);
    }
    run(&j->r, tentative_blocks, groups_each(j->n), .owner = words_at(owner), .before = words_at(before),
        .row = words_at(row), .col = words_at(col), .aggregate = words_at(number),
        .block = block ? reals_at(block) : NULL, .val = val ? reals_at(val) : NULL, .n = j->n,
        .elements = elements);
    free_owned(&o);
}

static inline void expect_tentative_of(const struct job *j, uint32_t elements, double *number)
{
    struct owned o = make_owned(j);
    double *col = number + j->n, *val = col + o.row[j->n];
    double *of_nodes = random_vector(j->p, (size_t)j->n * elements, 3, elements);
    for (uint32_t i = 0; i < j->n; i++) {
        bool in = o.owner[i] != NO_AGGREGATE;
        number[i] = in ? o.before[o.owner[i]] : NO_AGGREGATE;
        if (!in)
            continue;
        *col++ = elements ? number[i] : j->words[o.row[i]];
        for (uint32_t k = 0; k < elements; k++)
            *val++ = of_nodes[i * elements + k];
    }
    free(of_nodes);
    free_owned(&o);
}

/* The ratios are derived from the magnitudes of x, and the first is declared the worst. */
static inline double radius_at(const struct job *j, uint32_t i)
{
    return rounded(j->p, 1 + fabs(j->x[i]));
}

static inline void record_collatz_quotients_of_long_rows(struct job *j)
{
    const struct csr *A = put_matrix(j);
    double *ratio = room(A->cols, 8);
    uint32_t worst = 0;
    for (uint32_t i = 0; i < A->cols; i++)
        ratio[i] = fabs(j->x[i]);
    run(&j->r, collatz_quotients, groups_rows(j->n, csr_whole_lanes(A)), .row = A->row, .col = A->col,
        .val = A->val, .ratio = reals_at(put(j, ratio, A->cols, "ratios")),
        .worst = words_at(put_words(j, &worst, 1, "a row")),
        .quotient = reals_at(compared(j, new_reals(j, j->n, "quotients"), j->p, j->n)), .n = j->n,
        .lanes = csr_whole_lanes(A));
    free(ratio);
}

static inline void expect_collatz_quotients_of_long_rows(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double least = radius_at(j, 0) / 1024;
    for (uint32_t i = 0; i < j->n; i++) {
        double lanes[32] = {0}, own = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            double *lane = &lanes[(k - A->row[i]) % 32];
            double term = rounded(j->p, fabs(A->val[k]) * fmax(radius_at(j, A->col[k]), least));
            *lane = rounded(j->p, *lane + term);
            own = A->col[k] == i ? term : own;
        }
        for (int half = 16; half >= 1; half /= 2)
            for (int l = 0; l < half; l++)
                lanes[l] = rounded(j->p, lanes[l] + lanes[l + half]);
        want[i] = rounded(j->p, lanes[0] / own);
    }
}

#define NODE_CASE(name, what, number)                                   \
    static inline void record_##name(struct job *j)                     \
    {                                                                   \
        record_##what##_of(j, number);                                  \
    }                                                                   \
    static inline void expect_##name(const struct job *j, double *want) \
    {                                                                   \
        expect_##what##_of(j, number, want);                            \
    }
#define NODE_CASES_OF_SIZES(name, what) \
    NODE_CASE(name##_of_1, what, 1)     \
    NODE_CASE(name##_of_2, what, 2)     \
    NODE_CASE(name##_of_3, what, 3)     \
    NODE_CASE(name##_of_6, what, 6)
NODE_CASES_OF_SIZES(block_norms, norms)
NODE_CASES_OF_SIZES(smoother_blocks, smoother)
NODE_CASES_OF_SIZES(tentative_blocks, tentative)
NODE_CASE(tentative_numbers, tentative, 0)
NODE_CASE(tentative_blocks_of_18, tentative, 18)

#define NODE_CASES_LISTED(X, name)                                  \
    X(name##_of_1, .sizes = &sizes_of_small_blocks, .sparse = true) \
    X(name##_of_2, .sizes = &sizes_of_small_blocks, .sparse = true) \
    X(name##_of_3, .sizes = &sizes_of_small_blocks, .sparse = true) \
    X(name##_of_6, .sizes = &sizes_of_small_blocks, .sparse = true)
#define NODE_BLOCKS_CASES(X)                                   \
    NODE_CASES_LISTED(X, block_norms)                          \
    NODE_CASES_LISTED(X, smoother_blocks)                      \
    NODE_CASES_LISTED(X, tentative_blocks)                     \
    X(tentative_numbers, .sizes = &sizes_of_small_blocks)      \
    X(tentative_blocks_of_18, .sizes = &sizes_of_small_blocks) \
    X(collatz_quotients_of_long_rows, .sizes = &sizes_of_long_rows, .long_rows = true)

#endif
