/* What a device is asked when it is opened (device/trial.h): where it does not do as it says, it is used
 * without. */
#include "device/trial.h"
#include "support/context.h"
#include "vulkan_device.h"

#include <stdlib.h>

static const struct device_options defaults;

/* The trial on lavapipe, after it has said what it has not. */
static struct device_info found(void (*lie)(struct vulkan *v))
{
    struct device *d = open_llvmpipe(defaults);
    lie(vulkan_of(d));
    cr_assert_eq(device_trial(d, &defaults), VKS_OK, "%s", message.text);
    struct device_info info = d->info;
    close_clean(d);
    return info;
}

/* Its subgroups have 4 or 8 lanes. */
static void says_32(struct vulkan *v)
{
    v->device.info.fuses = v->device.info.subgroups = true;
    v->profile.subgroups = (struct vulkan_subgroups){.width = 32, .most = UINT32_MAX};
}

Test(vulkan_trial, subgroups_that_are_not_as_wide_as_they_should_be_are_not_used)
{
    cr_expect_not(found(says_32).subgroups);
}

/* It runs as many workgroups at once as there are processors; a machine with eight of them is not tried. */
static void says_at_once(struct vulkan *v)
{
    v->device.info.polls = POLLS;
}

Test(vulkan_trial, no_workgroups_wait_for_others_where_few_do_not_meet)
{
    if (sysconf(_SC_NPROCESSORS_ONLN) < 8)
        cr_expect_eq(found(says_at_once).polls, 0);
}

static void says_nothing(struct vulkan *v)
{
    (void)v;
}

Test(vulkan_trial, a_device_that_waits_for_nobody_is_not_asked_to)
{
    cr_expect_eq(found(says_nothing).polls, 0);
}

Test(vulkan_trial, the_host_fuses_and_nothing_fuses_that_is_to_do_without)
{
    struct message m = {0};
    struct device *d = NULL;
    cr_assert_eq(device_host_create(&m, &defaults, &d), VKS_OK, "%s", m.text);
    d->info.fuses = false;
    cr_assert_eq(device_trial(d, &defaults), VKS_OK, "%s", m.text);
    cr_expect(d->info.fuses);
    cr_assert_eq(device_trial(d, &(struct device_options){.without_fma = true}), VKS_OK);
    cr_expect_not(d->info.fuses);
    device_destroy(d);
}

/* What the self-test says of `fused`, which is native where the device was found to fuse, is the judge of
 * that. */
Test(vulkan_trial, where_a_device_is_found_to_fuse_its_native_operation_is_exact)
{
    struct message m = {0};
    vks_context *c = NULL;
    vks_selftest t;
    cr_assert_eq(context_open(&m, "llvmpipe", &defaults, &c), VKS_OK, "%s", m.text);
    cr_assert_eq(vks_context_selftest(c, &t), VKS_OK, "%s", vks_context_message(c));
    for (int p = 0; p < 2; p++)
        cr_expect_eq(t.wrong[p][6], 0, "fuses: %d", c->device->info.fuses);
    vks_context_destroy(c);
}
