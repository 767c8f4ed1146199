/* A driver that emulates sparse binding, between vksolve and lavapipe, which has none.
 *
 *   - a buffer for sparse binding gets ordinary memory once it is bound, so that kernels and transfers work
 * in it; the bindings are recorded and checked;
 *   - the k-th call that can fail fails on demand;
 *   - buffers and allocations are counted, and memory that is freed before its buffer is found. */
#ifndef VKS_TESTS_SPARSE_DRIVER_H
#define VKS_TESTS_SPARSE_DRIVER_H

#include "own_device.h"

enum { PIECES_KEPT = 128, BUFFERS_KEPT = 64, SPARSE_ALIGNMENT = 65536 };

struct sparse_piece {
    VkDeviceMemory memory;
    VkBuffer buffer; /* it is bound to */
    uint64_t bytes;
};

struct sparse_buffer {
    VkBuffer buffer;
    VkDeviceMemory behind;
    uint64_t bytes; /* of its requirements */
    uint32_t pieces;
};

static struct {
    PFN_vkGetInstanceProcAddr instance;
    PFN_vkGetDeviceProcAddr device;
    struct vulkan_api real;
    VkBool32 feature;
    VkQueueFlags without; /* flags that its queues lack */
    uint64_t largest_allocation, address_space;
    uint32_t types; /* memory types that a sparse buffer supports */
    struct sparse_piece piece[PIECES_KEPT];
    struct sparse_buffer buffer[BUFFERS_KEPT];
    uint32_t buffers, allocations; /* alive, all kinds */
    uint32_t binds, bound;         /* calls, and the pieces of the last */
    uint32_t calls, fail_call;
    VkResult failure; /* VK_TIMEOUT: the binding never completes */
    VkResult wait;    /* the result of waits for such a binding, if not VK_TIMEOUT */
    int locked;
    uint32_t locks;
} sparse;

static inline bool sparse_fails(void)
{
    return ++sparse.calls == sparse.fail_call;
}

static inline struct sparse_buffer *sparse_buffer_of(VkBuffer buffer)
{
    for (uint32_t i = 0; i < BUFFERS_KEPT; i++)
        if (sparse.buffer[i].buffer == buffer)
            return &sparse.buffer[i];
    return NULL;
}

static inline struct sparse_piece *sparse_piece_of(VkDeviceMemory memory)
{
    for (uint32_t i = 0; i < PIECES_KEPT; i++)
        if (sparse.piece[i].memory == memory)
            return &sparse.piece[i];
    return NULL;
}

static VkResult VKAPI_PTR sparse_create(VkDevice device, const VkBufferCreateInfo *info,
                                        const VkAllocationCallbacks *callbacks, VkBuffer *buffer)
{
    VkBufferCreateInfo plain = *info;
    plain.flags = 0;
    if (sparse_fails())
        return sparse.failure;
    VkResult r = sparse.real.CreateBuffer(device, &plain, callbacks, buffer);
    cr_assert(info->flags == 0 || info->flags == VK_BUFFER_CREATE_SPARSE_BINDING_BIT);
    if (!r && info->flags) {
        struct sparse_buffer *b = sparse_buffer_of(VK_NULL_HANDLE);
        cr_assert_not_null(b);
        *b = (struct sparse_buffer){.buffer = *buffer};
    }
    sparse.buffers += !r;
    return r;
}

static void VKAPI_PTR sparse_requirements(VkDevice device, VkBuffer buffer, VkMemoryRequirements *needs)
{
    sparse.real.GetBufferMemoryRequirements(device, buffer, needs);
    struct sparse_buffer *b = sparse_buffer_of(buffer);
    if (!b)
        return;
    needs->alignment = SPARSE_ALIGNMENT;
    needs->size = (needs->size + SPARSE_ALIGNMENT - 1) / SPARSE_ALIGNMENT * SPARSE_ALIGNMENT;
    needs->memoryTypeBits &= sparse.types;
    b->bytes = needs->size;
}

/* The allocations and buffers of a device without arrays: vulkan->zeros. */
enum { ZEROS = 1 };

static VkResult VKAPI_PTR sparse_allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                                          const VkAllocationCallbacks *callbacks, VkDeviceMemory *memory)
{
    if (sparse_fails())
        return sparse.failure;
    VkResult r = sparse.real.AllocateMemory(device, info, callbacks, memory);
    if (r)
        return r;
    const VkMemoryAllocateFlagsInfo *flags = info->pNext;
    cr_assert_eq(flags->sType, VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO);
    cr_expect(flags->flags & VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT);
    if (!flags->pNext) { /* not dedicated: a piece */
        cr_expect_leq(info->allocationSize, sparse.largest_allocation);
        struct sparse_piece *p = sparse_piece_of(VK_NULL_HANDLE);
        cr_assert_not_null(p);
        *p = (struct sparse_piece){.memory = *memory, .bytes = info->allocationSize};
    }
    sparse.allocations++;
    return VK_SUCCESS;
}

static void VKAPI_PTR sparse_destroy(VkDevice device, VkBuffer buffer, const VkAllocationCallbacks *callbacks)
{
    struct sparse_buffer *b = buffer ? sparse_buffer_of(buffer) : NULL;
    sparse.real.DestroyBuffer(device, buffer, callbacks);
    sparse.buffers -= buffer != VK_NULL_HANDLE;
    if (!b)
        return;
    sparse.real.FreeMemory(device, b->behind, callbacks);
    for (uint32_t i = 0; i < PIECES_KEPT; i++)
        if (sparse.piece[i].buffer == buffer)
            sparse.piece[i].buffer = VK_NULL_HANDLE;
    *b = (struct sparse_buffer){0};
}

static void VKAPI_PTR sparse_free(VkDevice device, VkDeviceMemory memory,
                                  const VkAllocationCallbacks *callbacks)
{
    struct sparse_piece *p = memory ? sparse_piece_of(memory) : NULL;
    sparse.real.FreeMemory(device, memory, callbacks);
    sparse.allocations -= memory != VK_NULL_HANDLE;
    if (!p)
        return;
    cr_expect(p->buffer == VK_NULL_HANDLE, "memory was freed before the buffer that it is bound to");
    *p = (struct sparse_piece){0};
}

/* Every byte of the buffer is bound once, to its own memory, and all of that memory is used. */
static inline void sparse_check(struct sparse_buffer *b, const VkSparseBufferMemoryBindInfo *info)
{
    uint64_t end = 0;
    for (uint32_t k = 0; k < info->bindCount; k++) {
        const VkSparseMemoryBind *bind = &info->pBinds[k];
        struct sparse_piece *p = sparse_piece_of(bind->memory);
        cr_assert(bind->memory && p, "bound to memory that is no piece");
        cr_expect(p->buffer == VK_NULL_HANDLE, "memory is bound twice");
        cr_expect_eq(bind->resourceOffset, end);
        cr_expect_eq(bind->memoryOffset, 0);
        cr_expect_eq(bind->size, p->bytes);
        cr_expect_eq(bind->flags, 0);
        cr_expect_eq(bind->resourceOffset % SPARSE_ALIGNMENT + bind->size % SPARSE_ALIGNMENT, 0);
        end += bind->size;
        p->buffer = b->buffer;
    }
    cr_expect_eq(end, b->bytes, "%llu bytes of %llu are bound", (unsigned long long)end,
                 (unsigned long long)b->bytes);
    b->pieces = sparse.bound = info->bindCount;
}

/* Puts ordinary memory in place of the pieces. */
static inline void sparse_put_behind(struct sparse_buffer *b, VkDevice device)
{
    VkMemoryRequirements needs;
    sparse.real.GetBufferMemoryRequirements(device, b->buffer, &needs);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = &flags,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits)};
    cr_assert_eq(sparse.real.AllocateMemory(device, &memory, NULL, &b->behind), VK_SUCCESS);
    cr_assert_eq(sparse.real.BindBufferMemory(device, b->buffer, b->behind, 0), VK_SUCCESS);
}

static VkDevice sparse_logical;

static VkResult VKAPI_PTR sparse_bind(VkQueue queue, uint32_t count, const VkBindSparseInfo *info,
                                      VkFence fence)
{
    cr_assert_eq(count, 1);
    cr_assert_eq(info->bufferBindCount, 1);
    sparse.binds++;
    if (sparse.locks)
        cr_expect_eq(sparse.locked, 1, "the queue is not locked");
    if (sparse_fails() && sparse.failure != VK_TIMEOUT)
        return sparse.failure;
    struct sparse_buffer *b = sparse_buffer_of(info->pBufferBinds->buffer);
    cr_assert_not_null(b, "binds a buffer that is not for it");
    sparse_check(b, info->pBufferBinds);
    sparse_put_behind(b, sparse_logical);
    if (sparse.calls == sparse.fail_call)
        return VK_SUCCESS;
    VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo signal = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                           .pNext = info->pNext,
                           .waitSemaphoreCount = info->waitSemaphoreCount,
                           .pWaitSemaphores = info->pWaitSemaphores,
                           .pWaitDstStageMask = &all,
                           .signalSemaphoreCount = info->signalSemaphoreCount,
                           .pSignalSemaphores = info->pSignalSemaphores};
    return sparse.real.QueueSubmit(queue, 1, &signal, fence);
}

/* Shortens hopeless waits: a minute becomes a millisecond. */
static VkResult VKAPI_PTR sparse_wait(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout)
{
    bool hangs = sparse.failure == VK_TIMEOUT && sparse.fail_call && sparse.calls >= sparse.fail_call;
    if (hangs && sparse.wait != VK_TIMEOUT)
        return sparse.wait;
    return sparse.real.WaitSemaphores(device, info, hangs ? timeout / 60000 / 20 : timeout);
}

static void VKAPI_PTR sparse_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *f)
{
    sparse.real.GetPhysicalDeviceFeatures2(physical, f);
    f->features.sparseBinding = sparse.feature;
}

static void VKAPI_PTR sparse_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *p)
{
    sparse.real.GetPhysicalDeviceProperties2(physical, p);
    p->properties.limits.sparseAddressSpaceSize = sparse.address_space;
    for (VkBaseOutStructure *s = (void *)p; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES)
            ((VkPhysicalDeviceVulkan11Properties *)(void *)s)->maxMemoryAllocationSize =
                sparse.largest_allocation;
}

static void VKAPI_PTR sparse_families(VkPhysicalDevice physical, uint32_t *count,
                                      VkQueueFamilyProperties *list)
{
    sparse.real.GetPhysicalDeviceQueueFamilyProperties(physical, count, list);
    for (uint32_t i = 0; list && i < *count; i++)
        list[i].queueFlags = (list[i].queueFlags | VK_QUEUE_SPARSE_BINDING_BIT) & ~sparse.without;
}

struct sparse_function {
    const char *name;
    PFN_vkVoidFunction function;
};

static inline PFN_vkVoidFunction sparse_among(const struct sparse_function *list, size_t count,
                                              const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name))
            return list[i].function;
    return NULL;
}

#define SPARSE_FUNCTION(name, function)          \
    {                                            \
        "vk" #name, (PFN_vkVoidFunction)function \
    }

static PFN_vkVoidFunction VKAPI_PTR sparse_of_device(VkDevice device, const char *name)
{
    static const struct sparse_function list[] = {
        SPARSE_FUNCTION(CreateBuffer, sparse_create),
        SPARSE_FUNCTION(GetBufferMemoryRequirements, sparse_requirements),
        SPARSE_FUNCTION(AllocateMemory, sparse_allocate),
        SPARSE_FUNCTION(DestroyBuffer, sparse_destroy),
        SPARSE_FUNCTION(FreeMemory, sparse_free),
        SPARSE_FUNCTION(QueueBindSparse, sparse_bind),
        SPARSE_FUNCTION(WaitSemaphores, sparse_wait),
    };
    PFN_vkVoidFunction f = sparse_among(list, sizeof list / sizeof *list, name);
    return f ? f : sparse.device(device, name);
}

static PFN_vkVoidFunction VKAPI_PTR sparse_of_instance(VkInstance instance, const char *name)
{
    static const struct sparse_function list[] = {
        SPARSE_FUNCTION(GetDeviceProcAddr, sparse_of_device),
        SPARSE_FUNCTION(GetPhysicalDeviceFeatures2, sparse_features),
        SPARSE_FUNCTION(GetPhysicalDeviceProperties2, sparse_properties),
        SPARSE_FUNCTION(GetPhysicalDeviceQueueFamilyProperties, sparse_families),
    };
    PFN_vkVoidFunction f = sparse_among(list, sizeof list / sizeof *list, name);
    return f ? f : sparse.instance(instance, name);
}

static void sparse_lock(void *locked)
{
    cr_expect_eq(++*(int *)locked, 1);
    sparse.locks++;
}

static void sparse_unlock(void *locked)
{
    --*(int *)locked;
}

/* The program's device, whose driver has sparse binding and allocates up to `largest_allocation` at once. */
static inline void sparse_open(struct app *a, uint64_t largest_allocation)
{
    app_open(a);
    memset(&sparse, 0, sizeof sparse);
    sparse.instance = a->vk.GetInstanceProcAddr;
    sparse.device = a->vk.GetDeviceProcAddr;
    sparse.real = a->vk;
    sparse.feature = VK_TRUE;
    sparse.types = UINT32_MAX;
    sparse.wait = VK_TIMEOUT;
    sparse.largest_allocation = largest_allocation;
    sparse.address_space = (uint64_t)1 << 40;
    sparse_logical = a->own.device;
    a->features.core.features.sparseBinding = VK_TRUE; /* as if it had been created so */
    a->own.get_instance_proc_addr = sparse_of_instance;
    a->own.lock_queue = sparse_lock;
    a->own.unlock_queue = sparse_unlock;
    a->own.user = &sparse.locked;
}

static inline struct device *sparse_device(struct app *a, struct device_options o)
{
    struct device *d = NULL;
    o.no_pipeline_cache = true;
    o.unasked = true;
    must(vulkan_create_in(&message, &o, &a->own, &d));
    return d;
}

/* Checks that nothing is left. */
static inline void sparse_close(struct app *a)
{
    cr_expect_eq(sparse.buffers, 0, "%u buffers are left", sparse.buffers);
    cr_expect_eq(sparse.allocations, 0, "%u allocations are left", sparse.allocations);
    cr_expect_eq(sparse.locked, 0);
    app_close(a);
}

#endif
