/* The Jacobi iteration: Saad, "Iterative methods for sparse linear systems", 2nd ed., sections 4.1 and 4.2.1,
 * with a weight; and the fixed-point iteration, which is the same without a diagonal.
 *
 *   q = A x                                     spmv            matrix + 2n
 *   x = x + w D^-1 (b - q)                      jacobi_update   5n (3n for a fixed point)
 *
 * x is updated in place, once its product is there: a second x would save nothing. Every eighth iteration
 * looks at the residual of its x before it goes on, r = b - q being there:
 *
 *   r . r                                       jacobi_check    2n (3n for a fixed point)
 *   goes on or ends                             jacobi_judge
 *
 * The residual is no recurrence, so it cannot drift; what ends the solve is the residual of the x that is
 * returned. */
#include "shaders/solver/jacobi.h"
#include "operator/operator.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>

enum { Q, VECTORS };
/* In the order of shaders/solver/jacobi.glsl. */
enum { NUMBER_OLDER = 0, NUMBER_SPAN = 3 };

static jacobi_numbers scalars(const struct workspace *w)
{
    return (jacobi_numbers)(uintptr_t)w->numbers;
}

static void check(struct rec *r, const struct system *s, const struct workspace *w)
{
    const struct reduction *sum = &w->reduction;
    run(r, jacobi_check, stripes_of_elements(s->n), .w = scalars(w), .x = s->x, .b = s->b, .q = w->vector[Q],
        .s = reduction_sums(sum), .n = s->n, .fixpoint = s->fixpoint);
    bill(r, (s->fixpoint ? 3 : 2) * vector_bytes(r, s->n));
    stripe_levels(r, sum, s->n, 0, 1);
    run_always(r, jacobi_judge, 1, .c = w->control, .w = scalars(w), .history = w->history,
               .s = reduction_sums(sum), .n = s->n, .kept = w->history_kept);
}

static void update(struct rec *r, const struct system *s, const struct workspace *w, uint32_t step)
{
    run_always(r, jacobi_update, groups_each(s->n), .c = w->control, .w = scalars(w), .x = s->x, .b = s->b,
               .q = w->vector[Q], .d = s->d, .n = s->n, .fixpoint = s->fixpoint, .step = step);
    bill(r, (s->fixpoint ? 3 : 5) * vector_bytes(r, s->n));
}

static void iterate(struct rec *r, const struct system *s, const struct workspace *w)
{
    for (uint32_t step = 0; step < JACOBI_SWEEP; step++) {
        spmv(r, s->A, s->x, w->vector[Q]);
        if (step == 0)
            check(r, s, w);
        update(r, s, w, step);
    }
}

static double contraction(const struct snapshot *end)
{
    const double *v = end->number;
    return v[NUMBER_SPAN] > 0 && isfinite(v[NUMBER_RR])
               ? pow(v[NUMBER_RR] / v[NUMBER_OLDER], 0.5 / v[NUMBER_SPAN])
               : NAN;
}

/* Where rows are as dominant as rounding lets one tell, they are. */
static const double slack[PRECISIONS] = {1e-5, 1e-12, 1e-12};

static void warn(struct solve *s, const struct dominance *d)
{
    vks_solve_report *r = s->report;
    const char *hope = s->options.weight == VKS_WEIGHT_AUTO
                           ? "with this weight Jacobi converges if A is symmetric positive definite"
                           : "Jacobi may not converge";
    if (d->worst > 1 + slack[s->precision])
        snprintf(r->warning, sizeof r->warning,
                 "A is not diagonally dominant: in row %u, the worst, the other entries are %.4g times the "
                 "diagonal entry; %s",
                 row_of_caller(s, d->worst_row) + 1, d->worst, hope);
    else if (d->best >= 1 - slack[s->precision])
        snprintf(r->warning, sizeof r->warning,
                 "no row of A is strictly diagonally dominant (row %u: the other entries are %.4g times the "
                 "diagonal entry), and A may be singular; %s",
                 row_of_caller(s, d->worst_row) + 1, d->worst, hope);
}

/* D, the weight, and a warning. */
static vks_status take_values(struct solve *s)
{
    s->weight = 1;
    if (s->system.fixpoint)
        return VKS_OK;
    vks_status status = diagonal_setup(s, false);
    if (status || s->refused)
        return status;
    struct dominance d = {0};
    s->report->warning[0] = 0;
    if (operator_of(s->A)) {
        snprintf(s->report->warning, sizeof s->report->warning,
                 "whether A is diagonally dominant is not known of an operator; Jacobi may not converge");
    } else {
        status = dominance_measure(s, &d);
        warn(s, &d);
    }
    if (status)
        return status;
    if (s->options.weight == VKS_WEIGHT_AUTO)
        s->weight = 4 / (3 * (1 + d.worst));
    else if (s->options.weight > 0)
        s->weight = s->options.weight;
    s->report->weight = s->weight;
    return VKS_OK;
}

const struct method method_jacobi = {.vectors = VECTORS,
                                     .steps = JACOBI_SWEEP,
                                     .take_values = take_values,
                                     .iterate = iterate,
                                     .contraction = contraction};
