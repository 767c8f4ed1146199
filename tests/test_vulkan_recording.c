/* Recordings on a Vulkan device: replay, order, time, and devices that stop. */
#include "vulkan_device.h"

#include <stdlib.h>
#include <time.h>

enum { N = 10000 };

static double seconds_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void expect_floats(struct device *d, struct memory m, uint32_t count, float value)
{
    OWNED(float) *got = malloc(4 * (size_t)count);
    cr_assert(got);
    must(device_read(d, &m, 0, got, 4 * (uint64_t)count));
    for (uint32_t i = 0; i < count; i++)
        cr_assert_eq(got[i], value, "element %u is %g, not %g", i, (double)got[i], (double)value);
}

/* The data of most tests here: x and y of N floats, and the numbers one and two. */
struct setting {
    struct device *d;
    struct memory x, y, one, two;
    struct rec r;
};

static struct setting setting(struct device_options o)
{
    struct setting s = {.d = open_tested(o)};
    s.x = new_array(s.d, MEMORY_DEVICE, 4 * N);
    s.y = new_array(s.d, MEMORY_DEVICE, 4 * N);
    s.one = new_floats(s.d, 1, 1);
    s.two = new_floats(s.d, 1, 2);
    rec_create(&s.r, s.d, PRECISION_F32);
    return s;
}

static void setting_free(struct setting *s)
{
    rec_destroy(&s->r);
    device_release(s->d, &s->x);
    device_release(s->d, &s->y);
    device_release(s->d, &s->one);
    device_release(s->d, &s->two);
    close_clean(s->d);
}

static void fill(struct setting *s, struct memory y, struct memory value)
{
    run(&s->r, fill, (N + 255) / 256, .y = reals_at(y), .value = number_of(value), .n = N);
}

/* y = y + alpha x */
static void axpy(struct setting *s, struct memory alpha, struct memory x, struct memory y)
{
    run(&s->r, axpy, (N + 255) / 256, .alpha = number_of(alpha), .x = reals_at(x), .y = reals_at(y), .n = N);
}

/* Some drivers also read through addresses in branches that are not taken. */
Test(vulkan_recording, no_kernel_gets_a_null_address)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    for (int k = 0; k < KERNEL_COUNT; k++) {
        const uint64_t nothing[MAX_PUSH_BYTES / 8] = {0};
        uint64_t pushed[MAX_PUSH_BYTES / 8], words = 0;
        vulkan_push_of(v, &kernels[k], nothing, pushed);
        for (uint32_t i = 0; i < kernels[k].push_bytes / 8; i++)
            if (kernels[k].addresses >> i & 1)
                cr_expect_eq(pushed[i], v->zeros->address, "%s", kernels[k].name);
            else
                words |= pushed[i];
        cr_expect_eq(words, 0, "%s", kernels[k].name);
        if (kernels[k].guard_at != NO_GUARD)
            cr_expect(kernels[k].addresses >> kernels[k].guard_at / 8 & 1, "%s", kernels[k].name);
    }
}

/* Also if the host cannot access them. Only the first word of the copy serves as its guard. */
Test(vulkan_recording, what_stands_for_null_arrays_is_zero)
{
    for (int unseen = 0; unseen < 2; unseen++) {
        OWNED_BY(clean_end)
        struct device *d = open_tested((struct device_options){.without_unified = unseen});
        const struct block *zeros = vulkan_of(d)->zeros;
        uint32_t words = (uint32_t)(zeros->bytes / 4);
        struct memory copy = new_floats(d, words, 1);
        struct rec r;
        cr_expect(zeros->mapped == NULL || !unseen);
        rec_create(&r, d, PRECISION_F32);
        run(&r, copy_words, words / 256, .x = NULL, .y = words_of(&copy), .n = words);
        must(rec_run(&r));
        expect_floats(d, copy, words, 0);
        rec_destroy(&r);
        device_release(d, &copy);
    }
}

Test(vulkan_recording, a_kernel_writes_its_array_and_nothing_else)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    struct memory m = new_floats(s.d, N + 2, 7);
    reals middle = (reals)(uintptr_t)(m.address + 4);
    run(&s.r, fill, (N + 255) / 256, .y = middle, .value = number_of(s.two), .n = N);
    must(rec_run(&s.r));
    float *got = malloc(4 * (N + 2));
    must(device_read(s.d, &m, 0, got, 4 * (N + 2)));
    cr_expect(got[0] == 7 && got[N + 1] == 7, "a guard was overwritten");
    for (int i = 1; i <= N; i++)
        cr_assert_eq(got[i], 2);
    free(got);
    device_release(s.d, &m);
}

Test(vulkan_recording, a_recording_can_be_submitted_again_while_it_runs)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    fill(&s, s.x, s.one);
    fill(&s, s.y, s.one);
    must(rec_run(&s.r));
    rec_clear(&s.r);
    axpy(&s, s.two, s.x, s.y);
    must(rec_prepare(&s.r));
    uint64_t ticket = 0, last = 0;
    for (int i = 0; i < 10; i++) {
        must(rec_submit(&s.r, &ticket));
        cr_expect_gt(ticket, last);
        last = ticket;
    }
    must(device_wait(s.d, ticket, 60));
    expect_floats(s.d, s.y, N, 21);
    must(rec_run(&s.r)); /* and once more after all have ended */
    expect_floats(s.d, s.y, N, 23);
}

Test(vulkan_recording, each_dispatch_sees_what_those_before_it_wrote)
{
    OWNED_STRUCT(setting) s =
        setting((struct device_options){.max_groups = 5}); /* fewer groups than the work */
    fill(&s, s.x, s.one);
    fill(&s, s.y, s.one);
    for (int i = 0; i < 15;
         i++) { /* Fibonacci numbers: each step needs the last one, from other workgroups */
        axpy(&s, s.one, s.x, s.y);
        axpy(&s, s.one, s.y, s.x);
    }
    must(rec_run(&s.r));
    expect_floats(s.d, s.x, N, 2178309);
    expect_floats(s.d, s.y, N, 1346269);
}

/* The recorded order: D is a dispatch, B a barrier that makes its writes visible to the next. */
static struct {
    char order[16];
    PFN_vkCmdDispatch dispatch;
    PFN_vkCmdPipelineBarrier barrier;
} seen;

static VKAPI_ATTR void VKAPI_CALL see_dispatch(VkCommandBuffer c, uint32_t x, uint32_t y, uint32_t z)
{
    strcat(seen.order, "D");
    seen.dispatch(c, x, y, z);
}

static VKAPI_ATTR void VKAPI_CALL see_barrier(VkCommandBuffer c, VkPipelineStageFlags from,
                                              VkPipelineStageFlags to, VkDependencyFlags flags,
                                              uint32_t memories, const VkMemoryBarrier *memory,
                                              uint32_t buffers, const VkBufferMemoryBarrier *buffer,
                                              uint32_t images, const VkImageMemoryBarrier *image)
{
    VkAccessFlags both = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    if ((from & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) && (to & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT) &&
        memories == 1 && (memory->srcAccessMask & VK_ACCESS_SHADER_WRITE_BIT) &&
        (memory->dstAccessMask & both) == both)
        strcat(seen.order, "B");
    seen.barrier(c, from, to, flags, memories, memory, buffers, buffer, images, image);
}

/* Lavapipe runs dispatches one after the other anyway, so the recorded order is checked. */
Test(vulkan_recording, a_barrier_stands_before_and_after_every_dispatch)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    struct vulkan_api *vk = &vulkan_of(s.d)->instance.vk;
    seen.dispatch = vk->CmdDispatch;
    seen.barrier = vk->CmdPipelineBarrier;
    vk->CmdDispatch = see_dispatch;
    vk->CmdPipelineBarrier = see_barrier;
    for (int i = 0; i < 3; i++)
        fill(&s, s.y, s.one);
    must(rec_run(&s.r));
    cr_expect_str_eq(seen.order, "BDBDBDB");
}

static void transfers_keep_their_place(struct device_options o)
{
    OWNED_STRUCT(setting) s = setting(o);
    float value[N], got = 0;
    for (int i = 0; i < N; i++)
        value[i] = 1;
    must(device_write(s.d, &s.x, 0, value, sizeof value));
    must(device_write(s.d, &s.y, 0, value, sizeof value));
    for (int i = 0; i < 50; i++)
        axpy(&s, s.one, s.x, s.y);
    must(rec_prepare(&s.r));
    uint64_t ticket;
    must(rec_submit(&s.r, &ticket));
    must(device_read(s.d, &s.y, 4 * (N - 1), &got, 4)); /* without a wait by the test */
    cr_expect_eq(got, 51);
    must(rec_submit(&s.r, &ticket));
    must(device_write(s.d, &s.y, 0, value, sizeof value)); /* after the 50 steps, before the next 50 */
    must(rec_submit(&s.r, &ticket));
    expect_floats(s.d, s.y, N, 51);
}

Test(vulkan_recording, transfers_come_after_what_was_submitted_and_before_what_will_be)
{
    transfers_keep_their_place((struct device_options){0});
    transfers_keep_their_place((struct device_options){.without_unified = true, .staging_bytes = 4096});
}

Test(vulkan_recording, the_host_and_kernels_see_each_others_shared_arrays)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    struct memory m = new_array(s.d, MEMORY_SHARED, 4);
    *(float *)m.mapped = 3;
    fill(&s, s.y, m);
    run(&s.r, fill, 1, .y = reals_at(m), .value = number_of(s.two), .n = 1);
    must(rec_run(&s.r));
    cr_expect_eq(*(float *)m.mapped, 2);
    expect_floats(s.d, s.y, N, 3);
    device_release(s.d, &m);
}

Test(vulkan_recording, kernels_run_in_double_precision)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct memory y = new_array(d, MEMORY_DEVICE, 8 * 300), value = new_array(d, MEMORY_DEVICE, 8);
    double third = 1.0 / 3, got[300];
    must(device_write(d, &value, 0, &third, 8));
    struct rec r;
    rec_create(&r, d, PRECISION_F64);
    run(&r, fill, 2, .y = reals_at(y), .value = number_of(value), .n = 300);
    must(rec_run(&r));
    must(device_read(d, &y, 0, got, sizeof got));
    for (int i = 0; i < 300; i++)
        cr_assert_eq(got[i], third);
    rec_destroy(&r);
    device_release(d, &y);
    device_release(d, &value);
}

Test(vulkan_recording, a_device_without_doubles_refuses_them_and_runs_the_rest)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){.without_f64 = true});
    fill(&s, s.y, s.two);
    must(rec_run(&s.r));
    expect_floats(s.d, s.y, N, 2);
    s.r.precision = PRECISION_F64;
    fill(&s, s.y, s.two);
    must_fail(rec_prepare(&s.r), VKS_UNSUPPORTED, "has no 64-bit floats, which kernel fill needs");
}

Test(vulkan_recording, a_recording_can_be_empty_or_grow_or_be_prepared_twice)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){.timestamps = true});
    must(rec_run(&s.r));
    fill(&s, s.y, s.one);
    must(rec_run(&s.r));
    expect_floats(s.d, s.y, N, 1);
    fill(&s, s.y, s.two);
    must(rec_prepare(&s.r));
    must(rec_prepare(&s.r));
    must(rec_run(&s.r));
    expect_floats(s.d, s.y, N, 2);
}

Test(vulkan_recording, what_runs_may_be_released_at_once)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    struct memory big = new_array(s.d, MEMORY_DEVICE, (uint64_t)4 << 20);
    for (int i = 0; i < 20; i++)
        run(&s.r, fill, 4096, .y = reals_at(big), .value = number_of(s.one), .n = 1 << 20);
    must(rec_prepare(&s.r));
    uint64_t ticket;
    must(rec_submit(&s.r, &ticket));
    device_release(s.d, &big);
    must(rec_prepare(&s.r));
}

Test(vulkan_recording, a_wait_ends_when_its_time_is_over)
{
    skip_unless_lavapipe();
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    struct memory big = new_array(s.d, MEMORY_DEVICE, (uint64_t)4 << 20);
    for (int i = 0; i < 40; i++)
        run(&s.r, fill, 4096, .y = reals_at(big), .value = number_of(s.one), .n = 1 << 20);
    must(rec_prepare(&s.r));
    uint64_t ticket;
    double start = seconds_now();
    must(rec_submit(&s.r, &ticket));
    must_fail(device_wait(s.d, ticket, 0), VKS_TIMEOUT, "did not finish within 0 seconds");
    must_fail(device_wait(s.d, ticket, 0.002), VKS_TIMEOUT, "did not finish within 0.002 seconds");
    double bounded = seconds_now() - start;
    must(device_wait(s.d, ticket, 100));
    cr_expect_lt(bounded, seconds_now() - start);
    must(device_wait(s.d, ticket, 0)); /* it has ended */
    must_fail(device_wait(s.d, ticket + 1, 1), VKS_INVALID_ARGUMENT, "a wait for submission");
    device_release(s.d, &big);
}

Test(vulkan_recording, timestamps_tell_the_time_of_each_dispatch)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){.timestamps = true});
    double seconds[3] = {0}, sum = 0;
    must_fail(rec_times(&s.r, seconds), VKS_INVALID_ARGUMENT, "never submitted");
    for (int i = 0; i < 3; i++)
        fill(&s, s.y, s.one);
    must(rec_prepare(&s.r));
    for (int k = 0; k < 2; k++) {
        double start = seconds_now();
        must(rec_run(&s.r));
        double wall = seconds_now() - start;
        must(rec_times(&s.r, seconds));
        sum = 0;
        for (int i = 0; i < 3; i++) {
            cr_expect_gt(seconds[i], 0);
            sum += seconds[i];
        }
        cr_expect_leq(sum, wall);
    }
}

Test(vulkan_recording, times_are_unsupported_unless_asked_for)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    double seconds;
    fill(&s, s.y, s.one);
    must(rec_run(&s.r));
    must_fail(rec_times(&s.r, &seconds), VKS_UNSUPPORTED, "without timestamps");
}

static VKAPI_ATTR VkResult VKAPI_CALL lost(VkQueue queue, uint32_t count, const VkSubmitInfo *list,
                                           VkFence fence)
{
    (void)queue, (void)count, (void)list, (void)fence;
    return VK_ERROR_DEVICE_LOST;
}

Test(vulkan_recording, a_lost_device_stays_lost_and_can_be_destroyed)
{
    OWNED_STRUCT(setting) s = setting((struct device_options){0});
    struct vulkan_api *vk = &vulkan_of(s.d)->instance.vk;
    PFN_vkQueueSubmit real = vk->QueueSubmit;
    uint64_t ticket;
    fill(&s, s.y, s.one);
    must(rec_prepare(&s.r));
    vk->QueueSubmit = lost;
    must_fail(rec_submit(&s.r, &ticket), VKS_DEVICE_LOST, "was lost while submitting work");
    vk->QueueSubmit = real;
    float value = 0;
    struct memory m;
    must_fail(rec_submit(&s.r, &ticket), VKS_DEVICE_LOST, "cannot be used any more");
    must_fail(device_wait(s.d, 0, 1), VKS_DEVICE_LOST, "lost");
    must_fail(device_write(s.d, &s.y, 0, &value, 4), VKS_DEVICE_LOST, "lost");
    must_fail(device_read(s.d, &s.y, 0, &value, 4), VKS_DEVICE_LOST, "lost");
    must_fail(device_allocate(s.d, MEMORY_DEVICE, (uint64_t)2 << 20, "y", &m), VKS_DEVICE_LOST, "lost");
}
