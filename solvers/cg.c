/* Preconditioned conjugate gradients: Saad, "Iterative methods for sparse linear systems", algorithm 9.1, in
 * three dispatches an iteration. Letters as there; z = M^-1 r is never stored, M being diagonal.
 *
 *   q = A p            p.q                            spmv_csr_dot   matrix + 2n
 *   alpha = rho / p.q  r -= alpha q    rho' = r.z     cg_update      4n (3n)
 *   x += alpha p       p = z + (rho' / rho) p         cg_direction   6n (5n without a preconditioner)
 *
 * Where a row is summed by several lanes, the first is two: spmv_csr, and dot_tiles with another 2n. Above
 * 524,288 unknowns, two small dispatches of sum_level join them. */
#include "solvers/solver.h"

enum { R, P, Q, VECTORS };

static cg_numbers scalars(const struct workspace *w)
{
    return (cg_numbers)(uintptr_t)w->numbers;
}

static void start(struct rec *r, const struct system *s, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    run(r, cg_start, groups_tiles(s->A->n), .c = w->control, .w = scalars(w), .r = w->vector[R], .d = s->d,
        .p = w->vector[P], .s = reduction_sums(sum), .t = reduction_tickets(sum), .n = s->A->n,
        .stride = sum->stride, .jacobi = s->jacobi);
    bill(r, (s->jacobi ? 3 : 2) * vector_bytes(r, s->A->n));
}

/* q = A p and p . q, in one dispatch where a row is summed by one lane */
static void spmv_dot(struct rec *r, const struct csr *A, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    reals p = w->vector[P], q = w->vector[Q];
    if (A->lanes == 1) {
        run(r, spmv_csr_dot, groups_rows(A->n, 1), .c = w->control, .row = A->row, .col = A->col,
            .val = A->val, .x = p, .y = q, .s = reduction_sums(sum), .n = A->n);
        bill(r, csr_bytes(r, A) + 2 * vector_bytes(r, A->n));
    } else {
        spmv_csr(r, w->control, A, p, q);
        run(r, dot_tiles, groups_tiles(A->n), .c = w->control, .x = p, .y = q, .s = reduction_sums(sum),
            .n = A->n);
        bill(r, 2 * vector_bytes(r, A->n));
    }
    sum_levels(r, sum, A->n, 0, 1);
}

static void update(struct rec *r, const struct system *s, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    run(r, cg_update, groups_tiles(s->A->n), .c = w->control, .w = scalars(w), .r = w->vector[R],
        .q = w->vector[Q], .d = s->d, .s = reduction_sums(sum), .n = s->A->n, .stride = sum->stride,
        .jacobi = s->jacobi);
    bill(r, (s->jacobi ? 4 : 3) * vector_bytes(r, s->A->n));
    sum_levels(r, sum, s->A->n, 1, 2);
}

static void direction(struct rec *r, const struct system *s, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    run(r, cg_direction, groups_few(s->A->n), .c = w->control, .w = scalars(w), .x = s->x, .p = w->vector[P],
        .r = w->vector[R], .d = s->d, .history = w->history, .s = reduction_sums(sum), .n = s->A->n,
        .stride = sum->stride, .jacobi = s->jacobi, .kept = w->history_kept);
    bill(r, (s->jacobi ? 6 : 5) * vector_bytes(r, s->A->n));
}

static void iterate(struct rec *r, const struct system *s, const struct workspace *w)
{
    spmv_dot(r, s->A, w);
    update(r, s, w);
    direction(r, s, w);
}

const struct method method_cg = {.vectors = VECTORS, .start = start, .iterate = iterate};
