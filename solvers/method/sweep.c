/* Before the first step of a sweep:
 *
 *   r . r, r = b - q                            jacobi_check    2n (3n for a fixed point)
 *   goes on or ends                             jacobi_decide
 */
#include "solvers/method/sweep.h"

#include <math.h>

struct sweep *sweep_room(struct krylov *k, bool fixed_point)
{
    struct sweep *own = k->own = room_host(k->room, sizeof *own, "the Jacobi iteration");
    if (!own)
        return NULL;
    own->fixed_point = fixed_point;
    own->weight = 1;
    own->w = (jacobi_numbers)(uintptr_t)state_method(k->state);
    own->q = krylov_vec(k);
    return own;
}

void sweep_numbers_at_start(const struct krylov *k, double *number)
{
    number[WEIGHT] = ((const struct sweep *)k->own)->weight;
}

static void check(struct rec *r, const struct krylov *k)
{
    const struct sweep *own = k->own;
    control c = krylov_control(k);
    run(r, jacobi_check, stripes_of_elements(k->r.n), .c = c, .x = vec_reals(k->x), .b = vec_reals(k->b),
        .q = vec_reals(own->q), .s = reduction_sums(&k->sums), .n = k->r.n, .fixpoint = own->fixed_point);
    bill(r, (own->fixed_point ? 3 : 2) * vec_bytes(k->r));
    stripe_levels(r, &k->sums, k->r.n, 0, 1);
    run_always(r, jacobi_decide, 1, .c = c, .w = own->w, .history = vec_reals(k->history),
               .s = reduction_sums(&k->sums), .n = k->r.n, .kept = k->history.n);
}

static void update(struct rec *r, const struct krylov *k, uint32_t step)
{
    const struct sweep *own = k->own;
    run_always(r, jacobi_update, groups_each(k->r.n), .c = krylov_control(k), .w = own->w,
               .x = vec_reals(k->x), .b = vec_reals(k->b), .q = vec_reals(own->q), .d = vec_reals(own->d),
               .n = k->r.n, .fixpoint = own->fixed_point, .step = step);
    bill(r, (own->fixed_point ? 3 : 5) * vec_bytes(k->r));
}

void sweep_unit(struct rec *r, const struct krylov *k)
{
    const struct sweep *own = k->own;
    for (uint32_t step = 0; step < JACOBI_SWEEP; step++) {
        spmv(r, k->A, k->x, own->q);
        if (step == 0)
            check(r, k);
        update(r, k, step);
    }
}

double sweep_contraction(const struct snapshot *end)
{
    const double *v = end->method;
    return v[SPAN] > 0 && isfinite(end->numbers.rr) ? pow(end->numbers.rr / v[OLDER], 0.5 / v[SPAN]) : NAN;
}

void sweep_explain(const struct ending *e, struct diagnosis *f)
{
    uint32_t k = e->last->control.iteration;
    double rate = e->rate;
    if (!isfinite(e->last->numbers.rr))
        diagnosis_detail(f, "the residual left the range of its precision in the %u iterations before %u",
                         JACOBI_SWEEP, k);
    else if (e->reason == VKS_REASON_DIVERGED)
        diagnosis_detail(f, "the residual grows by %.6g an iteration", rate);
    else if (e->reason == VKS_REASON_STAGNATED)
        diagnosis_detail(f, "an iteration multiplies the residual by %.6g, no longer by less", rate);
    else if (e->reason == VKS_REASON_ITERATION_LIMIT && isgreater(rate, 0) && rate < 1 && e->target > 0)
        diagnosis_detail(f, "an iteration multiplies the residual by %.6g: about %.0f would be needed", rate,
                         k + ceil(log(e->target / e->norm) / log(rate)));
    else if (e->reason == VKS_REASON_ITERATION_LIMIT && !isnan(rate))
        diagnosis_detail(f, "an iteration multiplies the residual by %.6g", rate);
}
