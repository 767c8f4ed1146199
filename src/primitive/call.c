#include "primitive/call.h"

vks_status primitive_begin(struct primitive_call *c, const vks_array *x, uint32_t result_bytes, uint32_t n,
                           uint32_t item_bytes)
{
    struct device *d = x->context->device;
    *c = (struct primitive_call){.context = x->context};
    rec_create(&c->rec, d, precision_for(x->type));
    TRY(device_allocate(d, MEMORY_DEVICE, result_bytes, "a result", &c->result));
    return item_bytes ? reduction_create(d, n, reduction_rows(item_bytes), &c->reduction) : VKS_OK;
}

vks_status primitive_end(struct primitive_call *c, vks_status s, void *result, uint32_t result_bytes)
{
    struct device *d = c->context->device;
    IF_OK(s, rec_run(&c->rec));
    if (!s && result_bytes)
        s = device_read(d, &c->result, 0, result, result_bytes);
    rec_destroy(&c->rec);
    reduction_destroy(d, &c->reduction);
    device_release(d, &c->result);
    return s;
}
