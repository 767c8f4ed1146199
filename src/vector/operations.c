/* Verbs as public calls: each is one small recording, run at once. */
#include "vector/vector.h"
#include "vector/verbs.h"

/* The numbers and the workspace of one call. */
struct call {
    vks_context *context;
    vks_precision precision;
    struct memory number;
    struct reduction reduction;
    struct rec rec;
};

static vks_status check_alike(const vks_vector *x, const vks_vector *y)
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

static vks_status begin(struct call *c, const vks_vector *x)
{
    struct device *d = x->context->device;
    *c = (struct call){.context = x->context, .precision = x->precision};
    rec_create(&c->rec, d, precision_of(x->precision));
    vks_status s = device_allocate(d, MEMORY_DEVICE, 8, "a number", &c->number);
    return s ? s : reduction_create(d, x->n, 1, &c->reduction);
}

static number number_of(const struct call *c)
{
    return (number)(uintptr_t)c->number.address;
}

/* Runs what was recorded, unless something failed before, and releases everything. */
static vks_status end(struct call *c, vks_status s, double *result)
{
    struct device *d = c->context->device;
    if (!s)
        s = rec_run(&c->rec);
    if (!s && result)
        s = download_values(d, &c->number, c->precision, 0, 1, VKS_F64, result);
    rec_destroy(&c->rec);
    reduction_destroy(d, &c->reduction);
    device_release(d, &c->number);
    return s;
}

vks_status vks_vector_copy(const vks_vector *x, vks_vector *y)
{
    struct call c;
    vks_status s = check_alike(x, y);
    if (s)
        return s;
    s = begin(&c, x);
    c.rec.precision = moving_precision(x->context->device, x->precision);
    copy_elements(&c.rec, x, y);
    return end(&c, s, NULL);
}

vks_status vks_vector_axpy(double alpha, const vks_vector *x, vks_vector *y)
{
    struct call c;
    vks_status s = check_alike(x, y);
    if (s)
        return s;
    s = begin(&c, x);
    if (!s)
        s = upload_values(x->context->device, &c.number, x->precision, 0, 1, VKS_F64, &alpha);
    axpy(&c.rec, number_of(&c), vec_of(x), vec_of(y));
    return end(&c, s, NULL);
}

vks_status vks_vector_dot(const vks_vector *x, const vks_vector *y, double *result)
{
    struct call c;
    vks_status s = check_alike(x, y);
    if (s)
        return s;
    s = begin(&c, x);
    dot(&c.rec, &c.reduction, vec_of(x), vec_of(y), number_of(&c));
    return end(&c, s, result);
}

vks_status vks_vector_norm2(const vks_vector *x, double *result)
{
    struct call c;
    context_begin(x->context);
    vks_status s = begin(&c, x);
    norm2(&c.rec, &c.reduction, vec_of(x), number_of(&c));
    return end(&c, s, result);
}

vks_status vks_vector_sum(const vks_vector *x, double *result)
{
    struct call c;
    context_begin(x->context);
    vks_status s = begin(&c, x);
    sum(&c.rec, &c.reduction, vec_of(x), number_of(&c));
    return end(&c, s, result);
}
