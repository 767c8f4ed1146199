/* The cases of the kernels of COO, of CSC, and of the other products of CSR, through their verbs. */
#ifndef VKS_TESTS_COO_CASES_H
#define VKS_TESTS_COO_CASES_H

#include "sparse/coo.h"
#include "sparse/csc.h"
#include "sparse/csr_variants.h"
#include "tests/support/cases/sparse.h"

/* Whole numbers, whose sums are exact in any order. */
static inline double whole_value(uint32_t k)
{
    return (double)(k * 7 % 17) - 8;
}

static inline double whole_element(uint32_t i)
{
    return (double)(i * 5 % 13) - 6;
}

static inline double *whole_values(const struct host_csr *A)
{
    double *v = room(A->row[A->rows], sizeof *v);
    for (uint32_t k = 0; k < A->row[A->rows]; k++)
        v[k] = whole_value(k);
    return v;
}

static inline const struct memory *put_whole_elements(struct job *j)
{
    double *x = room(j->A->cols, sizeof *x);
    for (uint32_t i = 0; i < j->A->cols; i++)
        x[i] = whole_element(i);
    const struct memory *m = put(j, x, j->A->cols, "x");
    free(x);
    return m;
}

/* Puts the matrix in CSR, and the product of its long rows, which all formats share; in whole numbers, or as
 * it is. Returns x. */
static inline struct vec put_long_product(struct job *j, bool whole, struct vec y)
{
    struct csr *A = &j->csr;
    put_matrix(j);
    put_longs(j);
    struct vec x = job_x(j, whole ? put_whole_elements(j) : put(j, j->x, A->cols, "x"));
    double *val = whole_values(j->A);
    if (whole)
        A->val = put_values(j, val, A->entries, "whole values");
    free(val);
    if (A->longs)
        spmv_long(&j->r, A, x, y);
    return x;
}

static inline void expect_whole_product(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + 1]; k++)
            want[i] += whole_value(k) * whole_element(j->A->col[k]);
}

static inline struct vec put_result(struct job *j)
{
    return job_vec(j, compared(j, new_reals(j, j->n, "y"), j->p, j->n));
}

static inline void record_clear_reals(struct job *j)
{
    const struct memory *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    put_matrix(j);
    put_longs(j);
    clear_reals(&j->r, long_bits(&j->csr), job_vec(j, y));
}

static inline void expect_clear_reals(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = pieces_of(j->A, i) ? j->y[i] : 0;
}

/* The matrix in COO with these values: the entries outside long rows. */
static inline struct coo put_coo(struct job *j, const double *val)
{
    const struct host_csr *A = j->A;
    uint32_t *row = room(A->row[A->rows], 4), *col = room(A->row[A->rows], 4), e = 0;
    double *some = room(A->row[A->rows], sizeof *some);
    struct coo B = {.n = A->rows, .cols = A->cols, .lanes = j->lanes, .bits = long_bits(&j->csr)};
    for (uint32_t i = 0; i < A->rows; i++) {
        B.gaps = B.gaps || A->row[i] == A->row[i + 1];
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++, e++) {
            row[e] = i;
            col[e] = A->col[k];
            some[e] = val[k];
        }
    }
    B.entries = e;
    B.row = words_at(put_words(j, row, e, "rows"));
    B.col = words_at(put_words(j, col, e, "columns"));
    B.val = put_values(j, some, e, "values");
    free(row);
    free(col);
    free(some);
    return B;
}

static inline void record_spmv_coo(struct job *j)
{
    struct vec y = put_result(j), x = put_long_product(j, false, y);
    struct coo A = put_coo(j, j->A->val);
    spmv_coo(&j->r, &A, x, y);
}

static inline void expect_spmv_coo(const struct job *j, double *want)
{
    expect_spmv_csr(j, want);
}

static inline void record_spmv_coo_atomic(struct job *j)
{
    double *val = whole_values(j->A);
    struct vec y = put_result(j), x = put_long_product(j, true, y);
    struct coo A = put_coo(j, val);
    spmv_coo_atomic(&j->r, &A, x, y);
    free(val);
}

static inline void expect_spmv_coo_atomic(const struct job *j, double *want)
{
    expect_whole_product(j, want);
}

/* All data of each entry outside long rows. */
static inline void record_csr_to_coo(struct job *j)
{
    put_matrix(j);
    put_longs(j);
    uint32_t entries = short_entries(&j->csr);
    u32s row = words_at(compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "rows"), entries));
    u32s place = words_at(compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "places"), entries));
    u32s col = words_at(compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "columns"), entries));
    values val = values_at(compared(j, new_reals(j, entries, "values"), j->p, entries));
    csr_to_coo(&j->r, &j->csr, row, place, col, val);
}

static inline void expect_csr_to_coo(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t entries = short_entries(&j->csr), e = 0;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++, e++) {
            want[e] = i;
            want[entries + e] = k;
            want[2 * (size_t)entries + e] = A->col[k];
            want[3 * (size_t)entries + e] = A->val[k];
        }
    cr_assert_eq(e, entries);
}

static inline void record_coo_to_csr(struct job *j)
{
    put_matrix(j);
    put_longs(j);
    struct coo A = put_coo(j, j->A->val);
    struct csr B = put_empty_csr(j);
    coo_to_csr(&j->r, &A, &B);
}

static inline void expect_coo_to_csr(const struct job *j, double *want)
{
    expect_short_rows(j, want);
}

/* Records as on a device without atomic float addition. */
static inline void record_swapped(struct job *j, void (*record)(struct job *))
{
    bool adds = j->d->info.atomic_add[real_precision(j->p)];
    j->d->info.atomic_add[real_precision(j->p)] = false;
    record(j);
    j->d->info.atomic_add[real_precision(j->p)] = adds;
}

static inline void record_spmv_coo_swap(struct job *j)
{
    record_swapped(j, record_spmv_coo_atomic);
}

static inline void expect_spmv_coo_swap(const struct job *j, double *want)
{
    expect_whole_product(j, want);
}

/* The columns one after the other: where each begins, and the row and the place in CSR of each entry outside
 * long rows. */
struct columns {
    uint32_t *start, *row, *place;
};

static inline struct columns columns_of(const struct host_csr *A)
{
    uint32_t entries = A->row[A->rows];
    struct columns c = {room(A->cols + (size_t)1, 4), room(entries, 4), room(entries, 4)};
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++)
            c.start[A->col[k] + 1]++;
    for (uint32_t col = 0; col < A->cols; col++)
        c.start[col + 1] += c.start[col];
    uint32_t *next = room(A->cols + (size_t)1, 4);
    memcpy(next, c.start, 4 * ((size_t)A->cols + 1));
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++) {
            uint32_t at = next[A->col[k]]++;
            c.row[at] = i;
            c.place[at] = k;
        }
    free(next);
    return c;
}

/* The matrix in CSC; `val` is in the order of CSR. */
static inline struct csc put_csc(struct job *j, const double *val)
{
    const struct host_csr *A = j->A;
    struct columns c = columns_of(A);
    uint32_t entries = c.start[A->cols];
    double *sorted = room(entries, sizeof *sorted);
    for (uint32_t k = 0; k < entries; k++)
        sorted[k] = val[c.place[k]];
    struct csc B = {.n = A->rows, .cols = A->cols, .entries = entries, .lanes = j->lanes};
    B.bits = long_bits(&j->csr);
    B.start = words_at(put_words(j, c.start, A->cols + (uint64_t)1, "column offsets"));
    B.row = words_at(put_words(j, c.row, entries, "rows"));
    B.place = words_at(put_words(j, c.place, entries, "places"));
    B.val = put_values(j, sorted, entries, "values");
    free(c.start);
    free(c.row);
    free(c.place);
    free(sorted);
    return B;
}

/* The products, which stay in memory, and the result, by rows_sum. */
static inline void record_csc_products(struct job *j)
{
    uint32_t entries = j->A->row[j->n];
    double *zeros = room(entries, sizeof *zeros);
    reals product = reals_at(compared(j, put(j, zeros, entries, "products"), j->p, entries));
    struct vec y = put_result(j), x = put_long_product(j, false, y);
    struct csc A = put_csc(j, j->A->val);
    A.product = product;
    spmv_csc(&j->r, &A, j->csr.row, x, y);
    free(zeros);
}

static inline void expect_csc_products(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++)
            want[k] = rounded(j->p, A->val[k] * j->x[A->col[k]]);
    expect_spmv_csr(j, want + A->row[j->n]);
}

static inline void record_spmv_csc_atomic(struct job *j)
{
    double *val = whole_values(j->A);
    struct vec y = put_result(j), x = put_long_product(j, true, y);
    struct csc A = put_csc(j, val);
    spmv_csc_atomic(&j->r, &A, x, y);
    free(val);
}

static inline void expect_spmv_csc_atomic(const struct job *j, double *want)
{
    expect_whole_product(j, want);
}

static inline void record_spmv_csc_swap(struct job *j)
{
    record_swapped(j, record_spmv_csc_atomic);
}

static inline void expect_spmv_csc_swap(const struct job *j, double *want)
{
    expect_whole_product(j, want);
}

static inline void record_csc_to_csr(struct job *j)
{
    put_matrix(j);
    put_longs(j);
    struct csc A = put_csc(j, j->A->val);
    struct csr B = put_empty_csr(j);
    csc_to_csr(&j->r, &A, &B);
}

static inline void expect_csc_to_csr(const struct job *j, double *want)
{
    expect_short_rows(j, want);
}

/* 256 terms, padded with 0, summed by halving; long rows as usual. */
static inline double pairwise_row(enum precision p, const struct host_csr *A, const double *x, uint32_t i)
{
    double v[256] = {0};
    if (pieces_of(A, i))
        return canonical_row(p, A, x, i, 1);
    for (uint32_t k = A->row[i], term = 0; k < A->row[i + 1]; k++, term++)
        v[term] = rounded(p, A->val[k] * x[A->col[k]]);
    for (uint32_t half = 128; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return v[0];
}

/* The products, which stay in memory, and the result, by rows_pairwise. */
static inline void record_csr_products(struct job *j)
{
    uint32_t entries = j->A->row[j->n];
    reals products = reals_at(compared(j, new_reals(j, entries, "products"), j->p, entries));
    struct vec y = put_result(j), x = put_long_product(j, false, y);
    spmv_csr_two_pass(&j->r, &j->csr, products, x, y);
}

static inline void expect_csr_products(const struct job *j, double *want)
{
    uint32_t entries = j->A->row[j->n];
    for (uint32_t k = 0; k < entries; k++)
        want[k] = rounded(j->p, j->A->val[k] * j->x[j->A->col[k]]);
    for (uint32_t i = 0; i < j->n; i++)
        want[entries + i] = pairwise_row(j->p, j->A, j->x, i);
}

/* The windows, which stay in memory, and the result, by spmv_csr_cached. */
static inline void record_csr_windows(struct job *j)
{
    uint64_t words = 2 * (uint64_t)csr_tiles(j->n);
    u32s window = words_at(compared_words(j, new_bytes(j, 4 * words, "windows"), words));
    struct vec y = put_result(j), x = put_long_product(j, false, y);
    csr_windows(&j->r, &j->csr, window);
    spmv_csr_cached(&j->r, &j->csr, window, x, y);
}

static inline void expect_csr_windows(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t tiles = csr_tiles(j->n);
    for (uint32_t t = 0; t < tiles; t++) {
        uint32_t least = UINT32_MAX, last = 0;
        for (uint32_t i = 256 * t; i < j->n && i < 256 * t + 256; i++)
            for (uint32_t k = A->row[i]; k < A->row[i] + short_length(A, i); k++) {
                least = A->col[k] < least ? A->col[k] : least;
                last = A->col[k] > last ? A->col[k] : last;
            }
        bool fits = least <= last && last - least + 1 <= 1536;
        want[2 * t] = fits ? least : 0;
        want[2 * t + 1] = fits ? last - least + 1 : 0;
    }
    expect_spmv_csr(j, want + 2 * (size_t)tiles);
}

#define COO_CASES(X)                                         \
    X(clear_reals, .sparse = true)                           \
    X(csr_to_coo, .sparse = true)                            \
    X(coo_to_csr, .sparse = true)                            \
    X(spmv_coo, .sparse = true)                              \
    X(spmv_coo_atomic, .sparse = true)                       \
    X(spmv_coo_swap, .sparse = true)                         \
    X(csc_products, .sparse = true)                          \
    X(spmv_csc_atomic, .sparse = true)                       \
    X(spmv_csc_swap, .sparse = true)                         \
    X(csc_to_csr, .sparse = true)                            \
    X(csr_products, .sizes = &sizes_of_slow, .sparse = true) \
    X(csr_windows, .sparse = true)

#endif
