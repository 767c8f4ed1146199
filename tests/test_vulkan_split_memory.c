/* Every allocation of host memory fails once while an array is split, and a kernel widened for it. */
#include "sparse_driver.h"
#include "tests/support/failing_memory.h"

#if MEMORY_CAN_FAIL

static vks_status use(struct device *d)
{
    struct memory m;
    struct rec r;
    vks_status s = device_allocate(d, MEMORY_DEVICE, (uint64_t)3 << 20, "an array", &m);
    if (s)
        return s;
    rec_create(&r, d, PRECISION_F32);
    run(&r, iota_words, 8, .y = words_of(&m), .n = 1000, .step = 1);
    s = rec_run(&r);
    rec_destroy(&r);
    device_release(d, &m);
    vulkan_spare_drop(vulkan_of(d));
    return s;
}

Test(vulkan_split_memory, of_the_host_that_runs_short_is_reported_and_leaves_nothing)
{
    uint32_t k = 0, refused = 0;
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, (uint64_t)1 << 20);
    do {
        /* With one thread, no pipelines are made in advance by others, so each run has the same
         * allocations. */
        struct device *d = sparse_device(&a, (struct device_options){.piece_bytes = 1 << 20, .threads = 1});
        arm(++k);
        vks_status s = use(d);
        device_destroy(d); /* with the pipelines that it keeps */
        disarm();
        refused += s != VKS_OK;
        if (memory.failures && s) /* what fails in advance is done when needed */
            must_fail(s, VKS_OUT_OF_MEMORY, "memory");
        else
            must(s);
        cr_expect_eq(sparse.allocations, 0);
    } while (memory.failures);
    cr_expect_gt(refused, 6, "only %u allocations are needed", refused);
}

#endif
