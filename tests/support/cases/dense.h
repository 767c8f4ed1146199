/* The cases of the kernels of shaders/dense/, through their verbs. */
#ifndef VKS_TESTS_DENSE_CASES_H
#define VKS_TESTS_DENSE_CASES_H

#include "dense/pivot_verbs.h"
#include "tests/support/dense_oracle.h"
#include "tests/support/job.h"

/* --- y = A x + b: the size is the number of columns --- */

static const uint32_t gemv_at[] = {0,   1,   2,   11,  12,  13, 31,   32,   33,   47,   48,
                                   191, 192, 255, 256, 257, 3,  1000, 1024, 1025, 2049, 263000};
static const struct sizes sizes_of_gemv = {gemv_at, sizeof gemv_at / sizeof *gemv_at, 16};

/* Enough rows for several workgroups; fewer for a large number of strips. */
static inline uint32_t gemv_height(uint32_t cols)
{
    return cols == 3 ? 1000 : cols > 10000 ? 2 : 37;
}

/* Elements beyond the columns are NaN, which no product may read. */
static inline struct block put_dense(struct job *j, const double *v, uint32_t rows, uint32_t cols,
                                     uint32_t ld)
{
    double *all = room((size_t)rows * ld, sizeof *all);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t k = 0; k < ld; k++)
            all[(size_t)i * ld + k] = k < cols ? v[(size_t)i * cols + k] : NAN;
    const struct memory *m = put(j, all, (uint64_t)rows * ld, "a dense matrix");
    free(all);
    return (struct block){m->address, rows, cols, ld};
}

static inline double *gemv_matrix(const struct job *j)
{
    return random_vector(j->p, (size_t)gemv_height(j->n) * j->n, j->n % 2 ? 20 : 2, 7 + j->n);
}

static inline double *gemv_offset(const struct job *j)
{
    return random_vector(j->p, gemv_height(j->n), 3, 11 + j->n);
}

/* b is omitted if the number of columns is even. */
static inline void record_gemv(struct job *j, vks_gemv_form form)
{
    uint32_t rows = gemv_height(j->n);
    double *v = gemv_matrix(j), *b = gemv_offset(j);
    struct block A = put_dense(j, v, rows, j->n, j->n + 3);
    struct vec x = job_vec(j, put(j, j->x, j->n, "x")), at_b = vec_in(put(j, b, rows, "b"), rows, j->p);
    reals s = reals_at(new_reals(j, gemv_room(A), "sums of strips"));
    struct vec y = vec_in(compared(j, new_reals(j, rows, "y"), j->p, rows), rows, j->p);
    gemv(&j->r, form, A, x, j->n % 2 ? at_b : (struct vec){0}, y, s);
    free(v);
    free(b);
}

static inline void expect_gemv(const struct job *j, double *want)
{
    uint32_t rows = gemv_height(j->n);
    double *v = gemv_matrix(j), *b = gemv_offset(j);
    for (uint32_t i = 0; i < rows; i++) {
        want[i] = dense_row(j->p, v + (size_t)i * j->n, j->x, j->n);
        if (j->n % 2)
            want[i] = rounded(j->p, want[i] + b[i]);
    }
    free(v);
    free(b);
}

static inline void record_gemv_rows(struct job *j)
{
    record_gemv(j, VKS_GEMV_ROWS);
}

static inline void record_gemv_groups(struct job *j)
{
    record_gemv(j, VKS_GEMV_GROUPS);
}

static inline void record_gemv_strips(struct job *j)
{
    record_gemv(j, VKS_GEMV_STRIPS);
}

#define expect_gemv_rows expect_gemv
#define expect_gemv_groups expect_gemv
#define expect_gemv_strips expect_gemv

/* --- C = A B: the size is a shape --- */

struct gemm_shape {
    uint32_t m, n, k;
};

static const struct gemm_shape gemm_shapes[] = {
    {0, 3, 2},    {3, 0, 2},     {3, 2, 0},    {1, 1, 1},    {2, 3, 4},
    {31, 33, 17}, {127, 63, 7},  {128, 64, 8}, {129, 65, 9}, {96, 128, 16},
    {8, 16, 15},  {97, 129, 33}, {5, 17, 300}, {400, 70, 5}, {388, 66, 40},
};
static const uint32_t gemm_at[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
static const struct sizes sizes_of_gemm = {gemm_at, sizeof gemm_at / sizeof *gemm_at, 13};

struct gemm_data {
    struct gemm_shape s;
    double *A, *B, *C;
};

/* Includes signed zeros, which an empty product must not change. */
static inline struct gemm_data gemm_data(const struct job *j)
{
    struct gemm_shape s = gemm_shapes[j->n % 15];
    struct gemm_data g = {s, random_vector(j->p, (size_t)s.m * s.k, 8, 1 + j->n),
                          random_vector(j->p, (size_t)s.k * s.n, 8, 2 + j->n),
                          random_vector(j->p, (size_t)s.m * s.n, 16, 3 + j->n)};
    for (size_t e = 0; e < (size_t)s.m * s.n; e += 3)
        g.C[e] = -0.0;
    for (size_t e = 0; e < (size_t)s.m * s.k; e += 5)
        g.A[e] = 0;
    return g;
}

static inline void free_gemm_data(struct gemm_data *g)
{
    free(g->A);
    free(g->B);
    free(g->C);
}

/* For elimination: the rows whose step is 7 to 7 + k - 1 receive only sums. */
static inline uint32_t gemm_step(uint32_t i)
{
    return i % 4 == 1 ? 7 + i : i % 4 == 2 ? 6 - i % 7 : PIVOT_NONE;
}

/* If the shape's number is even, rows are aligned to vectors of 16 bytes. */
static inline void record_gemm_in_tiles(struct job *j, uint32_t mode, bool small)
{
    struct gemm_data g = gemm_data(j);
    struct gemm_shape s = g.s;
    uint32_t step[400], lda = j->n % 2 ? s.k + 1 : (s.k + 3) / 4 * 4,
                        ldb = j->n % 2 ? s.n + 2 : (s.n + 3) / 4 * 4;
    for (uint32_t i = 0; i < s.m; i++)
        step[i] = gemm_step(i);
    struct block A = put_dense(j, g.A, s.m, s.k, lda), B = put_dense(j, g.B, s.k, s.n, ldb);
    struct memory *m = put(j, g.C, (uint64_t)s.m * s.n, "C");
    struct block C = {m->address, s.m, s.n, s.n};
    compared(j, m, j->p, (uint64_t)s.m * s.n);
    struct gemm_args args = gemm_arguments(mode, A, B, C);
    if (mode == GEMM_ADD) {
        rec_guard(&j->r, words_at(put_words(j, (uint32_t[]){0}, 1, "a guard")));
        args.step = words_at(put_words(j, step, s.m, "steps"));
        args.first = 7;
    }
    gemm_in_tiles(&j->r, small, C, args);
    free_gemm_data(&g);
}

static inline void expect_gemm(const struct job *j, uint32_t mode, double *want)
{
    struct gemm_data g = gemm_data(j);
    struct gemm_shape s = g.s;
    for (uint32_t i = 0; i < s.m; i++)
        for (uint32_t c = 0; c < s.n; c++) {
            bool alone = mode == GEMM_ADD && gemm_step(i) - 7 < s.k; /* GEMM_ADD: as in elimination */
            double old = g.C[(size_t)i * s.n + c], sum = mode == GEMM_SUBTRACT ? old : 0;
            for (uint32_t d = 0; d < s.k; d++) {
                double a = g.A[(size_t)i * s.k + d];
                sum = rounded_once(j->p, mode == GEMM_SUBTRACT ? -a : a, g.B[(size_t)d * s.n + c], sum);
            }
            want[(size_t)i * s.n + c] = mode == GEMM_ADD && !alone ? rounded(j->p, old + sum) : sum;
        }
    free_gemm_data(&g);
}

static inline void record_gemm_set(struct job *j)
{
    record_gemm_in_tiles(j, GEMM_SET, false);
}

static inline void record_gemm_pivots(struct job *j)
{
    record_gemm_in_tiles(j, GEMM_ADD, false);
}

static inline void record_gemm_subtract(struct job *j)
{
    record_gemm_in_tiles(j, GEMM_SUBTRACT, false);
}

static inline void record_gemm_small_set(struct job *j)
{
    record_gemm_in_tiles(j, GEMM_SET, true);
}

static inline void record_gemm_small_pivots(struct job *j)
{
    record_gemm_in_tiles(j, GEMM_ADD, true);
}

static inline void record_gemm_small_subtract(struct job *j)
{
    record_gemm_in_tiles(j, GEMM_SUBTRACT, true);
}

static inline void expect_gemm_set(const struct job *j, double *want)
{
    expect_gemm(j, GEMM_SET, want);
}

static inline void expect_gemm_pivots(const struct job *j, double *want)
{
    expect_gemm(j, GEMM_ADD, want);
}

static inline void expect_gemm_subtract(const struct job *j, double *want)
{
    expect_gemm(j, GEMM_SUBTRACT, want);
}

#define expect_gemm_small_set expect_gemm_set
#define expect_gemm_small_pivots expect_gemm_pivots
#define expect_gemm_small_subtract expect_gemm_subtract

/* --- From sparse --- */

static const uint32_t square_at[] = {0, 1, 2, 31, 32, 33, 129, 257};
static const struct sizes sizes_of_squares = {square_at, sizeof square_at / sizeof *square_at, 4};

static inline void record_dense_from_csr(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t n = j->n;
    double *zeros = room((size_t)n * (n + 1), sizeof *zeros);
    struct memory *m = put(j, zeros, (uint64_t)n * (n + 1), "a dense matrix");
    compared(j, m, j->p, (uint64_t)n * (n + 1));
    dense_from_csr(&j->r, A->row, A->col, A->val, A->entries, (struct block){m->address, n, n, n + 1});
    free(zeros);
}

static inline void expect_dense_from_csr(const struct job *j, double *want)
{
    uint32_t n = j->n;
    for (size_t e = 0; e < (size_t)n * (n + 1); e++)
        want[e] = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + 1]; k++)
            want[(size_t)i * (n + 1) + j->A->col[k]] = j->A->val[k];
}

/* --- Rows to chosen places; sums of columns --- */

static inline void record_dense_scatter(struct job *j)
{
    uint32_t n = j->n, *row_of = room(n + (size_t)2, 4);
    for (uint32_t k = 0; k < n; k++)
        row_of[k + 2] = n - 1 - k;
    struct block A = put_dense(j, j->x, n, 1, 3);
    struct memory *m = put(j, j->y, n, "to");
    compared(j, m, j->p, n);
    u32s places = words_at(put_words(j, row_of, n + (uint64_t)2, "rows"));
    A.rows = n / 2; /* of twice as many */
    dense_rows(&j->r, A, (struct rows){.row_of = places, .first = 2, .scatter = true},
               (struct block){m->address, n, 1, 1});
    free(row_of);
}

static inline void expect_dense_scatter(const struct job *j, double *want)
{
    memcpy(want, j->y, j->n * sizeof *want);
    for (uint32_t k = 0; k < j->n / 2; k++)
        want[j->n - 1 - k] = j->x[k];
}

static const uint32_t columns_at[] = {0, 1, 2, 31, 32, 33, 63, 129, 257};
static const struct sizes sizes_of_columns = {columns_at, sizeof columns_at / sizeof *columns_at, 7};

enum { SUMMED_ROWS = 43 };

static inline void record_dense_column_sums(struct job *j)
{
    double *v = random_vector(j->p, SUMMED_ROWS * (size_t)j->n, 3, j->n);
    struct block A = put_dense(j, v, SUMMED_ROWS, j->n, j->n + 1);
    dense_column_sums(&j->r, A, reals_at(compared(j, new_reals(j, j->n, "sums"), j->p, j->n)));
    free(v);
}

static inline void expect_dense_column_sums(const struct job *j, double *want)
{
    double *v = random_vector(j->p, SUMMED_ROWS * (size_t)j->n, 3, j->n);
    for (uint32_t c = 0; c < j->n; c++) {
        double s[8] = {0};
        for (uint32_t i = 0; i < SUMMED_ROWS; i++)
            s[i % 8] = rounded(j->p, s[i % 8] + fabs(v[(size_t)i * j->n + c]));
        for (uint32_t half = 4; half; half /= 2)
            for (uint32_t q = 0; q < half; q++)
                s[q] = rounded(j->p, s[q] + s[q + half]);
        want[c] = s[0];
    }
    free(v);
}

#define DENSE_CASES(X)                                            \
    X(gemv_rows, .sizes = &sizes_of_gemv)                         \
    X(gemv_groups, .sizes = &sizes_of_gemv)                       \
    X(gemv_strips, .sizes = &sizes_of_gemv)                       \
    X(gemm_set, .sizes = &sizes_of_gemm)                          \
    X(gemm_pivots, .sizes = &sizes_of_gemm, .once = true)         \
    X(gemm_subtract, .sizes = &sizes_of_gemm, .once = true)       \
    X(gemm_small_set, .sizes = &sizes_of_gemm)                    \
    X(gemm_small_pivots, .sizes = &sizes_of_gemm, .once = true)   \
    X(gemm_small_subtract, .sizes = &sizes_of_gemm, .once = true) \
    X(dense_scatter, .sizes = &sizes_of_squares)                  \
    X(dense_column_sums, .sizes = &sizes_of_columns)              \
    X(dense_from_csr, .sparse = true, .sizes = &sizes_of_squares)

#endif
