/* vks_solver: what a solve sets up, kept for many. It iterates on a b and an x of its own, so that what has
 * been recorded stays true whichever vectors the caller brings. */
#include "abi/abi.h"
#include "report/clock.h"
#include "solvers/options.h"
#include "solvers/report.h"
#include "solvers/shared.h"
#include "solvers/solve.h"

#include <math.h>
#include <stdlib.h>

struct vks_solver {
    vks_context *context;
    vks_matrix *A;
    vks_precond *shared;          /* kept alive; NULL: the solver has its own */
    struct nested_options nested; /* a copy of options.precond_options */
    struct solve solve;
    bool is_set_up;
    enum precision precision; /* of A, when that was done */
    uint32_t values_taken;    /* those of A that the set-up knows */
    double seconds_setup;     /* since the last solve */

    vks_vector *b, *x;
    struct rec take, give;         /* the caller's b and x into these; this x into the caller's */
    reals callers_b, callers_x;    /* as they are recorded */
    vks_solve_report told, report; /* by the set-up; by the last solve */
    bool submitted;                /* there is one, and it has not failed */
    bool uses_shared;              /* the solve under way is counted by the shared preconditioner */
    bool advances;                 /* a poll or wait is at it, which may ask the caller for progress */
    bool is_cut_short;             /* the caller has cancelled the set-up, which is then to be done anew */
};

static bool under_way(const vks_solver *v)
{
    return v->solve.progress.next != NULL;
}

/* Counts the solve under way in the preconditioner that it shares. */
static void use_shared(vks_solver *v, bool use)
{
    vks_precond *shared = v->solve.options.shared_precond;
    if (!shared || use == v->uses_shared)
        return;
    shared->solves += use ? 1u : UINT32_MAX;
    v->uses_shared = use;
}

/* From here on, and until hear_cancel, the set-up asks the caller whether to go on. */
static void begin_to_ask(struct solve *s)
{
    s->progress = (struct progress){.begun = clock_seconds(), .sigma = 1};
    s->finding.caller = (struct caller){is_unwanted, s};
}

static void hear_cancel(vks_solver *v)
{
    struct finding *f = &v->solve.finding;
    f->caller = (struct caller){0};
    v->is_cut_short = f->reason == VKS_REASON_CANCELLED;
}

/* In a solve partners wait for a process that fails. */
static vks_status set_up(vks_solver *v, const vks_solve_options *options, bool in_solve)
{
    struct solve *s = &v->solve;
    vks_status status = solve_open(s, &(struct equation){v->A, v->b, v->x, false}, options, &v->told);
    if (!status && s->method->whole)
        status = fail(s->message, VKS_INVALID_ARGUMENT,
                      "%s has nothing to keep from one solve to the next: vks_solve takes it",
                      vks_method_name(s->options.method));
    if (status)
        return status;
    begin_to_ask(s);
    status = solve_setup(s);
    hear_cancel(v);
    if (status && in_solve)
        partners_leave(&s->partners, status);
    if (status)
        solve_release(s);
    v->is_set_up = !status;
    v->precision = matrix_precision(v->A);
    s->hand_back = &v->give;
    s->batches.spanned = !v->context->device->info.clock_waits;
    return status;
}

/* Whether what is set up cannot take the values that A has now, or is not whole. */
static vks_status is_outdated(vks_solver *v, bool *outdated)
{
    struct solve *s = &v->solve;
    const struct method *method = s->method;
    bool has_new = v->values_taken != v->A->values_taken;
    bool failed = (s->chain.at != s->chain.first && v->report.reason != VKS_REASON_CONVERGED) ||
                  s->finding.reason == VKS_REASON_CANCELLED;
    *outdated = v->precision != matrix_precision(v->A) || v->is_cut_short ||
                (s->chain.is && (!method || method->whole || failed));
    return s->chain.is && has_new && !*outdated ? chain_is_stale(s, outdated) : VKS_OK;
}

/* In place, unless they turn out to be too different. */
static vks_status take_values(vks_solver *v, bool *outdated)
{
    struct solve *s = &v->solve;
    if (s->chain.is)
        chain_rewind(s);
    bool is_stale = v->values_taken != v->A->values_taken || solve_is_stale(s);
    begin_to_ask(s);
    vks_status status = is_stale ? solve_take_values(s, outdated) : attempts_rewind(s);
    hear_cancel(v);
    if (!status && !*outdated && s->chain.is)
        chain_note_setup(s);
    return status;
}

/* Until the solver knows the values of A: in place; or, where A has come to store them otherwise or wants
 * another method, all over. Either can be repeated after a failure. */
static vks_status update(vks_solver *v)
{
    struct solve *s = &v->solve;
    vks_solve_options options = s->chain.is ? s->chain.asked : s->options;
    bool outdated = false;
    double begun = clock_seconds();
    s->report = &v->told;
    vks_status status = v->is_set_up ? is_outdated(v, &outdated) : VKS_OK;
    if (!status && v->is_set_up && !outdated)
        status = take_values(v, &outdated);
    if (outdated) {
        solve_release(s);
        v->is_set_up = false;
    }
    if (!status && !v->is_set_up)
        status = set_up(v, &options, true);
    if (!status)
        status = batches_record(s);
    if (!status)
        v->values_taken = v->A->values_taken;
    v->seconds_setup += clock_seconds() - begun;
    return status;
}

/* The copies, for these vectors. */
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
    vks_status status = rec_prepare(&v->take);
    if (!status)
        status = rec_prepare(&v->give);
    v->callers_b = status ? NULL : vector_address(b);
    v->callers_x = vector_address(x);
    return status;
}

static vks_status create(vks_solver *v, const vks_solve_options *options)
{
    const vks_matrix *A = v->A;
    vks_precision p = vector_precision(A->precision);
    struct device *d = v->context->device;
    double begun = clock_seconds();
    rec_create(&v->take, d, moving_precision(d, p));
    rec_create(&v->give, d, moving_precision(d, p));
    v->values_taken = A->values_taken;
    vks_status status = vks_vector_create(v->context, A->csr.n, p, &v->b);
    if (!status)
        status = vks_vector_create(v->context, options->partners ? A->csr.n : A->csr.cols, p, &v->x);
    if (!status)
        status = set_up(v, options, false);
    if (!status)
        status = batches_record(&v->solve);
    if (!status)
        status = record_copies(v, v->b, v->x); /* makes room for those to come */
    v->seconds_setup = clock_seconds() - begun;
    return status;
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
    v->context = A->context;
    v->A = own_matrix(A);
    v->A->kept++;
    context_retain(v->context);
    o.precond_options = precond_copy_options(&v->nested, o.precond_options);
    v->shared = o.shared_precond;
    shared_retain(v->shared);
    status = create(v, &o);
    if (!status)
        status = precond_copy_arrays(&A->context->message, A->csr.n, &v->nested);
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
    if (solver->is_set_up)
        solve_release(&solver->solve);
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
    return status ? status : update(solver);
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
    vks_status status = refuse_if_under_way(solver);
    if (!status)
        status = options_limits(m, solver->A, &o);
    if (status)
        return status;
    solver->solve.options = o;
    solver->solve.chain.asked.rtol = o.rtol;
    solver->solve.chain.asked.atol = o.atol;
    solver->solve.chain.asked.max_iterations = max_iterations;
    return VKS_OK;
}

static vks_status begin(vks_solver *v, const vks_vector *b, vks_vector *x)
{
    struct solve *s = &v->solve;
    uint64_t ticket;
    vks_status status = update(v);
    if (!status)
        status = record_copies(v, b, x);
    v->report = v->told;
    v->report.seconds_setup = v->seconds_setup;
    v->report.together = s->batches.groups; /* none, where they once have not met */
    s->report = &v->report;
    if (!status)
        status = rec_submit(&v->take, &ticket);
    if (!status)
        status = residual_take_b(&s->residual);
    return status ? status : solve_begin(s);
}

vks_status vks_solver_submit(vks_solver *solver, const vks_vector *b, vks_vector *x)
{
    vks_status status =
        solver ? solve_check(solver->A, b, x, solver->solve.options.partners != NULL) : VKS_INVALID_ARGUMENT;
    if (!status)
        status = refuse_if_under_way(solver);
    if (status)
        return status;
    solver->solve.partners.told = false;
    status = begin(solver, b, x);
    if (status)
        partners_leave(&solver->solve.partners, status);
    solver->submitted = !status;
    use_shared(solver, under_way(solver));
    return status;
}

/* Set-ups during a solve ask the caller, too. */
static vks_status carry_on(vks_solver *v, double seconds)
{
    struct solve *s = &v->solve;
    if (v->advances)
        return fail(s->message, VKS_INVALID_ARGUMENT,
                    "a solve cannot be carried on by its own progress function");
    if (!v->submitted)
        return fail(s->message, VKS_INVALID_ARGUMENT, "no solve has been submitted to this solver");
    v->advances = true;
    s->finding.caller = (struct caller){is_unwanted, s};
    vks_status status = solve_advance(s, seconds);
    s->finding.caller = (struct caller){0};
    v->advances = false;
    if (status) {
        v->submitted = false;
        report_failure(&v->report, s->message->text);
    }
    if (!under_way(v)) {
        v->seconds_setup = 0;
        use_shared(v, false);
    }
    return status;
}

/* Ends a call of a program with these headers: reports the solve, its progress, or why the call failed. */
static vks_status end_as(uint32_t header, const vks_solver *v, vks_status status, vks_solve_report *report)
{
    vks_solve_report told;
    if (status && !(status == VKS_TIMEOUT && v->submitted)) {
        report_failure(&told, v ? v->context->message.text : "solver is NULL");
    } else {
        const struct progress *p = &v->solve.progress;
        told = v->report;
        told.reason = under_way(v) ? VKS_REASON_NOT_RUN : told.reason;
        if (under_way(v) && p->end.control.iteration > told.iterations) { /* since the cycle began */
            told.iterations = p->end.control.iteration;
            told.residual = recurrence_of(p) / p->b_norm;
        }
    }
    vks_solve_report_out(header, &told, report);
    return status;
}

vks_status vks_solver_poll_as(uint32_t header, vks_solver *solver, int *ended, vks_solve_report *report)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    if (!status && !ended)
        status = fail(&solver->context->message, VKS_INVALID_ARGUMENT, "ended is NULL");
    if (!status)
        status = carry_on(solver, 0);
    if (ended)
        *ended = !solver || !under_way(solver);
    return end_as(header, solver, status, report);
}

vks_status vks_solver_wait_as(uint32_t header, vks_solver *solver, double seconds, vks_solve_report *report)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    if (!status && !(seconds >= 0)) /* a NaN, too */
        status = fail(&solver->context->message, VKS_INVALID_ARGUMENT,
                      "to wait for %g seconds: they must not be negative", seconds);
    if (!status)
        status = carry_on(solver, seconds);
    if (!status && under_way(solver))
        status = fail(&solver->context->message, VKS_TIMEOUT,
                      "the solve has not ended within %g seconds, in which it has come to iteration %u",
                      seconds, solver->solve.progress.end.control.iteration);
    return end_as(header, solver, status, report);
}

void vks_solver_cancel(vks_solver *solver)
{
    if (solver && !solver->solve.options.partners) /* it would leave the others waiting */
        solver->solve.progress.cancelled = true;
}

vks_status vks_solver_solve_as(uint32_t header, vks_solver *solver, const vks_vector *b, vks_vector *x,
                               vks_solve_report *report)
{
    vks_status status = solver ? context_begin_as(solver->context, header) : VKS_INVALID_ARGUMENT;
    if (!status)
        status = vks_solver_submit(solver, b, x);
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
