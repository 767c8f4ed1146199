/* The calls of vksolve/vulkan.h except calls on vectors: contexts in a program's device, and semaphores. */
#include "abi/abi.h"
#include "device/context.h"
#include "device/vulkan/vulkan.h"

#include <stdio.h>

static vks_status lacks(struct message *m, const char *what)
{
    return fail(m, VKS_INVALID_ARGUMENT, "vks_vulkan_device has no %s", what);
}

static vks_status check_physical(struct message *m, const vks_vulkan_device *own)
{
    if (!own->instance)
        return lacks(m, "instance");
    if (!own->physical_device)
        return lacks(m, "physical_device");
    if (own->api_version < VK_API_VERSION_1_2)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "vksolve needs Vulkan 1.2; vks_vulkan_device.api_version says that the instance has "
                    "version %u.%u",
                    VK_API_VERSION_MAJOR(own->api_version), VK_API_VERSION_MINOR(own->api_version));
    return VKS_OK;
}

static vks_status check_device(struct message *m, const vks_vulkan_device *own)
{
    if (!own->device)
        return lacks(m, "device");
    if (!own->created_with)
        return lacks(m, "created_with, which lists the features of its device");
    if (!own->queue)
        return lacks(m, "queue");
    if (!own->lock_queue != !own->unlock_queue)
        return lacks(m, own->lock_queue ? "unlock_queue to match its lock_queue"
                                        : "lock_queue to match its unlock_queue");
    return VKS_OK;
}

static vks_status check_options(struct message *m, const vks_context_options *o)
{
    if (o->device)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "vks_context_options.device is \"%.100s\", but the device is given already", o->device);
    if (o->validate)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the validation layer belongs to the instance, which is the program's: enable it there");
    return context_check_threads(m, o);
}

vks_status vks_vulkan_choose_features_as(uint32_t header, const vks_vulkan_device *device,
                                         vks_vulkan_features *features, char *message, size_t message_size)
{
    struct message m = {0};
    struct vulkan_instance instance = {0};
    struct vulkan_profile profile;
    *features = (vks_vulkan_features){0};
    vks_status s = abi_check(header, m.text, sizeof m.text);
    IF_OK(s, check_physical(&m, device));
    IF_OK(s, vulkan_instance_borrow(&m, device, &instance));
    IF_OK(s, vulkan_profile_read(&m, &instance, device->physical_device, 0, NULL, &profile));
    vulkan_instance_close(&instance);
    const struct device_listing *found = &profile.listing;
    if (!s && !found->usable)
        s = fail(&m, VKS_UNSUPPORTED, "%s cannot be used: %s", found->info.name, found->why_not);
    if (!s)
        vulkan_features_choose(&profile, found->info.f64, features);
    context_leave_message(&(vks_context_options){.message = message, .message_size = message_size}, &m);
    return s;
}

vks_status vks_context_create_vulkan_as(uint32_t header, const vks_vulkan_device *device,
                                        const vks_context_options *options, vks_context **context)
{
    const vks_context_options o = vks_context_options_in(header, options);
    struct device_options device_options = context_device_options(&o);
    struct message m = {0};
    struct device *opened = NULL;
    *context = NULL;
    vks_status s = abi_check(header, m.text, sizeof m.text);
    IF_OK(s, check_physical(&m, device));
    IF_OK(s, check_device(&m, device));
    IF_OK(s, check_options(&m, &o));
    IF_OK(s, vulkan_create_in(&m, &device_options, device, &opened));
    IF_OK(s, context_of(&m, opened, context));
    if (!s)
        context_defer(*context, o.deferred);
    context_leave_message(&o, &m);
    return s;
}

vks_status vulkan_borrowed(vks_context *context, struct vulkan **v)
{
    struct device *d = context->device;
    if (device_is_forked(d)) {
        (void)device_wait(d, 0, 0); /* fails and sets the message */
        return VKS_UNSUPPORTED;
    }
    if (d->info.kind == DEVICE_HOST || !vulkan_of(d)->own.device)
        return fail(
            &context->message, VKS_INVALID_ARGUMENT,
            "the context is not in a Vulkan device of the program's: vks_context_create_vulkan makes one");
    *v = vulkan_of(d);
    return VKS_OK;
}

/* Begins a call with a semaphore. */
static vks_status begin(vks_context *context, VkSemaphore semaphore, struct vulkan **v)
{
    context_begin(context);
    TRY(vulkan_borrowed(context, v));
    return semaphore ? VKS_OK
                     : fail(&context->message, VKS_INVALID_ARGUMENT, "the semaphore is VK_NULL_HANDLE");
}

vks_status vks_context_wait_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value)
{
    struct vulkan *v;
    TRY(begin(context, semaphore, &v));
    return vulkan_semaphore_wait(v, semaphore, value);
}

vks_status vks_context_signal_semaphore(vks_context *context, VkSemaphore semaphore, uint64_t value)
{
    struct vulkan *v;
    TRY(begin(context, semaphore, &v));
    return vulkan_semaphore_signal(v, semaphore, value);
}
