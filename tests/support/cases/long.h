/* The cases of the kernels that list long rows and sum them, through their verbs. */
#ifndef VKS_TESTS_LONG_CASES_H
#define VKS_TESTS_LONG_CASES_H

#include "tests/support/job.h"

static inline uint32_t pieces_of(const struct host_csr *A, uint32_t i)
{
    uint32_t length = A->row[i + 1] - A->row[i];
    return length > 256 ? (length + 1023) / 1024 : 0;
}

/* The entries of row i that formats store; 0 for a long row. */
static inline uint32_t short_length(const struct host_csr *A, uint32_t i)
{
    uint32_t length = A->row[i + 1] - A->row[i];
    return length <= 256 ? length : 0;
}

static inline uint32_t all_pieces(const struct host_csr *A)
{
    uint32_t pieces = 0;
    for (uint32_t i = 0; i < A->rows; i++)
        pieces += pieces_of(A, i);
    return pieces;
}

/* The list of pieces, four words each, and the number of entries before each. */
static inline void list_naively(const struct host_csr *A, uint32_t *list, uint32_t *start)
{
    for (uint32_t i = 0, p = 0; i < A->rows; i++)
        for (uint32_t k = 0, of = pieces_of(A, i); k < of; k++, p++) {
            uint32_t begin = A->row[i] + 1024 * k, end = k + 1 < of ? begin + 1024 : A->row[i + 1];
            memcpy(list + 4 * p, (uint32_t[]){begin, end, i, of}, 16);
            start[p + 1] = start[p] + end - begin;
        }
}

/* The first pieces of rows that have `least` to `most` pieces. */
static inline struct memory put_heads(struct job *j, const uint32_t *list, uint32_t least, uint32_t most,
                                      uint32_t *count)
{
    uint32_t pieces = j->longs.pieces, *head = room(pieces, 4);
    for (uint32_t p = 0; p < pieces; p += list[4 * p + 3])
        if (list[4 * p + 3] >= least && list[4 * p + 3] <= most)
            head[(*count)++] = p;
    struct memory m = *put_words(j, head, *count, "heads");
    free(head);
    return m;
}

/* The expected long rows of the matrix, which has been put. */
static inline struct long_rows *put_longs(struct job *j)
{
    struct long_rows *w = &j->longs;
    uint32_t pieces = all_pieces(j->A), *list = room(pieces, 16), *start = room(pieces + (size_t)1, 4),
             *bits = room(j->n / 32 + 1, 4);
    *w = (struct long_rows){.pieces = pieces};
    list_naively(j->A, list, start);
    w->entries = start[pieces];
    for (uint32_t i = 0; i < j->n; i++) {
        bits[i / 32] |= (uint32_t)(pieces_of(j->A, i) > 0) << i % 32;
        w->rows += pieces_of(j->A, i) > 0;
    }
    if (pieces) {
        w->bits = *put_words(j, bits, j->n / 32 + 1, "bits of rows");
        w->list = *put_words(j, list, 4 * (uint64_t)pieces, "pieces");
        w->start = *put_words(j, start, pieces + (uint64_t)1, "starts");
        w->sum = *new_bytes(j, 8 * (uint64_t)pieces, "sums of pieces");
        w->several_head = put_heads(j, list, 2, 256, &w->several);
        w->many_head = put_heads(j, list, 257, UINT32_MAX, &w->many);
        j->csr.longs = w;
    }
    free(list);
    free(start);
    free(bits);
    return w;
}

/* x and y for a product with the matrix, which has been put; y already has its long rows, and is compared. */
static inline const struct memory *put_product(struct job *j, const struct memory **x)
{
    *x = put(j, j->x, j->csr.cols, "x");
    const struct memory *y = new_reals(j, j->n, "y");
    computing(j);
    if (j->csr.longs)
        spmv_long(&j->r, &j->csr, job_x(j, *x), job_vec(j, y));
    return compared(j, y, j->p, j->n);
}

/* Arrays of CSR with zeros, which long rows keep. */
static inline struct csr put_empty_csr(struct job *j)
{
    struct csr B = j->csr;
    double *zeros = room(B.entries, sizeof *zeros);
    uint32_t *none = room(B.entries, 4);
    B.col = words_at(compared_words(j, put_words(j, none, B.entries, "columns again"), B.entries));
    B.val = values_at(compared(j, put(j, zeros, B.entries, "values again"), j->p, B.entries));
    free(zeros);
    free(none);
    return B;
}

/* The values that formats write. */
static inline void expect_short_rows(const struct job *j, double *want)
{
    uint32_t entries = j->A->row[j->n];
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = j->A->row[i]; k < j->A->row[i] + short_length(j->A, i); k++) {
            want[k] = j->A->col[k];
            want[entries + k] = j->A->val[k];
        }
}

static inline void record_long_numbers(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t words = j->n / 32 + (j->n % 32 != 0);
    const struct memory *counts = new_bytes(j, 4 * (uint64_t)j->n, "numbers of pieces"),
                        *bits = new_bytes(j, 4 * (uint64_t)words, "bits");
    compared_words(j, counts, j->n);
    compared_words(j, bits, words);
    long_numbers(&j->r, A, words_at(counts), words_at(bits));
}

static inline void expect_long_numbers(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = pieces_of(j->A, i);
        want[j->n + i / 32] = (i % 32 ? want[j->n + i / 32] : 0) + (want[i] > 0 ? exp2(i % 32) : 0);
    }
}

static inline void record_long_list(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t pieces = all_pieces(j->A), *before = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        before[i + 1] = before[i] + pieces_of(j->A, i);
    const struct memory *list = new_bytes(j, 16 * (uint64_t)pieces, "pieces"),
                        *length = new_bytes(j, 4 * (uint64_t)pieces, "lengths of pieces"),
                        *numbers = put_words(j, before, j->n + (uint64_t)1, "numbers of pieces");
    compared_words(j, list, 4 * (uint64_t)pieces);
    compared_words(j, length, pieces);
    if (pieces)
        long_list(&j->r, A, words_at(numbers), words_at(list), words_at(length), pieces);
    free(before);
}

static inline void expect_long_list(const struct job *j, double *want)
{
    uint32_t pieces = all_pieces(j->A), *list = room(pieces, 16), *start = room(pieces + (size_t)1, 4);
    list_naively(j->A, list, start);
    for (uint32_t k = 0; k < 4 * pieces; k++)
        want[k] = list[k];
    for (uint32_t p = 0; p < pieces; p++)
        want[4 * pieces + p] = start[p + 1] - start[p];
    free(list);
    free(start);
}

enum { LEAST_PIECES = 2, MOST_PIECES = 3 };

static inline void record_long_heads(struct job *j)
{
    put_matrix(j);
    const struct long_rows *w = put_longs(j);
    const struct memory *flag = new_bytes(j, 4 * (uint64_t)w->pieces, "flags");
    compared_words(j, flag, w->pieces);
    if (w->pieces)
        long_heads(&j->r, w, words_at(flag), LEAST_PIECES, MOST_PIECES);
}

static inline void expect_long_heads(const struct job *j, double *want)
{
    for (uint32_t i = 0, p = 0; i < j->n; i++)
        for (uint32_t k = 0, of = pieces_of(j->A, i); k < of; k++)
            want[p++] = k == 0 && of >= LEAST_PIECES && of <= MOST_PIECES;
}

/* Copies long rows out, and back into an array of zeros. */
static inline void record_long_copy(struct job *j)
{
    put_matrix(j);
    struct long_rows *w = put_longs(j);
    struct csr B = put_empty_csr(j);
    w->col = *new_bytes(j, 4 * (uint64_t)w->entries, "columns of long rows");
    w->val = *new_reals(j, w->entries, "values of long rows");
    compared_words(j, &w->col, w->entries);
    if (w->pieces) {
        long_copy(&j->r, &j->csr, w, false);
        long_copy(&j->r, &B, w, true);
    }
}

static inline void expect_long_copy(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t entries = A->row[j->n], to = 2 * entries;
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            bool is = pieces_of(A, i) > 0;
            want[k] = is ? A->col[k] : 0;
            want[entries + k] = is ? A->val[k] : 0;
            if (is)
                want[to++] = A->col[k];
        }
}

/* All rows from CSR, then the long ones from their own arrays. */
static inline void record_spmv_long(struct job *j)
{
    const struct csr *A = put_matrix(j);
    struct long_rows *w = put_longs(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y"),
                        *z = put(j, j->y, j->n, "y, but for long rows");
    compared(j, y, j->p, j->n);
    compared(j, z, j->p, j->n);
    if (w->pieces)
        spmv_long(&j->r, A, job_x(j, x), job_vec(j, y));
    spmv_csr(&j->r, A, job_x(j, x), job_vec(j, y));
    w->col = *new_bytes(j, 4 * (uint64_t)w->entries, "columns of long rows");
    w->val = *new_bytes(j, w->entries * (uint64_t)value_bytes(j->p), "values of long rows");
    if (w->pieces) {
        moving(j);
        long_copy(&j->r, A, w, false);
        computing(j);
        spmv_long(&j->r, A, job_x(j, x), job_vec(j, z));
    }
}

static inline void expect_spmv_long(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
        want[j->n + i] = pieces_of(j->A, i) ? want[i] : j->y[i];
    }
}

/* Long rows contain only A x. */
static inline void record_csr_residual_long(struct job *j)
{
    const struct csr *A = put_matrix(j);
    double *zeros = room(j->n, 8);
    const struct memory *x = put(j, j->x, A->cols, "x"), *r = put_as(j, PRECISION_F64, zeros, j->n, "A x");
    free(zeros);
    put_longs(j);
    compared(j, r, PRECISION_F64, j->n);
    if (A->longs)
        csr_residual_long(&j->r, A, job_x(j, x), job_doubles(j, r));
}

static inline void expect_csr_residual_long(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = pieces_of(j->A, i) ? canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes) : 0;
}

#define LONG_CASES(X)                    \
    X(long_numbers, LONG_ROWS_CASE)      \
    X(long_list, LONG_ROWS_CASE)         \
    X(long_heads, LONG_ROWS_CASE)        \
    X(long_copy, LONG_ROWS_CASE)         \
    X(csr_residual_long, LONG_ROWS_CASE) \
    X(spmv_long, LONG_ROWS_CASE)

/* Numbers of rows; from the fifth size on, the pieces exceed what three groups take at once. */
static const uint32_t long_rows_at[] = {0, 1, 2, 13, 33, 66};
static const struct sizes sizes_of_long_rows = {long_rows_at, sizeof long_rows_at / sizeof *long_rows_at, 4};
#define LONG_ROWS_CASE .sparse = true, .long_rows = true, .sizes = &sizes_of_long_rows

#endif
