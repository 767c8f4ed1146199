/* The cases of the kernels of shaders/sparse/, through their verbs. */
#ifndef VKS_TESTS_SPARSE_CASES_H
#define VKS_TESTS_SPARSE_CASES_H

#include "shaders/sparse/symmetry.h"
#include "tests/support/cases/long.h"

static inline void record_spmv_csr(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    put_longs(j);
    if (A->longs)
        spmv_long(&j->r, A, job_x(j, x), job_vec(j, y));
    spmv_csr(&j->r, A, job_x(j, x), job_vec(j, compared(j, y, j->p, j->n)));
}

static inline void expect_spmv_csr(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

/* 1 / diagonal, and the first row of each fault. */
static inline void record_csr_diagonal(struct job *j)
{
    static const uint32_t none[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = put_matrix(j);
    const struct memory *d = compared(j, new_reals(j, j->n, "the diagonal"), j->p, j->n);
    csr_diagonal(&j->r, A, job_vec(j, d), words_at(compared_words(j, put_words(j, none, 4, "flags"), 4)));
}

static inline void expect_csr_diagonal(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = flags[3] = UINT32_MAX;
    double first = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        double a = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (A->col[k] == i)
                a = A->val[k];
        int fault = a == 0 ? 0 : !isfinite(a) || !isfinite(rounded(j->p, 1 / a)) ? 2 : a < 0 ? 1 : -1;
        if (fault >= 0 && flags[fault] == UINT32_MAX)
            flags[fault] = i;
        first = i == 0 ? a : first;
        if (a != first && flags[3] == UINT32_MAX)
            flags[3] = i;
        want[i] = rounded(j->p, 1 / a);
    }
}

/* r = b - A x in double precision. */
static inline void record_residual_of(struct job *j, bool fixpoint)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *r =
        compared(j, new_bytes(j, 8 * (uint64_t)j->n, "the residual"), PRECISION_F64, j->n);
    put_longs(j);
    if (A->longs)
        csr_residual_long(&j->r, A, job_x(j, x), job_doubles(j, r));
    csr_residual(&j->r, A, job_x(j, x), job_vec(j, b), job_doubles(j, r), fixpoint);
}

static inline void record_csr_residual(struct job *j)
{
    record_residual_of(j, false);
}

/* r = b + A x - x, if x has as many elements. */
static inline void record_residual_of_fixpoint(struct job *j)
{
    record_residual_of(j, true);
}

static inline void expect_residual_of_fixpoint(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = (j->y[i] + canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes)) - j->x[i];
}

static inline void expect_csr_residual(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->y[i] - canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes);
}

/* A copy in which each row with entries has one on the diagonal, which replaces another. */
static inline struct host_csr with_diagonal(const struct host_csr *A)
{
    size_t entries = A->row[A->rows];
    struct host_csr B = new_csr(A->rows, A->cols, entries);
    memcpy(B.row, A->row, 4 * ((size_t)A->rows + 1));
    memcpy(B.col, A->col, 4 * entries);
    memcpy(B.val, A->val, 8 * entries);
    for (uint32_t i = 0; i < B.rows && i < B.cols; i++) {
        uint32_t k = B.row[i], last = B.row[i + 1];
        while (k < last && B.col[k] < i && k + 1 < last)
            k++;
        if (k < last)
            B.col[k] = i;
    }
    return B;
}

/* The other entries of a row, summed by 32 lanes, over the diagonal entry. */
static inline void record_csr_dominance(struct job *j)
{
    struct host_csr B = with_diagonal(j->A);
    const struct host_csr *kept = j->A;
    j->A = &B;
    const struct csr *A = put_matrix(j);
    j->A = kept;
    host_csr_free(&B);
    csr_dominance(&j->r, A, job_vec(j, compared(j, new_reals(j, j->n, "ratios"), j->p, j->n)));
}

static inline void expect_csr_dominance(const struct job *j, double *want)
{
    struct host_csr B = with_diagonal(j->A), *A = &B;
    for (uint32_t i = 0; i < j->n; i++) {
        double lanes[32] = {0}, diagonal = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            double *lane = &lanes[(k - A->row[i]) % 32];
            if (A->col[k] == i)
                diagonal = fabs(A->val[k]);
            else
                *lane = rounded(j->p, *lane + fabs(A->val[k]));
        }
        want[i] = rounded(j->p, sum_of_lanes(j->p, lanes, 32) / diagonal);
    }
    host_csr_free(&B);
}

/* The reciprocal of the sum of all magnitudes of a row, by 32 lanes, and the first empty row. */
static inline void record_csr_row_sums(struct job *j)
{
    static const uint32_t none[4] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = put_matrix(j);
    const struct memory *d = compared(j, new_reals(j, j->n, "sums"), j->p, j->n);
    csr_row_sums(&j->r, A, job_vec(j, d), words_at(compared_words(j, put_words(j, none, 4, "flags"), 4)));
}

static inline void expect_csr_row_sums(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = flags[3] = UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++) {
        double lanes[32] = {0};
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            double *lane = &lanes[(k - A->row[i]) % 32];
            *lane = rounded(j->p, *lane + fabs(A->val[k]));
        }
        double sum = sum_of_lanes(j->p, lanes, 32);
        want[i] = sum == 0 ? 1 : rounded(j->p, 1 / sum);
        if (sum == 0 && flags[0] == UINT32_MAX)
            flags[0] = i;
    }
}

static inline void record_csr_signs(struct job *j)
{
    const struct csr *A = put_matrix(j);
    struct vec out[3];
    for (int k = 0; k < 3; k++)
        out[k] = job_vec(j, compared(j, new_reals(j, j->n, "signs"), j->p, j->n));
    csr_signs(&j->r, A, out[0], out[1], out[2]);
}

/* The sum of a row without its diagonal, by the lanes of the row. */
static inline double canonical_beside(const struct job *j, uint32_t i, bool only_positive)
{
    const struct host_csr *A = j->A;
    double lanes[32] = {0};
    for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
        double *lane = &lanes[(k - A->row[i]) % j->lanes];
        if (A->col[k] != i && (A->val[k] > 0 || !only_positive))
            *lane = rounded(j->p, *lane + fabs(A->val[k]));
    }
    return sum_of_lanes(j->p, lanes, j->lanes);
}

static inline void expect_csr_signs(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    for (uint32_t i = 0; i < j->n; i++) {
        double other = canonical_beside(j, i, false), diagonal = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            diagonal = A->col[k] == i ? A->val[k] : diagonal;
        want[i] = canonical_beside(j, i, true);
        want[j->n + i] = other;
        want[2 * j->n + i] = rounded(j->p, 10 * other) < rounded(j->p, 9 * diagonal);
    }
}

/* Small sizes, since the oracle compares every pair of rows. */
static const uint32_t symmetry_at[] = {0, 1, 2, 31, 33, 255, 256, 257, 1000};
static const struct sizes sizes_of_symmetry = {symmetry_at, sizeof symmetry_at / sizeof *symmetry_at, 8};

/* A in its first n columns, in every other size together with its mirror image. */
static inline struct host_csr square_of(const struct job *j)
{
    const struct host_csr *A = j->A;
    struct host_csr B = new_csr(j->n, j->n, 2 * (size_t)A->row[A->rows]);
    uint32_t at = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        for (uint32_t c = 0; c < j->n; c++) {
            uint32_t k = place_of(A, i, c), m = place_of(A, c, i);
            bool mirrored = j->n % 2 && k == UINT32_MAX && m != UINT32_MAX;
            if (k == UINT32_MAX && !mirrored)
                continue;
            B.col[at] = c;
            B.val[at++] = A->val[j->n % 2 && m != UINT32_MAX && (mirrored || c < i) ? m : k];
        }
        B.row[i + 1] = at;
    }
    return B;
}

static inline void record_csr_symmetry(struct job *j)
{
    static const uint32_t none[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX};
    struct host_csr B = square_of(j);
    const struct host_csr *kept = j->A;
    j->A = &B;
    const struct csr *A = put_matrix(j);
    j->A = kept;
    host_csr_free(&B);
    const struct memory *found = put_words(j, none, SYMMETRY_WORDS, "words");
    csr_symmetry(&j->r, A, words_at(found));
    compared_words(j, found, SYMMETRY_WORDS);
}

static inline void expect_csr_symmetry(const struct job *j, double *want)
{
    struct host_csr B = square_of(j);
    double share = j->p == PRECISION_F32 ? 0x1p-20 : 0x1p-40;
    for (int k = 0; k < 4; k++)
        want[k] = UINT32_MAX;
    for (uint32_t i = B.rows; i-- > 0;) {
        uint32_t at = place_of(&B, i, i);
        double d = at == UINT32_MAX ? 0 : B.val[at];
        want[d == 0 ? 1 : d < 0 ? 2 : 3] = i;
        for (uint32_t k = B.row[i]; k < B.row[i + 1]; k++) {
            uint32_t m = place_of(&B, B.col[k], i), other = place_of(&B, B.col[k], B.col[k]);
            double mirrored = m == UINT32_MAX ? 0 : B.val[m], differ = fabs(B.val[k] - mirrored),
                   root = sqrt(fabs(d)) * sqrt(other == UINT32_MAX ? 0 : fabs(B.val[other]));
            if (differ > share * fmax(fmax(fabs(B.val[k]), fabs(mirrored)), root))
                want[0] = i;
        }
    }
    host_csr_free(&B);
}

#define SPARSE_CASES(X)                                          \
    X(spmv_csr, .sparse = true)                                  \
    X(csr_diagonal, .sparse = true)                              \
    X(csr_residual, .sparse = true)                              \
    X(residual_of_fixpoint, .sparse = true)                      \
    X(csr_signs, .sparse = true)                                 \
    X(csr_symmetry, .sizes = &sizes_of_symmetry, .sparse = true) \
    X(csr_row_sums, .sizes = &sizes_of_slow, .sparse = true)     \
    X(csr_dominance, .sizes = &sizes_of_slow, .sparse = true)

#endif
