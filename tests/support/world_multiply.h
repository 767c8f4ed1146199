/* The calls of vksolve/multiply.h, for the suites that make every operation fail; world.h includes this. */
#ifndef VKS_TESTS_WORLD_MULTIPLY_H
#define VKS_TESTS_WORLD_MULTIPLY_H

#include "sparse/spgemm.h"
#include "vksolve/multiply.h"

static inline vks_status multiply_matrices(struct world *w)
{
    vks_matrix *C = w->A;
    vks_status s = vks_matrix_multiply(w->A, w->A, NULL, &C);
    cr_expect_eq(s != VKS_OK, C == NULL);
    vks_matrix_destroy(C);
    return s;
}

/* Rows that are sorted, each in a batch of its own; then the values again. */
static inline vks_status multiply_long_rows(struct world *w)
{
    vks_matrix *C = NULL;
    vks_status s = spgemm(w->few, w->wide, 5000, &C);
    s = matrix_end(C, s, VKS_FORMAT_SELL, &C);
    cr_expect_eq(s != VKS_OK, C == NULL);
    if (!s)
        s = vks_matrix_multiply_again(w->few, w->wide, C);
    vks_matrix_destroy(C);
    return s;
}

static inline vks_status multiply_three(struct world *w)
{
    vks_matrix *C = w->A;
    vks_multiply_options o = {.drop = true, .drop_below = 0.5};
    vks_status s = vks_matrix_triple_product(w->few, w->few, w->wide, &o, &C);
    cr_expect_eq(s != VKS_OK, C == NULL);
    vks_matrix_destroy(C);
    return s;
}

/* X(call, the least number of operations that it needs) */
#define MULTIPLY_CALLS(X)     \
    X(multiply_matrices, 20)  \
    X(multiply_long_rows, 40) \
    X(multiply_three, 40)

#endif
