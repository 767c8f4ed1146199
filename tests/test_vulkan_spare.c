/* Released blocks of large arrays: which array reuses one, and when they return to the driver. */
#include "vulkan_device.h"

#include <stdlib.h>

#define MIB ((uint64_t)1 << 20)

static PFN_vkAllocateMemory real_allocate;
static PFN_vkFreeMemory real_free;
static int allocated, freed, freed_before_last; /* the last one at the time of the last allocation request */
static int failures;                            /* number of failures to come */
static VkResult failure;
static VkDeviceMemory last_freed;

static VKAPI_ATTR VkResult VKAPI_CALL counted_allocate(VkDevice device, const VkMemoryAllocateInfo *info,
                                                       const VkAllocationCallbacks *callbacks,
                                                       VkDeviceMemory *memory)
{
    freed_before_last = freed;
    if (failures && failures--)
        return failure;
    VkResult r = real_allocate(device, info, callbacks, memory);
    allocated += !r;
    return r;
}

static VKAPI_ATTR void VKAPI_CALL counted_free(VkDevice device, VkDeviceMemory memory,
                                               const VkAllocationCallbacks *callbacks)
{
    freed += memory != VK_NULL_HANDLE;
    last_freed = memory;
    real_free(device, memory, callbacks);
}

/* Without the driver's budget, which depends on other processes. */
static struct device *open_counted(struct device_options o)
{
    struct device *d = open_tested(o);
    struct vulkan *v = vulkan_of(d);
    real_allocate = v->instance.vk.AllocateMemory;
    real_free = v->instance.vk.FreeMemory;
    v->instance.vk.AllocateMemory = counted_allocate;
    v->instance.vk.FreeMemory = counted_free;
    v->profile.extensions.memory_budget = false;
    v->device.info.memory = (uint64_t)1 << 40;
    return d;
}

static void close_counted(struct device *d)
{
    close_clean(d);
    freed--; /* v->zeros */
    cr_expect_eq(allocated, freed, "%d allocations, %d of them freed", allocated, freed);
}
END_BY(counted_end, struct device, close_counted)

static struct memory new_large(struct device *d, uint64_t bytes)
{
    return new_array(d, MEMORY_DEVICE, bytes);
}

static void keep_one(struct device *d, uint64_t bytes)
{
    struct memory m = new_large(d, bytes);
    device_release(d, &m);
    cr_assert(vulkan_of(d)->spare);
}

static VkDeviceMemory memory_of(struct memory m)
{
    const struct array *a = m.handle;
    return a->block->memory[0];
}

/* Whether an array is served without an allocation after one of 8 MiB was released. */
static bool served(struct device *d, enum memory_kind kind, uint64_t bytes)
{
    vulkan_spare_drop(vulkan_of(d));
    keep_one(d, 8 * MIB);
    uint64_t place = vulkan_of(d)->spare->address;
    int before = allocated;
    struct memory m = new_array(d, kind, bytes);
    bool same = m.address == place;
    cr_expect_eq(allocated == before, same);
    cr_expect_eq(m.bytes, bytes);
    device_release(d, &m);
    return same;
}

Test(vulkan_spare, a_released_block_serves_the_next_array_of_about_its_size)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    cr_expect(served(d, MEMORY_DEVICE, 8 * MIB));
    cr_expect(served(d, MEMORY_DEVICE, 7 * MIB), "an eighth smaller");
    cr_expect_not(served(d, MEMORY_DEVICE, 7 * MIB - 1));
    cr_expect_not(served(d, MEMORY_DEVICE, 2 * MIB));
    cr_expect_not(served(d, MEMORY_DEVICE, 8 * MIB + 1));
    cr_expect_not(served(d, MEMORY_SHARED, 8 * MIB));
}

Test(vulkan_spare, a_block_that_served_a_smaller_array_is_kept_whole)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    keep_one(d, 8 * MIB);
    keep_one(d, 7 * MIB);
    cr_expect_eq(vulkan_of(d)->spare_bytes, 8 * MIB);
    keep_one(d, 8 * MIB);
    cr_expect_eq(allocated, 1);
}

Test(vulkan_spare, the_block_that_fits_best_is_taken)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    static const uint64_t sizes[] = {80, 76, 78};
    struct memory m[3];
    for (int i = 0; i < 3; i++)
        m[i] = new_large(d, sizes[i] * MIB / 8);
    uint64_t place = m[1].address;
    for (int i = 0; i < 3; i++)
        device_release(d, &m[i]);
    m[0] = new_large(d, 75 * MIB / 8);
    cr_expect_eq(m[0].address, place);
    device_release(d, &m[0]);
}

Test(vulkan_spare, small_and_shared_arrays_are_not_kept)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    keep_one(d, MIB);
    struct memory small = new_large(d, MIB - 1), shared = new_array(d, MEMORY_SHARED, 2 * MIB);
    cr_expect_eq(allocated, 3);
    device_release(d, &shared);
    cr_expect_eq(freed, 1);
    device_release(d, &small);
    cr_expect_eq(vulkan_of(d)->spares, 1);
}

Test(vulkan_spare, an_eighth_of_the_memory_may_lie_spare)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    v->device.info.memory = 8 * 8 * MIB;
    struct memory a = new_large(d, 3 * MIB), b = new_large(d, 5 * MIB), c = new_large(d, 2 * MIB);
    struct memory large = new_large(d, 8 * MIB + 1);
    VkDeviceMemory first = memory_of(a);
    device_release(d, &a);
    device_release(d, &b);
    cr_expect_eq(freed, 0);
    cr_expect_eq(v->spare_bytes, 8 * MIB);
    device_release(d, &c);
    cr_expect_eq(freed, 1);
    cr_expect_eq(last_freed, first, "the oldest goes");
    device_release(d, &large);
    cr_expect_eq(freed, 2, "one that is too large alone");
    cr_expect_eq(v->spare_bytes, 7 * MIB, "the others stay");
    v->device.info.memory = 0;
    struct memory unknown = new_large(d, MIB);
    device_release(d, &unknown);
    cr_expect_eq(freed, 3, "nothing is kept where the memory is not known");
}

Test(vulkan_spare, five_hundred_and_twelve_blocks_may_lie_spare)
{
    enum { COUNT = 513 };
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct memory list[COUNT];
    for (int i = 0; i < COUNT; i++)
        list[i] = new_large(d, MIB);
    VkDeviceMemory first = memory_of(list[0]);
    for (int i = 0; i < COUNT - 1; i++)
        device_release(d, &list[i]);
    cr_expect_eq(freed, 0);
    device_release(d, &list[COUNT - 1]);
    cr_expect_eq(freed, 1);
    cr_expect_eq(last_freed, first, "the oldest goes");
    for (int i = 0; i < COUNT; i++)
        list[i] = new_large(d, MIB);
    cr_expect_eq(allocated, COUNT + 1);
    for (int i = 0; i < COUNT; i++)
        device_release(d, &list[i]);
}

Test(vulkan_spare, spare_blocks_go_when_the_driver_has_no_room)
{
    static const VkResult results[] = {VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY,
                                       VK_ERROR_TOO_MANY_OBJECTS};
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        keep_one(d, 2 * MIB);
        keep_one(d, 4 * MIB);
        int before = freed;
        failures = 1;
        failure = results[i];
        struct memory m = new_large(d, 32 * MIB);
        cr_expect_str_empty(message.text);
        cr_expect_eq(freed, before + 2);
        cr_expect_eq(failures, 0);
        cr_expect_null(vulkan_of(d)->spare);
        device_release(d, &m);
        vulkan_spare_drop(vulkan_of(d));
    }
}

Test(vulkan_spare, spare_blocks_make_room_for_small_arrays_and_the_staging_ring)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){.without_unified = true});
    failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    keep_one(d, 2 * MIB);
    failures = 1;
    struct memory small = new_large(d, 8);
    cr_expect_null(vulkan_of(d)->spare);
    keep_one(d, 2 * MIB);
    failures = 1;
    must(device_write(d, &small, 0, "abcdefg", 8));
    cr_expect_null(vulkan_of(d)->spare);
    cr_expect_str_empty(message.text);
    device_release(d, &small);
}

Test(vulkan_spare, what_has_no_room_without_them_either_is_refused_by_name)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct memory m;
    keep_one(d, 2 * MIB);
    failures = 1000;
    failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    must_fail(device_allocate(d, MEMORY_DEVICE, 5000000, "the Krylov basis", &m), VKS_DEVICE_MEMORY,
              "has no room for the Krylov basis, 5000000 bytes");
    cr_expect_eq(failures, 998, "it is tried twice");
    must_fail(device_allocate(d, MEMORY_DEVICE, 5000000, "the Krylov basis", &m), VKS_DEVICE_MEMORY,
              "the Krylov basis");
    cr_expect_eq(failures, 997, "nothing is spare any more");
    failures = 0;
    keep_one(d, 2 * MIB);
    failures = 1000;
    failure = VK_ERROR_OUT_OF_HOST_MEMORY;
    must_fail(device_allocate(d, MEMORY_DEVICE, 5000000, "x", &m), VKS_OUT_OF_MEMORY, "out of host memory");
    cr_expect_eq(failures, 998);
    cr_expect_null(vulkan_of(d)->spare);
    failures = 0;
    keep_one(d, 5000000);
}

static VKAPI_ATTR void VKAPI_CALL four_mib_free(VkPhysicalDevice physical,
                                                VkPhysicalDeviceMemoryProperties2 *memory)
{
    (void)physical;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = memory->pNext;
    budget->heapBudget[0] = 7 * MIB;
    budget->heapUsage[0] = 3 * MIB;
}

Test(vulkan_spare, spare_blocks_go_before_the_budget_is_exceeded)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    v->profile.extensions.memory_budget = true;
    v->instance.vk.GetPhysicalDeviceMemoryProperties2 = four_mib_free;
    keep_one(d, 2 * MIB);
    struct memory a = new_large(d, 4 * MIB);
    cr_expect_eq(freed, 0);
    struct memory b = new_large(d, 4 * MIB + 1);
    cr_expect_eq(freed_before_last, 1, "before the driver is asked");
    cr_expect_null(v->spare);
    device_release(d, &a);
    device_release(d, &b);
}

Test(vulkan_spare, a_lost_device_keeps_nothing_and_serves_nothing)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    struct memory a = new_large(d, 4 * MIB), m;
    keep_one(d, 2 * MIB);
    v->lost = true;
    must_fail(device_allocate(d, MEMORY_DEVICE, 2 * MIB, "x", &m), VKS_DEVICE_LOST, "was lost");
    cr_expect_eq(freed, 0);
    device_release(d, &a);
    cr_expect_eq(freed, 1);
    cr_expect_eq(v->spares, 1);
}

Test(vulkan_spare, a_device_is_lost_by_an_allocation_without_a_second_attempt)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct memory m;
    keep_one(d, 2 * MIB);
    failures = 1000;
    failure = VK_ERROR_DEVICE_LOST;
    must_fail(device_allocate(d, MEMORY_DEVICE, 4 * MIB, "x", &m), VKS_DEVICE_LOST, "was lost");
    cr_expect_eq(failures, 999);
    cr_expect(vulkan_of(d)->lost);
}

static VkResult never_ends(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout)
{
    (void)device, (void)info, (void)timeout;
    return VK_TIMEOUT;
}

Test(vulkan_spare, what_a_device_that_hangs_may_still_use_is_not_kept)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    PFN_vkWaitSemaphores real = v->instance.vk.WaitSemaphores;
    struct memory m = new_large(d, 2 * MIB), leaked = m;
    v->instance.vk.WaitSemaphores = never_ends;
    v->submitted++;
    device_release(d, &m);
    cr_expect_null(v->spare);
    cr_expect_eq(freed, 0);
    v->instance.vk.WaitSemaphores = real;
    v->submitted--;
    v->hung = false;
    device_release(d, &leaked);
}

/* A kernel or a transfer writes an array without being waited for, and the array is released; the next owner
 * of its block must read what that owner writes. */
static void reuse(struct device *d, bool kernel, uint64_t smaller)
{
    uint64_t bytes = 4 * MIB;
    uint32_t count = (uint32_t)(bytes / 4);
    OWNED(float) *sent = malloc(bytes), *got = calloc(1, bytes);
    cr_assert(sent && got);
    for (uint32_t i = 0; i < count; i++)
        sent[i] = (float)(i % 9973);
    struct memory first = new_large(d, bytes), one = new_floats(d, 1, 1);
    uint64_t place = first.address, ticket;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    for (int i = 0; i < 8; i++)
        run(&r, fill, 64, .y = reals_at(first), .value = number_of(one), .n = count);
    must(rec_prepare(&r));
    if (kernel)
        must(rec_submit(&r, &ticket));
    else
        must(device_write(d, &first, 0, got, bytes));
    device_release(d, &first);

    struct memory second = new_large(d, bytes - smaller);
    cr_expect_eq(second.address, place);
    must(device_write(d, &second, 0, sent, second.bytes));
    must(device_read(d, &second, 0, got, second.bytes));
    cr_expect_arr_eq(got, sent, second.bytes, "%s, %llu bytes less", kernel ? "kernel" : "transfer",
                     (unsigned long long)smaller);
    rec_destroy(&r);
    device_release(d, &second);
    device_release(d, &one);
}

Test(vulkan_spare, what_was_written_before_does_not_disturb_the_next_owner)
{
    for (int staged = 0; staged < 2; staged++) {
        OWNED_BY(counted_end)
        struct device *d = open_counted((struct device_options){.without_unified = staged});
        for (int i = 0; i < 8; i++)
            reuse(d, i % 2, i / 2 % 2 * 1000);
    }
}

static char named[64];

static VKAPI_ATTR VkResult VKAPI_CALL take_name(VkDevice device, const VkDebugUtilsObjectNameInfoEXT *info)
{
    (void)device;
    snprintf(named, sizeof named, "%s", info->pObjectName);
    return VK_SUCCESS;
}

Test(vulkan_spare, captures_tell_spare_blocks_from_arrays)
{
    OWNED_BY(counted_end) struct device *d = open_counted((struct device_options){.debug_names = true});
    struct memory m;
    vulkan_of(d)->instance.vk.SetDebugUtilsObjectNameEXT = take_name;
    must(device_allocate(d, MEMORY_DEVICE, MIB, "the first", &m));
    cr_expect_str_eq(named, "the first");
    device_release(d, &m);
    cr_expect_str_eq(named, "spare memory");
    must(device_allocate(d, MEMORY_DEVICE, MIB, "the second", &m));
    cr_expect_str_eq(named, "the second");
    cr_expect_eq(allocated, 1);
    device_release(d, &m);
}
