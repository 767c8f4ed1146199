/* The Jacobi iteration: Saad, "Iterative methods for sparse linear systems", 2nd ed., sections 4.1 and 4.2.1,
 * with a weight.
 *
 *   q = A x                                     spmv            matrix + 2n
 *   x = x + w D^-1 (b - q)                      jacobi_update   5n
 *
 * As a preconditioner, it takes some steps from x = 0 without residual checks:
 *
 *   x = x + w D^-1 (b - q)                      jacobi_step     5n (the first 3n)
 *
 * sweep.h has the code shared with the fixed-point iteration. */
#include "operator/operator.h"
#include "solvers/method/sweep.h"
#include "solvers/system/diagonal.h"
#include "solvers/system/dominance.h"

static void room(struct krylov *k)
{
    struct sweep *own = sweep_room(k, false);
    if (own)
        own->d = diagonal_room(k->room, k->A, k->r.precision);
}

/* Slack for rounding errors in the test for diagonal dominance. */
static const double slack[REAL_PRECISIONS] = {1e-5, 1e-12};

static void warn(const struct krylov *k, const struct dominance *d, struct diagnosis *f)
{
    const char *hope = k->options->weight == VKS_WEIGHT_AUTO
                           ? "with this weight Jacobi converges if A is symmetric positive definite"
                           : "Jacobi may not converge";
    if (d->worst > 1 + slack[magnitude_precision(k->r.precision)])
        diagnosis_warn(
            f,
            "A is not diagonally dominant: in row %u, the worst, the other entries are %.4g times the "
            "diagonal entry; %s",
            diagnosis_row(f, d->worst_row) + 1, d->worst, hope);
    else if (d->best >= 1 - slack[magnitude_precision(k->r.precision)])
        diagnosis_warn(
            f,
            "no row of A is strictly diagonally dominant (row %u: the other entries are %.4g times the "
            "diagonal entry), and A may be singular; %s",
            diagnosis_row(f, d->worst_row) + 1, d->worst, hope);
}

/* Computes D and the weight, and may warn. */
static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct sweep *own = k->own;
    struct dominance d = {0};
    bool same;
    vks_status status = diagonal_invert(k->device, k->A, false, own->d, &same, f);
    if (status || diagnosis_refuses(f))
        return status;
    if (operator_of(k->A)) {
        diagnosis_warn(f, "the diagonal dominance of an operator is unknown; Jacobi may not converge");
    } else {
        status = dominance_measure(k->device, k->A, k->r.precision, &d);
        warn(k, &d, f);
    }
    own->weight = 1;
    if (k->options->weight == VKS_WEIGHT_AUTO)
        own->weight = 4 / (3 * (1 + d.worst));
    else if (k->options->weight > 0)
        own->weight = k->options->weight;
    return status;
}

/* The first step needs no product. */
static void apply_from_zero_guess(struct rec *r, const struct krylov *k, uint32_t count)
{
    const struct sweep *own = k->own;
    for (uint32_t step = 0; step < count; step++) {
        if (step)
            spmv(r, k->A, k->x, own->q);
        run(r, jacobi_step, groups_each(k->x.n), .weight = state_number(k->state, WEIGHT),
            .x = vec_reals(k->x), .b = vec_reals(k->b), .q = vec_reals(own->q), .d = vec_reals(own->d),
            .n = k->x.n, .first = step == 0);
        bill(r, (step ? 5 : 3) * vec_bytes(k->x));
    }
}

static double weight(const struct krylov *k)
{
    return ((const struct sweep *)k->own)->weight;
}

const struct method method_jacobi = {.needs_diagonal = true,
                                     .weights = WEIGHT_GIVEN | WEIGHT_BY_ENTRIES,
                                     .rows = 1,
                                     .numbers = SWEEP_NUMBERS,
                                     .steps = JACOBI_SWEEP,
                                     .room = room,
                                     .update_values = update_values,
                                     .numbers_at_start = sweep_numbers_at_start,
                                     .unit = sweep_unit,
                                     .apply_from_zero_guess = apply_from_zero_guess,
                                     .contraction = sweep_contraction,
                                     .explain = sweep_explain,
                                     .weight = weight};
