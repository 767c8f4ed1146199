/* Table of methods, and the validation of options that depend on the method alone. */
#include "solvers/method.h"
#include "operator/operator.h"

#include <math.h>

static const struct method *const methods[] = {&method_cg,
#define X(NAME, module, name, text) &method_##module,
                                               VKS_METHODS(X)
#undef X
};

const struct method *method_of(const struct equation *q, const vks_solve_options *o)
{
    return q->fixed_point ? &method_fixed_point : methods[o->method];
}

vks_precond_options method_precond(const struct method *method, const vks_solve_options *o)
{
    if (!method->preconditioned)
        return (vks_precond_options){.kind = VKS_PRECOND_NONE};
    return o->precond_options ? *o->precond_options
                              : (vks_precond_options){.kind = o->precond, .block_size = o->block_size};
}

int vks_method_takes_precond(vks_method method)
{
    return (unsigned)method < VKS_METHOD_COUNT_ && methods[method]->preconditioned;
}

bool method_refines(const struct method *m)
{
    return m->resume || m->corrects;
}

int vks_method_refines(vks_method method)
{
    return (unsigned)method < VKS_METHOD_COUNT_ && method_refines(methods[method]);
}

static vks_status check_weight(struct message *m, const struct equation *q, const vks_solve_options *o)
{
    unsigned weights = method_of(q, o)->weights;
    const char *name = q->fixed_point ? "x = M x + c" : vks_method_name(o->method);
    bool is_auto = o->weight == VKS_WEIGHT_AUTO;
    if (!is_auto && !(o->weight >= 0 && isfinite(o->weight)))
        return fail(m, VKS_INVALID_ARGUMENT, "the weight, %g, must be above zero, or VKS_WEIGHT_AUTO",
                    o->weight);
    if (o->weight != 0 && !weights)
        return fail(m, VKS_INVALID_ARGUMENT, "%s has no weight, but %g was given", name, o->weight);
    if (is_auto && !(weights & WEIGHT_BY_ENTRIES))
        return fail(m, VKS_INVALID_ARGUMENT, "%s has no automatic weight", name);
    return VKS_OK;
}

static vks_status check_restart(struct message *m, const struct equation *q, const vks_solve_options *o)
{
    if (o->restart && !method_of(q, o)->restarts)
        return fail(m, VKS_INVALID_ARGUMENT, "%s has no restart, but %u was given",
                    q->fixed_point ? "x = M x + c" : vks_method_name(o->method), o->restart);
    if (o->restart > VKS_LARGEST_RESTART)
        return fail(m, VKS_INVALID_ARGUMENT, "the restart, %u, must be from 1 to %u", o->restart,
                    VKS_LARGEST_RESTART);
    return VKS_OK;
}

static vks_status check_operator(struct message *m, const struct equation *q, const vks_solve_options *o)
{
    const struct user_operator *A = operator_of(q->A);
    const struct method *method = method_of(q, o);
    const char *name = vks_method_name(o->method);
    if (!A)
        return VKS_OK;
    if (method->solve_direct)
        return fail(m, VKS_UNSUPPORTED, "%s needs entries, which an operator does not have", name);
    if (method->least_squares)
        return fail(m, VKS_UNSUPPORTED, "%s needs products with A^T, which an operator does not have", name);
    if (o->weight == VKS_WEIGHT_AUTO)
        return fail(m, VKS_UNSUPPORTED,
                    "the automatic weight needs entries, which an operator does not have: give a weight");
    if (method->needs_diagonal && !A->diagonal)
        return fail(m, VKS_UNSUPPORTED, "%s needs the diagonal, which the operator was not given", name);
    return VKS_OK;
}

vks_status method_check(struct message *m, const struct equation *q, const vks_solve_options *o)
{
    TRY(check_weight(m, q, o));
    TRY(check_restart(m, q, o));
    return check_operator(m, q, o);
}
