/* Replaces the other files of this folder in a build without Vulkan. */
#include "abi/abi.h"
#include "device/context.h"

#ifdef VKS_NO_VULKAN

#include "vksolve/vulkan.h" /* with Vulkan's types by absent/ */

static vks_status none(struct message *m)
{
    return fail(m, VKS_NO_DEVICE, "vksolve was built without Vulkan");
}

vks_status device_vulkan_create(struct message *m, const struct device_options *o, struct device **out)
{
    (void)o;
    *out = NULL;
    return none(m);
}

vks_status device_vulkan_list(struct message *m, struct device_listing **list, uint32_t *count)
{
    *list = NULL;
    *count = 0;
    return none(m);
}

static vks_status none_here(vks_context *context)
{
    return none(context_begin(context));
}

static vks_status leave_none(const vks_context_options *options)
{
    struct message m = {0};
    vks_status s = none(&m);
    context_leave_message(options, &m);
    return s;
}

vks_status vks_vulkan_choose_features_as(uint32_t header, const vks_vulkan_device *device,
                                         vks_vulkan_features *features, char *message, size_t message_size)
{
    (void)header;
    (void)device;
    (void)features;
    return leave_none(&(vks_context_options){.message = message, .message_size = message_size});
}

vks_status vks_context_create_vulkan_as(uint32_t header, const vks_vulkan_device *device,
                                        const vks_context_options *options, vks_context **context)
{
    const vks_context_options o = vks_context_options_in(header, options);
    (void)device;
    *context = NULL;
    return leave_none(&o);
}

vks_status vks_vector_wrap_buffer(vks_context *context, VkBuffer buffer, uint64_t offset, uint32_t n,
                                  vks_precision precision, vks_vector **vector)
{
    (void)buffer;
    (void)offset;
    (void)n;
    (void)precision;
    *vector = NULL;
    return none_here(context);
}

vks_status vks_vector_wrap_address(vks_context *context, uint64_t address, uint32_t n,
                                   vks_precision precision, vks_vector **vector)
{
    (void)address;
    (void)n;
    (void)precision;
    *vector = NULL;
    return none_here(context);
}

vks_status vks_context_wait_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value)
{
    (void)semaphore;
    (void)value;
    return none_here(context);
}

vks_status vks_context_signal_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value)
{
    (void)semaphore;
    (void)value;
    return none_here(context);
}

uint32_t device_vulkan_messages(const struct device *d)
{
    (void)d;
    return 0;
}

#endif
