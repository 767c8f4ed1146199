/* Blocks: a buffer, its memory in one or more pieces, and their binding. */
#include "device/vulkan/vulkan.h"

#include <stdlib.h>

bool vulkan_block_room(struct vulkan *v, uint32_t type, uint64_t *bytes)
{
    if (!v->profile.extensions.memory_budget)
        return false;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT,
    };
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2,
        .pNext = &budget,
    };
    v->instance.vk.GetPhysicalDeviceMemoryProperties2(v->profile.physical, &memory);
    uint32_t heap = v->profile.memory.memoryTypes[type].heapIndex;
    uint64_t most = budget.heapBudget[heap], used = budget.heapUsage[heap];
    *bytes = used < most ? most - used : 0;
    return most != 0; /* a zero budget means unknown */
}

VkResult vulkan_block_buffer(struct vulkan *v, struct block *b)
{
    VkBufferCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
        .flags = b->how == BLOCK_SPLIT ? VK_BUFFER_CREATE_SPARSE_BINDING_BIT : 0,
        .size = b->bytes,
        .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                 VK_BUFFER_USAGE_TRANSFER_DST_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
    };
    return v->instance.vk.CreateBuffer(v->logical, &info, NULL, &b->buffer);
}

static VkResult make_piece(struct vulkan *v, uint32_t type, struct block *b, uint64_t bytes)
{
    VkMemoryDedicatedAllocateInfo dedicated = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_DEDICATED_ALLOCATE_INFO,
        .buffer = b->buffer,
    };
    VkMemoryAllocateFlagsInfo flags = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
        .pNext = b->how == BLOCK_SPLIT ? NULL : &dedicated,
        .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
    };
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .pNext = &flags,
        .allocationSize = bytes,
        .memoryTypeIndex = type,
    };
    VkResult r = v->instance.vk.AllocateMemory(v->logical, &info, NULL, &b->memory[b->pieces]);
    b->pieces += !r;
    return r;
}

/* Binds the pieces one after the other. All but the last have `piece` bytes. */
static VkResult bind_pieces(struct vulkan *v, const struct block *b, uint64_t piece, uint64_t bytes)
{
    VkSparseMemoryBind *list = calloc(b->pieces, sizeof *list);
    if (!list)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    for (uint64_t k = 0; k < b->pieces; k++)
        list[k] = (VkSparseMemoryBind){
            .resourceOffset = k * piece,
            .size = least(piece, bytes - k * piece),
            .memory = b->memory[k],
        };
    VkResult r = vulkan_bind(v, &(VkSparseBufferMemoryBindInfo){b->buffer, b->pieces, list});
    free(list);
    return r;
}

static VkResult make_memory(struct vulkan *v, uint32_t type, struct block *b)
{
    VkMemoryRequirements needs;
    v->instance.vk.GetBufferMemoryRequirements(v->logical, b->buffer, &needs);
    uint64_t piece = needs.size;
    if (b->how == BLOCK_SPLIT) { /* whole alignments, at least one */
        uint64_t most = v->piece_bytes > needs.alignment ? v->piece_bytes : needs.alignment;
        piece = most / needs.alignment * needs.alignment;
    }
    uint64_t pieces = (needs.size + piece - 1) / piece;
    b->memory = calloc(pieces, sizeof *b->memory);
    if (!b->memory)
        return VK_ERROR_OUT_OF_HOST_MEMORY;
    VkResult r = VK_SUCCESS;
    for (uint64_t k = 0; !r && k < pieces; k++)
        r = make_piece(v, type, b, least(piece, needs.size - k * piece));
    if (r)
        return r;
    return b->how == BLOCK_SPLIT ? bind_pieces(v, b, piece, needs.size)
                                 : v->instance.vk.BindBufferMemory(v->logical, b->buffer, b->memory[0], 0);
}

static void unmake(struct vulkan *v, struct block *b)
{
    v->instance.vk.DestroyBuffer(v->logical, b->buffer, NULL);
    while (b->pieces)
        v->instance.vk.FreeMemory(v->logical, b->memory[--b->pieces], NULL);
    free(b->memory);
    b->buffer = VK_NULL_HANDLE;
    b->memory = NULL;
}

VkResult vulkan_block_make(struct vulkan *v, uint32_t type, struct block *b)
{
    void *mapped = NULL;
    VkResult r = vulkan_block_buffer(v, b);
    IF_OK(r, make_memory(v, type, b));
    if (!r && b->how == BLOCK_MAPPED)
        r = v->instance.vk.MapMemory(v->logical, b->memory[0], 0, VK_WHOLE_SIZE, 0, &mapped);
    if (r == VK_TIMEOUT)
        free(b->memory); /* leaks buffer and pieces: a hung queue may still bind them */
    else if (r)
        unmake(v, b);
    b->mapped = mapped;
    return r;
}

void vulkan_block_destroy(struct vulkan *v, struct block *b)
{
    unmake(v, b);
    free(b);
}
