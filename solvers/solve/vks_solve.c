/* The public calls of a solve. Each makes a solver on the caller's vectors, for one solve. */
#include "abi/abi.h"
#include "solvers/solve/options.h"
#include "solvers/solve/rehearse.h"
#include "solvers/solve/report.h"
#include "solvers/solve/solve.h"

/* Serves a program whose headers have version `header`, and whose report is *report. */
static vks_status solve(uint32_t header, const struct equation *q, const vks_solve_options *options,
                        vks_solve_report *report)
{
    vks_solve_report ours = report_not_run;
    vks_status status = q->A ? context_begin_as(q->A->context, header) : VKS_INVALID_ARGUMENT;
    if (!status) {
        rehearse_solve(q->A, options);
        status = solve_run(q, options, &ours);
    }
    if (status)
        report_failure(&ours, q->A ? q->A->context->message.text : "A is NULL");
    vks_solve_report_out(header, &ours, report);
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

/* Uploads the arrays to context c, and solves there. */
static vks_status solve_uploaded(vks_context *c, uint32_t n, const uint32_t *row, const uint32_t *col,
                                 const double *val, const double *b, double *x,
                                 const vks_solve_options *options, vks_solve_report *report)
{
    vks_matrix *A = NULL;
    vks_vector *vb = NULL, *vx = NULL;
    vks_status s = vks_matrix_from_csr(c, n, n, row, col, val, NULL, &A);
    IF_OK(s, vks_vector_create(c, n, VKS_F64, &vb));
    IF_OK(s, vks_vector_create(c, n, VKS_F64, &vx));
    IF_OK(s, vks_vector_write(vb, 0, n, VKS_F64, b));
    IF_OK(s, vks_vector_write(vx, 0, n, VKS_F64, x));
    IF_OK(s, vks_solve(A, vb, vx, options, report));
    IF_OK(s, vks_vector_read(vx, 0, n, VKS_F64, x));
    vks_vector_destroy(vx);
    vks_vector_destroy(vb);
    vks_matrix_destroy(A);
    return s;
}

/* Chooses the device of a solve from host arrays: the host, if the automatic device lacks the 64-bit floats
 * that the method needs. */
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
    vks_solve_report ours;
    struct message m = {0};
    vks_context *c = NULL;
    vks_status s = abi_check(header, m.text, sizeof m.text);
    if (!s && n && (!b || !x))
        s = fail(&m, VKS_INVALID_ARGUMENT, "%s is NULL", b ? "x" : "b");
    IF_OK(s, open_for(o.method, &m, &c));
    IF_OK(s, solve_uploaded(c, n, row, col, val, b, x, &o, &ours));
    if (s)
        report_failure(&ours, c ? vks_context_message(c) : m.text);
    vks_solve_report_out(header, &ours, report);
    vks_context_destroy(c);
    return s;
}
