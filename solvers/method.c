/* The methods by their number, and what is judged of each alone. */
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

vks_status method_check_weight(struct message *m, bool fixed_point, const vks_solve_options *o)
{
    if (o->method != VKS_METHOD_JACOBI && o->weight != 0)
        return fail(m, VKS_INVALID_ARGUMENT, "the weight, %g, is for jacobi, and the method is %s", o->weight,
                    vks_method_name(o->method));
    if (!(o->weight == VKS_WEIGHT_AUTO || (o->weight >= 0 && isfinite(o->weight))))
        return fail(m, VKS_INVALID_ARGUMENT, "the weight, %g, must be above zero, or VKS_WEIGHT_AUTO",
                    o->weight);
    if (fixed_point && o->weight != 0)
        return fail(m, VKS_INVALID_ARGUMENT, "x = M x + c has no weight, and %g was given", o->weight);
    return VKS_OK;
}

vks_status method_check_operator(struct message *m, const struct equation *q,
                                 const vks_solve_options *options)
{
    const struct user_operator *o = operator_of(q->A);
    if (!o)
        return VKS_OK;
    if (options->method == VKS_METHOD_GAUSS_JORDAN)
        return fail(m, VKS_UNSUPPORTED, "%s needs entries, which an operator does not have",
                    vks_method_name(options->method));
    if (options->weight == VKS_WEIGHT_AUTO)
        return fail(m, VKS_UNSUPPORTED,
                    "the automatic weight needs entries, which an operator does not have");
    if (options->method == VKS_METHOD_JACOBI && !q->fixed_point && !o->diagonal)
        return fail(m, VKS_UNSUPPORTED, "jacobi needs the diagonal, which the operator was not given");
    return VKS_OK;
}
