/* The public calls: arguments are judged, the solve is planned, the driver run. */
#include "solvers/solve.h"
#include "abi/abi.h"
#include "report/clock.h"
#include "solvers/options.h"
#include "solvers/report.h"
#include "solvers/shared.h"
#include "solvers/whole.h"

#include <math.h>

vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x, bool partners)
{
    struct message *m = context_begin(A->context);
    if (!b || !x)
        return fail(m, VKS_INVALID_ARGUMENT, "%s is NULL", b ? "x" : "b");
    if (b->context != A->context || x->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors belong to different contexts");
    vks_precision p = vector_precision(A->precision);
    if (b->precision != p || x->precision != p)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors differ in precision");
    if (b->n != A->csr.n || x->n != (partners ? A->csr.n : A->csr.cols))
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, b has %u elements and x has %u", A->csr.n,
                    A->csr.cols, b->n, x->n);
    if (b == x)
        return fail(m, VKS_INVALID_ARGUMENT, "b and x are the same vector");
    return VKS_OK;
}

static const struct residual_ops *residual_for(const vks_matrix *A)
{
    if (matrix_in_pairs(A))
        return &residual_in_pairs;
    return A->context->device->info.f64 ? &residual_on_device : &residual_on_host;
}

vks_status solve_open(struct solve *s, const struct equation *q, const vks_solve_options *options,
                      vks_solve_report *report)
{
    const vks_matrix *A = q->A;
    struct message *m = &A->context->message;
    *s = (struct solve){.report = report, .equation = *q, .message = m, .device = A->context->device};
    *report = report_not_run;
    const vks_solve_options asked = options ? *options : (vks_solve_options){0};
    vks_solve_options chosen = asked;
    vks_status status = VKS_OK;
    if (chain_is_wanted(q, &asked))
        status = chain_begin(&s->chain, q, &asked, &chosen);
    return status ? status : solve_plan(s, &chosen);
}

void solve_tell_plan(struct solve *s)
{
    const vks_matrix *A = s->equation.A;
    vks_solve_report *report = s->report;
    vks_precond_kind kind = options_precond(s->method, &s->options).kind;
    report->method = s->options.method;
    report->precond = kind ? kind : precond_auto(A, s->method->use);
    report->iterated_in = s->outer.widens ? VKS_F32 : vector_precision(A->precision);
    report->in_pairs = matrix_in_pairs(A);
    report->blocks = report->largest_block = 0;
    report->scaling = VKS_SCALING_NONE;
    report->history_step = s->method->sees_each ? 1 : method_unit(s->method);
}

vks_status solve_plan(struct solve *s, const vks_solve_options *options)
{
    const struct equation *q = &s->equation;
    vks_status status = options_resolve(q, options, &s->options);
    if (status)
        return status;
    s->method = method_of(q, &s->options);
    s->outer.widens = s->options.iterate_in_f32;
    s->outer.is = s->outer.widens || s->method->corrects;
    s->residual = (struct residual){
        .ops = residual_for(q->A), .device = s->device, .message = s->message, .equation = *q};
    s->finding.order = s->options.order;
    finding_clear(&s->finding);
    solve_tell_plan(s);
    return VKS_OK;
}

static vks_status set_up_and_drive(struct solve *s)
{
    vks_precond *shared = s->options.shared_precond;
    double begun = clock_seconds();
    shared_retain(shared); /* the caller's progress function may destroy it */
    s->progress.begun = begun;
    s->finding.caller = (struct caller){is_unwanted, s};
    vks_status status = solve_setup(s);
    s->report->seconds_setup = clock_seconds() - begun;
    if (status)
        partners_leave(&s->partners, status);
    if (shared)
        shared->solves++; /* the caller's progress function may try to update it */
    if (!status)
        status = solve_begin(s);
    if (!status)
        status = solve_advance(s, INFINITY);
    if (shared)
        shared->solves--;
    solve_release(s);
    shared_release(shared);
    return status;
}

/* The call of a program with headers of this version, whose report is *report. */
static vks_status solve(uint32_t header, const struct equation *q, const vks_solve_options *options,
                        vks_solve_report *report)
{
    vks_solve_report told;
    struct solve s;
    vks_status status = q->A ? context_begin_as(q->A->context, header) : VKS_INVALID_ARGUMENT;
    if (!status)
        status = solve_open(&s, q, options, &told);
    if (!status)
        status = solve_check(q->A, q->b, q->x, s.options.partners != NULL);
    if (!status)
        status = s.method->whole ? solve_whole(&s) : set_up_and_drive(&s);
    if (status)
        report_failure(&told, q->A ? q->A->context->message.text : "A is NULL");
    vks_solve_report_out(header, &told, report);
    return status;
}

vks_status vks_solve_as(uint32_t header, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                        const vks_solve_options *options, vks_solve_report *report)
{
    const vks_solve_options o = vks_solve_options_in(header, options);
    return solve(header, &(struct equation){A, b, x, false}, &o, report);
}

vks_status vks_cg_solve_as(uint32_t header, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                           const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_options o = vks_solve_options_in(header, options);
    vks_precond_options nested = o.precond_options ? *o.precond_options : (vks_precond_options){0};
    vks_precond_kind *kind = o.precond_options ? &nested.kind : &o.precond;
    o.method = VKS_METHOD_CG;
    if (A && *kind == VKS_PRECOND_AUTO && !o.shared_precond && !o.partners) {
        *kind = precond_auto(A, PRECOND_FOR_POSITIVE);
        o.precond_options = o.precond_options ? &nested : NULL;
    }
    return solve(header, &(struct equation){A, b, x, false}, &o, report);
}

vks_status vks_jacobi_solve_as(uint32_t header, const vks_matrix *A, const vks_vector *b, vks_vector *x,
                               const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_options o = vks_solve_options_in(header, options);
    o.method = VKS_METHOD_JACOBI;
    return solve(header, &(struct equation){A, b, x, false}, &o, report);
}

vks_status vks_fixed_point_solve_as(uint32_t header, const vks_matrix *M, const vks_vector *c, vks_vector *x,
                                    const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_options o = vks_solve_options_in(header, options);
    o.method = VKS_METHOD_JACOBI;
    return solve(header, &(struct equation){M, c, x, true}, &o, report);
}

/* The system in a context of its own. */
static vks_status solve_uploaded(vks_context *c, uint32_t n, const uint32_t *row, const uint32_t *col,
                                 const double *val, const double *b, double *x,
                                 const vks_solve_options *options, vks_solve_report *report)
{
    vks_matrix *A = NULL;
    vks_vector *vb = NULL, *vx = NULL;
    vks_status s = vks_matrix_from_csr(c, n, n, row, col, val, NULL, &A);
    if (!s)
        s = vks_vector_create(c, n, VKS_F64, &vb);
    if (!s)
        s = vks_vector_create(c, n, VKS_F64, &vx);
    if (!s)
        s = vks_vector_write(vb, 0, n, VKS_F64, b);
    if (!s)
        s = vks_vector_write(vx, 0, n, VKS_F64, x);
    if (!s)
        s = vks_solve(A, vb, vx, options, report);
    if (!s)
        s = vks_vector_read(vx, 0, n, VKS_F64, x);
    vks_vector_destroy(vx);
    vks_vector_destroy(vb);
    vks_matrix_destroy(A);
    return s;
}

/* The device of a solve from host arrays: the host, if the automatic device lacks the 64-bit floats that the
 * method needs. */
static vks_status open_for(vks_method method, struct message *m, vks_context **c)
{
    vks_context_options o = {.message = m->text, .message_size = sizeof m->text};
    bool by_cg = method == VKS_METHOD_AUTO || method == VKS_METHOD_CG;
    vks_status s = vks_context_create(&o, c);
    if (s || (*c)->device->info.f64 || by_cg)
        return s;
    vks_context_destroy(*c);
    o.device = "host";
    return vks_context_create(&o, c);
}

vks_status vks_solve_csr_as(uint32_t header, uint32_t n, const uint32_t *row, const uint32_t *col,
                            const double *val, const double *b, double *x, const vks_solve_options *options,
                            vks_solve_report *report)
{
    const vks_solve_options o = vks_solve_options_in(header, options);
    vks_solve_report told;
    struct message m = {0};
    vks_context *c = NULL;
    vks_status s = abi_check(header, m.text, sizeof m.text);
    if (!s && n && (!b || !x))
        s = fail(&m, VKS_INVALID_ARGUMENT, "%s is NULL", b ? "x" : "b");
    if (!s)
        s = open_for(o.method, &m, &c);
    if (!s)
        s = solve_uploaded(c, n, row, col, val, b, x, &o, &told);
    if (s)
        report_failure(&told, c ? vks_context_message(c) : m.text);
    vks_solve_report_out(header, &told, report);
    vks_context_destroy(c);
    return s;
}
