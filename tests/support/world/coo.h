/* COO, CSC, the other products of CSR and that of the transpose, for the suites that make every operation
 * fail; world.h includes this. */
#ifndef VKS_TESTS_WORLD_COO_H
#define VKS_TESTS_WORLD_COO_H

/* Lean, with new values, a product, and the conversion back. */
static inline vks_status use_format(struct world *w, vks_format format)
{
    OWNED(vks_matrix) *m = NULL;
    vks_format_options o = {.format = format, .lean = true};
    vks_status s = vks_matrix_convert(w->A, &o, &m);
    cr_expect_eq(s != VKS_OK, m == NULL, "a matrix that was not made");
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, w->host.val);
    if (!s)
        s = vks_spmv(m, w->b, w->x);
    if (!s)
        s = vks_matrix_to_csr(m, w->back.row, w->back.col, VKS_F64, w->back.val);
    return s;
}

CALL_OF(use_coo, use_format(w, VKS_FORMAT_COO))
CALL_OF(use_coo_atomic, use_format(w, VKS_FORMAT_COO_ATOMIC))
CALL_OF(use_csc, use_format(w, VKS_FORMAT_CSC))
CALL_OF(use_csc_atomic, use_format(w, VKS_FORMAT_CSC_ATOMIC))
CALL_OF(use_csr_cached, use_format(w, VKS_FORMAT_CSR_CACHED))
CALL_OF(use_csr_two_pass, use_format(w, VKS_FORMAT_CSR_TWO_PASS))

/* Makes the transpose, uses it, and updates its values; also for a lean matrix. */
static inline vks_status multiply_transposed(struct world *w)
{
    OWNED(vks_matrix) *m = NULL;
    vks_format_options o = {.format = VKS_FORMAT_COO, .lean = true};
    vks_status s = vks_matrix_convert(w->A, &o, &m);
    if (!s)
        s = vks_spmv_transpose(m, w->b, w->x);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, w->host.val);
    if (!s)
        s = vks_spmv_transpose(m, w->b, w->x);
    return s;
}

/* X(call, the least number of operations that it needs) */
#define COO_CALLS(X)        \
    X(use_coo, 20)          \
    X(use_coo_atomic, 20)   \
    X(use_csc, 20)          \
    X(use_csc_atomic, 20)   \
    X(use_csr_cached, 10)   \
    X(use_csr_two_pass, 10) \
    X(multiply_transposed, 30)

#endif
