/* How the host waits for a Vulkan device. */
#include "vulkan_device.h"

static int counter_asked, semaphore_waits;

static VkResult answer_at_once(VkDevice device, VkSemaphore semaphore, uint64_t *value)
{
    (void)device;
    (void)semaphore;
    counter_asked++;
    *value = 1000000;
    return VK_SUCCESS;
}

static VkResult never_ends(VkDevice device, const VkSemaphoreWaitInfo *info, uint64_t timeout)
{
    (void)device;
    (void)info;
    (void)timeout;
    semaphore_waits++;
    return VK_TIMEOUT;
}

/* A wait on a device that answers at once when its counter is read, and whose semaphores never signal. */
static bool counter_serves(struct device *d, struct rec *r, enum device_kind kind, bool hung, double seconds)
{
    struct vulkan *v = vulkan_of(d);
    struct vulkan_api api = v->instance.vk;
    enum device_kind before = d->info.kind;
    uint64_t ticket;
    must(rec_submit(r, &ticket));
    must(device_wait(d, ticket, 10));
    v->completed = 0;
    d->info.kind = kind;
    v->hung = hung;
    v->instance.vk.GetSemaphoreCounterValue = answer_at_once;
    v->instance.vk.WaitSemaphores = never_ends;
    vks_status status = device_wait(d, ticket, seconds);
    v->instance.vk = api;
    d->info.kind = before;
    v->hung = false;
    v->completed = ticket;
    message.text[0] = 0;
    return status == VKS_OK;
}

Test(vulkan_waiting, the_host_looks_itself_before_it_waits_for_a_gpu_that_is_well)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    struct memory y = new_array(d, MEMORY_DEVICE, 4 * 1000), one = new_floats(d, 1, 1);
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    run(&r, fill, 4, .y = reals_at(y), .value = number_of(one), .n = 1000);
    must(rec_prepare(&r));
    cr_expect(counter_serves(d, &r, DEVICE_DISCRETE, false, 1));
    cr_expect_eq(semaphore_waits, 0);
    cr_expect_eq(counter_asked, 1);
    cr_expect_not(counter_serves(d, &r, DEVICE_DISCRETE, true, 1), "a device that hangs");
    cr_expect_not(counter_serves(d, &r, DEVICE_DISCRETE, false, 0), "no time to wait");
    cr_expect_not(counter_serves(d, &r, DEVICE_SOFTWARE, false, 1), "the device is the host");
    cr_expect_eq(semaphore_waits, 3);
    cr_expect_eq(counter_asked, 1);
    rec_destroy(&r);
    device_release(d, &y);
    device_release(d, &one);
}
