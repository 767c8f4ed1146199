/* The reference diagonal of a level: x' D x for the vector x of the finest level that an unknown stands for,
 * where D is the diagonal there. An element x' A x of the diagonal of the level that is zero beside it is
 * what rounding leaves of a null space: an island of a Neumann problem that has become one unknown. Such an
 * unknown stands for nothing; its row and column become zero, and the reference takes their diagonal. */
#include "solvers/multigrid/coarsen.h"

vks_status coarsen_begin_reference(struct device *d, struct vec inverse, enum precision wide,
                                   struct memory *reference)
{
    struct memory copy = {0};
    struct rec r;
    uint64_t bytes = inverse.n * (uint64_t)real_bytes(wide);
    vks_status s = device_allocate(d, MEMORY_DEVICE, bytes, "a reference diagonal", reference);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, bytes, "an inverse diagonal", &copy);
    rec_create(&r, d, wide);
    if (!s) {
        struct vec x = vec_at((reals)(uintptr_t)copy.address, inverse.n, wide);
        widen(&r, inverse, x);
        run(&r, reciprocals, groups_each(x.n), .x = vec_reals(x), .y = (reals)(uintptr_t)reference->address,
            .n = x.n);
        bill(&r, 2 * vec_bytes(x));
        s = rec_leave(&r);
    }
    rec_destroy(&r);
    device_release(d, &copy);
    return s;
}

static void record(struct rec *r, const struct coarsening *c, const struct csr *next, reals val,
                   uint32_t size, u32s empty)
{
    const struct csr *R = &c->R->csr;
    reals reference = (reals)(uintptr_t)c->next_reference.address;
    run(r, reference_diagonal, groups_rows(R->n, R->lanes), .r_row = R->row, .r_col = R->col,
        .r_val = reals_of(r, R->val), .fine = c->reference, .row = next->row, .col = next->col, .val = val,
        .reference = reference, .empty = empty, .n = R->n, .lanes = R->lanes, .size = size);
    bill(r, csr_bytes(r, R) + vector_bytes(r, R->cols) + 2 * vector_bytes(r, R->n) + 12 * (uint64_t)R->n);
    run(r, mend_diagonal, groups_each(R->n), .row = next->row, .col = next->col, .val = val,
        .reference = reference, .empty = empty, .n = R->n, .size = size);
    bill(r, 4 * (uint64_t)R->n);
}

vks_status coarsen_mend(struct coarsening *c)
{
    uint32_t n = c->R->csr.n;
    struct memory empty = {0};
    struct rec r;
    vks_status s = device_allocate(c->device, MEMORY_DEVICE, n * (uint64_t)real_bytes(c->precision),
                                   "a reference diagonal", &c->next_reference);
    if (!s)
        s = device_allocate(c->device, MEMORY_DEVICE, 4 * (uint64_t)n, "empty unknowns", &empty);
    rec_create(&r, c->device, c->precision);
    if (!s) {
        u32s flags = (u32s)(uintptr_t)empty.address;
        if (c->blocks)
            record(&r, c, &c->next.csr, blocks_reals(&c->next), c->next.br, flags);
        else
            record(&r, c, &c->coarse->csr, reals_of(&r, c->coarse->csr.val), 1, flags);
        s = rec_leave(&r);
    }
    rec_destroy(&r);
    device_release(c->device, &empty);
    return s;
}
