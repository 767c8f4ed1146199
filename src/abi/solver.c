#include "abi/now.h"

#include "abi/header.h"
#include "abi/nested.h"
#include "abi/structs.h"
#include "solvers/solve/options.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

/* Today's options, with what they point to. */
struct options_room {
    vks_solve_options options;
    struct nested_options nested;
};

/* With the stride of the caller's cycles, which stand in an array of its own. */
static const vks_solve_options *options_in(uint32_t header, const vks_solve_options *theirs,
                                           struct options_room *room)
{
    vks_solve_options *ours = &room->options;
    const vks_solve_options *o = vks_solve_options_in(header, theirs, ours);
    size_t stride = layout_stride(&layout_vks_cycle, header);
    if (!o || (!o->precond_options && (o->cycle_stride || stride == sizeof(vks_cycle))))
        return o;
    if (o != ours)
        *ours = *o;
    if (!ours->cycle_stride)
        ours->cycle_stride = (uint32_t)stride;
    ours->precond_options = nested_options_in(header, ours->precond_options, &room->nested);
    return ours;
}

/* The first headers whose programs know that AUTO chooses. */
enum { CHOOSING = 200 };

/* The same for calls in which it does, with A, or NULL in its place. */
static const vks_solve_options *choosing_in(uint32_t header, const vks_matrix *A,
                                            const vks_solve_options *theirs, struct options_room *room)
{
    const vks_solve_options *o = options_in(header, theirs, room);
    if (header >= CHOOSING)
        return o;
    if (o != &room->options)
        room->options = o ? *o : (vks_solve_options){0};
    options_without_choice(A, &room->options);
    return &room->options;
}

/* Leaves the failure in what every version has of the report. */
static vks_status refuse(const struct message *m, vks_status s, vks_solve_report *report)
{
    vks_solve_report failed;
    report_failure(&failed, m->text);
    vks_solve_report_out(HEADER_0_1, &failed, report);
    return s;
}

/* The same where the object that the call is about is missing, and with it a context for the message. */
static vks_status refuse_null(const char *what, vks_solve_report *report)
{
    struct message m = {0};
    return refuse(&m, fail(&m, VKS_INVALID_ARGUMENT, "%s is NULL", what), report);
}

typedef vks_status solve_call(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                              const vks_solve_options *options, vks_solve_report *report);

static vks_status solve_by(solve_call *call, uint32_t header, const vks_matrix *A, const vks_vector *b,
                           vks_vector *x, const vks_solve_options *options, vks_solve_report *report)
{
    struct options_room asked;
    vks_solve_report told, *to = vks_solve_report_room(header, report, &told);
    if (!A)
        return refuse_null("A", report);
    vks_status s = header_begin(A->context, header);
    if (s)
        return refuse(&A->context->message, s, report);
    s = call(A, b, x,
             call == vks_solve_now ? choosing_in(header, A, options, &asked)
                                   : options_in(header, options, &asked),
             to);
    vks_solve_report_out(header, to, report);
    return s;
}

vks_status vks_solve_2(uint32_t header, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                       const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(vks_solve_now, header, A, b, x, options, report);
}

vks_status vks_cg_solve_2(uint32_t header, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                          const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(vks_cg_solve_now, header, A, b, x, options, report);
}

vks_status vks_jacobi_solve_2(uint32_t header, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                              const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(vks_jacobi_solve_now, header, A, b, x, options, report);
}

vks_status vks_fixed_point_solve_2(uint32_t header, const vks_matrix *M, const vks_vector *c, vks_vector *x,
                                   const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(vks_fixed_point_solve_now, header, M, c, x, options, report);
}

vks_status vks_solve_csr_2(uint32_t header, uint32_t n, const uint32_t *row, const uint32_t *col,
                           const double *val, const double *b, double *x, const vks_solve_options *options,
                           vks_solve_report *report)
{
    struct options_room asked;
    vks_solve_report told, *to = vks_solve_report_room(header, report, &told);
    struct message m = {0};
    vks_status s = header_check(&m, header);
    if (s)
        return refuse(&m, s, report);
    s = vks_solve_csr_now(n, row, col, val, b, x, choosing_in(header, NULL, options, &asked), to);
    vks_solve_report_out(header, to, report);
    return s;
}

vks_status vks_solve_plan_2(uint32_t header, const vks_matrix *A, const vks_solve_options *options,
                            vks_plan *plan)
{
    struct options_room asked;
    vks_plan told, *to = vks_plan_room(header, plan, &told);
    vks_status s = A ? header_begin(A->context, header) : VKS_INVALID_ARGUMENT;
    if (!s && !plan)
        s = fail(&A->context->message, VKS_INVALID_ARGUMENT, "plan is NULL");
    if (s)
        return s;
    const vks_solve_options *o = choosing_in(header, A, options, &asked);
    s = vks_solve_plan_now(A, o, to);
    if (o && o->precond_options && to->row[0].precond == o->precond_options) /* a copy */
        to->row[0].precond = options->precond_options;
    vks_plan_out(header, to, plan);
    return s;
}

vks_status vks_solver_create_2(uint32_t header, const vks_matrix *A, const vks_solve_options *options,
                               vks_solver **solver)
{
    struct options_room asked;
    vks_status s = A ? header_begin(A->context, header) : VKS_INVALID_ARGUMENT;
    if (!s && !solver)
        s = fail(&A->context->message, VKS_INVALID_ARGUMENT, "solver is NULL");
    if (solver)
        *solver = NULL;
    return s ? s : vks_solver_create_now(A, choosing_in(header, A, options, &asked), solver);
}

vks_status vks_solver_solve_2(uint32_t header, vks_solver *solver, const vks_vector *b, vks_vector *x,
                              vks_solve_report *report)
{
    vks_solve_report told, *to = vks_solve_report_room(header, report, &told);
    if (!solver)
        return refuse_null("solver", report);
    vks_status s = header_begin(solver_context(solver), header);
    if (s)
        return refuse(&solver_context(solver)->message, s, report);
    s = vks_solver_solve_now(solver, b, x, to);
    vks_solve_report_out(header, to, report);
    return s;
}

vks_status vks_solver_solve_many_2(uint32_t header, vks_solver *solver, uint32_t count,
                                   const vks_vector *const *b, vks_vector *const *x,
                                   vks_solve_report *reports)
{
    size_t stride = layout_stride(&layout_vks_solve_report, header);
    if (!solver)
        return VKS_INVALID_ARGUMENT;
    vks_status s = header_begin(solver_context(solver), header);
    if (!s && count && (!b || !x))
        s = fail(&solver_context(solver)->message, VKS_INVALID_ARGUMENT, "%s is NULL", b ? "x" : "b");
    for (uint32_t i = 0; !s && i < count; i++)
        s = vks_solver_solve_2(header, solver, b[i], x[i],
                               reports ? (void *)((char *)reports + i * stride) : NULL);
    return s;
}

vks_status vks_solver_poll_2(uint32_t header, vks_solver *solver, int *ended, vks_solve_report *report)
{
    vks_solve_report told, *to = vks_solve_report_room(header, report, &told);
    if (!solver)
        return refuse_null("solver", report);
    vks_status s = header_begin(solver_context(solver), header);
    if (!s && !ended)
        s = fail(&solver_context(solver)->message, VKS_INVALID_ARGUMENT, "ended is NULL");
    if (ended)
        *ended = 1;
    if (s)
        return refuse(&solver_context(solver)->message, s, report);
    s = vks_solver_poll_now(solver, ended, to);
    vks_solve_report_out(header, to, report);
    return s;
}

vks_status vks_solver_wait_2(uint32_t header, vks_solver *solver, double seconds, vks_solve_report *report)
{
    vks_solve_report told, *to = vks_solve_report_room(header, report, &told);
    if (!solver)
        return refuse_null("solver", report);
    vks_status s = header_begin(solver_context(solver), header);
    if (s)
        return refuse(&solver_context(solver)->message, s, report);
    s = vks_solver_wait_now(solver, seconds, to);
    vks_solve_report_out(header, to, report);
    return s;
}
