/* The long rows of a matrix, of more than LONG_ROW entries. Every format leaves them to the kernels here.
 * They are cut from their start into pieces of LONG_PIECE entries (shaders/sparse/spmv_long.glsl). The sums
 * of the pieces are added up like the elements of a vector (docs/internals/sums.md). */
#ifndef VKS_SPARSE_LONG_H
#define VKS_SPARSE_LONG_H

#include "shaders/sparse/long.h"
#include "sparse/csr.h"

#include <stdbool.h>

/* Lists the long rows of A, whose row offsets are on the device, in *w. The counts of *w must be filled in,
 * and at least one row must be long. *w must be destroyed even after a failure. */
vks_status long_rows_create(struct device *d, const struct csr *A, struct long_rows *w);
void long_rows_destroy(struct device *d, struct long_rows *w); /* a zeroed struct is fine */
/* Copies the entries of A's long rows, with values stored in p, from CSR to separate arrays. */
vks_status long_rows_keep(struct device *d, const struct csr *A, enum precision p, struct long_rows *w);

/* The bits of long rows for kernels: NULL if A has none. */
static inline u32s long_bits(const struct csr *A)
{
    return A->longs ? words_of(&A->longs->bits) : NULL;
}

/* counts[i] = the number of pieces of row i, 0 if it is short; sets the bit of each long row */
static inline void long_numbers(struct rec *r, const struct csr *A, u32s counts, u32s bits)
{
    run(r, long_numbers, groups_each(A->n / 32 + 1), .row = A->row, .counts = counts, .bits = bits,
        .n = A->n);
    bill(r, 8 * (uint64_t)A->n + A->n / 8);
}

/* Lists all pieces and their lengths; before[i] is the number of pieces before row i. */
static inline void long_list(struct rec *r, const struct csr *A, u32s before, u32s list, u32s length,
                             uint32_t pieces)
{
    run(r, long_list, groups_each(pieces), .row = A->row, .before = before, .list = list, .length = length,
        .n = A->n, .pieces = pieces);
    bill(r, 20 * (uint64_t)pieces);
}

/* flag[p] = 1 if piece p is the first of a row of `least` to `most` pieces, else 0 */
static inline void long_heads(struct rec *r, const struct long_rows *w, u32s flag, uint32_t least,
                              uint32_t most)
{
    run(r, long_heads, groups_each(w->pieces), .list = words_of(&w->list), .flag = flag, .pieces = w->pieces,
        .least = least, .most = most);
    bill(r, 20 * (uint64_t)w->pieces);
}

/* Copies the entries of long rows from CSR to their own arrays, or back. */
static inline void long_copy(struct rec *r, const struct csr *A, const struct long_rows *w, bool back)
{
    run(r, long_copy, ((uint64_t)w->pieces + 7) / 8, .list = words_of(&w->list), .start = words_of(&w->start),
        .col = A->col, .val = reals_of(r, A->val), .own_col = words_of(&w->col),
        .own_val = (reals)(uintptr_t)w->val.address, .pieces = w->pieces, .back = back);
    bill(r, 2 * (uint64_t)w->entries * (4 + value_bytes(r->precision)) + 20 * (uint64_t)w->pieces);
}

/* y for long rows of several pieces, in the precision of the recording. */
static inline void long_rest(struct rec *r, const struct long_rows *w, struct vec y)
{
    u32s list = words_of(&w->list);
    sums sum = (sums)(uintptr_t)w->sum.address;
    if (w->several)
        run(r, long_sums, ((uint64_t)w->several + 7) / 8, .list = list, .head = words_of(&w->several_head),
            .sum = sum, .y = vec_reals(y), .pieces = w->pieces, .heads = w->several);
    if (w->many)
        run(r, long_totals, w->many, .list = list, .head = words_of(&w->many_head), .sum = sum,
            .y = vec_reals(y), .pieces = w->pieces, .heads = w->many);
    bill(r, 2 * vector_bytes(r, w->pieces) + 20 * ((uint64_t)w->several + w->many));
}

/* Bytes of the entries of long rows and of their list. */
static inline uint64_t long_bytes(const struct rec *r, const struct long_rows *w)
{
    return (uint64_t)w->entries * (4 + value_bytes(r->precision)) + 16 * (uint64_t)w->pieces;
}

/* y = A x for the long rows of A */
static inline void spmv_long(struct rec *r, const struct csr *A, struct vec x, struct vec y)
{
    const struct long_rows *w = A->longs;
    bool apart = w->col.bytes;
    run(r, spmv_long, ((uint64_t)w->pieces + 7) / 8, .list = words_of(&w->list),
        .start = apart ? words_of(&w->start) : NULL, .col = apart ? words_of(&w->col) : A->col,
        .val = apart ? (values)(uintptr_t)w->val.address : A->val, .x = vec_reals(x), .y = vec_reals(y),
        .sum = (sums)(uintptr_t)w->sum.address, .pieces = w->pieces);
    bill(r, long_bytes(r, w));
    long_rest(r, w, y);
}

/* y = A x for the long rows of A in doubles, in any precision of A and x */
static inline void csr_residual_long(struct rec *r, const struct csr *A, struct vec x, struct vec y)
{
    const struct long_rows *w = A->longs;
    bool apart = w->col.bytes;
    run(r, csr_residual_long, ((uint64_t)w->pieces + 7) / 8, .list = words_of(&w->list),
        .start = apart ? words_of(&w->start) : NULL, .col = apart ? words_of(&w->col) : A->col,
        .val = apart ? (values)(uintptr_t)w->val.address : A->val, .x = vec_reals(x), .r = vec_doubles(y),
        .sum = (doubles)(uintptr_t)w->sum.address, .pieces = w->pieces);
    bill(r, long_bytes(r, w));
    enum precision p = r->precision;
    r->precision = PRECISION_F64;
    long_rest(r, w, y);
    r->precision = p;
}

/* e = b - A x in pairs of floats; A is in CSR, the recording in f32 */
static inline void pairs_residual(struct rec *r, const struct csr *A, pairs x, pairs b, pairs e)
{
    const struct long_rows *w = A->longs;
    if (w)
        run(r, pairs_residual_long, w->pieces, .list = words_of(&w->list), .col = A->col,
            .val = (pairs)A->val, .x = x, .r = e, .sum = (pair_sums)(uintptr_t)w->sum.address,
            .pieces = w->pieces);
    run(r, pairs_residual, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col, .val = (pairs)A->val,
        .x = x, .b = b, .r = e, .n = A->n, .lanes = A->lanes);
    bill(r, 12 * (uint64_t)A->entries + 28 * (uint64_t)A->n);
}

#endif
