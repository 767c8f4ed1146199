/* Solving: elimination, then iterative refinement with its factors. */
#include "solvers/dense/call.h"
#include "vector/verbs.h"

#include <math.h>
#include <stdio.h>

/* Blocks of n x m, except the norms. */
struct space {
    struct room room;
    struct block R;       /* right-hand sides during elimination; the residual; the correction */
    struct block X, next; /* the solution; an improved one */
    struct block D;
    struct memory norms; /* of the columns of b - A x, x and b, and of A */
    double growth;       /* measure.growth of X */
};

/* growth: the largest (||A|| ||x|| + ||b||) / ||b||, the factor by which rounding errors grow in the residual
 */
struct measure {
    double residual, backward_error, growth;
};

static vks_status make_room(struct device *d, enum precision p, uint32_t n, uint32_t m, struct space *w)
{
    struct block *blocks[] = {&w->R, &w->X, &w->next, &w->D};
    uint64_t bytes = (uint64_t)n * m * real_bytes(p);
    *w = (struct space){.room.device = d};
    for (int k = 0; k < 4; k++) {
        struct memory part = room_memory(&w->room, MEMORY_DEVICE, bytes, "right-hand sides");
        *blocks[k] = (struct block){part.address, n, m, m};
    }
    w->norms = room_memory(&w->room, MEMORY_DEVICE, (3 * (uint64_t)m + n) * real_bytes(p), "norms");
    return w->room.status;
}

static reals norms_from(const struct space *w, enum precision p, uint64_t first)
{
    return (reals)(uintptr_t)(w->norms.address + first * real_bytes(p));
}

/* Updates *largest, the maximum over all columns; NaN if a value is NaN. */
static void take_larger(double *largest, double v)
{
    if (!(v <= *largest) && !isnan(*largest))
        *largest = v;
}

/* R = B - A x; measures its norms. */
static vks_status measure(const struct gauss_jordan *g, const struct elimination *e, const struct space *w,
                          struct block B, struct block x, double norm_of_A, struct measure *out)
{
    enum { SOME = 256 };
    uint32_t m = B.cols;
    struct rec r = rec_once(e->device, e->precision);
    dense_copy(&r, B, w->R);
    gemm(&r, GEMM_SUBTRACT, g->A, x, w->R);
    dense_column_sums(&r, w->R, norms_from(w, e->precision, 0));
    dense_column_sums(&r, x, norms_from(w, e->precision, m));
    dense_column_sums(&r, B, norms_from(w, e->precision, 2 * (uint64_t)m));
    vks_status s = rec_run_once(&r, VKS_OK);
    *out = (struct measure){0};
    for (uint32_t j = 0; j < m && !s; j += SOME) {
        double norm[3][SOME];
        uint32_t some = m - j < SOME ? m - j : SOME;
        for (uint64_t k = 0; k < 3 && !s; k++)
            s = download_values(e->device, &w->norms, g->precision, k * m + j, some, VKS_F64, norm[k]);
        for (uint32_t c = 0; c < some && !s; c++) {
            bool none = norm[0][c] == 0;
            take_larger(&out->residual, none ? 0 : norm[0][c] / norm[2][c]);
            take_larger(&out->backward_error,
                        none ? 0 : relative_to_system(norm[0][c], norm_of_A, norm[1][c], norm[2][c]));
            take_larger(
                &out->growth,
                norm[2][c] == 0 ? 0 : 1 / relative_to_system(norm[2][c], norm_of_A, norm[1][c], norm[2][c]));
        }
    }
    return s;
}

static vks_status norm_of_matrix(const struct gauss_jordan *g, const struct elimination *e,
                                 const struct space *w, uint32_t m, double *norm)
{
    struct rec r = rec_once(e->device, e->precision);
    dense_column_sums(&r, g->A, norms_from(w, e->precision, 3 * (uint64_t)m));
    vks_status s = rec_run_once(&r, VKS_OK);
    IF_OK(s, largest_sum(e->device, g->precision, &w->norms, 3 * (uint64_t)m, e->n, norm));
    *norm = ordinary_norm(g->precision, *norm);
    return s;
}

/* Records the eliminated right-hand sides in the order of the unknowns. */
static void take_solution(struct rec *r, const struct elimination *e, struct block from, struct block to)
{
    pivot_rows(r, &e->pivots, 0, from, to);
}

/* All elements of a block with contiguous rows, as a vector. */
static struct vec elements(struct block b, enum precision p)
{
    return vec_at(block_reals(b), b.rows * b.cols, p);
}

/* next = x + A^-1 R */
static vks_status correct(const struct elimination *e, const struct space *w)
{
    struct rec r = rec_once(e->device, e->precision);
    elimination_apply(&r, e, w->R);
    take_solution(&r, e, w->R, w->D);
    dense_copy(&r, w->X, w->next);
    axpy(&r, e->one, elements(w->D, e->precision), elements(w->next, e->precision));
    return rec_run_once(&r, VKS_OK);
}

/* Improves solutions while the backward error halves. (Residuals relative to b are unsuitable: one right-hand
 * side with a large solution keeps a large residual, and would end the refinement of all others.) */
static vks_status refine(struct gauss_jordan *g, const struct elimination *e, struct space *w, struct block B,
                         double norm_of_A)
{
    struct measure now, then;
    vks_status s = measure(g, e, w, B, w->X, norm_of_A, &now);
    for (uint32_t k = 0; k < g->options.refinements && !s && now.backward_error > 0; k++) {
        s = correct(e, w);
        IF_OK(s, measure(g, e, w, B, w->next, norm_of_A, &then));
        if (s || !(then.backward_error < now.backward_error))
            break;
        bool halves = then.backward_error <= now.backward_error / 2;
        struct block x = w->X;
        w->X = w->next;
        w->next = x;
        now = then;
        g->report->refinements++;
        if (!halves)
            break;
    }
    g->report->residual = now.residual;
    g->report->backward_error = now.backward_error;
    w->growth = now.growth;
    return s;
}

/* Bound of the backward error that rounding alone leaves; elimination without refinement, or of a nearly
 * singular matrix, exceeds it. */
static double tolerable(const struct gauss_jordan *g)
{
    return 16 * sqrt(g->A.rows) * unit_roundoff(g->precision);
}

static void check_solution(struct gauss_jordan *g)
{
    vks_gauss_jordan_report *r = g->report;
    if (!isfinite(r->residual) || !isfinite(r->backward_error)) {
        r->reason = VKS_REASON_NOT_FINITE;
        snprintf(r->detail, sizeof r->detail,
                 "the solution overflows, or a right-hand side holds a NaN or an infinity");
    } else if (g->options.refinements && r->backward_error > tolerable(g)) {
        r->reason = VKS_REASON_STAGNATED;
        snprintf(r->detail, sizeof r->detail,
                 "refinement ended with a backward error of %.2g, where rounding alone leaves less than %.2g",
                 r->backward_error, tolerable(g));
    }
}

static vks_status eliminate(struct gauss_jordan *g, struct elimination *e, struct space *w, struct block B)
{
    double norm = 0, norm_of_inverse = 0;
    vks_status s = elimination_run(e, g->A, B, w->R, false);
    if (!s && !e->ending) {
        struct rec r = rec_once(e->device, e->precision);
        take_solution(&r, e, w->R, w->X);
        s = rec_run_once(&r, VKS_OK);
    }
    if (!s)
        report_pivots(g, e);
    if (!s && !e->ending)
        s = norm_of_matrix(g, e, w, B.cols, &norm);
    if (!s && !e->ending)
        s = refine(g, e, w, B, norm);
    if (!s && !e->ending)
        check_solution(g);
    if (!s && !e->ending && wants_condition(g)) {
        s = elimination_inverse_norm(e, &norm_of_inverse);
        if (!s && e->n)
            report_condition(g, norm, norm_of_inverse);
    }
    return s;
}

static vks_status hand_over(const struct elimination *e, struct block X, struct block B)
{
    struct rec r = rec_once(e->device, e->precision);
    dense_copy(&r, X, B);
    return rec_run_once(&r, VKS_OK);
}

/* A residual above this share of b, half of the digits with a margin, is too large for a backward error at
 * rounding level: x has grown along the null space of A until rounding hides b. */
static double useless(const struct gauss_jordan *g)
{
    return sqrt(unit_roundoff(g->precision)) / 16;
}

static bool is_suspect(const struct gauss_jordan *g, const struct space *w, const vks_dense *B)
{
    const vks_gauss_jordan_report *r = g->report;
    double u = unit_roundoff(g->precision);
    return has_solution(r) && g->options.refinements && !(r->residual + u * w->growth <= useless(g)) &&
           B->cols == 1 && B->rows <= VKS_GAUSS_JORDAN_SMALL;
}

static vks_status recheck(struct gauss_jordan *g, const struct elimination *e, const struct space *w,
                          const vks_dense *A, const vks_dense *B)
{
    vks_dense *X = NULL;
    double residual, backward_error;
    vks_status s = dense_new(A->context, B->rows, 1, 1, A->precision, &X);
    IF_OK(s, hand_over(e, w->X, dense_block(X)));
    IF_OK(s, true_residual(A, B, X, &residual, &backward_error));
    if (!s && !(residual <= useless(g)))
        s = solve_nearly_singular(g, A, B, X);
    IF_OK(s, hand_over(e, dense_block(X), w->X));
    vks_dense_destroy(X);
    return s;
}

vks_status solve_dense(struct gauss_jordan *g, const vks_dense *A, vks_dense *B)
{
    struct elimination e;
    struct space w = {0};
    vks_status s = elimination_create(&e, g->context, g->precision, A->rows, B->cols);
    IF_OK(s, make_room(e.device, e.precision, e.n, B->cols, &w));
    IF_OK(s, eliminate(g, &e, &w, dense_block(B)));
    if (!s && g->report->reason == VKS_REASON_SINGULAR)
        s = report_singular(g, A, B);
    if (!s && is_suspect(g, &w, B))
        s = recheck(g, &e, &w, A, B);
    if (!s && has_solution(g->report))
        s = hand_over(&e, w.X, dense_block(B));
    room_close(&w.room);
    elimination_release(&e);
    return s;
}
