/* The public calls: arguments are judged, defaults filled in, the driver run. */
#include "abi/now.h"

#include "report/clock.h"
#include "solvers/solver.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *text;
    const struct method *method;
} methods[] = {{"auto", "chosen from the matrix", &method_cg},
#define X(NAME, module, name, text) {name, text, &method_##module},
               VKS_METHODS(X)
#undef X
};

static const struct {
    const char *name, *text;
} preconds[] = {{"auto", "the diagonal"},
#define X(NAME, name, text) {name, text},
                VKS_PRECONDS(X)
#undef X
};

const char *vks_method_name(vks_method method)
{
    return (unsigned)method < VKS_METHOD_COUNT_ ? methods[method].name : "?";
}

const char *vks_method_text(vks_method method)
{
    return (unsigned)method < VKS_METHOD_COUNT_ ? methods[method].text : "?";
}

const char *vks_precond_name(vks_precond precond)
{
    return (unsigned)precond < VKS_PRECOND_COUNT_ ? preconds[precond].name : "?";
}

const char *vks_precond_text(vks_precond precond)
{
    return (unsigned)precond < VKS_PRECOND_COUNT_ ? preconds[precond].text : "?";
}

vks_status solve_check(const vks_matrix *A, const vks_vector *b, const vks_vector *x)
{
    struct message *m = context_begin(A->context);
    if (b->context != A->context || x->context != A->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors belong to different contexts");
    vks_precision p = vector_precision(A->precision);
    if (b->precision != p || x->precision != p)
        return fail(m, VKS_INVALID_ARGUMENT, "the matrix and the vectors differ in precision");
    if (b->n != A->csr.n || x->n != A->csr.n)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u, b has %u elements and x has %u", A->csr.n,
                    A->csr.n, b->n, x->n);
    if (b == x)
        return fail(m, VKS_INVALID_ARGUMENT, "b and x are the same vector");
    return VKS_OK;
}

vks_status solve_limits(struct message *m, const struct vks_matrix *A, vks_solve_options *o)
{
    uint32_t n = A->csr.n;
    if (!(o->rtol >= 0 && isfinite(o->rtol) && o->atol >= 0 && isfinite(o->atol)))
        return fail(m, VKS_INVALID_ARGUMENT, "rtol %g and atol %g must be finite and not negative", o->rtol,
                    o->atol);
    if (!(o->batch_seconds >= 0 && isfinite(o->batch_seconds)))
        return fail(m, VKS_INVALID_ARGUMENT, "batch_seconds %g must be finite and not negative",
                    o->batch_seconds);
    if (o->rtol == 0)
        o->rtol = A->precision == VKS_F32 ? 1e-5 : 1e-8;
    if (o->max_iterations == 0)
        o->max_iterations = n < 100 ? 1000 : n > 10000 ? 100000 : 10 * n;
    return VKS_OK;
}

/* The caller's options with the defaults filled in. */
static vks_status resolve(struct message *m, const struct vks_matrix *A, const vks_solve_options *given,
                          vks_solve_options *o)
{
    *o = given ? *given : (vks_solve_options){0};
    if ((unsigned)o->method >= VKS_METHOD_COUNT_ || (unsigned)o->precond >= VKS_PRECOND_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "method %d with preconditioner %d: no such thing",
                    (int)o->method, (int)o->precond);
    if (o->method == VKS_METHOD_AUTO)
        o->method = VKS_METHOD_CG;
    bool is_cg = o->method == VKS_METHOD_CG;
    if (!is_cg && o->precond > VKS_PRECOND_NONE)
        return fail(m, VKS_INVALID_ARGUMENT, "%s takes no preconditioner, and %s was asked for",
                    vks_method_name(o->method), vks_precond_name(o->precond));
    if (o->precond == VKS_PRECOND_AUTO)
        o->precond = is_cg && !operator_lacks_diagonal(A) ? VKS_PRECOND_JACOBI : VKS_PRECOND_NONE;
    if (o->block_size > BLOCK_MOST)
        return fail(m, VKS_INVALID_ARGUMENT, "blocks of %u rows; they have 1 to %u", o->block_size,
                    BLOCK_MOST);
    if (o->block_size && o->precond != VKS_PRECOND_BLOCK_JACOBI)
        return fail(m, VKS_INVALID_ARGUMENT, "the block size, %u, is for block-jacobi, and %s is asked for",
                    o->block_size, vks_precond_name(o->precond));
    if (o->method != VKS_METHOD_JACOBI && o->weight != 0)
        return fail(m, VKS_INVALID_ARGUMENT, "the weight, %g, is for jacobi, and the method is %s", o->weight,
                    vks_method_name(o->method));
    if (!(o->weight == VKS_WEIGHT_AUTO || (o->weight >= 0 && isfinite(o->weight))))
        return fail(m, VKS_INVALID_ARGUMENT, "the weight, %g, must be above zero, or VKS_WEIGHT_AUTO",
                    o->weight);
    if (matrix_in_pairs(A)) {
        if (!methods[o->method].method->take_up)
            return fail(
                m, VKS_UNSUPPORTED,
                "%s has no 64-bit floats: with a matrix of VKS_F64 or VKS_MIXED only cg solves there, "
                "by iterations in f32; %s was asked for",
                A->context->device->info.name, vks_method_name(o->method));
        o->iterate_in_f32 = 1;
    }
    if (o->iterate_in_f32 && (A->precision == VKS_F32 || !methods[o->method].method->take_up))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "iterations in f32 for an x in f64 are cg's, with a matrix of VKS_F64 or "
                    "VKS_MIXED; here they are %s's%s",
                    vks_method_name(o->method), A->precision == VKS_F32 ? ", with one of VKS_F32" : "");
    return solve_limits(m, A, o);
}

static const vks_solve_report not_run = {.reason = VKS_REASON_NOT_RUN,
                                         .row = UINT32_MAX,
                                         .initial_residual = NAN,
                                         .residual = NAN,
                                         .true_residual = NAN,
                                         .contraction = NAN,
                                         .history_step = 1};

void report_failure(vks_solve_report *report, const char *message)
{
    *report = not_run;
    snprintf(report->detail, sizeof report->detail, "%.*s", (int)sizeof report->detail - 1, message);
}

static vks_status check_null_space(struct message *m, const vks_solve_options *o, bool fixpoint)
{
    if (o->singular && (fixpoint || methods[o->method].method->direct))
        return fail(m, VKS_INVALID_ARGUMENT, "a null space is for cg and jacobi, and the method is %s",
                    fixpoint ? "the fixed point" : vks_method_name(o->method));
    if (o->null_space && !o->singular)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "there is a null space of %u vectors, but A is not said to be singular",
                    o->null_space_count);
    if (o->null_space && !o->null_space_count)
        return fail(m, VKS_INVALID_ARGUMENT, "the null space has no vectors");
    return VKS_OK;
}

vks_status solve_open(struct solve *s, const vks_matrix *A, bool fixpoint, const vks_solve_options *options,
                      vks_solve_report *report)
{
    struct message *m = &A->context->message;
    *s = (struct solve){.report = report, .system.fixpoint = fixpoint};
    *report = not_run;
    if (A->csr.n != A->csr.cols)
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u; a solve needs a square matrix", A->csr.n,
                    A->csr.cols);
    vks_status status = resolve(m, A, options, &s->options);
    if (!status && fixpoint && s->options.weight != 0)
        status =
            fail(m, VKS_INVALID_ARGUMENT, "x = M x + c has no weight, and %g was given", s->options.weight);
    if (!status)
        status = check_null_space(m, &s->options, fixpoint);
    if (!status)
        status = operator_suits(m, A, &s->options, fixpoint);
    if (status)
        return status;
    s->device = A->context->device;
    s->message = m;
    s->given = matrix_precision(A);
    s->pairs.is = matrix_in_pairs(A);
    s->refinement.is = s->options.iterate_in_f32;
    s->precision = s->refinement.is ? PRECISION_F32 : s->given;
    s->method = methods[s->options.method].method;
    report->method = s->options.method;
    report->precond = s->options.precond;
    report->iterated_in = public_precision(s->precision);
    report->in_pairs = s->pairs.is;
    report->history_step = s->method->steps;
    return VKS_OK;
}

static vks_status set_up_and_drive(struct solve *s, const vks_matrix *A, const vks_vector *b, vks_vector *x)
{
    if (s->method->direct)
        return s->method->direct(s, A, b, x);
    double begun = clock_seconds();
    vks_status status = solve_setup(s, A, b, x);
    s->report->seconds_setup = clock_seconds() - begun;
    if (!status)
        status = solve_begin(s);
    if (!status)
        status = solve_advance(s, INFINITY);
    solve_release(s);
    return status;
}

/* A x = b, or x = A x + b. */
static vks_status solve(const vks_matrix *A, const vks_vector *b, vks_vector *x, bool fixpoint,
                        const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_report unwanted;
    vks_solve_report *r = report ? report : &unwanted;
    struct solve s;
    context_begin(A->context);
    vks_status status = solve_open(&s, A, fixpoint, options, r);
    if (!status)
        status = solve_check(A, b, x);
    if (!status)
        status = set_up_and_drive(&s, A, b, x);
    if (status)
        report_failure(r, A->context->message.text);
    return status;
}

vks_status vks_solve_now(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                         const vks_solve_options *options, vks_solve_report *report)
{
    return solve(A, b, x, false, options, report);
}

static vks_status solve_by(vks_method method, bool fixpoint, const vks_matrix *A, const vks_vector *b,
                           vks_vector *x, const vks_solve_options *options, vks_solve_report *report)
{
    vks_solve_options o = options ? *options : (vks_solve_options){0};
    o.method = method;
    return solve(A, b, x, fixpoint, &o, report);
}

vks_status vks_cg_solve_now(const vks_matrix *A, const vks_vector *b, vks_vector *x,
                            const vks_solve_options *options, vks_solve_report *report)
{
    return solve_by(VKS_METHOD_CG, false, A, b, x, options, report);
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
static vks_status solve_arrays(vks_context *c, uint32_t n, const uint32_t *row, const uint32_t *col,
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
    *r = not_run;
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
    s = solve_arrays(c, n, row, col, val, b, x, options, r);
    if (s)
        report_failure(r, vks_context_message(c));
    vks_context_destroy(c);
    return s;
}
