#include "abi/now.h"

#include "abi/header.h"
#include "abi/structs.h"

#include <stdlib.h>

vks_status vks_context_create_2(uint32_t header, const vks_context_options *options, vks_context **context)
{
    vks_context_options ours;
    struct message m = {0};
    vks_status s = header_check(&m, header);
    *context = NULL;
    if (!s)
        return vks_context_create_now(vks_context_options_in(header, options, &ours), context);
    if (options)
        context_leave_message(options, &m);
    return s;
}

vks_status vks_context_device_2(uint32_t header, vks_context *context, vks_device_info *info)
{
    vks_device_info ours, *to = vks_device_info_room(header, info, &ours);
    vks_status s = header_begin(context, header);
    if (!s)
        s = vks_context_device_now(context, to);
    if (!s)
        vks_device_info_out(header, to, info);
    return s;
}

vks_status vks_context_selftest_2(uint32_t header, vks_context *context, vks_selftest *result)
{
    vks_selftest ours, *to = vks_selftest_room(header, result, &ours);
    vks_status s = header_begin(context, header);
    if (!s)
        s = vks_context_selftest_now(context, to);
    if (!s)
        vks_selftest_out(header, to, result);
    return s;
}

vks_status vks_device_list_2(uint32_t header, vks_device_info *list, uint32_t capacity, uint32_t *count)
{
    size_t stride = layout_stride(&layout_vks_device_info, header);
    vks_device_info *found = NULL;
    *count = 0;
    vks_status s = header_check(NULL, header);
    if (!s)
        s = context_list_devices(&found, count);
    for (uint32_t i = 0; !s && i < *count && i < capacity; i++)
        vks_device_info_out(header, &found[i], (void *)((char *)list + i * stride));
    free(found);
    return s;
}
