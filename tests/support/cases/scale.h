/* The cases of the kernels that scale matrices, through the verbs of sparse/ruiz.h. */
#ifndef VKS_TESTS_SCALE_CASES_H
#define VKS_TESTS_SCALE_CASES_H

#include "sparse/ruiz.h"
#include "tests/support/cases/algebra.h"
#include "tests/support/cases/sparse.h"

#include <float.h>

/* Values to the ends of the range, with denormals, zeros and infinities; some on the diagonal. */
static inline struct host_csr far_values(const struct job *j)
{
    struct host_csr a = with_diagonal(j->A);
    int range = j->p == PRECISION_F64 ? 1000 : 120;
    for (uint32_t k = 0; k < a.row[a.rows]; k++) {
        uint32_t w = j->words[k % j->n];
        double v = w % 11 == 0 ? 0 : w % 13 == 0 ? INFINITY : a.val[k];
        int e = w % 3 ? 0 : w % 5 ? (int)(w >> 8) % range : -range - 20;
        a.val[k] = rounded(j->p, ldexp(v, w % 2 ? e : -e));
        if (isinf(a.val[k]) && w % 13)
            a.val[k] = 1.5;
    }
    return a;
}

static inline bool counts(double v)
{
    return v != 0 && isfinite(v);
}

/* In units of 2^-16, truncated. */
static inline double plain_log(double v)
{
    int e;
    double m = frexp(fabs(v), &e);
    return floor((2 * m - 1 + (e - 1)) * 65536);
}

static inline void plain_ruiz(const struct host_csr *A, double *left, double *right)
{
    double *rows = room(A->rows, 8), *cols = room(A->cols, 8);
    for (int step = 0; step < 10; step++) {
        for (uint32_t i = 0; i < A->rows; i++)
            rows[i] = -INFINITY;
        for (uint32_t i = 0; i < A->cols; i++)
            cols[i] = -INFINITY;
        for (uint32_t i = 0; i < A->rows; i++)
            for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
                uint32_t c = A->col[k];
                double log = counts(A->val[k]) ? plain_log(A->val[k]) + left[i] + right[c] : -INFINITY;
                rows[i] = fmax(rows[i], log);
                cols[c] = fmax(cols[c], log);
            }
        for (uint32_t i = 0; i < A->rows; i++)
            left[i] -= isfinite(rows[i]) ? floor(rows[i] / 2) : 0;
        for (uint32_t i = 0; i < A->cols; i++)
            right[i] -= isfinite(cols[i]) ? floor(cols[i] / 2) : 0;
    }
    free(rows);
    free(cols);
}

/* Scales, weak diagonal entries, exponents within a narrow bound. */
static inline void record_ruiz(struct job *j)
{
    struct host_csr a = far_values(j);
    struct csr A = put_csr(j, &a);
    const struct memory *of[6];
    uint32_t none = 0;
    for (int k = 0; k < 6; k++)
        of[k] = new_bytes(j, 4 * (uint64_t)j->n, "scales");
    const struct memory *weak = put_words(j, &none, 1, "a count");
    ruiz_scales(&j->r, &A, words_at(of[0]), words_at(of[1]), words_at(of[2]), words_at(of[3]));
    fill_words(&j->r, words_at(weak), 0, 0, 1, 1);
    weak_diagonal(&j->r, &A, words_at(of[0]), words_at(of[1]), words_at(weak));
    ruiz_round(&j->r, words_at(of[0]), words_at(of[4]), 60, j->n);
    ruiz_round(&j->r, words_at(of[1]), words_at(of[5]), 300, j->n);
    for (int k = 0; k < 6; k++)
        compared_words(j, of[k], j->n);
    compared_words(j, weak, 1);
    host_csr_free(&a);
}

static inline double as_word(double v)
{
    return (uint32_t)(int32_t)v;
}

static inline double plain_round(double scale, double most)
{
    return fmin(fmax(floor(scale / 65536 + 0.5), -most), most);
}

static inline void expect_ruiz(const struct job *j, double *want)
{
    struct host_csr A = far_values(j);
    uint32_t n = j->n;
    double *left = room(n, 8), *right = room(n, 8), weak = 0;
    plain_ruiz(&A, left, right);
    for (uint32_t i = 0; i < n; i++) {
        bool strong = false;
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            strong |= A.col[k] == i && counts(A.val[k]) &&
                      plain_log(A.val[k]) + left[i] + right[i] >= floor((1e-6 * 0x1p20 - 1 - 20) * 65536);
        weak += !strong;
        want[i] = as_word(left[i]);
        want[n + i] = as_word(right[i]);
        want[2 * n + i] = want[3 * n + i] = 0;
        want[4 * n + i] = as_word(plain_round(left[i], 60));
        want[5 * n + i] = as_word(plain_round(right[i], 300));
    }
    want[6 * (size_t)n] = weak;
    free(left);
    free(right);
    host_csr_free(&A);
}

/* Rows in another order; some exponents lead out of the range. */
static inline uint32_t moved_from(const struct job *j, uint32_t i)
{
    return (uint32_t)((i + (uint64_t)j->n / 3) % j->n);
}

static inline int row_exponent(const struct job *j, uint32_t i)
{
    int far = j->p == PRECISION_F64 ? 1400 : 180;
    uint32_t w = j->words[i];
    return w % 7 == 0 ? far : w % 7 == 1 ? -far : (int)(w % 9) - 4;
}

static inline int col_exponent(uint32_t i)
{
    return (int)(i % 7) - 3;
}

static inline struct host_csr moved_rows(const struct job *j, const struct host_csr *a)
{
    struct host_csr b = new_csr(a->rows, a->cols, a->row[a->rows]);
    for (uint32_t i = 0; i < a->rows; i++) {
        uint32_t from = a->row[moved_from(j, i)], count = a->row[moved_from(j, i) + 1] - from;
        b.row[i + 1] = b.row[i] + count;
        memcpy(b.col + b.row[i], a->col + from, 4 * (size_t)count);
        memcpy(b.val + b.row[i], a->val + from, 8 * (size_t)count);
    }
    return b;
}

/* Columns and values of moved rows; values of unmoved ones. */
static inline void record_scaled(struct job *j)
{
    struct host_csr a = far_values(j), b = moved_rows(j, &a);
    uint32_t *words = room(3 * (size_t)j->n, 4);
    for (uint32_t i = 0; i < j->n; i++) {
        words[i] = moved_from(j, i);
        words[j->n + i] = (uint32_t)row_exponent(j, i);
        words[2 * j->n + i] = (uint32_t)col_exponent(i);
    }
    struct csr A = put_csr(j, &a), B = A, C = A;
    u32s place = words_at(put_words(j, words, j->n, "places")),
         left = words_at(put_words(j, words + j->n, j->n, "row exponents")),
         right = words_at(put_words(j, words + 2 * j->n, j->n, "column exponents"));
    const struct memory *col = new_bytes(j, 4 * (uint64_t)A.entries, "columns"),
                        *val = new_reals(j, A.entries, "values"), *here = new_reals(j, A.entries, "values");
    B.row = words_at(put_words(j, b.row, j->n + (uint64_t)1, "row offsets"));
    B.col = words_at(compared_words(j, col, A.entries));
    B.val = values_at(compared(j, val, j->p, A.entries));
    C.val = values_at(compared(j, here, j->p, A.entries));
    permuted_columns(&j->r, &A, place, &B);
    scaled_values(&j->r, &A, place, left, right, &B);
    scaled_values(&j->r, &A, NULL, left, right, &C);
    free(words);
    host_csr_free(&a);
    host_csr_free(&b);
}

static inline double plain_scaled(enum precision p, double v, int by)
{
    int e, least = p == PRECISION_F64 ? -1022 : -126, most = p == PRECISION_F64 ? 1023 : 127;
    frexp(v, &e);
    if (!counts(v))
        return v;
    if (e - 1 + by < least)
        return copysign(0, v);
    return e - 1 + by > most ? copysign(p == PRECISION_F64 ? DBL_MAX : FLT_MAX, v) : ldexp(v, by);
}

static inline void expect_scaled(const struct job *j, double *want)
{
    struct host_csr a = far_values(j), b = moved_rows(j, &a);
    size_t entries = a.row[a.rows];
    for (uint32_t i = 0; i < j->n; i++) {
        for (uint32_t k = b.row[i]; k < b.row[i + 1]; k++) {
            want[k] = b.col[k];
            want[entries + k] =
                plain_scaled(j->p, b.val[k], row_exponent(j, moved_from(j, i)) + col_exponent(b.col[k]));
        }
        for (uint32_t k = a.row[i]; k < a.row[i + 1]; k++)
            want[2 * entries + k] = plain_scaled(j->p, a.val[k], row_exponent(j, i) + col_exponent(a.col[k]));
    }
    host_csr_free(&a);
    host_csr_free(&b);
}

static inline int any_exponent(const struct job *j, uint32_t i)
{
    int most = j->p == PRECISION_F64 ? 1022 : 126;
    return (int)(j->words[i] % (2 * (uint32_t)most + 1)) - most;
}

static inline void record_powers_of_two(struct job *j)
{
    uint32_t *words = room(2 * (size_t)j->n, 4);
    for (uint32_t i = 0; i < j->n; i++) {
        words[i] = (uint32_t)any_exponent(j, i);
        words[j->n + i] = moved_from(j, i);
    }
    u32s exponent = words_at(put_words(j, words, j->n, "exponents")),
         place = words_at(put_words(j, words + j->n, j->n, "places"));
    struct vec of[3];
    for (int k = 0; k < 3; k++)
        of[k] = job_vec(j, compared(j, new_reals(j, j->n, "powers"), j->p, j->n));
    powers_of_two(&j->r, exponent, place, of[0], of[1]);
    powers_of_two(&j->r, exponent, NULL, of[2], (struct vec){0});
    free(words);
}

static inline void expect_powers_of_two(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        int e = any_exponent(j, moved_from(j, i));
        want[i] = ldexp(1, e);
        want[j->n + i] = ldexp(1, -e);
        want[2 * j->n + i] = ldexp(1, any_exponent(j, i));
    }
}

#define SCALE_CASES(X)                                 \
    X(ruiz, .sizes = &sizes_of_slow, .sparse = true)   \
    X(scaled, .sizes = &sizes_of_slow, .sparse = true) \
    X(powers_of_two, .once = false)

#endif
