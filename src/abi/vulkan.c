#include "abi/now.h"

#include "abi/header.h"
#include "abi/structs.h"
#include "vksolve/vulkan.h"

STRUCTS_OF_VULKAN(STRUCT_LAYOUT)

vks_status vks_vulkan_choose_features_2(uint32_t header, const vks_vulkan_device *device,
                                        vks_vulkan_features *features, char *message, size_t message_size)
{
    vks_vulkan_device ours;
    struct message m = {0};
    vks_status s = header_check(&m, header);
    if (!s)
        return vks_vulkan_choose_features_now(layout_in(&layout_vks_vulkan_device, header, device, &ours),
                                              features, message, message_size);
    context_leave_message(&(vks_context_options){.message = message, .message_size = message_size}, &m);
    return s;
}

vks_status vks_context_create_vulkan_2(uint32_t header, const vks_vulkan_device *device,
                                       const vks_context_options *options, vks_context **context)
{
    vks_vulkan_device ours;
    vks_context_options asked;
    struct message m = {0};
    vks_status s = header_check(&m, header);
    *context = NULL;
    if (!s)
        return vks_context_create_vulkan_now(layout_in(&layout_vks_vulkan_device, header, device, &ours),
                                             vks_context_options_in(header, options, &asked), context);
    if (options)
        context_leave_message(options, &m);
    return s;
}
