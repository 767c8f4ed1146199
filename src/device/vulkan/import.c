/* The caller's memory as a buffer on imported pages (VK_EXT_external_memory_host). */
#include "device/vulkan/vulkan.h"

#include <stdlib.h>

#define HANDLE VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT
#define USAGE                                                                \
    (VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | \
     VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)

/* Whether buffers can be bound to imported pages. */
static bool takes_pages(const struct vulkan *v)
{
    VkPhysicalDeviceExternalBufferInfo info = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
        .usage = USAGE,
        .handleType = HANDLE,
    };
    VkExternalBufferProperties has = {.sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES};
    if (!v->imports || !v->instance.vk.GetMemoryHostPointerPropertiesEXT)
        return false;
    v->instance.vk.GetPhysicalDeviceExternalBufferProperties(v->profile.physical, &info, &has);
    return has.externalMemoryProperties.externalMemoryFeatures & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
}

/* Finds an allowed memory type that is visible to the host and coherent. */
static bool choose_type(const struct vulkan *v, uint32_t allowed, uint32_t *type)
{
    const VkPhysicalDeviceMemoryProperties *memory = &v->profile.memory;
    const uint32_t needed = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    for (*type = 0; *type < memory->memoryTypeCount; ++*type)
        if (allowed >> *type & 1 && (memory->memoryTypes[*type].propertyFlags & needed) == needed)
            return true;
    return false;
}

static VkResult make_buffer(struct vulkan *v, struct block *b)
{
    VkExternalMemoryBufferCreateInfo external = {
        .sType = VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO,
        .handleTypes = HANDLE,
    };
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .pNext = &external,
        .size = b->bytes,
        .usage = USAGE,
    };
    return v->instance.vk.CreateBuffer(v->logical, &info, NULL, &b->buffer);
}

static VkResult make_memory(struct vulkan *v, struct block *b)
{
    const struct vulkan_api *vk = &v->instance.vk;
    VkMemoryHostPointerPropertiesEXT pages = {.sType = VK_STRUCTURE_TYPE_MEMORY_HOST_POINTER_PROPERTIES_EXT};
    VkMemoryRequirements needs;
    uint32_t type;
    vk->GetBufferMemoryRequirements(v->logical, b->buffer, &needs);
    VkResult r = vk->GetMemoryHostPointerPropertiesEXT(v->logical, HANDLE, b->mapped, &pages);
    if (r)
        return r;
    if (needs.size > b->bytes || !choose_type(v, needs.memoryTypeBits & pages.memoryTypeBits, &type))
        return VK_ERROR_FEATURE_NOT_PRESENT;
    VkImportMemoryHostPointerInfoEXT import = {
        .sType = VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT,
        .handleType = HANDLE,
        .pHostPointer = b->mapped,
    };
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = &import,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = b->bytes,
        .memoryTypeIndex = type,
    };
    r = vk->AllocateMemory(v->logical, &info, NULL, b->memory);
    b->pieces = !r;
    return r ? r : vk->BindBufferMemory(v->logical, b->buffer, b->memory[0], 0);
}

/* Makes the buffer on the pages at b->mapped. */
static VkResult make(struct vulkan *v, struct block *b)
{
    b->memory = calloc(1, sizeof *b->memory);
    if (!b->memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult r = make_buffer(v, b);
    IF_OK(r, make_memory(v, b));
    if (r)
        return r;
    VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = b->buffer,
    };
    b->address = v->instance.vk.GetBufferDeviceAddress(v->logical, &address);
    vulkan_name(v, VK_OBJECT_TYPE_BUFFER, (uint64_t)b->buffer, "pages of the program's");
    return VK_SUCCESS;
}

static vks_status refuse(struct vulkan *v, VkResult r)
{
    char room[24];
    if (r == VK_ERROR_DEVICE_LOST || r == VK_ERROR_OUT_OF_HOST_MEMORY)
        return vulkan_fail(v, r, "importing pages of the program");
    return fail(v->device.message, VKS_UNSUPPORTED, "%s cannot import these pages: %s", v->device.info.name,
                vulkan_result_name(r, room));
}

vks_status vulkan_import(struct device *d, void *host, uint64_t bytes, struct memory *out)
{
    struct vulkan *v = vulkan_of(d);
    uint64_t unit = v->profile.import_alignment;
    if (v->lost)
        return vulkan_fail(v, VK_ERROR_DEVICE_LOST, "importing pages of the program");
    if (!takes_pages(v) || (uintptr_t)host % unit || bytes % unit || bytes > d->info.largest_array)
        return refuse(v, VK_ERROR_FEATURE_NOT_PRESENT);
    struct block *b = calloc(1, sizeof *b);
    struct array *a = calloc(1, sizeof *a);
    VkResult r = VK_ERROR_OUT_OF_HOST_MEMORY;
    if (b && a) {
        *b = (struct block){.how = BLOCK_MAPPED, .kind = MEMORY_SHARED, .bytes = bytes, .mapped = host};
        r = make(v, b);
    }
    if (r) {
        if (b)
            vulkan_block_destroy(v, b);
        free(a);
        return refuse(v, r);
    }
    *a = (struct array){.block = b, .bytes = bytes};
    b->arrays = 1;
    v->wide_arrays += bytes > v->wide_bytes;
    *out = (struct memory){.address = b->address, .bytes = bytes, .mapped = host, .handle = a};
    return VKS_OK;
}
