#include "solvers/solve/options.h"
#include "operator/operator.h"
#include "shaders/block/invert.h"

#include <math.h>

/* Default restart of GMRES. */
enum { USUAL_RESTART = 30 };

static uint32_t limit_of(uint64_t n)
{
    return n < 100 ? 1000 : n > 10000 ? 100000 : 10 * (uint32_t)n;
}

uint32_t options_default_limit(const vks_matrix *A)
{
    return limit_of(A->csr.cols);
}

vks_status options_limits(struct message *m, const vks_matrix *A, vks_solve_options *o)
{
    if (!(o->rtol >= 0 && isfinite(o->rtol) && o->atol >= 0 && isfinite(o->atol)))
        return fail(m, VKS_INVALID_ARGUMENT, "rtol %g and atol %g must be finite and not negative", o->rtol,
                    o->atol);
    if (o->atol > 0 && o->norm == VKS_NORM_SCALED)
        return fail(m, VKS_INVALID_ARGUMENT, "atol %g is for the plain norm, but the norm %s was given",
                    o->atol, vks_norm_name(o->norm));
    if (!(o->batch_seconds >= 0 && isfinite(o->batch_seconds)))
        return fail(m, VKS_INVALID_ARGUMENT, "batch_seconds %g must be finite and not negative",
                    o->batch_seconds);
    if (o->rtol == 0)
        o->rtol = scalar_types[scalar_chosen(A->precision)].rtol;
    if (o->max_iterations == 0)
        o->max_iterations =
            o->partners ? limit_of(o->partners->first[o->partners->processes]) : options_default_limit(A);
    return VKS_OK;
}

bool options_leave_choice(const struct equation *q, const vks_solve_options *o)
{
    const vks_precond_options *p = o->precond_options;
    bool by_default =
        !o->shared_precond && !o->block_size && !o->scaling && !o->restart && !(p ? p->kind : o->precond);
    bool is_square = q->A->csr.n == q->A->csr.cols; /* else only lsmr applies */
    return is_square && o->method == VKS_METHOD_AUTO && !o->partners && by_default && !q->fixed_point &&
           !operator_of(q->A) && o->weight == 0;
}

vks_status options_check_choice(const vks_matrix *A, const vks_solve_options *o)
{
    vks_precond_options plain = {0};
    if (o->precond_options)
        plain = *o->precond_options;
    plain.kind = VKS_PRECOND_JACOBI;
    return precond_check(A, &plain);
}

/* Checks `precond` and `block_size` only. */
static vks_status check_plain(struct message *m, const struct method *method, vks_solve_options *o)
{
    if (o->precond == VKS_PRECOND_AUTO && !method->preconditioned)
        o->precond = VKS_PRECOND_NONE;
    if (o->block_size > BLOCK_MOST)
        return fail(m, VKS_INVALID_ARGUMENT, "blocks of %u rows; 1 to %u are allowed", o->block_size,
                    BLOCK_MOST);
    if (o->block_size && o->precond != VKS_PRECOND_BLOCK_JACOBI)
        return fail(m, VKS_INVALID_ARGUMENT, "the block size, %u, is for block-jacobi, but %s was given",
                    o->block_size, vks_precond_name(o->precond));
    return VKS_OK;
}

static vks_status check_precond(struct message *m, const struct method *method, vks_solve_options *o)
{
    vks_precond_kind kind = o->precond_options ? o->precond_options->kind : o->precond;
    if (o->shared_precond && (o->precond || o->block_size || o->precond_options))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "a shared preconditioner excludes precond, block_size and precond_options");
    if (o->precond_options && (o->precond || o->block_size))
        return fail(m, VKS_INVALID_ARGUMENT, "precond_options exclude precond and block_size");
    if (!method->preconditioned && kind > VKS_PRECOND_NONE)
        return fail(m, VKS_INVALID_ARGUMENT, "%s takes no preconditioner, but %s was given",
                    vks_method_name(o->method), vks_precond_name(kind));
    if (!method->preconditioned && o->precond_options &&
        (o->precond_options->in_f32 || precond_options_set(o->precond_options) ||
         precond_has_arrays(o->precond_options)))
        return fail(m, VKS_INVALID_ARGUMENT, "%s takes no preconditioner, but options of one were given",
                    vks_method_name(o->method));
    if (!method->preconditioned && o->shared_precond)
        return fail(m, VKS_INVALID_ARGUMENT, "%s takes no preconditioner, but a shared one was given",
                    vks_method_name(o->method));
    return o->precond_options || o->shared_precond ? VKS_OK : check_plain(m, method, o);
}

static bool keeps_blocks(const struct method *method, const vks_solve_options *o)
{
    vks_precond_options wanted = method_precond(method, o);
    const vks_precond_options *p = &wanted;
    uint32_t depth = 0;
    while (p && p->kind != VKS_PRECOND_SADDLE && depth++ < VKS_LARGEST_NESTING)
        p = p->inner;
    return p && p->kind == VKS_PRECOND_SADDLE;
}

bool options_may_match(const struct method *method, const vks_solve_options *o)
{
    return method->use == PRECOND_FOR_ANY && !keeps_blocks(method, o);
}

static vks_status refuse_to_match(struct message *m, const struct method *method, const vks_solve_options *o)
{
    if (method->use == PRECOND_FOR_ANY)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "matching permutes the rows of A, which would break the blocks of saddle; the scaling "
                    "ruiz keeps them");
    return fail(m, VKS_INVALID_ARGUMENT,
                "%s needs a symmetric A, and matching permutes its rows; the scaling ruiz keeps it symmetric",
                vks_method_name(o->method));
}

static vks_status check_norm(struct message *m, const struct equation *q, const vks_solve_options *o)
{
    if ((unsigned)o->norm >= VKS_NORM_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "unknown norm %d", (int)o->norm);
    if (o->norm == VKS_NORM_SCALED && (operator_of(q->A) || q->fixed_point))
        return fail(m, VKS_INVALID_ARGUMENT, "%s has no scaled norm, but it was requested",
                    q->fixed_point ? "the fixed point" : "an operator");
    return VKS_OK;
}

/* Only methods that compute corrections of x can iterate on another system. */
static vks_status check_scaling(struct message *m, const vks_matrix *A, const struct method *method,
                                vks_solve_options *o)
{
    const char *name = vks_scaling_name(o->scaling);
    bool can = method->corrects && !o->shared_precond && !operator_of(A);
    bool stands_for_constants = method_precond(method, o).kind == VKS_PRECOND_AMG;
    if ((unsigned)o->scaling >= VKS_SCALING_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "unknown scaling %d", (int)o->scaling);
    if (o->scaling == VKS_SCALING_AUTO && (!can || stands_for_constants))
        o->scaling = VKS_SCALING_NONE;
    if (o->scaling <= VKS_SCALING_NONE)
        return VKS_OK;
    if (!method->corrects)
        return fail(m, VKS_INVALID_ARGUMENT, "%s %s A as it is, but the scaling %s was given",
                    vks_method_name(o->method), method->solve_direct ? "takes" : "iterates on", name);
    if (operator_of(A))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "an operator has no entries to scale, but the scaling %s was given", name);
    if (o->shared_precond)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "a shared preconditioner is one of A as it is, but the scaling %s was given", name);
    if (o->scaling == VKS_SCALING_MATCH && !options_may_match(method, o))
        return refuse_to_match(m, method, o);
    return VKS_OK;
}

/* Checks iterations in f32 for an x in f64. Pairs of floats allow no other iterations. */
static vks_status check_precision(struct message *m, const vks_matrix *A, const struct method *method,
                                  vks_solve_options *o)
{
    const char *name = vks_method_name(o->method);
    bool refines = method_refines(method);
    if (matrix_in_pairs(A) && !refines)
        return fail(m, VKS_UNSUPPORTED,
                    "%s has no 64-bit floats: a method that solves there with a matrix of VKS_F64 or "
                    "VKS_MIXED refines x by iterations in f32, and %s does not",
                    A->context->device->info.name, name);
    o->iterate_in_f32 |= matrix_in_pairs(A);
    if (o->iterate_in_f32 && (A->precision == VKS_F32 || !refines))
        return fail(m, VKS_INVALID_ARGUMENT,
                    "iterations in f32 refine an x in f64, with a matrix of VKS_F64 or VKS_MIXED: %s %s",
                    name, refines ? "was given one of VKS_F32" : "does not refine");
    return VKS_OK;
}

static vks_status check_null_space(struct message *m, const struct method *method, bool fixed_point,
                                   const vks_solve_options *o)
{
    if (o->singular && (fixed_point || !method_takes_null_space(method)))
        return fail(m, VKS_INVALID_ARGUMENT, "%s takes no null space",
                    fixed_point ? "the fixed point" : vks_method_name(o->method));
    if (o->null_space && !o->singular)
        return fail(m, VKS_INVALID_ARGUMENT, "null_space has %u vectors, but singular is not set",
                    o->null_space_count);
    if (o->null_space && !o->null_space_count)
        return fail(m, VKS_INVALID_ARGUMENT, "the null space has no vectors");
    return VKS_OK;
}

/* Checks that an operator has the functions that the host calls: for the true residual, unless a GPU computes
 * it, and on the host device for the iterations, which use the operator's precision or f32. */
static vks_status check_rows(struct message *m, const vks_matrix *A, bool iterates_in_f32)
{
    const struct user_operator *o = operator_of(A);
    const struct device *d = A->context->device;
    bool is_host = d->info.kind == DEVICE_HOST;
    if (!o)
        return VKS_OK;
    if ((is_host || !d->info.f64) && !o->call.f64)
        return fail(
            m, VKS_UNSUPPORTED,
            "the true residual in double precision, which the host computes here, needs the rows_f64 of "
            "the operator");
    if (is_host && iterates_in_f32 && !o->call.f32)
        return fail(m, VKS_UNSUPPORTED, "iterations in f32 on the host need the rows_f32 of the operator");
    return VKS_OK;
}

/* Refuses options that iterations with partners do not support yet. */
static vks_status check_partners(struct message *m, const struct equation *q, vks_solve_options *o)
{
    const vks_precond_options *p = o->precond_options;
    vks_precond_kind kind = p ? p->kind : o->precond;
    const char *what = o->method > VKS_METHOD_CG || q->fixed_point ? "a method other than cg"
                       : kind > VKS_PRECOND_NONE                   ? "a preconditioner that is not shared"
                       : operator_of(q->A)                         ? "an operator"
                       : o->iterate_in_f32 || o->scaling > VKS_SCALING_NONE ? "iterations on another matrix"
                       : o->singular                                        ? "a null space"
                       : o->progress                                        ? "a progress function"
                                                                            : NULL;
    const vks_partners *with = o->partners;
    if (what)
        return fail(m, VKS_INVALID_ARGUMENT, "rows shared with partners do not support %s", what);
    if (!with->first || !with->exchange || !with->exchanged || !with->gather)
        return fail(m, VKS_INVALID_ARGUMENT, "partners lack their rows, or one of the three functions");
    if (!q->A->context->device->info.f64)
        return fail(m, VKS_UNSUPPORTED, "%s has no 64-bit floats: rows cannot be shared with partners there",
                    q->A->context->device->info.name);
    o->method = VKS_METHOD_CG;
    o->precond_options = NULL;
    o->precond = o->shared_precond ? VKS_PRECOND_AUTO : VKS_PRECOND_NONE;
    return VKS_OK;
}

static bool is_square(const vks_matrix *A)
{
    return A->csr.n == A->csr.cols;
}

/* what: an option of a single method. */
static vks_status refuse_for_auto(struct message *m, const vks_matrix *A, const char *what)
{
    if (is_square(A))
        return fail(m, VKS_INVALID_ARGUMENT, "a %s was given without a method: the automatic one chooses it",
                    what);
    return fail(m, VKS_INVALID_ARGUMENT,
                "a %s was given without a method: A is %u x %u, so it is lsmr, which takes none", what,
                A->csr.n, A->csr.cols);
}

vks_status options_resolve(const struct equation *q, const vks_solve_options *given, vks_solve_options *o)
{
    const vks_matrix *A = q->A;
    struct message *m = &A->context->message;
    *o = given ? *given : (vks_solve_options){0};
    if ((unsigned)o->method >= VKS_METHOD_COUNT_ || (unsigned)o->precond >= VKS_PRECOND_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "unknown method %d or preconditioner %d", (int)o->method,
                    (int)o->precond);
    if (o->partners)
        TRY(check_partners(m, q, o));
    if (o->method == VKS_METHOD_AUTO && (o->scaling || o->restart))
        return refuse_for_auto(m, A, o->scaling ? "scaling" : "restart");
    if (o->method != VKS_METHOD_AUTO && (o->any_device || o->no_direct))
        return fail(m, VKS_INVALID_ARGUMENT, "%s is an option of auto, but the method %s was given",
                    o->any_device ? "any_device" : "no_direct", vks_method_name(o->method));
    if (o->method == VKS_METHOD_AUTO)
        o->method = is_square(A) ? VKS_METHOD_CG : VKS_METHOD_LSMR;
    const struct method *method = method_of(&(struct equation){.A = A}, o);
    if (!is_square(A) && !o->partners && (!method->least_squares || q->fixed_point))
        return fail(m, VKS_INVALID_ARGUMENT, "A is %u x %u; a solve needs a square matrix", A->csr.n,
                    A->csr.cols);
    TRY(check_precond(m, method, o));
    TRY(method_check(m, q, o));
    if (method->restarts && !o->restart)
        o->restart = USUAL_RESTART;
    TRY(check_precision(m, A, method, o));
    TRY(check_scaling(m, A, method, o));
    TRY(check_norm(m, q, o));
    TRY(options_limits(m, A, o));
    TRY(check_null_space(m, method, q->fixed_point, o));
    vks_precond_options wanted = method_precond(method, o);
    TRY(precond_check(A, &wanted));
    return check_rows(m, A, o->iterate_in_f32);
}
