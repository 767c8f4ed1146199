/* Internals of a vks_assembly, and the verbs of assembly. */
#ifndef VKS_SPARSE_ASSEMBLY_H
#define VKS_SPARSE_ASSEMBLY_H

#include "device/room.h"
#include "primitive/array.h"
#include "primitive/verbs.h"
#include "vksolve/assembly.h"

struct vks_assembly {
    vks_context *context;
    struct room room; /* owns the arrays */
    uint32_t rows, cols, entries, triplets;
    struct memory place;    /* index of each sorted triplet in the caller's arrays */
    struct memory start;    /* entries + 1: where in `place` the terms of each entry begin */
    struct memory row, col; /* of the matrix, in CSR */
};

/* How triplets are sorted. Both ways give the same order; tests select one. */
enum assembly_way {
    ASSEMBLY_WAY_AUTO, /* by row; then short rows by counting, and others in the way below that moves fewer
                          bytes */
    ASSEMBLY_SEGMENTS, /* by row, then the columns in each row by the bitonic network */
    ASSEMBLY_RADIX     /* by column, then by row */
};

/* vks_assembly_create with a selected way. */
vks_status assembly_create(vks_context *context, uint32_t rows, uint32_t cols, const vks_array *row,
                           const vks_array *col, enum assembly_way way, vks_assembly **assembly);

/* Fills in the entries of an assembly that has a context, a room and a shape; see src/sparse/assembly_sort.c.
 */
vks_status assembly_sort(vks_assembly *a, const vks_array *row, const vks_array *col, enum assembly_way way);

/* Whether two radix sorts of all triplets move fewer bytes than the network on rows of more than 1,024.
 * `chunks` is the number of chunks of such rows, `longest` the length of the longest row. */
bool assembly_prefers_radix(const vks_assembly *a, uint32_t chunks, uint32_t longest);

static inline u32s assembly_words(const struct memory *m)
{
    return (u32s)(uintptr_t)m->address;
}

/* Sorts the columns of rows of up to 256 triplets, with their places; *longest = the length of the longest
 * row above that, or 0 */
static inline void rank_columns(struct rec *r, u32s key, u32s bound, u32s col, u32s place, u32s to_col,
                                u32s to_place, u32s longest, uint32_t n)
{
    fill_words(r, longest, 0, 0, 1, 1);
    run(r, rank_columns, groups_each(n), .key = key, .bound = bound, .col = col, .place = place,
        .to_col = to_col, .to_place = to_place, .longest = longest, .n = n);
    bill(r, 20 * (uint64_t)n);
}

/* key = row, place[i] = i, fault = the first triplet out of range, or UINT32_MAX */
static inline void triplet_keys(struct rec *r, u32s row, u32s col, u32s key, u32s place, u32s fault,
                                uint32_t n, uint32_t rows, uint32_t cols)
{
    fill_words(r, fault, UINT32_MAX, 0, 1, 1);
    run(r, triplet_keys, groups_each(n), .row = row, .col = col, .key = key, .place = place, .fault = fault,
        .n = n, .rows = rows, .cols = cols);
    bill(r, 16 * (uint64_t)n);
}

/* sum[i] = the sum of the terms of entry i, in order; there are `terms` in all */
static inline void assemble_values(struct rec *r, u32s start, u32s place, reals val, reals sum, uint32_t n,
                                   uint32_t terms)
{
    run(r, assemble_values, groups_each(n), .start = start, .place = place, .val = val, .sum = sum, .n = n);
    bill(r, 4 * ((uint64_t)n + terms) + vector_bytes(r, n) + vector_bytes(r, terms));
}

#endif
