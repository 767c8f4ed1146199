/* The inside of a vks_assembly, and the verbs of assembly. */
#ifndef VKS_SPARSE_ASSEMBLY_H
#define VKS_SPARSE_ASSEMBLY_H

#include "primitive/array.h"
#include "primitive/verbs.h"
#include "vksolve/assembly.h"

struct vks_assembly {
    vks_context *context;
    uint32_t rows, cols, entries, triplets;
    struct memory place;    /* of each sorted triplet among the caller's */
    struct memory start;    /* entries + 1: where in `place` the terms of each entry begin */
    struct memory row, col; /* of the matrix, as CSR has them */
};

/* How triplets are brought into order. Both ways give the same order; tests ask for one. */
enum assembly_way {
    ASSEMBLY_WAY_AUTO, /* by row, then the columns of short rows by counting, and of others by whichever of
                          the following moves fewer bytes */
    ASSEMBLY_SEGMENTS, /* by row, then the columns in each row by the bitonic network */
    ASSEMBLY_RADIX     /* by column, then by row */
};

/* vks_assembly_create, in a way that is asked for. */
vks_status assembly_create(vks_context *context, uint32_t rows, uint32_t cols, const vks_array *row,
                           const vks_array *col, enum assembly_way way, vks_assembly **assembly);

/* Fills all but the first three members of a zeroed assembly; see src/sparse/assembly_sort.c. */
vks_status assembly_sort(vks_assembly *a, const vks_array *row, const vks_array *col, enum assembly_way way);

/* Whether two radix sorts of all triplets move fewer bytes than the network does on the rows of more than
 * 1,024: these are so many chunks, and the longest row has so many triplets. */
bool assembly_prefers_radix(const vks_assembly *a, uint32_t chunks, uint32_t longest);

static inline u32s assembly_words(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* The columns of rows of up to 256 triplets in order, with their places; *longest = the length of the longest
 * row beyond, or 0 */
static inline void rank_columns(struct rec *r, u32s key, u32s bound, u32s col, u32s place, u32s to_col,
                                u32s to_place, u32s longest, uint32_t n)
{
    fill_words(r, longest, 0, 0, 1, 1);
    run(r, rank_columns, groups_each(n), .key = key, .bound = bound, .col = col, .place = place,
        .to_col = to_col, .to_place = to_place, .longest = longest, .n = n);
    bill(r, 20 * (uint64_t)n);
}

/* key = row, place[i] = i, fault = the first triplet out of range, or the largest number */
static inline void triplet_keys(struct rec *r, u32s row, u32s col, u32s key, u32s place, u32s fault,
                                uint32_t n, uint32_t rows, uint32_t cols)
{
    fill_words(r, fault, UINT32_MAX, 0, 1, 1);
    run(r, triplet_keys, groups_each(n), .row = row, .col = col, .key = key, .place = place, .fault = fault,
        .n = n, .rows = rows, .cols = cols);
    bill(r, 16 * (uint64_t)n);
}

/* sum[i] = the terms of entry i, of which there are `terms` in all, in their order */
static inline void assemble_values(struct rec *r, u32s start, u32s place, reals val, reals sum, uint32_t n,
                                   uint32_t terms)
{
    run(r, assemble_values, groups_each(n), .start = start, .place = place, .val = val, .sum = sum, .n = n);
    bill(r, 4 * ((uint64_t)n + terms) + vector_bytes(r, n) + vector_bytes(r, terms));
}

#endif
