/* vks_solver: a kept solve. It owns a b and an x, so recordings stay valid for any vectors of the caller. */
#include "abi/abi.h"
#include "report/clock.h"
#include "solvers/solve/options.h"
#include "solvers/solve/rehearse.h"
#include "solvers/solve/report.h"
#include "solvers/solve/shared.h"
#include "solvers/solve/solve.h"

#include <math.h>
#include <stdlib.h>

struct vks_solver {
    vks_context *context;
    vks_matrix *A;
    vks_precond *shared;          /* kept alive; NULL: the solver has its own preconditioner */
    struct nested_options nested; /* a copy of options.precond_options */
    struct solve solve;
    vks_vector *b, *x;
    struct rec take, give;      /* copy the caller's b and x in; copy x out */
    reals callers_b, callers_x; /* addresses in these recordings */
    bool submitted;             /* a solve exists, and it has not failed */
    bool uses_shared;           /* the shared preconditioner counts the current solve as a user */
    bool advances;              /* a poll or wait is running, and may call the progress function */
};

static bool under_way(const vks_solver *v)
{
    return solve_is_under_way(&v->solve);
}

/* Counts the current solve in the shared preconditioner. */
static void use_shared(vks_solver *v, bool use)
{
    vks_precond *shared = v->solve.options.shared_precond;
    if (!shared || use == v->uses_shared)
        return;
    shared->solves += use ? 1u : UINT32_MAX;
    v->uses_shared = use;
}

/* Records the copies, for these vectors. */
static vks_status record_copies(vks_solver *v, const vks_vector *b, vks_vector *x)
{
    if (v->callers_b == vector_address(b) && v->callers_x == vector_address(x))
        return VKS_OK;
    rec_clear(&v->take);
    rec_clear(&v->give);
    copy_elements(&v->take, b, v->b);
    if (!v->solve.options.zero_guess)
        copy_elements(&v->take, x, v->x);
    copy_elements(&v->give, v->x, x);
    v->callers_b = NULL;
    TRY(rec_prepare(&v->take));
    TRY(rec_prepare(&v->give));
    v->callers_b = vector_address(b);
    v->callers_x = vector_address(x);
    return VKS_OK;
}

static vks_status set_up(vks_solver *v, const vks_solve_options *options)
{
    struct solve *s = &v->solve;
    TRY(solve_open(s, &(struct equation){v->A, v->b, v->x, false}, options));
    s->hand_back = &v->give;
    s->it.batches.spanned = !v->context->device->info.clock_waits;
    TRY(solve_begin_setup(s));
    TRY(setup_record_batches(s));
    return record_copies(v, v->b, v->x); /* reserves room for later recordings */
}

static vks_status create(vks_solver *v, const vks_solve_options *options)
{
    const vks_matrix *A = v->A;
    vks_precision p = vector_precision(A->precision);
    struct device *d = v->context->device;
    double begun = clock_seconds();
    rec_create(&v->take, d, moving_precision(d, p));
    rec_create(&v->give, d, moving_precision(d, p));
    TRY(vks_vector_create(v->context, A->csr.n, p, &v->b));
    TRY(vks_vector_create(v->context, options->partners ? A->csr.n : A->csr.cols, p, &v->x));
    TRY(set_up(v, options));
    v->solve.seconds_setup = clock_seconds() - begun;
    return VKS_OK;
}

vks_status vks_solver_create_as(uint32_t header, const vks_matrix *A, const vks_solve_options *options,
                                vks_solver **solver)
{
    vks_solve_options o = vks_solve_options_in(header, options);
    vks_status status = A ? context_begin_as(A->context, header) : VKS_INVALID_ARGUMENT;
    if (!status && !solver)
        status = fail(&A->context->message, VKS_INVALID_ARGUMENT, "solver is NULL");
    if (solver)
        *solver = NULL;
    if (status)
        return status;
    vks_solver *v = calloc(1, sizeof *v);
    if (!v)
        return fail_memory(&A->context->message, "a solver", sizeof *v);
    rehearse_solve(A, &o);
    v->context = A->context;
    v->A = own_matrix(A);
    v->A->kept++;
    context_retain(v->context);
    o.precond_options = precond_copy_options(&v->nested, o.precond_options);
    v->shared = o.shared_precond;
    shared_retain(v->shared);
    status = create(v, &o);
    IF_OK(status, precond_copy_arrays(&A->context->message, A->csr.n, &v->nested));
    *solver = status ? NULL : v;
    if (status)
        vks_solver_destroy(v);
    return status;
}

void vks_solver_destroy(vks_solver *solver)
{
    if (!solver)
        return;
    rec_destroy(&solver->take);
    rec_destroy(&solver->give);
    use_shared(solver, false);
    if (solver->solve.equation.A)
        solve_close(&solver->solve);
    shared_release(solver->shared);
    vks_vector_destroy(solver->b);
    vks_vector_destroy(solver->x);
    vks_matrix_destroy(solver->A);
    context_release(solver->context);
    precond_free_arrays(&solver->nested);
    free(solver);
}

static vks_status refuse_if_under_way(const vks_solver *v)
{
    if (!under_way(v))
        return VKS_OK;
    return fail(&v->context->message, VKS_INVALID_ARGUMENT, "a solve of this solver is still under way");
}

vks_status vks_solver_update(vks_solver *solver)
{
    if (!solver)
        return VKS_INVALID_ARGUMENT;
    context_begin(solver->context);
    vks_status status = refuse_if_under_way(solver);
    return status ? status : solve_update(&solver->solve);
}

vks_status vks_solver_set_limits(vks_solver *solver, double rtol, double atol, uint32_t max_iterations)
{
    if (!solver)
        return VKS_INVALID_ARGUMENT;
    struct message *m = context_begin(solver->context);
    vks_solve_options o = solver->solve.options;
    o.rtol = rtol;
    o.atol = atol;
    o.max_iterations = max_iterations;
    TRY(refuse_if_under_way(solver));
    TRY(options_limits(m, solver->A, &o));
    struct solve *s = &solver->solve;
    s->options = o;
    s->asked.rtol = o.rtol;
    s->asked.atol = o.atol;
    s->asked.max_iterations = max_iterations;
    return VKS_OK;
}

static vks_status begin(vks_solver *v, const vks_vector *b, vks_vector *x)
{
    struct solve *s = &v->solve;
    uint64_t ticket;
    TRY(solve_prepare(s));
    TRY(record_copies(v, b, x));
    TRY(rec_submit(&v->take, &ticket));
    TRY(residual_take_b(&s->it.residual));
    return solve_begin(s);
}

vks_status vks_solver_submit(vks_solver *solver, const vks_vector *b, vks_vector *x)
{
    TRY(solver ? solve_check(solver->A, b, x, solver->solve.options.partners != NULL) : VKS_INVALID_ARGUMENT);
    TRY(refuse_if_under_way(solver));
    solver->solve.it.partners.reported = false;
    vks_status status = begin(solver, b, x);
    if (status)
        partners_report_failure(&solver->solve.it.partners, status);
    solver->submitted = !status;
    use_shared(solver, under_way(solver));
    return status;
}

static vks_status carry_on(vks_solver *v, double seconds)
{
    struct solve *s = &v->solve;
    if (v->advances)
        return fail(s->it.message, VKS_INVALID_ARGUMENT,
                    "a solve cannot be continued by its own progress function");
    if (!v->submitted)
        return fail(s->it.message, VKS_INVALID_ARGUMENT, "no solve has been submitted to this solver");
    v->advances = true;
    vks_status status = solve_advance(s, seconds);
    v->advances = false;
    if (status) {
        v->submitted = false;
        report_failure(&v->solve.report, s->it.message->text);
    }
    if (!under_way(v))
        use_shared(v, false);
    return status;
}

/* Ends a call from a program compiled with headers of version `header`: reports the solve, its progress, or
 * why the call failed. */
static vks_status end_as(uint32_t header, const vks_solver *v, vks_status status, vks_solve_report *report)
{
    vks_solve_report ours;
    if (status && !(status == VKS_TIMEOUT && v->submitted))
        report_failure(&ours, v ? v->context->message.text : "solver is NULL");
    else
        solve_report(&v->solve, &ours);
    vks_solve_report_out(header, &ours, report);
    return status;
}

vks_status vks_solver_poll_as(uint32_t header, vks_solver *solver, int *ended, vks_solve_report *report)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    if (!status && !ended)
        status = fail(&solver->context->message, VKS_INVALID_ARGUMENT, "ended is NULL");
    IF_OK(status, carry_on(solver, 0));
    if (ended)
        *ended = !solver || !under_way(solver);
    return end_as(header, solver, status, report);
}

vks_status vks_solver_wait_as(uint32_t header, vks_solver *solver, double seconds, vks_solve_report *report)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    if (!status && !(seconds >= 0)) /* true also for a NaN */
        status = fail(&solver->context->message, VKS_INVALID_ARGUMENT,
                      "a timeout of %g seconds: it must not be negative", seconds);
    IF_OK(status, carry_on(solver, seconds));
    if (!status && under_way(solver))
        status = fail(&solver->context->message, VKS_TIMEOUT,
                      "the solve did not end within %g seconds; it is at iteration %u", seconds,
                      solver->solve.it.column.end.control.iteration);
    return end_as(header, solver, status, report);
}

void vks_solver_cancel(vks_solver *solver)
{
    if (solver && !solver->solve.options.partners) /* cancelling would leave partners waiting */
        solver->solve.it.progress.cancelled = true;
}

vks_status vks_solver_solve_as(uint32_t header, vks_solver *solver, const vks_vector *b, vks_vector *x,
                               vks_solve_report *report)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    IF_OK(status, vks_solver_submit(solver, b, x));
    return status ? end_as(header, solver, status, report)
                  : vks_solver_wait_as(header, solver, INFINITY, report);
}

vks_status vks_solver_solve_many_as(uint32_t header, vks_solver *solver, uint32_t count,
                                    const vks_vector *const *b, vks_vector *const *x,
                                    vks_solve_report *reports)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    for (uint32_t i = 0; !status && i < count; i++)
        status = vks_solver_solve_as(header, solver, b ? b[i] : NULL, x ? x[i] : NULL,
                                     vks_solve_report_at(header, reports, i));
    return status;
}
