/* The cases of the kernels of SELL and ELL, through their verbs. */
#ifndef VKS_TESTS_SLICES_CASES_H
#define VKS_TESTS_SLICES_CASES_H

#include "tests/support/cases/long.h"

static inline uint32_t rows_of_slice(const struct job *j)
{
    if (j->shape.ell)
        return j->n ? (j->n + 31) / 32 * 32 : 32;
    return j->shape.height ? j->shape.height : 32;
}

/* The rows in the order of the slices, sorted within windows by insertion. */
static inline uint32_t *rows_in_order(const struct host_csr *A, uint32_t sigma)
{
    uint32_t *order = room(A->rows, 4);
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t to = i, first = sigma ? i / sigma * sigma : i;
        for (; to > first && short_length(A, order[to - 1]) < short_length(A, i); to--)
            order[to] = order[to - 1];
        order[to] = i;
    }
    return order;
}

/* The longest of the rows at the places first .. first + height - 1. */
static inline uint32_t slice_width(const struct host_csr *A, const uint32_t *order, uint32_t first,
                                   uint32_t height)
{
    uint32_t width = 0;
    for (uint32_t i = first; i - first < height && i < A->rows; i++)
        width = short_length(A, order[i]) > width ? short_length(A, order[i]) : width;
    return width;
}

static inline void put_bases(struct job *j, const struct csr *A)
{
    static const uint32_t none = 0;
    uint64_t bytes = sell_base_bytes(&j->sell);
    uint32_t *unset = room(bytes / 4, 4);
    memset(unset, 0xFF, bytes);
    j->most = put_words(j, &none, 1, "the most");
    j->bases = put_words(j, unset, bytes / 4, "bases");
    j->sell.base = words_at(j->bases);
    free(unset);
    sell_bases(&j->r, A, &j->sell, words_at(j->most));
}

/* Slice offsets, the order of rows, and bases if columns are to be compact and 16 bits suffice. */
static inline void put_structure(struct job *j, const struct csr *A)
{
    uint32_t height = rows_of_slice(j), slices = sell_slices(j->n, height);
    uint32_t *order = rows_in_order(j->A, j->shape.sigma), *slice = room(slices + (uint64_t)1, 4);
    for (uint32_t s = 0; s < slices; s++)
        slice[s + 1] = slice[s] + height * slice_width(j->A, order, height * s, height);
    struct sell *B = &j->sell;
    *B = (struct sell){
        .n = A->n, .cols = A->cols, .lanes = A->lanes, .height = height, .padded = slice[slices]};
    if (j->shape.ell)
        B->width = B->padded / height;
    else
        B->slice = words_at(put_words(j, slice, slices + (uint64_t)1, "slice offsets"));
    if (j->shape.sigma)
        B->order = words_at(put_words(j, order, j->n, "the order of rows"));
    if (j->shape.compact && A->cols <= 65535)
        put_bases(j, A);
    free(slice);
    free(order);
}

/* The matrix in CSR and, once the recording has run, in slices. */
static inline const struct sell *put_slices(struct job *j)
{
    const struct csr *A = put_matrix(j);
    struct sell *B = &j->sell;
    put_structure(j, A);
    B->col = words_at(j->columns = new_bytes(j, sell_column_bytes(B, B->base != NULL), "columns in slices"));
    B->val = new_values(j, B->padded, "values in slices");
    moving(j);
    csr_to_sell(&j->r, A, B);
    put_longs(j);
    B->bits = long_bits(A);
    return B;
}

/* The two arrays of the slices. */
static inline void record_csr_to_sell(struct job *j)
{
    uint32_t padded = put_slices(j)->padded;
    compared_words(j, j->columns, padded);
    compared(j, j->columns + 1, j->p, padded);
}

static inline void expect_csr_to_sell(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t at = 0, height = rows_of_slice(j), *order = rows_in_order(A, j->shape.sigma);
    for (uint32_t first = 0; first < A->rows; first += height)
        for (uint32_t k = 0, width = slice_width(A, order, first, height); k < width; k++)
            for (uint32_t i = first; i < first + height; i++, at++) {
                bool is = i < A->rows && k < short_length(A, order[i]);
                want[at] = is ? A->col[A->row[order[i]] + k] : UINT32_MAX;
                want[j->sell.padded + at] = is ? A->val[A->row[order[i]] + k] : 0;
            }
    cr_assert_eq(at, j->sell.padded);
    free(order);
}

/* The reverse: the filled slices, into other arrays of CSR. */
static inline void record_sell_to_csr(struct job *j)
{
    const struct sell *A = put_slices(j);
    struct csr B = put_empty_csr(j);
    sell_to_csr(&j->r, A, &B);
}

static inline void expect_sell_to_csr(const struct job *j, double *want)
{
    expect_short_rows(j, want);
}

/* The bases, and the largest distance above them. */
static inline void record_sell_bases(struct job *j)
{
    put_structure(j, put_matrix(j));
    if (j->sell.base) {
        compared_words(j, j->bases, sell_base_bytes(&j->sell) / 4);
        compared_words(j, j->most, 1);
    }
}

/* Finds the least column of the k-th entries of the slice that begins at `first`; returns the distance to the
 * largest. */
static inline uint32_t expect_base(const struct job *j, const uint32_t *order, uint32_t first, uint32_t k,
                                   double *base)
{
    const struct host_csr *A = j->A;
    uint32_t least = UINT32_MAX, last = 0;
    for (uint32_t i = first; i < first + j->sell.height && i < A->rows; i++)
        if (k < short_length(A, order[i])) {
            uint32_t col = A->col[A->row[order[i]] + k];
            least = col < least ? col : least;
            last = col > last ? col : last;
        }
    *base = least;
    return last - least;
}

/* Elements that no kernel has written have all bits set. */
static inline void expect_sell_bases(const struct job *j, double *want)
{
    uint32_t height = j->sell.height, most = 0, columns = 0, *order = rows_in_order(j->A, j->shape.sigma);
    uint64_t words = j->sell.base ? sell_base_bytes(&j->sell) / 4 : 0;
    for (uint64_t k = 0; k < words; k++)
        want[k] = UINT32_MAX;
    for (uint32_t first = 0; words && first < j->n; first += height) {
        uint32_t width = slice_width(j->A, order, first, height);
        uint32_t at = (columns + 3 * (first / height + 1)) / 4 * 4;
        for (uint32_t k = 0; k < width; k++) {
            uint32_t above = expect_base(j, order, first, k, &want[at + k]);
            most = above > most ? above : most;
        }
        columns += width;
    }
    if (words)
        want[words] = most;
    free(order);
}

/* A window of 7 if the case names none. */
static inline uint32_t window_of(const struct job *j)
{
    return j->shape.sigma ? j->shape.sigma : 7;
}

static inline void record_sell_keys(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *key = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "keys"), j->n),
                        *order = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "rows"), j->n);
    sell_keys(&j->r, A, words_at(key), words_at(order), window_of(j));
}

static inline void expect_sell_keys(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = 512.0 * (i / window_of(j)) + 256 - short_length(j->A, i);
        want[j->n + i] = i;
    }
}

typedef void spmv_verb(struct rec *r, const struct sell *A, struct vec x, struct vec y);

static inline void record_product_of(struct job *j, spmv_verb *verb)
{
    const struct sell *A = put_slices(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    computing(j);
    if (j->csr.longs)
        spmv_long(&j->r, &j->csr, job_x(j, x), job_vec(j, y));
    verb(&j->r, A, job_x(j, x), job_vec(j, compared(j, y, j->p, j->n)));
}

static inline void record_spmv_sell(struct job *j)
{
    record_product_of(j, spmv_sell);
}

static inline void record_spmv_slices(struct job *j)
{
    record_product_of(j, spmv_slices);
}

static inline void record_spmv_slices_wide(struct job *j)
{
    record_product_of(j, spmv_slices_wide);
}

static inline void expect_spmv_sell(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

static inline void expect_spmv_slices(const struct job *j, double *want)
{
    expect_spmv_sell(j, want);
}

static inline void expect_spmv_slices_wide(const struct job *j, double *want)
{
    expect_spmv_sell(j, want);
}

#define SLICES_CASES(X)                                                                   \
    X(csr_to_sell, .sparse = true)                                                        \
    X(sell_bases, .sparse = true, .shape = {.compact = true})                             \
    X(sell_keys, .sparse = true, .words = true)                                           \
    X(sell_to_csr, .sparse = true, .shape = {.height = 8, .sigma = 100, .compact = true}) \
    X(spmv_sell, .sparse = true, .shape = {.compact = true})                              \
    X(spmv_slices, .sparse = true, .shape = {.height = 64, .sigma = 256})                 \
    X(spmv_slices_wide, .sparse = true, .least_lanes = 16, .shape = {.ell = true})

#endif
