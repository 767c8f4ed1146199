/* The cases of the kernels of COO, of CSC, and of the other products of CSR, through their verbs. */
#ifndef VKS_TESTS_COO_CASES_H
#define VKS_TESTS_COO_CASES_H

#include "sparse/coo.h"
#include "sparse/csc.h"
#include "sparse/csr_variants.h"
#include "tests/support/job.h"

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

static inline reals put_whole_elements(struct job *j)
{
    double *x = room(j->A->cols, sizeof *x);
    for (uint32_t i = 0; i < j->A->cols; i++)
        x[i] = whole_element(i);
    reals at = reals_at(put(j, x, j->A->cols, "x"));
    free(x);
    return at;
}

static inline void expect_whole_product(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + 1]; k++)
            want[i] += whole_value(k) * whole_element(j->A->col[k]);
}

static inline reals put_result(struct job *j)
{
    return reals_at(compared(j, new_reals(j, j->n, "y"), j->p, j->n));
}

static inline void record_clear_reals(struct job *j)
{
    const struct memory *y = compared(j, put(j, j->y, j->n, "y"), j->p, j->n);
    clear_reals(&j->r, NULL, reals_at(y), j->n);
}

static inline void expect_clear_reals(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = 0;
}

/* The matrix in COO, with these values. */
static inline struct coo put_coo(struct job *j, const double *val)
{
    const struct host_csr *A = j->A;
    uint32_t entries = A->row[A->rows], *row = room(entries, 4);
    struct coo B = {.n = A->rows, .cols = A->cols, .entries = entries, .lanes = j->lanes};
    for (uint32_t i = 0; i < A->rows; i++) {
        B.gaps = B.gaps || A->row[i] == A->row[i + 1];
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            row[k] = i;
    }
    B.row = words_at(put_words(j, row, entries, "rows"));
    B.col = words_at(put_words(j, A->col, entries, "columns"));
    B.val = reals_at(put(j, val, entries, "values"));
    free(row);
    return B;
}

static inline void record_spmv_coo(struct job *j)
{
    struct coo A = put_coo(j, j->A->val);
    reals x = reals_at(put(j, j->x, A.cols, "x"));
    spmv_coo(&j->r, NULL, &A, x, put_result(j));
}

static inline void expect_spmv_coo(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

static inline void record_spmv_coo_atomic(struct job *j)
{
    double *val = whole_values(j->A);
    struct coo A = put_coo(j, val);
    reals x = put_whole_elements(j);
    spmv_coo_atomic(&j->r, NULL, &A, x, put_result(j));
    free(val);
}

static inline void expect_spmv_coo_atomic(const struct job *j, double *want)
{
    expect_whole_product(j, want);
}

/* As on a device whose memory adds no floats. */
static inline void record_swapped(struct job *j, void (*record)(struct job *))
{
    bool adds = j->d->info.atomic_add[j->p];
    j->d->info.atomic_add[j->p] = false;
    record(j);
    j->d->info.atomic_add[j->p] = adds;
}

static inline void record_spmv_coo_swap(struct job *j)
{
    record_swapped(j, record_spmv_coo_atomic);
}

static inline void expect_spmv_coo_swap(const struct job *j, double *want)
{
    expect_whole_product(j, want);
}

/* The columns one after the other: where each begins, and of each entry the row and the place in CSR. */
struct columns {
    uint32_t *start, *row, *place;
};

static inline struct columns columns_of(const struct host_csr *A)
{
    uint32_t entries = A->row[A->rows], at = 0;
    struct columns c = {room(A->cols + (size_t)1, 4), room(entries, 4), room(entries, 4)};
    for (uint32_t k = 0; k < entries; k++)
        c.start[A->col[k] + 1]++;
    for (uint32_t col = 0; col < A->cols; col++)
        c.start[col + 1] += c.start[col];
    uint32_t *next = room(A->cols + (size_t)1, 4);
    memcpy(next, c.start, 4 * ((size_t)A->cols + 1));
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            at = next[A->col[k]]++;
            c.row[at] = i;
            c.place[at] = k;
        }
    free(next);
    return c;
}

/* The matrix in CSC, with these values, which are in the order of CSR. */
static inline struct csc put_csc(struct job *j, const double *val)
{
    const struct host_csr *A = j->A;
    struct columns c = columns_of(A);
    uint32_t entries = A->row[A->rows];
    double *sorted = room(entries, sizeof *sorted);
    for (uint32_t k = 0; k < entries; k++)
        sorted[k] = val[c.place[k]];
    struct csc B = {.n = A->rows, .cols = A->cols, .entries = entries, .lanes = j->lanes};
    B.start = words_at(put_words(j, c.start, A->cols + (uint64_t)1, "column offsets"));
    B.row = words_at(put_words(j, c.row, entries, "rows"));
    B.place = words_at(put_words(j, c.place, entries, "places"));
    B.val = reals_at(put(j, sorted, entries, "values"));
    free(c.start);
    free(c.row);
    free(c.place);
    free(sorted);
    return B;
}

/* The products, which are left, and the result, by rows_sum. */
static inline void record_csc_products(struct job *j)
{
    struct csc A = put_csc(j, j->A->val);
    reals x = reals_at(put(j, j->x, A.cols, "x"));
    u32s row = words_at(put_words(j, j->A->row, j->n + (uint64_t)1, "row offsets"));
    A.product = reals_at(compared(j, new_reals(j, A.entries, "products"), j->p, A.entries));
    spmv_csc(&j->r, NULL, &A, row, x, put_result(j));
}

static inline void expect_csc_products(const struct job *j, double *want)
{
    uint32_t entries = j->A->row[j->n];
    for (uint32_t k = 0; k < entries; k++)
        want[k] = rounded(j->p, j->A->val[k] * j->x[j->A->col[k]]);
    expect_spmv_coo(j, want + entries);
}

static inline void record_spmv_csc_atomic(struct job *j)
{
    double *val = whole_values(j->A);
    struct csc A = put_csc(j, val);
    reals x = put_whole_elements(j);
    spmv_csc_atomic(&j->r, NULL, &A, x, put_result(j));
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
    struct csc A = put_csc(j, j->A->val);
    struct csr B = {.n = A.n, .cols = A.cols, .entries = A.entries};
    B.col = words_at(compared_words(j, new_bytes(j, 4 * (uint64_t)A.entries, "columns"), A.entries));
    B.val = reals_at(compared(j, new_reals(j, A.entries, "values"), j->p, A.entries));
    csc_to_csr(&j->r, &A, &B);
}

static inline void expect_csc_to_csr(const struct job *j, double *want)
{
    uint32_t entries = j->A->row[j->n];
    for (uint32_t k = 0; k < entries; k++) {
        want[k] = j->A->col[k];
        want[entries + k] = j->A->val[k];
    }
}

/* 256 sums of the terms that lie 256 apart, then by halving. */
static inline double pairwise_row(enum precision p, const struct host_csr *A, const double *x, uint32_t i)
{
    double v[256] = {0};
    for (uint32_t k = A->row[i], term = 0; k < A->row[i + 1]; k++, term++)
        v[term % 256] = rounded(p, v[term % 256] + rounded(p, A->val[k] * x[A->col[k]]));
    for (uint32_t half = 128; half >= 1; half /= 2)
        for (uint32_t l = 0; l < half; l++)
            v[l] = rounded(p, v[l] + v[l + half]);
    return v[0];
}

/* The products, which are left, and the result, by rows_pairwise. */
static inline void record_csr_products(struct job *j)
{
    const struct csr *A = put_matrix(j);
    reals x = reals_at(put(j, j->x, A->cols, "x"));
    reals products = reals_at(compared(j, new_reals(j, A->entries, "products"), j->p, A->entries));
    spmv_csr_two_pass(&j->r, NULL, A, products, x, put_result(j));
}

static inline void expect_csr_products(const struct job *j, double *want)
{
    uint32_t entries = j->A->row[j->n];
    for (uint32_t k = 0; k < entries; k++)
        want[k] = rounded(j->p, j->A->val[k] * j->x[j->A->col[k]]);
    for (uint32_t i = 0; i < j->n; i++)
        want[entries + i] = pairwise_row(j->p, j->A, j->x, i);
}

/* The windows, which are left, and the result, by spmv_csr_cached. */
static inline void record_csr_windows(struct job *j)
{
    const struct csr *A = put_matrix(j);
    reals x = reals_at(put(j, j->x, A->cols, "x"));
    uint64_t words = 2 * (uint64_t)csr_tiles(A->n);
    u32s window = words_at(compared_words(j, new_bytes(j, 4 * words, "windows"), words));
    csr_windows(&j->r, A, window);
    spmv_csr_cached(&j->r, NULL, A, window, x, put_result(j));
}

static inline void expect_csr_windows(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t tiles = csr_tiles(j->n);
    for (uint32_t t = 0; t < tiles; t++) {
        uint32_t end = 256 * t + 256 < j->n ? 256 * t + 256 : j->n, least = UINT32_MAX, last = 0;
        for (uint32_t k = A->row[256 * t]; k < A->row[end]; k++) {
            least = A->col[k] < least ? A->col[k] : least;
            last = A->col[k] > last ? A->col[k] : last;
        }
        bool fits = A->row[256 * t] < A->row[end] && last - least + 1 <= 1536;
        want[2 * t] = fits ? least : 0;
        want[2 * t + 1] = fits ? last - least + 1 : 0;
    }
    expect_spmv_coo(j, want + 2 * (size_t)tiles);
}

#define COO_CASES(X)                   \
    X(clear_reals, .sparse = false)    \
    X(spmv_coo, .sparse = true)        \
    X(spmv_coo_atomic, .sparse = true) \
    X(spmv_coo_swap, .sparse = true)   \
    X(csc_products, .sparse = true)    \
    X(spmv_csc_atomic, .sparse = true) \
    X(spmv_csc_swap, .sparse = true)   \
    X(csc_to_csr, .sparse = true)      \
    X(csr_products, .sparse = true)    \
    X(csr_windows, .sparse = true)

#endif
