/* The calls of vksolve/multiply.h, for the suites that make every operation fail; world.h includes this. */
#ifndef VKS_TESTS_WORLD_MULTIPLY_H
#define VKS_TESTS_WORLD_MULTIPLY_H

#include "sparse/spgemm.h"
#include "vksolve/multiply.h"

static inline vks_status multiply_matrices(struct world *w)
{
    OWNED(vks_matrix) *C = w->A;
    vks_status s = vks_matrix_multiply(w->A, w->A, NULL, &C);
    cr_expect_eq(s != VKS_OK, C == NULL);
    return s;
}

/* Sorted rows, each in its own batch, or rows in windows; then the values again. */
static inline vks_status multiply_so(struct world *w, const struct spgemm_options *o)
{
    OWNED(vks_matrix) *C = NULL;
    context_begin(w->c); /* not a public call */
    vks_status s = spgemm(w->few, w->wide, o, &C);
    s = matrix_end(C, s, VKS_FORMAT_CSR, &C);
    cr_expect_eq(s != VKS_OK, C == NULL);
    if (!s)
        s = vks_matrix_multiply_again(w->few, w->wide, C);
    return s;
}

static inline vks_status multiply_sorted_rows(struct world *w)
{
    struct spgemm_options o = spgemm_defaults;
    o.batch = 5000;
    o.window = 4;
    o.host_classes = true;
    return multiply_so(w, &o);
}

/* Tables are tried first. */
static inline vks_status multiply_windows(struct world *w)
{
    struct spgemm_options o = spgemm_defaults;
    o.window = 9;
    o.host_classes = true;
    return multiply_so(w, &o);
}

/* On the host all threads share the rows. */
static inline vks_status multiply_shared_rows(struct world *w)
{
    struct spgemm_options o = spgemm_defaults;
    o.heavy = 0;
    return multiply_so(w, &o);
}

static inline vks_status multiply_three(struct world *w)
{
    OWNED(vks_matrix) *C = w->A;
    vks_multiply_options o = {.drop = true, .drop_below = 0.5};
    vks_status s = vks_matrix_triple_product(w->few, w->few, w->wide, &o, &C);
    cr_expect_eq(s != VKS_OK, C == NULL);
    return s;
}

static inline void make_products(struct world *w)
{
    OWNED_STRUCT(host_csr) few = csr_of_lengths(PRECISION_F64, 3, 3, (uint32_t[]){3, 0, 3}, 1);
    OWNED_STRUCT(host_csr) wide = csr_of_lengths(PRECISION_F64, 3, 3000, (uint32_t[]){1400, 1300, 1200}, 2);
    must_work(w->c, vks_matrix_from_csr(w->c, 3, 3, few.row, few.col, few.val, NULL, &w->few));
    must_work(w->c, vks_matrix_from_csr(w->c, 3, 3000, wide.row, wide.col, wide.val, NULL, &w->wide));
}

/* X(call, the least number of operations that it needs) */
#define MULTIPLY_CALLS(X)       \
    X(multiply_matrices, 14)    \
    X(multiply_sorted_rows, 40) \
    X(multiply_windows, 30)     \
    X(multiply_shared_rows, 14) \
    X(multiply_three, 40)

#endif
