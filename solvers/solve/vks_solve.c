/* The public calls of a solve. Each is a solver on the caller's vectors, for one solve. */
#include "abi/now.h"

#include "solvers/solve/options.h"
#include "solvers/solve/report.h"
#include "solvers/solve/shared.h"
#include "solvers/solve/solve.h"

#include <math.h>

/* From set-up to report. The caller's progress function may try to destroy or update a shared preconditioner.
 */
static vks_status run_solve(struct solve *s)
{
    vks_precond *shared = s->options.shared_precond;
    shared_retain(shared);
    vks_status status = solve_begin_setup(s);
    if (status)
        partners_report_failure(&s->it.partners, status);
    if (shared)
        shared->solves++;
    if (!status)
        status = solve_begin(s);
    if (!status)
        status = solve_advance(s, INFINITY);
    if (shared)
        shared->solves--;
    solve_close(s);
    shared_release(shared);
    return status;
}

static vks_status solve(const struct equation *q, const vks_solve_options *options, vks_solve_report *report)
{
    struct solve s;
    context_begin(q->A->context);
    vks_status status = solve_open(&s, q, options);
    if (!status)
        status = solve_check(q->A, q->b, q->x, s.options.partners != NULL);
    if (!status)
        status = run_solve(&s);
    if (status)
        report_failure(&s.report, q->A->context->message.text);
    if (report)
        *report = s.report;
    return status;
}

vks_status vks_solve_now(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                         const vks_solve_options *options, vks_solve_report *report)
{
    return solve(&(struct equation){A, b, x, false}, options, report);
}

static vks_status solve_by(vks_method method, bool fixed_point, const vks_matrix *A, const vks_vector *b,
                           vks_vector *x, const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_options o = options ? *options : (vks_solve_options){0};
    o.method = method;
    return solve(&(struct equation){A, b, x, fixed_point}, &o, report);
}

vks_status vks_cg_solve_now(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                            const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_options o = options ? *options : (vks_solve_options){0};
    vks_precond_options plain;
    if (o.precond_options && o.precond_options->kind == VKS_PRECOND_AUTO && !o.partners) {
        plain = *o.precond_options;
        plain.kind = precond_auto(A, PRECOND_FOR_POSITIVE);
        o.precond_options = &plain;
    }
    options_without_choice(A, &o);
    return solve_by(VKS_METHOD_CG, false, A, b, x, &o, report);
}

vks_status vks_jacobi_solve_now(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                                const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(VKS_METHOD_JACOBI, false, A, b, x, options, report);
}

vks_status vks_fixed_point_solve_now(const vks_matrix *M, const vks_vector *c, vks_vector *x,
                                     const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(VKS_METHOD_JACOBI, true, M, c, x, options, report);
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

vks_status vks_solve_csr_now(uint32_t n, const uint32_t *row, const uint32_t *col, const double *val,
                             const double *b, double *x, const vks_solve_options *options,
                             vks_solve_report *report)
{
    vks_solve_report unwanted;
    vks_solve_report *r = report ? report : &unwanted;
    *r = report_not_run;
    if (n && (!b || !x)) {
        report_failure(r, !b ? "b is NULL" : "x is NULL");
        return VKS_INVALID_ARGUMENT;
    }
    vks_context *c = NULL;
    char message[sizeof(struct message)];
    vks_context_options o = {.message = message, .message_size = sizeof message};
    vks_status s = vks_context_create(&o, &c);
    bool by_cg = !options || options->method == VKS_METHOD_AUTO || options->method == VKS_METHOD_CG;
    if (!s && !c->device->info.f64 && !by_cg) { /* the host has them */
        vks_context_destroy(c);
        o.device = "host";
        s = vks_context_create(&o, &c);
    }
    if (s) {
        report_failure(r, message);
        return s;
    }
    s = solve_uploaded(c, n, row, col, val, b, x, options, r);
    if (s)
        report_failure(r, vks_context_message(c));
    vks_context_destroy(c);
    return s;
}
