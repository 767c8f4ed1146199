/* MINRES: C. C. Paige, M. A. Saunders, "Solution of sparse indefinite systems of linear equations" (1975);
 * with a preconditioner: H. Elman, D. Silvester, A. Wathen, "Finite elements and fast iterative solvers", 2nd
 * ed. (2014), algorithm 4.1. The notation is theirs, but the directions w are p. A is symmetric and may be
 * indefinite; M is symmetric and positive definite. x has the least residual in the norm of M^-1 of all x in
 * the Krylov space.
 *
 *   q = A z               q.z                                      spmv_dot         matrix + 2n
 *   delta = q.z / gamma^2
 *   v' = q / gamma - (delta / gamma) v - (gamma / gamma_old) v_old
 *   z' = M^-1 v'          v'.z'                                    minres_lanczos   6n
 *   gamma' from v'.z'     rotation
 *   p' = (z / gamma - alpha_3 p_old - alpha_2 p) / alpha_1
 *   x += c' eta p'        eta = -s' eta                            minres_step      6n
 *
 * v' overwrites v_old, p' overwrites p_old and z' the previous z: so a unit is two steps, and the vectors
 * swap between them. A non-diagonal M has its own dispatches between the last two, which also compute v'.z'.
 *
 * |eta| is the minimised residual norm. The history has it in units of the true norm at the start. */
#include "shaders/solver/minres.h"
#include "solvers/method.h"
#include "solvers/method/form.h"

#include <math.h>

/* In the order of shaders/solver/minres.glsl; the scalars of the two turns follow. */
enum { LEAST, DELTA, SQUARE, SLOPE, SIZE, SHARE, MARKED, SINCE, NUMBERS };

struct minres {
    struct vec v[2]; /* Lanczos vectors; the first is r of the driver */
    struct vec z[2]; /* M^-1 v */
    struct vec p[2]; /* directions */
    struct vec q;
    uint32_t form; /* FORM_... */
    minres_numbers w;
};

static void room(struct krylov *k)
{
    struct minres *own = k->own = room_host(k->room, sizeof *own, "MINRES");
    if (!own)
        return;
    own->w = (minres_numbers)(uintptr_t)state_method(k->state);
    own->v[0] = k->r;
    own->v[1] = krylov_vec(k);
    for (int i = 0; i < 2; i++) {
        own->z[i] = krylov_vec(k);
        own->p[i] = krylov_vec(k);
    }
    own->q = krylov_vec(k);
}

/* The form of M may change with its values. */
static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct minres *own = k->own;
    own->form = form_of(k->M);
    (void)f;
    return VKS_OK;
}

/* Values of ||A r|| / (||A|| ||r||) that count as zero. In a system without a solution the ratio falls to the
 * square root of the rounding error, and then fluctuates. The first value suffices to check whether there is
 * a solution. If the check does not rule one out, the iterations continue down to the second: r of a solvable
 * system may come close. */
static const double suspect[REAL_PRECISIONS] = {0x1p-11, 0x1p-23},
                    negligible[REAL_PRECISIONS] = {0x1p-16, 0x1p-30};

static void numbers_at_start(const struct krylov *k, double *number)
{
    number[LEAST] = (k->starts > 1 ? negligible : suspect)[magnitude_precision(k->r.precision)];
}

static void start(struct rec *r, const struct krylov *k)
{
    const struct minres *own = k->own;
    number zero = state_zero(k->state);
    fill(r, zero, own->v[1]);
    fill(r, zero, own->p[0]);
    fill(r, zero, own->p[1]);
    precond_apply_dot(r, k->M, own->v[0], own->z[0], &k->sums, MINRES_VZ);
    stripe_levels(r, &k->sums, k->r.n, MINRES_VZ, 1);
    run_always(r, minres_start, 1, .c = krylov_control(k), .w = own->w, .s = reduction_sums(&k->sums),
               .n = k->r.n, .stride = k->sums.stride);
}

/* Records v' and z'. `striped`: the form of the sums of q . z. */
static void lanczos(struct rec *r, const struct krylov *k, uint32_t turn, bool striped)
{
    const struct minres *own = k->own;
    uint32_t next = 1 - turn;
    run_always(r, minres_lanczos, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k),
               .w = own->w, .v = vec_reals(own->v[turn]), .old = vec_reals(own->v[next]),
               .q = vec_reals(own->q), .d = vec_reals(k->M->diagonal.d), .z = vec_reals(own->z[next]),
               .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride, .form = own->form,
               .striped = striped, .turn = turn);
    bill(r, (4 + (own->form != FORM_GIVEN) + (own->form == FORM_EACH)) * vec_bytes(k->r));
    if (own->form == FORM_GIVEN)
        precond_apply_dot(r, k->M, own->v[next], own->z[next], &k->sums, MINRES_VZ);
    stripe_levels(r, &k->sums, k->r.n, MINRES_VZ, 1);
}

static void step(struct rec *r, const struct krylov *k, uint32_t turn)
{
    const struct minres *own = k->own;
    run_always(r, minres_step, few_groups(groups_each(k->r.n)), .c = krylov_control(k), .w = own->w,
               .x = vec_reals(k->x), .z = vec_reals(own->z[turn]), .p = vec_reals(own->p[turn]),
               .old = vec_reals(own->p[1 - turn]), .history = vec_reals(k->history),
               .s = reduction_sums(&k->sums), .n = k->r.n, .stride = k->sums.stride, .kept = k->history.n,
               .turn = turn);
    bill(r, 6 * vec_bytes(k->r));
}

/* minres_lanczos and minres_step check the state themselves: the step of the last iteration ends it. */
static void unit(struct rec *r, const struct krylov *k)
{
    const struct minres *own = k->own;
    for (uint32_t turn = 0; turn < 2; turn++) {
        bool striped = spmv_dot(r, k->A, &k->sums, own->z[turn], own->q);
        lanczos(r, k, turn, striped);
        step(r, k, turn);
    }
}

/* Explains that A r is nearly zero: `share` of ||A|| ||r||. */
static void explain_no_solution(double share, uint32_t product, struct diagnosis *f)
{
    if (share > 0)
        diagnosis_detail(
            f,
            "A r is %.1e of ||A|| ||r|| in product %u: A x = b has no solution, or one that is further "
            "than %.1e ||r|| / ||A|| from x, which makes the residual nearly least, in the norm of M^-1",
            share, product, 1 / share);
    else
        diagnosis_detail(
            f,
            "A r is zero in product %u: A x = b has no solution, and x makes the residual least, "
            "in the norm of M^-1",
            product);
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    const double *number = e->last->method;
    uint32_t product = e->last->control.iteration + 1;
    if (e->last->control.state == STATE_NOT_POSITIVE)
        diagnosis_detail(f, "v.M^-1 v = %.3e in product %u: the preconditioner M is not positive definite",
                         number[SQUARE], product);
    else if (e->reason == VKS_REASON_STAGNATED && e->last->control.state == STATE_NO_SOLUTION)
        explain_no_solution(number[SIZE] > 0 ? number[SLOPE] / number[SIZE] : 0, product, f);
    else if (e->reason == VKS_REASON_STAGNATED && number[SINCE] >= MINRES_PATIENCE)
        diagnosis_detail(f, "the residual has not fallen by a tenth in %u products", MINRES_PATIENCE);
    else if (e->reason == VKS_REASON_STAGNATED)
        diagnosis_detail(f, "MINRES's own residual reached its goal or kept falling, but the true one did "
                            "not: because of rounding, or A is singular, or not symmetric");
    else if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in product %u", product);
}

const struct method method_minres = {.preconditioned = true,
                                     .use = PRECOND_FOR_SYMMETRIC,
                                     .corrects = true,
                                     .rows = MINRES_ROWS,
                                     .numbers = NUMBERS,
                                     .steps = 2,
                                     .sees_each = true,
                                     .room = room,
                                     .numbers_at_start = numbers_at_start,
                                     .update_values = update_values,
                                     .start = start,
                                     .unit = unit,
                                     .explain = explain};
