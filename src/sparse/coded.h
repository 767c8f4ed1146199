/* SELL whose entries are codes, the numbers of their kinds (sparse/kinds.h), in slices of 32 unpermuted rows:
 * a byte or two for each entry instead of its column and value. Products have the same bits as in CSR. */
#ifndef VKS_SPARSE_CODED_H
#define VKS_SPARSE_CODED_H

#include "sparse/kinds.h"
#include "sparse/slices.h"

/* Whether the slices are suitable for spmv_coded. */
static inline bool sell_may_be_coded(const vks_format_options *o, const struct csr *A)
{
    return o->coding != VKS_CODED_NEVER && o->slice_height == SELL_SLICE && o->sigma <= SELL_SLICE &&
           A->lanes <= SELL_FEW_LANES && A->entries;
}

/* Bytes of the codes for `units` units of four entries of 32 rows. */
static inline uint64_t coded_bytes(uint64_t units, bool wide)
{
    return (wide ? 8 : 4) * SELL_SLICE * units;
}

/* Whether the words of codes can be indexed with 32 bits. */
static inline bool coded_reaches(uint64_t units, bool wide)
{
    return coded_bytes(units, wide) / 4 <= UINT32_MAX;
}

/* Units of four entries of 32 rows in every slice, if equal slices need at most an eighth more units:
 * products then do not read slice offsets. 0: slices differ. */
static inline uint32_t coded_units_of_all(const struct sell *B, bool wide)
{
    uint64_t units = ((uint64_t)B->widest + 3) / 4, all = units * sell_slices(B->n, SELL_SLICE);
    return all <= B->fours + B->fours / 8 && coded_reaches(all, wide) ? (uint32_t)units : 0;
}

/* Number of units that are allocated. */
static inline uint64_t coded_room(const struct sell *B)
{
    return B->coded.units ? (uint64_t)B->coded.units * sell_slices(B->n, SELL_SLICE)
                          : sell_units(B->n, B->height, B->padded);
}

/* Units that a pass over the codes reads. */
static inline uint64_t coded_units(const struct sell *A)
{
    return A->coded.units ? coded_room(A) : A->fours;
}

/* Bytes of one pass over the codes in `units` units, and over the table of kinds, which is read from memory
 * once in sectors of 32 bytes. */
static inline uint64_t coded_traffic(uint64_t units, uint32_t kinds)
{
    return coded_bytes(units, kinds > KINDS_OF_A_BYTE) + 64 * (uint64_t)kinds;
}

/* Bytes of one pass over the codes, the kinds and the slice offsets, if any. */
static inline uint64_t coded_pass(const struct sell *A)
{
    return coded_traffic(coded_units(A), A->coded.kinds) + (A->coded.units ? 0 : sell_offset_bytes(A));
}

/* The units of each slice, for kernels that unroll the loop over them, if they are few; else 0. */
enum { CODED_FEW = 8, CODED_FEWEST = 2 };
static inline uint32_t coded_few(const struct sell *A)
{
    return A->coded.units <= CODED_FEW ? A->coded.units : 0;
}

/* Workgroups for a product. On an H200, only as many as run at once take 117 us, one per tile 136 us
 * (poisson3d 256 in f64). More unrolled units use more registers: the times are then 54 and 50 us (27 points,
 * 128). For uncoded entries a limit gains nothing in f64, and a few percent in f32 in some formats. */
static inline uint64_t coded_groups(const struct rec *r, const struct sell *A)
{
    return coded_few(A) > CODED_FEWEST ? groups_each(A->n) : groups_at_once(r, A->n);
}

/* y = A x except in long rows */
static inline void spmv_coded(struct rec *r, const struct sell *A, struct vec x, struct vec y)
{
    run(r, spmv_coded, coded_groups(r, A), .slice = A->slice, .code = A->coded.code, .apart = A->coded.apart,
        .value = A->coded.value, .x = vec_reals(x), .y = vec_reals(y), .bits = A->bits, .n = A->n,
        .units = A->coded.units, .wide = A->coded.wide, .lanes = A->lanes, .longs = A->bits != NULL,
        .few = coded_few(A));
    bill(r, coded_pass(A) + vec_bytes(x) + vec_bytes(y));
}

/* y = A x and the tile sums of own . y; own is the part of x that belongs to the rows. y of long rows is
 * already computed. */
static inline void spmv_coded_dot(struct rec *r, const struct sell *A, struct vec x, struct vec own,
                                  struct vec y, sums s)
{
    run(r, spmv_coded_dot, coded_groups(r, A), .slice = A->slice, .code = A->coded.code,
        .apart = A->coded.apart, .value = A->coded.value, .x = vec_reals(x), .own = vec_reals(own),
        .y = vec_reals(y), .s = s, .bits = A->bits, .n = A->n, .units = A->coded.units, .wide = A->coded.wide,
        .lanes = A->lanes, .longs = A->bits != NULL, .few = coded_few(A));
    bill(r, coded_pass(A) + vec_bytes(own) + vec_bytes(y));
}

/* A x followed by an operation on its rows; no row is long. */
static inline void spmv_coded_then(struct rec *r, const struct sell *A, const struct product_then *t)
{
    run(r, spmv_coded_then, coded_groups(r, A), .slice = A->slice, .code = A->coded.code,
        .apart = A->coded.apart, .value = A->coded.value, .n = A->n, .units = A->coded.units,
        .wide = A->coded.wide, .lanes = A->lanes, .few = coded_few(A), THEN_ARGS(t));
    bill(r, coded_pass(A) + vector_bytes(r, A->cols) + then_bytes(t));
}

/* Fills the codes of B, whose slices are known, from A and the kinds found in it; the values of A have
 * precision p. *lost = 1 if an entry has none of these kinds. The recording may have any precision. */
static inline void csr_to_coded(struct rec *r, const struct csr *A, const struct kinds *k, enum precision p,
                                const struct sell *B, u32s lost)
{
    run(r, csr_to_coded, groups_each(A->n), .row = A->row, .col = A->col, .val = (u32s)A->val,
        .slice = B->slice, .slots = k->slots, .apart = k->table.apart, .value = k->table.value,
        .code = B->coded.code, .lost = lost, .n = A->n, .mask = k->mask, .words = kind_words(p),
        .units = B->coded.units, .wide = B->coded.wide);
    bill(r, (uint64_t)A->entries * (value_bytes(p) + 4) + 4 * (uint64_t)A->n +
                coded_bytes(coded_units(B), B->coded.wide));
}

/* Fills the columns and the values, in precision p, of B, whose row offsets are known, from A. */
static inline void coded_to_csr(struct rec *r, const struct sell *A, enum precision p, const struct csr *B)
{
    run(r, coded_to_csr, groups_each(A->n), .slice = A->slice, .code = A->coded.code, .apart = A->coded.apart,
        .value = (u32s)A->coded.value, .row = B->row, .col = B->col, .val = (u32s)B->val, .n = A->n,
        .units = A->coded.units, .words = kind_words(p), .wide = A->coded.wide);
    bill(r, (uint64_t)B->entries * (value_bytes(p) + 4) + 4 * (uint64_t)A->n +
                coded_bytes(coded_units(A), A->coded.wide));
}

/* Replaces the codes of A by codes of the `count` kinds found. If two kinds have the same mark, or after a
 * failure, nothing changes and *done becomes false. */
vks_status coded_create(vks_matrix *A, const struct kinds *k, uint32_t count, bool *done);
/* Finds the kinds of A's present values; *count = 0: too many. */
vks_status coded_find_kinds(const vks_matrix *A, const struct kinds *k, uint32_t *count);
/* Releases the codes of A. */
void coded_drop(vks_matrix *A);

#endif
