/* The reference diagonal of a level: x' D x for the vector x of the finest level that an unknown represents,
 * where D is the diagonal there. A diagonal element x' A x of the level that is zero relative to it is the
 * rounding of a null space: an island of a Neumann problem that has become one unknown. Such an unknown
 * represents nothing; its row and column become zero, and its diagonal element becomes the reference. */
#include "solvers/multigrid/coarsen.h"

/* Allocates n elements followed by n words. */
static vks_status take_room(struct device *d, uint32_t n, enum precision wide, struct memory *reference)
{
    uint64_t bytes = n * (uint64_t)(real_bytes(wide) + 4);
    return reference->address ? VKS_OK
                              : device_allocate(d, MEMORY_DEVICE, bytes, "a reference diagonal", reference);
}

vks_status coarsen_begin_reference(struct device *d, struct vec inverse, enum precision wide,
                                   struct memory *reference)
{
    vks_status s = take_room(d, inverse.n, wide, reference);
    struct rec r = rec_once(d, wide);
    struct vec x = vec_at((reals)(uintptr_t)reference->address, inverse.n, wide);
    widen(&r, inverse, x);
    run(&r, reciprocals, groups_each(x.n), .x = vec_reals(x), .y = vec_reals(x), .n = x.n);
    bill(&r, 2 * vec_bytes(x));
    return rec_leave_once(&r, s);
}

static void record(struct rec *r, const struct coarsening *c, const struct csr *next, reals val,
                   uint32_t size)
{
    const struct csr *R = &c->R->csr;
    u32s empty = (u32s)(uintptr_t)(c->next_reference.address + R->n * (uint64_t)real_bytes(c->precision));
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
    vks_status s = take_room(c->device, c->R->csr.n, c->precision, &c->next_reference);
    struct rec r = rec_once(c->device, c->precision);
    if (c->blocks)
        record(&r, c, &c->next.csr, blocks_reals(&c->next), c->next.br);
    else
        record(&r, c, &c->coarse->csr, reals_of(&r, c->coarse->csr.val), 1);
    return rec_leave_once(&r, s);
}
