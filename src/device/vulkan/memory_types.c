#include "device/vulkan/profile.h"

/* On a discrete GPU arrays live in memory that the host cannot access: kernels were measured up to three
 * times slower in host-visible memory. If host and device share their memory, and the host reads it through
 * its caches, arrays need no copy. */

enum {
    LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
    COHERENT = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT
};

/* The type with all `needed` properties that best matches `wished`, then `unwished`, then has the largest
 * heap; -1 if none. Types with unknown properties are excluded. */
static int best(const VkPhysicalDeviceMemoryProperties *memory, uint32_t allowed, uint32_t needed,
                uint32_t wished, uint32_t unwished)
{
    int found = -1, found_score = -1;
    uint64_t found_heap = 0;
    for (uint32_t i = 0; i < memory->memoryTypeCount; i++) {
        uint32_t flags = memory->memoryTypes[i].propertyFlags;
        uint64_t heap = memory->memoryHeaps[memory->memoryTypes[i].heapIndex].size;
        if (!(allowed >> i & 1) || (flags & needed) != needed ||
            (flags & ~(uint32_t)(LOCAL | VISIBLE | COHERENT | CACHED)))
            continue;
        int score = 2 * ((flags & wished) == wished) + !(flags & unwished);
        if (score > found_score || (score == found_score && heap > found_heap)) {
            found = (int)i;
            found_score = score;
            found_heap = heap;
        }
    }
    return found;
}

bool vulkan_memory_types_choose(const VkPhysicalDeviceMemoryProperties *memory, enum device_kind kind,
                                uint32_t allowed, struct vulkan_memory_types *types)
{
    int shared = best(memory, allowed, VISIBLE | COHERENT, CACHED, LOCAL);
    int device = best(memory, allowed, LOCAL, LOCAL, VISIBLE);
    int both = best(memory, allowed, LOCAL | VISIBLE | COHERENT | CACHED, LOCAL, 0);
    if (shared < 0 || device < 0)
        return false;

    bool one_memory = kind == DEVICE_INTEGRATED || kind == DEVICE_SOFTWARE;
    const VkMemoryType *list = memory->memoryTypes;
    types->unified =
        one_memory && both >= 0 &&
        memory->memoryHeaps[list[both].heapIndex].size >= memory->memoryHeaps[list[device].heapIndex].size;
    types->device = (uint32_t)(types->unified ? both : device);
    types->shared = (uint32_t)shared;
    return true;
}
