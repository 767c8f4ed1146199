/* What a device is asked when it is opened (device/trial.h): where it does not do as it says, it is used
 * without. */
#include "device/trial.h"
#include "shaders/primitive/trial.h"
#include "support/context.h"
#include "vulkan_device.h"

#include <stdlib.h>

static const struct device_options defaults;

/* The trial, after it has said what it has not. */
static struct device_info found(void (*lie)(struct vulkan *v))
{
    struct device *d = open_tested(defaults);
    lie(vulkan_of(d));
    cr_assert_eq(device_trial(d, &defaults), VKS_OK, "%s", message.text);
    struct device_info info = d->info;
    close_clean(d);
    return info;
}

/* How many invocations are where they should be, with or without subgroups of 32; *real: the device has
 * such. Those of lavapipe have 4 or 8 lanes. */
static uint32_t in_place(bool subgroups, bool *real)
{
    struct device *d = open_tested(defaults);
    *real = d->info.subgroups;
    d->info.subgroups = subgroups;
    vulkan_of(d)->profile.subgroups = (struct vulkan_subgroups){.width = 32, .most = UINT32_MAX};
    struct memory numbers = new_floats(d, 4 * TRIAL_CASES, 0),
                  places = new_array(d, MEMORY_SHARED, 4 * TRIAL_WORDS);
    reals a = reals_at(numbers), fused = (reals)(uintptr_t)(numbers.address + 12 * TRIAL_CASES);
    uint32_t *word = places.mapped, right = 0;
    memset(word, 0xFF, 4 * TRIAL_CAME);
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    run(&r, trial, TRIAL_GROUPS, .a = a, .b = a, .c = a, .fused = fused, .words = words_of(&places));
    must(rec_run(&r));
    for (uint32_t i = 0; i < 256 * TRIAL_GROUPS; i++)
        right += word[TRIAL_PLACES + i] == i % 256;
    rec_destroy(&r);
    device_release(d, &numbers);
    device_release(d, &places);
    close_clean(d);
    return right;
}

Test(vulkan_trial, subgroups_that_are_not_as_wide_as_they_should_be_are_noticed)
{
    bool real;
    cr_expect_eq(in_place(false, &real), 256 * TRIAL_GROUPS);
    cr_expect_eq(in_place(true, &real), real ? 256 * TRIAL_GROUPS : 0);
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
    v->device.info.polls = 0;
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
    cr_assert_eq(context_open(&m, gpu_name(), &defaults, &c), VKS_OK, "%s", m.text);
    cr_assert_eq(vks_context_selftest(c, &t), VKS_OK, "%s", vks_context_message(c));
    for (int p = 0; p < 2; p++)
        cr_expect_eq(t.wrong[p][6], 0, "fuses: %d", c->device->info.fuses);
    vks_context_destroy(c);
}
