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
static inline vks_status batch_solve(struct world *w)
{
    vks_batch_report r = {.reason = VKS_REASON_CONVERGED};
    vks_batch *batch = (vks_batch *)w;
    vks_status s = vks_batch_create(w->c, 1, N, w->host.row, w->host.col, VKS_F64, w->host.val, NULL, &batch);
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

#define BATCH_CALLS(X)    \
    X(batch_create_of, 8) \
    X(batch_solve, 10)

#endif
