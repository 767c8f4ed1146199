/* The cases of the kernels of shaders/sparse/, through their verbs. */
#ifndef VKS_TESTS_SPARSE_CASES_H
#define VKS_TESTS_SPARSE_CASES_H

#include "sparse/balanced.h"
#include "tests/support/long_cases.h"

static inline void record_spmv_csr(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    put_longs(j);
    if (A->longs)
        spmv_long(&j->r, NULL, A, reals_at(x), reals_at(y));
    spmv_csr(&j->r, NULL, A, reals_at(x), reals_at(compared(j, y, j->p, j->n)));
}

static inline void expect_spmv_csr(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

/* 1 / diagonal, and the first row of each fault. */
static inline void record_csr_diagonal(struct job *j)
{
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = put_matrix(j);
    const struct memory *d = compared(j, new_reals(j, j->n, "the diagonal"), j->p, j->n);
    csr_diagonal(&j->r, A, reals_at(d), words_at(compared_words(j, put_words(j, none, 3, "flags"), 3)));
}

static inline void expect_csr_diagonal(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++) {
        double a = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (A->col[k] == i)
                a = A->val[k];
        int fault = !isfinite(a) ? 2 : a == 0 ? 0 : a < 0 ? 1 : -1;
        if (fault >= 0 && flags[fault] == UINT32_MAX)
            flags[fault] = i;
        want[i] = rounded(j->p, 1 / a);
    }
}

/* r = b - A x in double precision. */
static inline void record_csr_residual(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *r =
        compared(j, new_bytes(j, 8 * (uint64_t)j->n, "the residual"), PRECISION_F64, j->n);
    put_longs(j);
    if (A->longs)
        csr_residual_long(&j->r, A, reals_at(x), doubles_at(r));
    csr_residual(&j->r, A, reals_at(x), reals_at(b), doubles_at(r));
}

static inline void expect_csr_residual(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->y[i] - canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes);
}

/* Long rows are not in slices. */
static inline uint32_t sliced_length(const struct host_csr *A, uint32_t i)
{
    uint32_t length = A->row[i + 1] - A->row[i];
    return length <= 256 ? length : 0;
}

static inline uint32_t slice_width(const struct host_csr *A, uint32_t first)
{
    uint32_t width = 0;
    for (uint32_t i = first; i < first + 32 && i < A->rows; i++)
        width = sliced_length(A, i) > width ? sliced_length(A, i) : width;
    return width;
}

/* The matrix in CSR and, once the recording has run, in SELL; with compact columns where 16 bits reach. */
static inline const struct sell *put_slices(struct job *j, bool compact)
{
    const struct csr *A = put_matrix(j);
    uint32_t *slice = room(sell_slices(j->n) + (uint64_t)1, 4), none = 0;
    for (uint32_t s = 0; s < sell_slices(j->n); s++)
        slice[s + 1] = slice[s] + 32 * slice_width(j->A, 32 * s);
    uint32_t padded = slice[sell_slices(j->n)];
    struct sell *B = &j->sell;
    compact = compact && A->cols <= 65535;
    *B = (struct sell){.n = A->n, .cols = A->cols, .lanes = A->lanes, .padded = padded};
    put_longs(j);
    B->bits = long_bits(A);
    B->slice = words_at(put_words(j, slice, sell_slices(j->n) + (uint64_t)1, "slice offsets"));
    if (compact) {
        j->most = put_words(j, &none, 1, "the most");
        uint64_t bytes = sell_base_bytes(j->n, padded);
        uint32_t *unset = room(bytes / 4, 4);
        memset(unset, 0xFF, bytes);
        B->base = words_at(j->bases = put_words(j, unset, bytes / 4, "bases"));
        free(unset);
        sell_bases(&j->r, A, B->slice, B->base, words_at(j->most));
    }
    B->col = words_at(new_bytes(j, sell_column_bytes(j->n, padded, compact), "columns in slices"));
    B->val = reals_at(new_reals(j, padded, "values in slices"));
    csr_to_sell(&j->r, A, B);
    free(slice);
    return B;
}

/* The two arrays of the slices. */
static inline void record_csr_to_sell(struct job *j)
{
    uint32_t padded = put_slices(j, false)->padded;
    compared_words(j, &j->arrays[j->array_count - 2], padded);
    compared(j, &j->arrays[j->array_count - 1], j->p, padded);
}

static inline void expect_csr_to_sell(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t at = 0;
    for (uint32_t first = 0; first < A->rows; first += 32)
        for (uint32_t k = 0, width = slice_width(A, first); k < width; k++)
            for (uint32_t i = first; i < first + 32; i++, at++) {
                bool is = i < A->rows && k < sliced_length(A, i);
                want[at] = is ? A->col[A->row[i] + k] : UINT32_MAX;
                want[j->sell.padded + at] = is ? A->val[A->row[i] + k] : 0;
            }
    cr_assert_eq(at, j->sell.padded);
}

/* And back: the slices, which have been filled, into other arrays of CSR. */
static inline void record_back(struct job *j, bool compact)
{
    const struct sell *A = put_slices(j, compact);
    struct csr B = j->csr;
    double *zeros = room(B.entries, 8);
    const struct memory *col = put_as(j, PRECISION_F32, zeros, B.entries, "columns again"),
                        *val = put(j, zeros, B.entries, "values again");
    free(zeros);
    B.col = words_at(compared_words(j, col, B.entries));
    B.val = reals_at(compared(j, val, j->p, B.entries));
    sell_to_csr(&j->r, A, &B);
}

static inline void record_sell_to_csr(struct job *j)
{
    record_back(j, false);
}

static inline void record_sell_to_csr_compact(struct job *j)
{
    record_back(j, true);
}

static inline void expect_sell_to_csr(const struct job *j, double *want)
{
    uint32_t entries = j->A->row[j->n];
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + 1]; k++) {
            want[k] = sliced_length(j->A, i) ? j->A->col[k] : 0;
            want[entries + k] = sliced_length(j->A, i) ? j->A->val[k] : 0;
        }
}

static inline void expect_sell_to_csr_compact(const struct job *j, double *want)
{
    expect_sell_to_csr(j, want);
}

/* Added to what is there: 5. */
static inline void record_sell_widths(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t slices = sell_slices(j->n);
    const struct memory *sizes = new_bytes(j, 4 * (uint64_t)slices, "sizes of slices"),
                        *fours = put_words(j, (uint32_t[]){5}, 1, "units");
    compared_words(j, sizes, slices);
    compared_words(j, fours, 1);
    sell_widths(&j->r, A, words_at(sizes), words_at(fours));
}

static inline void expect_sell_widths(const struct job *j, double *want)
{
    uint32_t slices = sell_slices(j->n);
    want[slices] = 5;
    for (uint32_t s = 0; s < slices; s++) {
        want[s] = 32 * slice_width(j->A, 32 * s);
        want[slices] += (slice_width(j->A, 32 * s) + 3) / 4;
    }
}

/* The bases and the most above them. */
static inline void record_sell_bases(struct job *j)
{
    const struct sell *A = put_slices(j, true);
    if (A->base) {
        compared_words(j, j->bases, 4 * sell_units(j->n, A->padded));
        compared_words(j, j->most, 1);
    }
}

/* What no kernel has written has all bits set. */
static inline void expect_sell_bases(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint64_t words = 4 * sell_units(j->n, j->sell.padded);
    uint32_t most = 0, columns = 0;
    for (uint64_t k = 0; j->sell.base && k < words; k++)
        want[k] = UINT32_MAX;
    for (uint32_t first = 0; j->sell.base && first < A->rows; first += 32) {
        uint32_t width = slice_width(A, first), at = (columns + 3 * (first / 32 + 1)) / 4 * 4;
        for (uint32_t k = 0; k < width; k++) {
            uint32_t least = UINT32_MAX, last = 0;
            for (uint32_t i = first; i < first + 32 && i < A->rows; i++)
                if (k < sliced_length(A, i)) {
                    uint32_t col = A->col[A->row[i] + k];
                    least = col < least ? col : least;
                    last = col > last ? col : last;
                }
            want[at + k] = least;
            most = last - least > most ? last - least : most;
        }
        columns += width;
    }
    if (j->sell.base)
        want[words] = most;
}

static inline void record_product(struct job *j, bool compact)
{
    const struct sell *A = put_slices(j, compact);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    if (j->csr.longs)
        spmv_long(&j->r, NULL, &j->csr, reals_at(x), reals_at(y));
    spmv_sell(&j->r, NULL, A, reals_at(x), reals_at(compared(j, y, j->p, j->n)));
}

static inline void record_spmv_sell(struct job *j)
{
    record_product(j, false);
}

static inline void expect_spmv_sell(const struct job *j, double *want)
{
    expect_spmv_csr(j, want);
}

static inline void record_spmv_sell_compact(struct job *j)
{
    record_product(j, true);
}

static inline void expect_spmv_sell_compact(const struct job *j, double *want)
{
    expect_spmv_csr(j, want);
}

/* The blocks, and the product. */
static inline void record_spmv_balanced(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t blocks = balanced_count(A);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y"),
                        *first = new_bytes(j, 4 * (uint64_t)(blocks + 1), "blocks");
    put_longs(j);
    balanced_blocks(&j->r, A, words_at(first));
    if (A->longs)
        spmv_long(&j->r, NULL, A, reals_at(x), reals_at(y));
    spmv_balanced(&j->r, NULL, A, words_at(first), reals_at(x), reals_at(y));
    compared(j, y, j->p, j->n);
    compared_words(j, first, blocks + 1);
}

/* 1,280 entries and rows begin in a block. */
static inline void expect_spmv_balanced(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t blocks = (A->row[j->n] + j->n) / 1280 + 1, i = 0;
    expect_spmv_csr(j, want);
    for (uint32_t b = 0; b < blocks; b++) {
        while (i < j->n && A->row[i] + i < 1280 * b)
            i++;
        want[j->n + b] = i;
    }
    want[j->n + blocks] = j->n;
}

#define SPARSE_CASES(X)                          \
    X(csr_to_sell, .sparse = true)               \
    X(sell_bases, .sparse = true)                \
    X(sell_widths, .sparse = true, .once = true) \
    X(sell_to_csr, .sparse = true)               \
    X(sell_to_csr_compact, .sparse = true)       \
    X(spmv_sell_compact, .sparse = true)         \
    X(spmv_sell, .sparse = true)                 \
    X(spmv_balanced, .sparse = true)             \
    X(spmv_csr, .sparse = true)                  \
    X(csr_diagonal, .sparse = true)              \
    X(csr_residual, .sparse = true)

#endif
