/* Every allocation of host memory fails once while vksolve works in a program's own device. */
#include "own_device.h"
#include "tests/support/failing_memory.h"

#if MEMORY_CAN_FAIL

enum { N = 100 };

/* Opens, wraps, reads, and signals. */
static vks_status use(const struct app *a, const struct app_buffer *there, VkSemaphore done, uint64_t value)
{
    double values[N];
    OWNED_BY(context_end) vks_context *c = NULL;
    OWNED(vks_vector) *v = NULL;
    /* With one thread, no pipelines are made in advance by others, so each run has the same allocations. */
    vks_context_options o = {
        .no_pipeline_cache = 1, .threads = 1, .message = message.text, .message_size = sizeof message.text};
    vks_status s = vks_context_create_vulkan(&a->own, &o, &c);
    cr_assert_eq(s != VKS_OK, c == NULL);
    if (s)
        return s;
    s = vks_vector_wrap_buffer(c, there->buffer, 8, N, VKS_F64, &v);
    cr_assert_eq(s != VKS_OK, v == NULL);
    if (!s)
        s = vks_vector_fill(v, 2);
    if (!s)
        s = vks_vector_read(v, 0, N, VKS_F64, values);
    if (!s)
        s = vks_context_signal_semaphore(c, done, value);
    snprintf(message.text, sizeof message.text, "%s", vks_context_message(c));
    return s;
}

Test(vulkan_own_memory, of_the_host_that_runs_short_is_reported_and_leaves_nothing)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 8 * (N + 2));
    VkSemaphore done = app_timeline(&a);
    guard_fill(there.mapped, 8 * (N + 2));
    double *seen = there.mapped, before = seen[0], after = seen[N + 1];
    uint32_t k = 0, reached = 0, refused = 0;
    do {
        arm(++k);
        vks_status s = use(&a, &there, done, k);
        disarm();
        cr_assert(s ? app_value(&a, done) == reached : app_reaches(&a, done, k));
        reached = s ? reached : k;
        refused += s != VKS_OK;
        if (memory.failures && s) /* what fails in advance is done when needed */
            must_fail(s, VKS_OUT_OF_MEMORY, "memory");
        else
            must(s);
    } while (memory.failures);
    cr_expect_gt(refused, 8, "only %u allocations are needed", refused);
    cr_expect(same_bits(seen[0], before) && same_bits(seen[N + 1], after) && seen[1] == 2 && seen[N] == 2);
    a.vk.DestroySemaphore(a.own.device, done, NULL);
    app_buffer_free(&a, &there);
}

Test(vulkan_own_memory, runs_short_while_features_are_chosen)
{
    OWNED_BY(app_close) struct app a;
    app_begin(&a);
    vks_vulkan_features f;
    uint32_t k = 0;
    do {
        arm(++k);
        vks_status s = vks_vulkan_choose_features(&a.own, &f, message.text, sizeof message.text);
        disarm();
        if (memory.failures)
            must_fail(s, VKS_OUT_OF_MEMORY, "memory");
        else
            must(s);
    } while (memory.failures);
    cr_expect_gt(k, 1);
}

#else
Test(vulkan_own_memory, cannot_fail_here_without_glibc_or_under_a_sanitizer)
{
    cr_skip_test("the allocator is not ours to replace");
}
#endif
