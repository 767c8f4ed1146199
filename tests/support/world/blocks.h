/* The calls of sparse/blocks.h and vksolve/block.h, for the suites that make every operation fail; world.h
 * includes this. */
#ifndef VKS_TESTS_WORLD_BLOCKS_H
#define VKS_TESTS_WORLD_BLOCKS_H

#include "sparse/blocks.h"
#include "vksolve/block.h"

static inline bool no_blocks(const struct blocks *B)
{
    return !B->context && !B->row.handle && !B->col.handle && !B->val.handle && !B->row_of.handle &&
           !B->place.handle;
}

/* Blocks of 3 x 3, and back. */
static inline vks_status blocks_and_back(struct world *w)
{
    OWNED_BY(blocks_destroy) struct blocks A;
    OWNED(vks_matrix) *M = NULL;
    context_begin(w->c); /* these are not public calls */
    vks_status s = blocks_from_csr(w->A, 3, &A);
    cr_expect_eq(s != VKS_OK, no_blocks(&A));
    if (!s)
        s = blocks_from_csr_again(w->A, &A);
    if (!s) {
        s = blocks_to_csr(&A, &(vks_format_options){.format = VKS_FORMAT_CSR}, &M);
        cr_expect_eq(s != VKS_OK, M == NULL);
    }
    return s;
}

/* A^T A, twice. */
static inline vks_status multiply_blocks(struct world *w)
{
    OWNED_BY(blocks_destroy) struct blocks A, T = {0}, C = {0};
    context_begin(w->c);
    vks_status s = blocks_from_csr(w->A, 2, &A);
    if (!s) {
        s = blocks_transpose(&A, &T);
        cr_expect_eq(s != VKS_OK, no_blocks(&T));
    }
    if (!s) {
        s = blocks_multiply(&T, &A, &C);
        cr_expect_eq(s != VKS_OK, no_blocks(&C));
    }
    if (!s)
        s = blocks_multiply_again(&T, &A, &C);
    return s;
}

/* Inverts b as three blocks of ten rows. */
static inline vks_status invert_blocks_of_b(struct world *w)
{
    vks_array *rows = NULL, *out = vks_vector_array(w->x);
    vks_status s = vks_array_create(w->c, 4, VKS_TYPE_U32, &rows);
    if (!s)
        s = vks_array_write(rows, 0, 4, (uint32_t[]){0, 10, 20, 30});
    if (!s)
        s = vks_invert_blocks_of_sizes(rows, vks_vector_array(w->b), out, NULL);
    if (!s)
        s = vks_invert_blocks(N / 4, 2, vks_vector_array(w->b), out, NULL);
    vks_array_destroy(rows);
    return s;
}

/* X(call, the least number of operations that it needs) */
#define BLOCKS_CALLS(X)    \
    X(blocks_and_back, 30) \
    X(multiply_blocks, 50) \
    X(invert_blocks_of_b, 15)

#endif
