/* Values of a batch: from the caller's order to slots. */
#include "solvers/batch/verbs.h"

static vks_status put_in_slots(vks_batch *q, reals from)
{
    struct rec r = rec_once(q->context->device, q->precision);
    batch_values(&r, q, from);
    return rec_run_once(&r, VKS_OK);
}

vks_status batch_take_values(vks_batch *q, vks_precision of_values, const void *values)
{
    struct device *d = q->context->device;
    struct memory from = {0};
    vks_status s = device_allocate(d, MEMORY_DEVICE, q->entries * (uint64_t)real_bytes(q->precision),
                                   "new values of a batch", &from);
    IF_OK(s, upload_values(d, &from, q->options.precision, 0, q->entries, of_values, values));
    IF_OK(s, put_in_slots(q, (reals)(uintptr_t)from.address));
    device_release(d, &from);
    return s;
}

vks_status vks_batch_update(vks_batch *q, vks_precision of_values, const void *values)
{
    context_begin(q->context);
    TRY(context_check_values(q->context, of_values));
    if (!values && q->entries)
        return fail(&q->context->message, VKS_INVALID_ARGUMENT, "the values are NULL");
    return batch_take_values(q, of_values, values);
}

vks_status vks_batch_update_from(vks_batch *q, const vks_vector *values)
{
    struct message *m = context_begin(q->context);
    if (values->context != q->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the batch and the values belong to different contexts");
    if (values->precision != q->options.precision)
        return fail(m, VKS_INVALID_ARGUMENT, "the batch and the values differ in precision");
    if (values->n != q->entries)
        return fail(m, VKS_INVALID_ARGUMENT, "the batch has %u values, and the vector %u", q->entries,
                    values->n);
    return put_in_slots(q, vector_address(values));
}
