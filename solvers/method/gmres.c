/* GMRES(m) with a preconditioner on the right: Y. Saad, M. H. Schultz, "GMRES: a generalized minimal residual
 * algorithm for solving nonsymmetric linear systems" (1986); the classical Gram-Schmidt process, done twice,
 * as in L. Giraud et al., "Rounding error analysis of the classical Gram-Schmidt orthogonalization process"
 * (2005). A need not be symmetric. The residual never rises. Iteration j, from 0:
 *
 *   t = A z                                                 matrix + 2n       spmv
 *   h = V^T t                                               (j + 2) n         gmres_pass, gmres_sums
 *   t -= V h    again = V^T t                               (j + 3) n         gmres_pass, gmres_sums
 *   t -= V again    t.t                                     (j + 3) n         gmres_pass
 *   column j of the triangle, and the residual's norm       no vectors        gmres_rotate
 *   v_j+1 = t / ||t||    z = M^-1 v_j+1                     4n                gmres_next
 *
 * So the basis is read three times. After m iterations gmres_next also adds the correction to y, and begins a
 * new basis with the residual in terms of the old one, V_m+1 Q^T e, without a product: (m + 3) n more. x =
 * M^-1 y, once at the end. A non-diagonal preconditioner is applied before the product. Kernels read j from
 * the state, so one recording serves all iterations, and is billed for the mean j.
 *
 * The norms are unweighted. They are reported, and compared with the goal, after multiplication by the ratio
 * of the weighted to the unweighted norm at the start of the cycle. */
#include "shaders/solver/gmres.h"
#include "solvers/method.h"
#include "solvers/method/form.h"

_Static_assert(GMRES_MOST == VKS_LARGEST_RESTART, "the kernels have room for the longest restart");

/* In the order of shaders/solver/gmres.glsl. */
enum { FAULT, UNIT, INVERSE, MARKED, SINCE, NEXT, WHOLE, NUMBERS };

struct gmres {
    struct vec basis;      /* m columns */
    struct vec triangle;   /* GMRES_...: columns of m + 1 */
    struct vec t, z, y;    /* A z; M^-1 v; M x */
    struct vec v;          /* the last column, where M is not a diagonal */
    struct reduction sums; /* m rows; k->sums is for t.t */
    uint32_t m;
    uint32_t form; /* FORM_... */
    gmres_numbers w;
};

static void room(struct krylov *k)
{
    struct gmres *own = k->own = room_host(k->room, sizeof *own, "GMRES");
    if (!own)
        return;
    uint32_t n = k->r.n, restart = k->options->restart, m = own->m = restart < n ? restart : n ? n : 1;
    if (n > UINT32_MAX / restart) {
        k->room->status =
            fail(k->message, VKS_LIMIT, "gmres with a restart of %u takes at most %u rows; A has %u", restart,
                 UINT32_MAX / restart, n);
        return;
    }
    own->w = (gmres_numbers)(uintptr_t)state_method(k->state);
    own->basis = room_vecs(k->room, n, m, k->r.precision, "the basis");
    own->triangle = room_vecs(k->room, m + 1, GMRES_COLUMNS(m), k->r.precision, "the Hessenberg matrix");
    own->t = krylov_vec(k);
    own->z = krylov_vec(k);
    own->y = krylov_vec(k);
    own->v = krylov_vec(k);
    own->sums = room_reduction(k->room, n, m);
}

/* The form of M may change with its values. */
static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct gmres *own = k->own;
    own->form = form_of(k->M);
    (void)f;
    return VKS_OK;
}

/* Column `column` of an array with columns like the triangle's. */
static reals column_of(const struct gmres *own, uint32_t column)
{
    return vec_reals(vec_column(own->triangle, column));
}

static void rotate(struct rec *r, const struct krylov *k, bool starts)
{
    const struct gmres *own = k->own;
    stripe_levels(r, &k->sums, k->r.n, 0, 1);
    run_always(r, gmres_rotate, 1, .c = krylov_control(k), .w = own->w, .e = vec_all(own->triangle),
               .history = vec_reals(k->history), .s = reduction_sums(&k->sums), .n = k->r.n, .m = own->m,
               .kept = k->history.n, .starts = starts);
}

/* Records the next column of the basis: t over its norm. */
static void next(struct rec *r, const struct krylov *k, struct vec t)
{
    const struct gmres *own = k->own;
    struct vec z = own->form == FORM_GIVEN ? own->v : own->z;
    run(r, gmres_next, groups_each(k->r.n), .w = own->w, .e = vec_all(own->triangle),
        .basis = vec_all(own->basis), .t = vec_reals(t), .d = vec_reals(k->M->diagonal.d),
        .y = vec_reals(own->y), .z = vec_reals(z), .n = k->r.n, .m = own->m, .form = own->form);
    bill(r, (3 + (own->form == FORM_EACH)) * vec_bytes(k->r));
}

static void start(struct rec *r, const struct krylov *k)
{
    const struct gmres *own = k->own;
    fill(r, state_zero(k->state), own->y);
    dot_stripes(r, &k->sums, 0, k->r, k->r);
    rotate(r, k, true);
    next(r, k, k->r);
}

/* Records t -= V h, if `takes_off`; then V^T t, with a row of sums for each column, or t . t. */
static void pass(struct rec *r, const struct krylov *k, uint32_t h, bool takes_off, bool measures)
{
    const struct gmres *own = k->own;
    const struct reduction *sums = measures ? &k->sums : &own->sums;
    run(r, gmres_pass, few_groups(stripes_of_elements(k->r.n)), .w = own->w, .basis = vec_all(own->basis),
        .h = column_of(own, h), .t = vec_reals(own->t), .s = reduction_sums(sums), .n = k->r.n,
        .stride = sums->stride, .takes_off = takes_off, .measures = measures);
    bill(r, (1 + takes_off) * vec_bytes(k->r) + vec_bytes(own->basis) / 2 + vec_bytes(k->r) / 2);
}

static void gather_sums(struct rec *r, const struct krylov *k, uint32_t h)
{
    const struct gmres *own = k->own;
    stripe_levels(r, &own->sums, k->r.n, 0, own->m);
    run(r, gmres_sums, own->m, .w = own->w, .h = column_of(own, h), .s = reduction_sums(&own->sums),
        .n = k->r.n, .stride = own->sums.stride);
}

static void unit(struct rec *r, const struct krylov *k)
{
    const struct gmres *own = k->own;
    if (own->form == FORM_GIVEN)
        precond_apply(r, k->M, own->v, own->z);
    spmv(r, k->A, own->z, own->t);
    pass(r, k, GMRES_H, false, false);
    gather_sums(r, k, GMRES_H);
    pass(r, k, GMRES_H, true, false);
    gather_sums(r, k, GMRES_AGAIN);
    pass(r, k, GMRES_AGAIN, true, true);
    rotate(r, k, false);
    next(r, k, own->t);
    bill(r, (own->m + 3) * vec_bytes(k->r) / own->m);
}

static void finish(struct rec *r, const struct krylov *k)
{
    const struct gmres *own = k->own;
    run_always(r, gmres_add, groups_each(k->r.n), .w = own->w, .coefficients = column_of(own, GMRES_Y),
               .basis = vec_all(own->basis), .y = vec_reals(own->y), .n = k->r.n);
    precond_apply(r, k->M, own->y, k->x);
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    const double *number = e->last->method;
    uint32_t iteration = e->last->control.iteration;
    if (e->reason == VKS_REASON_BREAKDOWN)
        diagnosis_detail(f,
                         "iteration %u: A is singular, or nearly so, on the space so far: of A v, whose norm "
                         "is %.3e, only %.3e is outside the span of earlier products",
                         iteration + 1, number[WHOLE], number[NEXT]);
    else if (e->reason == VKS_REASON_STAGNATED && number[SINCE] >= GMRES_PATIENCE)
        diagnosis_detail(f, "the residual has not fallen by a tenth in %u iterations", GMRES_PATIENCE);
    else if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in iteration %u", iteration);
}

const struct method method_gmres = {.preconditioned = true,
                                    .needs_linear = true,
                                    .corrects = true,
                                    .combines_at_end = true,
                                    .restarts = true,
                                    .rows = 1,
                                    .numbers = NUMBERS,
                                    .sees_each = true,
                                    .room = room,
                                    .update_values = update_values,
                                    .start = start,
                                    .unit = unit,
                                    .finish = finish,
                                    .explain = explain};
