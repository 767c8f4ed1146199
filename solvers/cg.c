/* Preconditioned conjugate gradients: Saad, "Iterative methods for sparse linear systems", algorithm 9.1, in
 * three dispatches an iteration. Letters as there; where M is diagonal, z = M^-1 r is never stored.
 *
 *   q = A p            p.q                            spmv_dot       matrix + 2n
 *   alpha = rho / p.q  r -= alpha q    rho' = r.z     cg_update      4n (3n)
 *   x += alpha p       p = z + (rho' / rho) p         cg_direction   6n (5n without a preconditioner)
 *
 * Where M is made of blocks, cg_update leaves r . z to one dispatch more, and cg_direction reads z for r:
 *
 *   z = M^-1 r         r.z                            block_apply    the blocks + 2n
 *
 * In CSR, where a row is summed by several lanes, the first is two, with another 2n. In systems of millions
 * of unknowns small dispatches that add up partial sums join them. */
#include "solvers/cg.h"

static void start(struct rec *r, const struct system *s, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    if (s->blocks)
        block_apply(r, s->blocks, w->vector[R], w->vector[P], sum, 1, s->n);
    run_always(r, cg_start, groups_tiles(s->n), .c = w->control, .w = cg_scalars(w), .r = w->vector[R],
               .d = s->d, .p = w->vector[P], .s = reduction_sums(sum), .t = reduction_tickets(sum), .n = s->n,
               .stride = sum->stride, .jacobi = s->blocks ? 2 : s->jacobi);
    bill(r, (s->jacobi ? 3 : 2) * vector_bytes(r, s->n));
}

/* What d is to the kernels of an iteration: 2 where it is the same in all rows, and need not be read of each.
 */
static uint32_t jacobi_of(const struct system *s)
{
    return !s->jacobi ? 0 : s->same_diagonal ? 2 : 1;
}

/* striped: how the sums of p . q have been left. With blocks z comes from a kernel of its own, which replaces
 * the sums of r . z. */
static void update(struct rec *r, const struct system *s, const struct workspace *w, bool striped)
{
    const struct reduction *sum = &w->reduction;
    run_always(r, cg_update, few_groups(stripes_of_elements(s->n)), .c = w->control, .w = cg_scalars(w),
               .r = w->vector[R], .q = w->vector[Q], .d = s->d, .s = reduction_sums(sum), .n = s->n,
               .stride = sum->stride, .jacobi = jacobi_of(s), .striped = striped);
    bill(r, (jacobi_of(s) == 1 ? 4 : 3) * vector_bytes(r, s->n));
    if (s->blocks)
        block_apply(r, s->blocks, w->vector[R], s->z, sum, 1, s->n);
    stripe_levels(r, sum, s->n, 1, 2);
}

static void direction(struct rec *r, const struct system *s, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    run_always(r, cg_direction, few_groups(groups_each(s->n)), .c = w->control, .w = cg_scalars(w), .x = s->x,
               .p = w->vector[P], .r = s->blocks ? s->z : w->vector[R], .d = s->d, .history = w->history,
               .s = reduction_sums(sum), .n = s->n, .stride = sum->stride, .jacobi = jacobi_of(s),
               .kept = w->history_kept);
    bill(r, (jacobi_of(s) == 1 ? 6 : 5) * vector_bytes(r, s->n));
}

static void iterate(struct rec *r, const struct system *s, const struct workspace *w)
{
    bool striped = spmv_dot(r, s->A, &w->reduction, w->vector[P], w->vector[Q]);
    update(r, s, w, striped);
    direction(r, s, w);
}

/* Between iterations q is free. Where the recurrence and the new residual differ, p so changes by what M^-1
 * makes of the difference, which is where f32 has lost least (docs/solvers.md). */
static void set_aside(struct rec *r, const struct system *s, const struct workspace *w)
{
    run(r, cg_keep, groups_each(s->n), .p = w->vector[P], .r = s->blocks ? s->z : w->vector[R], .d = s->d,
        .q = w->vector[Q], .n = s->n, .jacobi = s->jacobi);
    bill(r, (s->jacobi ? 4 : 3) * vector_bytes(r, s->n));
}

static void take_up(struct rec *r, const struct system *s, const struct workspace *w, number scale)
{
    axpy(r, scale, w->vector[Q], w->vector[P], s->n);
}

const struct method method_cg = {.vectors = CG_VECTORS,
                                 .steps = 1,
                                 .prepare = cg_together_prepare,
                                 .start = start,
                                 .set_aside = set_aside,
                                 .take_up = take_up,
                                 .iterate = iterate,
                                 .together = cg_together};
