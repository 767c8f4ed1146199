/* The calls on batches of small systems. world.h includes this after defining its world. */
#ifndef VKS_TESTS_WORLD_BATCH_H
#define VKS_TESTS_WORLD_BATCH_H

enum { BATCH_SYSTEMS = 3 };

static inline vks_status destroy_batch(vks_status s, vks_batch *batch)
{
    cr_expect_eq(s != VKS_OK, batch == NULL, "a batch that was not made");
    vks_batch_destroy(batch);
    return s;
}

static inline vks_status create_batch_in(struct world *w, vks_batch **batch)
{
    const vks_batch_system of[BATCH_SYSTEMS] = {
        {N, w->host.row, w->host.col, w->host.val},
        {2, (uint32_t[]){0, 1, 2}, (uint32_t[]){0, 1}, (double[]){1, 2}},
        {N, w->host.row, w->host.col, w->host.val}};
    return vks_batch_create_of(w->c, BATCH_SYSTEMS, of, VKS_F64, NULL, batch);
}

static inline vks_status batch_create_of(struct world *w)
{
    vks_batch *batch = (vks_batch *)w;
    vks_status s = create_batch_in(w, &batch);
    return destroy_batch(s, batch);
}

/* Makes a batch of one system, sets new values, and solves. */
static inline vks_status batch_solve_by(struct world *w, vks_method method)
{
    const vks_batch_options o = {.method = method};
    vks_batch_report r = {.reason = VKS_REASON_CONVERGED};
    vks_batch *batch = (vks_batch *)w;
    vks_status s = vks_batch_create(w->c, 1, N, w->host.row, w->host.col, VKS_F64, w->host.val, &o, &batch);
    if (s)
        return destroy_batch(s, batch);
    s = vks_batch_update(batch, VKS_F64, w->host.val);
    if (!s) {
        s = vks_batch_solve(batch, w->b, w->x, &r);
        cr_expect_eq(r.reason, s ? VKS_REASON_NOT_RUN : VKS_REASON_CONVERGED);
    }
    vks_batch_destroy(batch);
    return s;
}

CALL_OF(batch_solve_by_cg, batch_solve_by(w, VKS_METHOD_CG))
CALL_OF(batch_solve_by_bicgstab, batch_solve_by(w, VKS_METHOD_BICGSTAB))

/* A tridiagonal system of two rows, or one of three with an entry in the corner. */
static inline vks_status batch_eliminate_of(struct world *w, uint32_t n)
{
    static const uint32_t row[] = {0, 2, 4, 5}, col[] = {0, 1, 0, 1, 0};
    static const double values[] = {4, 1, 1, 3, 1};
    static const uint32_t corner[] = {0, 2, 0, 1, 2};
    const vks_batch_options o = {.method = VKS_METHOD_GAUSS_JORDAN};
    vks_batch_report r = {.reason = VKS_REASON_CONVERGED};
    OWNED(vks_batch) *batch = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    vks_status s = vks_batch_create(w->c, 1, n, row, n == 3 ? corner : col, VKS_F64, values, &o, &batch);
    if (!s)
        s = vks_vector_create(w->c, n, VKS_F64, &b);
    if (!s)
        s = vks_vector_fill(b, 1);
    if (!s)
        s = vks_vector_create(w->c, n, VKS_F64, &x);
    if (!s)
        s = vks_batch_solve(batch, b, x, &r);
    if (!s)
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", vks_reason_name(r.reason));
    return s;
}

CALL_OF(batch_reduce, batch_eliminate_of(w, 2))
CALL_OF(batch_eliminate, batch_eliminate_of(w, 3))

#define BATCH_CALLS(X)             \
    X(batch_create_of, 8)          \
    X(batch_solve_by_cg, 10)       \
    X(batch_solve_by_bicgstab, 10) \
    X(batch_reduce, 10)            \
    X(batch_eliminate, 10)

#endif
