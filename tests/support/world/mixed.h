/* The calls on mixed matrices, for world.h, which includes this when it knows its world. */
#ifndef VKS_TESTS_WORLD_MIXED_H
#define VKS_TESTS_WORLD_MIXED_H

static inline void make_surviving(struct world *w)
{
    w->surviving = room(host_csr_entries(&w->host), 8);
    for (size_t k = 0; k < host_csr_entries(&w->host); k++)
        w->surviving[k] = (float)w->host.val[k];
}

/* Stored in f32. */
static inline vks_status make_narrow(struct world *w, vks_format format, bool lean, vks_matrix **m)
{
    vks_matrix_options o = {.precision = VKS_MIXED, .storage = {.format = format, .lean = lean}};
    *m = w->A;
    return vks_matrix_from_csr(w->c, N, N, w->host.row, w->host.col, w->surviving, &o, m);
}

/* The same, then widened to f64, with products in between. */
static inline vks_status widen(struct world *w, vks_format format, bool lean)
{
    vks_matrix *m;
    vks_status s = make_narrow(w, format, lean, &m);
    if (!s)
        s = vks_spmv_transpose(m, w->b, w->x);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, w->host.val);
    if (!s)
        s = vks_spmv(m, w->b, w->x);
    if (!s)
        s = vks_spmv_transpose(m, w->b, w->x);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

CALL_OF(widen_csr, widen(w, VKS_FORMAT_CSR, false))
CALL_OF(widen_slices, widen(w, VKS_FORMAT_SELL, true))
CALL_OF(widen_blocks, widen(w, VKS_FORMAT_BSR, true))
CALL_OF(widen_coo, widen(w, VKS_FORMAT_COO, true))
CALL_OF(widen_columns, widen(w, VKS_FORMAT_CSC, true))

/* Zeros survive. */
static inline vks_status widen_long_rows(struct world *w)
{
    vks_matrix *m = w->A;
    vks_matrix_options o = {
        .precision = VKS_MIXED, .of_values = VKS_F32, .storage = {.format = VKS_FORMAT_SELL, .lean = true}};
    const struct host_csr *a = &w->long_row;
    vks_status s = vks_matrix_from_csr(w->c, a->rows, a->cols, a->row, a->col, w->narrow, &o, &m);
    if (!s)
        s = vks_matrix_set_values(m, VKS_F64, a->val);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

/* Operations that need values of full width, and scaling whose result does not survive f32. */
static inline vks_status operate_on_narrow(struct world *w)
{
    vks_matrix *narrow, *m = NULL;
    vks_status s = make_narrow(w, VKS_FORMAT_SELL, true, &narrow);
    if (!s)
        s = vks_matrix_add(1, narrow, 1, w->A, VKS_FORMAT_CSR, &m);
    vks_matrix_destroy(m);
    m = NULL;
    if (!s)
        s = vks_matrix_drop(narrow, 0.5, VKS_FORMAT_CSR, &m);
    vks_matrix_destroy(m);
    m = NULL;
    if (!s)
        s = vks_matrix_multiply(narrow, narrow, NULL, &m);
    if (!s)
        s = vks_matrix_multiply_again(narrow, narrow, m);
    vks_matrix_destroy(m);
    if (!s)
        s = vks_matrix_scale(narrow, w->b, NULL);
    return s ? (vks_matrix_destroy(narrow), s) : destroy_made(s, narrow);
}

static inline vks_status solve_narrow(struct world *w)
{
    vks_matrix *m;
    vks_solve_options options = {.max_iterations = 3};
    vks_status s = make_narrow(w, VKS_FORMAT_SELL, false, &m);
    if (!s)
        s = vks_cg_solve(m, w->b, w->x, &options, NULL);
    return s ? (vks_matrix_destroy(m), s) : destroy_made(s, m);
}

/* X(call, the least number of operations that it needs) */
#define MIXED_CALLS(X)       \
    X(widen_csr, 30)         \
    X(widen_slices, 60)      \
    X(widen_blocks, 60)      \
    X(widen_coo, 50)         \
    X(widen_columns, 50)     \
    X(widen_long_rows, 60)   \
    X(operate_on_narrow, 90) \
    X(solve_narrow, 40)

#endif
