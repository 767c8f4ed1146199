#include "support/without_f64.h"
#include "device/context.h"

vks_status open_without_f64(const vks_context_options *o, vks_context **context)
{
    struct device_options inner = context_device_options(o);
    struct message m = {0};
    inner.without_f64 = true;
    vks_status s = context_open(&m, o->device, &inner, context);
    context_leave_message(o, &m);
    return s;
}
