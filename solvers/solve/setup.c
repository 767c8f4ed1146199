/* Set-up of a strategy: the matrix of the iterations, their workspace, the preconditioner and recordings. */
#include "operator/operator.h"
#include "solvers/residual/projection.h"
#include "solvers/solve/options.h"
#include "solvers/solve/report.h"
#include "solvers/solve/shared.h"
#include "solvers/solve/solve.h"
#include "solvers/system/f32_copy.h"

/* Largest reduction that a cycle requests: beyond it, rounding errors make the recurrence inaccurate. */
static const double cycle_reduction[REAL_PRECISIONS] = {1e-5, 1e-13};
/* Reductions for iterations in f32 for an x in f64, chosen for the fewest iterations overall
 * (docs/measurements/solves.md): if cycles keep directions, and if each begins from zero. */
static const double resuming_reduction = 0.1, starting_reduction = 1e-3;
/* Share of ||A|| ||r|| that rounding may leave in A^T r if A x = b has no solution. */
static const double singular_share[REAL_PRECISIONS] = {0x1p-20, 0x1p-40};
/* Largest exponents of the powers of two by which the residual is divided: the powers and their inverses must
 * be normal numbers in the precision of b - A x. */
static const int largest_exponent[REAL_PRECISIONS] = {100, 1000};

static void set_limits(struct solve *s, enum precision p)
{
    const struct iteration *it = &s->it;
    const vks_matrix *A = s->equation.A;
    enum precision of_b = matrix_in_pairs(A) ? PRECISION_F32 : real_precision(matrix_precision(A));
    bool chooses = s->strategies.chooses_method;
    s->it.column.limits = (struct limits){
        .needs_solution = chooses,
        .singular = singular_share[magnitude_precision(p)],
        .reduction = !it->refinement.widens ? cycle_reduction[magnitude_precision(p)]
                     : it->method->resume   ? resuming_reduction
                                            : starting_reduction,
        .largest_exponent = largest_exponent[magnitude_precision(of_b)],
    };
}

/* Makes the scaled system, if there is one. */
static vks_status find_scaled(struct solve *s)
{
    struct krylov *k = &s->it.krylov;
    s->it.column.report->scaling = s->options.scaling;
    if (s->options.scaling == VKS_SCALING_NONE)
        return VKS_OK;
    vks_status status = scaled_open(k->A, s->options.scaling, options_may_match(s->it.method, &s->options),
                                    &s->diagnosis, &s->scaled);
    if (s->scaled.B)
        k->A = s->scaled.B;
    s->it.order = s->diagnosis.order;
    return status;
}

/* Makes the matrix of the iterations. */
static vks_status find_matrix(struct solve *s)
{
    const vks_matrix *A = s->it.krylov.A = s->equation.A;
    bool widens = s->it.refinement.widens, scales = s->options.scaling != VKS_SCALING_NONE;
    s->it.column.report->rounded = widens && f32_copy_is_needed(A);
    if (widens) {
        TRY(ordinary_open(A, &s->ordinary));
        s->it.refinement.shift = s->ordinary.shift;
        TRY(f32_copy_open(s->ordinary.A, scales, &s->f32_copy, &s->it.krylov.A));
    }
    return find_scaled(s);
}

/* Compares the version first: after a change, krylov.M may no longer exist. */
bool setup_is_stale(const struct solve *s)
{
    const vks_precond *shared = s->options.shared_precond;
    return shared &&
           (shared->version != s->shared_version || shared_is_outdated(shared) || !recordings_hold(s));
}

/* Gets the current M of the shared preconditioner, which may have been replaced. */
static vks_status take_shared(struct solve *s)
{
    const vks_precond *shared = s->options.shared_precond;
    struct krylov *k = &s->it.krylov;
    const struct diagnosis before = s->diagnosis;
    TRY(shared_for(shared, s->equation.A->context, k->r.n, k->r.precision, &k->M));
    s->diagnosis = shared->diagnosis;
    diagnosis_inherit(&s->diagnosis, &before);
    s->shared_version = shared->version;
    return VKS_OK;
}

static vks_status take_precond(struct solve *s)
{
    const struct method *method = s->it.method;
    const char *name = vks_method_name(s->options.method);
    struct krylov *k = &s->it.krylov;
    bool first = !k->M;
    TRY(s->options.shared_precond ? take_shared(s) : precond_rows_take(s));
    if (first && method->use)
        TRY(precond_must_be_symmetric(k->M, name));
    if (first && method->needs_linear)
        TRY(precond_must_be_linear(k->M, name));
    report_precond(s);
    if (first && method->room)
        method->room(k);
    return s->it.room.status;
}

/* Updates the data that depend on the values of A. */
static vks_status update_values(struct solve *s)
{
    const struct method *method = s->it.method;
    s->hints = (struct hints){0};
    TRY(precond_rows_open(s));
    TRY(take_precond(s));
    if (s->projection)
        TRY(projection_check(s->projection, !s->options.null_space));
    if (method->update_values)
        TRY(method->update_values(&s->it.krylov, &s->diagnosis));
    report_scaling(s);
    report_diagnosis(s->it.column.report, &s->diagnosis);
    if (method->weight && !diagnosis_refuses(&s->diagnosis))
        s->it.column.report->weight = method->weight(&s->it.krylov);
    return VKS_OK;
}

static vks_status make_projection(struct solve *s)
{
    struct room *w = &s->it.room;
    if (!s->options.singular)
        return VKS_OK;
    s->projection = room_host(w, sizeof *s->projection, "the null space");
    if (!s->projection)
        return w->status;
    s->it.residual.projection = s->projection;
    return projection_open(s->projection, s->equation.A, vec_of(s->equation.x), &s->options);
}

static vks_status hold_matrix(struct solve *s)
{
    const vks_matrix *A = s->equation.A;
    struct iteration *it = &s->it;
    room_open(&it->room, it->device);
    if (s->options
            .partners) /* before anything else: its memory lets later failures be reported to partners */
        TRY(partners_open(&it->partners, s->options.partners, A, &it->room));
    s->holds = !matrix_in_pairs(A) && !operator_of(A);
    s->stored = matrix_precision(A);
    return s->holds ? csr_acquire(A) : VKS_OK;
}

static vks_status set_up_iterations(struct solve *s)
{
    struct iteration *it = &s->it;
    TRY(find_matrix(s));
    TRY(iteration_open(it, it->refinement.widens ? PRECISION_F32 : real_precision(s->stored)));
    TRY(backup_open(it));
    TRY(make_projection(s));
    TRY(update_values(s));
    s->recorded_for_diagonal = it->krylov.M->is_diagonal;
    TRY(iteration_prepare_fused(it));
    if (it->method->least_squares)
        it->residual.T = it->krylov.A->transposed.T;
    TRY(residual_open(&it->residual));
    TRY(iteration_record(it));
    note_recordings(s);
    return VKS_OK;
}

vks_status solve_setup(struct solve *s)
{
    set_limits(s, s->it.refinement.widens ? PRECISION_F32 : real_precision(matrix_precision(s->equation.A)));
    TRY(hold_matrix(s));
    TRY(s->it.method->solve_direct ? direct_set_up(s) : set_up_iterations(s));
    report_strategy(s);
    return VKS_OK;
}

vks_status setup_update_values(struct solve *s, bool *moved)
{
    *moved = scaled_refuses(&s->scaled); /* nothing was made from the previous values */
    if (*moved)
        return VKS_OK;
    diagnosis_clear(&s->diagnosis);
    if (s->it.method->solve_direct)
        return residual_update_values(&s->it.residual);
    if (s->ordinary.A) {
        TRY(ordinary_refresh(&s->ordinary, moved));
        s->it.refinement.shift = s->ordinary.shift;
    }
    if (*moved)
        return VKS_OK;
    precond_rows_leave(s);
    TRY(f32_copy_refresh(s->ordinary.A, s->f32_copy));
    if (s->scaled.B)
        TRY(scaled_refresh(&s->scaled, &s->diagnosis, moved));
    if (*moved)
        return VKS_OK;
    TRY(update_values(s));
    TRY(residual_update_values(&s->it.residual));
    return recordings_hold(s) ? VKS_OK : precond_rows_arrive(s);
}

vks_status setup_record_batches(struct solve *s)
{
    return s->it.method->solve_direct ? VKS_OK : batches_record(&s->it);
}
