/* Vectors in the program's own Vulkan memory. */
#include "device/vulkan/vulkan.h"
#include "vector/vector.h"

static vks_status check(vks_context *context, uint32_t n, vks_precision precision, struct vulkan **v)
{
    context_begin(context);
    TRY(vulkan_borrowed(context, v));
    if (in_pairs(context->device, precision))
        return fail(&context->message, VKS_UNSUPPORTED,
                    "%s has no 64-bit floats: vectors of VKS_F64 are pairs there, and buffers are not",
                    context->device->info.name);
    return vector_check(context, n, precision);
}

static uint64_t bytes_of(uint32_t n, vks_precision precision)
{
    return (uint64_t)n * real_bytes(precision_of(precision));
}

static vks_status wrap(vks_context *context, struct vulkan *v, uint64_t address, uint32_t n,
                       vks_precision precision, vks_vector **vector)
{
    uint32_t element = real_bytes(precision_of(precision));
    if (!address || address % element)
        return fail(&context->message, VKS_INVALID_ARGUMENT, "a vector at address 0x%llx, which is %s",
                    (unsigned long long)address,
                    !address       ? "none"
                    : element == 4 ? "no multiple of 4"
                                   : "no multiple of 8");
    if (bytes_of(n, precision) > LARGEST_NARROW && !v->profile.features.core.features.shaderInt64)
        return fail(&context->message, VKS_UNSUPPORTED,
                    "a vector of %llu bytes: without shaderInt64 the most is %llu",
                    (unsigned long long)bytes_of(n, precision), (unsigned long long)LARGEST_NARROW);
    struct memory m;
    TRY(vulkan_wrap(v, address, bytes_of(n, precision), &m));
    vks_status s = vector_in_memory(context, n, precision, m, vector);
    if (s)
        device_release(context->device, &m);
    return s;
}

vks_status vks_vector_wrap_address(vks_context *context, VkDeviceAddress address, uint32_t n,
                                   vks_precision precision, vks_vector **vector)
{
    struct vulkan *v;
    *vector = NULL;
    TRY(check(context, n, precision, &v));
    return wrap(context, v, address, n, precision, vector);
}

vks_status vks_vector_wrap_buffer(vks_context *context, VkBuffer buffer, VkDeviceSize offset, uint32_t n,
                                  vks_precision precision, vks_vector **vector)
{
    struct vulkan *v;
    *vector = NULL;
    TRY(check(context, n, precision, &v));
    struct message *m = &context->message;
    if (!buffer)
        return fail(m, VKS_INVALID_ARGUMENT, "the buffer is VK_NULL_HANDLE");
    const struct vulkan_api *vk = &v->instance.vk;
    VkMemoryRequirements has; /* its size, rounded up: the closest that Vulkan reports */
    vk->GetBufferMemoryRequirements(v->logical, buffer, &has);
    uint64_t bytes = bytes_of(n, precision);
    if (offset > has.size || bytes > has.size - offset)
        return fail(m, VKS_INVALID_ARGUMENT, "a vector of %llu bytes at %llu leaves its buffer of %llu",
                    (unsigned long long)bytes, (unsigned long long)offset, (unsigned long long)has.size);
    VkBufferDeviceAddressInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = buffer,
    };
    VkDeviceAddress start = vk->GetBufferDeviceAddress(v->logical, &info);
    if (!start)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the buffer has no address: it needs VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT");
    return wrap(context, v, start + offset, n, precision, vector);
}
