/* Richardson's iteration, preconditioned: Saad, "Iterative methods for sparse linear systems", 2nd ed.,
 * section 4.2.1, with a weight. It converges if all eigenvalues of I - w M^-1 A are below 1 in magnitude,
 * whether A is symmetric or not.
 *
 *   z = M^-1 r                          M
 *   q = A z                             matrix + 2n
 *   x = x + w z    r = r - w q    r.r   6n     richardson_step
 *   counts, and goes on or ends         richardson_decide */
#include "solvers/method.h"

#include <math.h>

enum { WEIGHT, NUMBERS };

struct richardson {
    struct vec z, q;
    struct vec t; /* the residual in apply_from_zero_guess */
};

static void room(struct krylov *k)
{
    struct richardson *own = k->own = room_host(k->room, sizeof *own, "Richardson's iteration");
    if (!own)
        return;
    own->z = krylov_vec(k);
    own->q = krylov_vec(k);
    own->t = k->r.at ? k->r : krylov_vec(k);
}

static double weight(const struct krylov *k)
{
    return k->options->weight > 0 ? k->options->weight : 1;
}

static void numbers_at_start(const struct krylov *k, double *number)
{
    number[WEIGHT] = weight(k);
}

static void step(struct rec *r, const struct krylov *k)
{
    const struct richardson *own = k->own;
    run(r, richardson_step, stripes_of_elements(k->r.n), .c = krylov_control(k),
        .weight = state_number(k->state, WEIGHT), .x = vec_reals(k->x), .r = vec_reals(k->r),
        .z = vec_reals(own->z), .q = vec_reals(own->q), .s = reduction_sums(&k->sums), .n = k->r.n);
    bill(r, 6 * vec_bytes(k->r));
}

static void unit(struct rec *r, const struct krylov *k)
{
    const struct richardson *own = k->own;
    precond_apply(r, k->M, k->r, own->z);
    spmv(r, k->A, own->z, own->q);
    step(r, k);
    stripe_levels(r, &k->sums, k->r.n, 0, 1);
    run_always(r, richardson_decide, 1, .c = krylov_control(k), .history = vec_reals(k->history),
               .s = reduction_sums(&k->sums), .n = k->r.n, .kept = k->history.n);
}

/* Omits the residual after the last step, which is not needed. */
static void apply_from_zero_guess(struct rec *r, const struct krylov *k, uint32_t count)
{
    const struct richardson *own = k->own;
    number w = state_number(k->state, WEIGHT);
    copy(r, k->b, own->t);
    fill(r, state_zero(k->state), k->x);
    for (uint32_t i = 0; i < count; i++) {
        precond_apply(r, k->M, own->t, own->z);
        axpy(r, w, own->z, k->x);
        if (i + 1 == count)
            return;
        spmv(r, k->A, own->z, own->q);
        subtract(r, w, own->q, own->t);
    }
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    uint32_t k = e->last->control.iteration;
    if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in iteration %u", k);
    else if (e->reason == VKS_REASON_DIVERGED && !isfinite(e->last->numbers.rr))
        diagnosis_detail(f, "the residual left the range of its precision in iteration %u", k);
    else if (e->reason == VKS_REASON_DIVERGED)
        diagnosis_detail(f, "the residual has grown until iteration %u; a weight below %.4g may converge", k,
                         e->last->method[WEIGHT]);
}

const struct method method_richardson = {.preconditioned = true,
                                         .weights = WEIGHT_GIVEN,
                                         .rows = 1,
                                         .numbers = NUMBERS,
                                         .room = room,
                                         .numbers_at_start = numbers_at_start,
                                         .unit = unit,
                                         .apply_from_zero_guess = apply_from_zero_guess,
                                         .explain = explain,
                                         .weight = weight};
