/* Arrays on a Vulkan device, and transfers to and from them. */
#include "vulkan_device.h"

#include <stdlib.h>

static unsigned char byte_at(uint64_t i, unsigned seed)
{
    return (unsigned char)((i * 2654435761u + seed) >> 13);
}

/* Writes `bytes` at `offset` of an array whose other bytes are 0xa5, and checks all of it, and its
 * neighbours. */
static void round_trip(struct device *d, uint64_t size, uint64_t offset, uint64_t bytes)
{
    struct memory before = new_array(d, MEMORY_DEVICE, 256), m = new_array(d, MEMORY_DEVICE, size);
    struct memory after = new_array(d, MEMORY_DEVICE, 256);
    unsigned char *sent = malloc(bytes), *guard = malloc(size), *got = malloc(size + 2), near[256];
    cr_assert(sent && guard && got);
    memset(near, 0x3c, sizeof near);
    memset(guard, 0xa5, size);
    memset(got, 0x5a, size + 2);
    for (uint64_t i = 0; i < bytes; i++)
        sent[i] = byte_at(i, 7);
    must(device_write(d, &before, 0, near, sizeof near));
    must(device_write(d, &after, 0, near, sizeof near));
    must(device_write(d, &m, 0, guard, size));
    must(device_write(d, &m, offset, sent, bytes));

    must(device_read(d, &m, 0, got + 1, size));
    memcpy(guard + offset, sent, bytes);
    cr_expect_arr_eq(got + 1, guard, size, "%llu bytes at %llu", (unsigned long long)bytes,
                     (unsigned long long)offset);
    cr_expect(got[0] == 0x5a && got[size + 1] == 0x5a, "a read leaves its bounds");

    memset(got, 0x5a, size + 2);
    must(device_read(d, &m, offset, got + 1, bytes));
    cr_expect_arr_eq(got + 1, sent, bytes);
    cr_expect(got[0] == 0x5a && got[bytes + 1] == 0x5a, "a read leaves its bounds");
    for (int i = 0; i < 2; i++) {
        unsigned char now[256];
        must(device_read(d, i ? &after : &before, 0, now, sizeof now));
        cr_expect_arr_eq(now, near, sizeof near, "a neighbour was written");
    }
    device_release(d, &before);
    device_release(d, &m);
    device_release(d, &after);
    free(sent);
    free(guard);
    free(got);
}

static const struct {
    uint64_t size, offset, bytes;
} trips[] = {
    {1, 0, 1},       {7, 3, 4},          {255, 254, 1},      {257, 0, 257},         {1021, 1, 1019},
    {4096, 0, 4096}, {4099, 2, 4097},    {9973, 13, 9941},   {65536, 1023, 30011},  {1048575, 1, 1048573},
    {1048576, 0, 1}, {1048577, 3, 1024}, {1300007, 5, 1025}, {1300007, 0, 1300007},
};

Test(vulkan_memory, transfers_where_host_and_device_share_memory_keep_every_byte)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    cr_expect(d->info.unified);
    for (size_t i = 0; i < sizeof trips / sizeof *trips; i++)
        round_trip(d, trips[i].size, trips[i].offset, trips[i].bytes);
}

Test(vulkan_memory, transfers_through_a_small_staging_ring_keep_every_byte)
{
    static const uint64_t rings[] = {4096, 4111, 65536};
    for (int k = 0; k < 3; k++) {
        OWNED_BY(clean_end)
        struct device *d =
            open_tested((struct device_options){.without_unified = true, .staging_bytes = rings[k]});
        for (size_t i = 0; i < sizeof trips / sizeof *trips; i++)
            round_trip(d, trips[i].size, trips[i].offset, trips[i].bytes);
    }
}

Test(vulkan_memory, a_ring_of_one_word_chunks_still_works)
{
    OWNED_BY(clean_end)
    struct device *d = open_tested((struct device_options){.without_unified = true, .staging_bytes = 1});
    round_trip(d, 33, 3, 29);
}

/* The threads of the team share its copies. */
Test(vulkan_memory, an_array_larger_than_the_usual_staging_ring_keeps_every_byte)
{
    for (uint32_t i = 0; i < 4; i++) {
        OWNED_BY(clean_end)
        struct device *d =
            open_tested((struct device_options){.without_unified = i % 2, .threads = i / 2 ? 3 : 1});
        round_trip(d, ((uint64_t)41 << 20) + 1, 5, ((uint64_t)40 << 20) + 3);
    }
}

Test(vulkan_memory, transfers_that_leave_their_array_are_refused)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct memory m = new_array(d, MEMORY_DEVICE, 100);
    char bytes[101] = {0};
    must_fail(device_write(d, &m, 0, bytes, 101), VKS_INVALID_ARGUMENT, "101 bytes at 0");
    must_fail(device_read(d, &m, 101, bytes, 1), VKS_INVALID_ARGUMENT, "its array of 100");
    must_fail(device_read(d, &m, 1, bytes, UINT64_MAX), VKS_INVALID_ARGUMENT, "at 1");
    must(device_read(d, &m, 100, bytes, 0));
    device_release(d, &m);
}

Test(vulkan_memory, an_array_of_nothing_has_an_address)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct memory m = new_array(d, MEMORY_DEVICE, 0);
    cr_expect_neq(m.address, 0);
    cr_expect_eq(m.bytes, 0);
    device_release(d, &m);
    cr_expect_eq(m.address, 0);
    device_release(d, &m); /* a zeroed struct is fine */
}

static uint32_t count_blocks(const struct vulkan *v)
{
    uint32_t count = 0;
    for (const struct block *b = v->blocks; b; b = b->next)
        count++;
    return count;
}

Test(vulkan_memory, thousands_of_small_arrays_share_few_allocations)
{
    enum { COUNT = 5000 };
    static struct memory list[COUNT];
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    for (uint32_t i = 0; i < COUNT; i++) {
        list[i] = new_array(d, i % 5 == 0 ? MEMORY_SHARED : MEMORY_DEVICE, 4 + i % 700 * (i % 3));
        cr_assert_eq(list[i].address % 64, 0);
        must(device_write(d, &list[i], 0, &i, 4));
    }
    cr_expect_leq(count_blocks(vulkan_of(d)), 4);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t got;
        must(device_read(d, &list[i], 0, &got, 4));
        cr_assert_eq(got, i);
    }
    for (uint32_t i = 0; i < COUNT;
         i++) /* in an order that leaves gaps everywhere; 1237 and 5000 are coprime */
        device_release(d, &list[i * 1237 % COUNT]);
    cr_expect_eq(count_blocks(vulkan_of(d)), 2, "a block of each kind stays");
    for (const struct block *b = vulkan_of(d)->blocks; b; b = b->next)
        cr_expect(b->arrays == 0 && b->free && b->free->bytes == b->bytes, "the holes are not joined");
}

Test(vulkan_memory, what_is_released_is_used_again)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct memory a = new_array(d, MEMORY_DEVICE, 1000), b = new_array(d, MEMORY_DEVICE, 1000);
    uint64_t place = a.address;
    cr_expect_eq(b.address - a.address, 1024);
    device_release(d, &a);
    a = new_array(d, MEMORY_DEVICE, 1024);
    cr_expect_eq(a.address, place);
    device_release(d, &a);
    device_release(d, &b);
}

Test(vulkan_memory, shared_arrays_are_seen_by_the_host_and_others_are_not)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.without_unified = true});
    struct memory a = new_array(d, MEMORY_SHARED, 64), b = new_array(d, MEMORY_DEVICE, 64);
    struct memory big = new_array(d, MEMORY_SHARED, (uint64_t)3 << 20);
    cr_assert(a.mapped && big.mapped);
    cr_expect_null(b.mapped);
    memset(big.mapped, 1, big.bytes);
    uint32_t sent = 0x12345678, got = 0;
    memcpy(a.mapped, &sent, 4);
    must(device_read(d, &a, 0, &got, 4));
    cr_expect_eq(got, sent);
    sent = 77;
    must(device_write(d, &a, 4, &sent, 4));
    cr_expect_eq(((uint32_t *)a.mapped)[1], 77);
    device_release(d, &a);
    device_release(d, &b);
    device_release(d, &big);
}

Test(vulkan_memory, an_array_above_the_limit_is_refused_by_name)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.largest_array = 1 << 20});
    struct memory m;
    must_fail(device_allocate(d, MEMORY_DEVICE, (1 << 20) + 1, "the matrix values", &m), VKS_DEVICE_MEMORY,
              "1048577 bytes for the matrix values are too many: the largest array on");
    cr_expect_null(m.handle);
    m = new_array(d, MEMORY_DEVICE, 1 << 20);
    device_release(d, &m);
}

static VKAPI_ATTR VkResult VKAPI_CALL no_memory(VkDevice device, const VkMemoryAllocateInfo *info,
                                                const VkAllocationCallbacks *callbacks,
                                                VkDeviceMemory *memory)
{
    (void)device, (void)info, (void)callbacks, (void)memory;
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

Test(vulkan_memory, when_device_memory_runs_out_it_is_said_for_what_and_the_device_goes_on)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.without_unified = true});
    struct vulkan_api *vk = &vulkan_of(d)->instance.vk;
    PFN_vkAllocateMemory real = vk->AllocateMemory;
    struct memory m = new_array(d, MEMORY_DEVICE, 8);
    uint64_t value = 42, got = 0;

    vk->AllocateMemory = no_memory;
    struct memory large;
    must_fail(device_allocate(d, MEMORY_DEVICE, 5000000, "the Krylov basis", &large), VKS_DEVICE_MEMORY,
              "has no room for the Krylov basis, 5000000 bytes");
    must_fail(device_allocate(d, MEMORY_SHARED, 8, "a status word", &large), VKS_DEVICE_MEMORY,
              "a status word");
    must_fail(device_write(d, &m, 0, &value, 8), VKS_DEVICE_MEMORY, "the staging ring");

    vk->AllocateMemory = real;
    must(device_write(d, &m, 0, &value, 8));
    must(device_read(d, &m, 0, &got, 8));
    cr_expect_eq(got, 42);
    device_release(d, &m);
}

static VKAPI_ATTR void VKAPI_CALL some_memory(VkPhysicalDevice physical,
                                              VkPhysicalDeviceMemoryProperties2 *memory)
{
    (void)physical;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = memory->pNext;
    budget->heapBudget[0] = 5000;
    budget->heapUsage[0] = 3766;
}

Test(vulkan_memory, a_driver_that_knows_what_is_free_is_asked)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    struct memory m;
    v->instance.vk.AllocateMemory = no_memory;
    v->instance.vk.GetPhysicalDeviceMemoryProperties2 = some_memory;
    v->profile.extensions.memory_budget = true;
    must_fail(device_allocate(d, MEMORY_DEVICE, 5000000, "x", &m), VKS_DEVICE_MEMORY,
              "(1234 bytes are free)");
    v->spare_bytes += 100;
    cr_expect_eq(device_room(d), 1334, "%llu", (unsigned long long)device_room(d));
    v->spare_bytes -= 100;
}

enum { LOCAL = 1, VISIBLE = 2, COHERENT = 4, CACHED = 8, STRANGE = 64 };

static VkPhysicalDeviceMemoryProperties types(uint32_t count, const uint32_t (*list)[2], uint64_t heap0,
                                              uint64_t heap1)
{
    VkPhysicalDeviceMemoryProperties p = {.memoryTypeCount = count, .memoryHeapCount = 2};
    p.memoryHeaps[0].size = heap0;
    p.memoryHeaps[1].size = heap1;
    for (uint32_t i = 0; i < count; i++)
        p.memoryTypes[i] = (VkMemoryType){.propertyFlags = list[i][0], .heapIndex = list[i][1]};
    return p;
}

Test(vulkan_memory, arrays_of_a_discrete_gpu_live_where_the_host_cannot_see_them)
{
    static const uint32_t list[][2] = {{0, 1},     {LOCAL | STRANGE, 0},    {LOCAL | VISIBLE | COHERENT, 0},
                                       {LOCAL, 0}, {VISIBLE | COHERENT, 1}, {VISIBLE | COHERENT | CACHED, 1}};
    VkPhysicalDeviceMemoryProperties p = types(6, list, 80, 32);
    struct vulkan_memory_types t;
    cr_assert(vulkan_memory_types_choose(&p, DEVICE_DISCRETE, UINT32_MAX, &t));
    cr_expect_eq(t.device, 3);
    cr_expect_eq(t.shared, 5);
    cr_expect_not(t.unified);
    cr_assert(vulkan_memory_types_choose(&p, DEVICE_DISCRETE, UINT32_MAX & ~8u, &t), "type 3 is not allowed");
    cr_expect_eq(t.device, 2);
    cr_expect_not(vulkan_memory_types_choose(&p, DEVICE_DISCRETE, 1, &t));
}

Test(vulkan_memory, one_memory_of_host_and_device_needs_no_staging_if_the_host_reads_it_cached)
{
    static const uint32_t cached[][2] = {{LOCAL, 0}, {LOCAL | VISIBLE | COHERENT | CACHED, 0}};
    VkPhysicalDeviceMemoryProperties p = types(2, cached, 16, 0);
    struct vulkan_memory_types t;
    cr_assert(vulkan_memory_types_choose(&p, DEVICE_INTEGRATED, UINT32_MAX, &t));
    cr_expect(t.unified && t.device == 1 && t.shared == 1);
    static const uint32_t uncached[][2] = {
        {LOCAL, 0}, {LOCAL | VISIBLE | COHERENT, 0}, {VISIBLE | COHERENT, 1}};
    p = types(3, uncached, 16, 16);
    cr_assert(vulkan_memory_types_choose(&p, DEVICE_INTEGRATED, UINT32_MAX, &t));
    cr_expect(!t.unified && t.device == 0 && t.shared == 2);
}
