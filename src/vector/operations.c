/* Verbs as public calls: each is one small recording (device/call.h). */
#include "device/call.h"
#include "vector/vector.h"
#include "vector/verbs.h"

vks_status vectors_check(const vks_vector *x, const vks_vector *y)
{
    struct message *m = context_begin(x->context);
    if (x->context != y->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the vectors belong to different contexts");
    if (x->precision != y->precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the vectors differ in precision");
    if (x->n != y->n)
        return fail(m, VKS_INVALID_ARGUMENT, "the vectors differ in length: %u and %u", x->n, y->n);
    return VKS_OK;
}

static struct call *begin(const vks_vector *x)
{
    return call_begin(x->context, precision_of(x->precision));
}

vks_status vks_vector_copy(const vks_vector *x, vks_vector *y)
{
    TRY(vectors_check(x, y));
    struct call *c = call_begin(x->context, moving_precision(x->context->device, x->precision));
    copy_elements(&c->rec, x, y);
    return call_end(c);
}

vks_status vks_vector_axpy(double alpha, const vks_vector *x, vks_vector *y)
{
    TRY(vectors_check(x, y));
    struct call *c = begin(x);
    axpy(&c->rec, call_number(c, alpha), vec_of(x), vec_of(y));
    return call_end(c);
}

vks_status vks_vector_dot(const vks_vector *x, const vks_vector *y, double *result)
{
    TRY(vectors_check(x, y));
    struct call *c = begin(x);
    dot(&c->rec, call_reduction(c, x->n, 1), vec_of(x), vec_of(y), call_room(c));
    return call_result(c, result);
}

vks_status vks_vector_norm2(const vks_vector *x, double *result)
{
    context_begin(x->context);
    struct call *c = begin(x);
    norm2(&c->rec, call_reduction(c, x->n, 1), vec_of(x), call_room(c));
    return call_result(c, result);
}

vks_status vks_vector_sum(const vks_vector *x, double *result)
{
    context_begin(x->context);
    struct call *c = begin(x);
    sum(&c->rec, call_reduction(c, x->n, 1), vec_of(x), call_room(c));
    return call_result(c, result);
}
