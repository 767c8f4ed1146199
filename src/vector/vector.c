#include "vector/vector.h"
#include "device/call.h"
#include "device/pair.h"
#include "vector/verbs.h"

#include <stdio.h>
#include <stdlib.h>

vks_status fill_by_call(vks_context *context, vks_precision precision, reals y, uint32_t n, double value)
{
    struct call *c = call_begin(context, precision_of(precision));
    fill(&c->rec, call_number(c, value), vec_at(y, n, c->rec.precision));
    return call_end(c);
}

static vks_status fill_vector(vks_vector *x, double value)
{
    vks_context *c = x->context;
    struct pair p = pair_of(value);
    return in_pairs(c->device, x->precision) ? array_fill(&x->array, &p)
                                             : fill_by_call(c, x->precision, vector_address(x), x->n, value);
}

vks_status vector_check(vks_context *context, uint32_t n, vks_precision precision)
{
    TRY(context_check_precision(context, precision));
    if (n > VKS_LARGEST_INDEX)
        return fail(&context->message, VKS_LIMIT, "a vector of %u elements; the most is %u", n,
                    VKS_LARGEST_INDEX);
    return VKS_OK;
}

vks_status vector_in_memory(vks_context *context, uint32_t n, vks_precision precision, struct memory memory,
                            vks_vector **vector)
{
    vks_vector *v = calloc(1, sizeof *v);
    if (!v)
        return fail_memory(&context->message, "a vector", sizeof *v);
    *v = (vks_vector){.context = context, .precision = precision, .n = n, .memory = memory};
    v->array = (struct vks_array){
        .context = context, .type = (vks_type)precision, .n = n, .memory = memory, .borrowed = true};
    context_retain(context);
    *vector = v;
    return VKS_OK;
}

vks_status vks_vector_create(vks_context *context, uint32_t n, vks_precision precision, vks_vector **vector)
{
    *vector = NULL;
    context_begin(context);
    struct device *d = context->device;
    struct memory m = {0};
    vks_status s = vector_check(context, n, precision);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, (uint64_t)n * real_bytes(precision_of(precision)), "a vector",
                             &m));
    IF_OK(s, vector_in_memory(context, n, precision, m, vector));
    if (s) {
        device_release(d, &m);
        return s;
    }
    s = fill_vector(*vector, 0);
    if (s) {
        vks_vector_destroy(*vector);
        *vector = NULL;
    }
    return s;
}

static void release(vks_vector *vector)
{
    if (!vector->whole)
        device_release(vector->context->device, &vector->memory);
    context_release(vector->context);
    free(vector);
}

/* Releases the memory with the last vector that uses it. */
void vks_vector_destroy(vks_vector *vector)
{
    if (!vector)
        return;
    vks_vector *whole = vector->whole;
    vector->is_gone = true;
    if (!vector->views)
        release(vector);
    if (whole && --whole->views == 0 && whole->is_gone)
        release(whole);
}

uint32_t vks_vector_length(const vks_vector *vector)
{
    return vector->n;
}

vks_precision vks_vector_precision(const vks_vector *vector)
{
    return vector->precision;
}

vks_array *vks_vector_array(vks_vector *vector)
{
    return &vector->array;
}

/* Checks that all values fit into v's representation. */
static vks_status check_values(const vks_vector *v, uint32_t first, uint32_t count, vks_precision of_values,
                               const void *values)
{
    char what[32];
    if (!in_pairs(v->context->device, v->precision))
        return VKS_OK;
    uint64_t bad = first_out_of_range(of_values, values, count);
    if (bad == count)
        return VKS_OK;
    snprintf(what, sizeof what, "element %u", (uint32_t)(first + bad));
    return fail_range(v->context, what, ((const double *)values)[bad]);
}

static vks_status check_range(const vks_vector *v, uint32_t first, uint32_t count, vks_precision of_values)
{
    context_begin(v->context);
    TRY(context_check_values(v->context, of_values));
    return context_check_range(v->context, first, count, "a vector", v->n);
}

vks_status vks_vector_write(vks_vector *vector, uint32_t first, uint32_t count, vks_precision of_values,
                            const void *values)
{
    TRY(check_range(vector, first, count, of_values));
    TRY(check_values(vector, first, count, of_values, values));
    return upload_values(vector->context->device, &vector->memory, vector->precision, first, count, of_values,
                         values);
}

vks_status vks_vector_read(const vks_vector *vector, uint32_t first, uint32_t count, vks_precision of_values,
                           void *values)
{
    TRY(check_range(vector, first, count, of_values));
    return download_values(vector->context->device, &vector->memory, vector->precision, first, count,
                           of_values, values);
}

vks_status vks_vector_fill(vks_vector *x, double value)
{
    context_begin(x->context);
    if (in_pairs(x->context->device, x->precision) && !pair_holds(value))
        return fail_range(x->context, "the value", value);
    return fill_vector(x, value);
}
