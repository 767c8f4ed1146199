/* The trials of a device at its opening (device/trial.h): features that do not work as reported are not
 * used. */
#include "device/trial.h"
#include "shaders/primitive/trial.h"
#include "support/context.h"
#include "vulkan_device.h"

#include <stdlib.h>

static const struct device_options defaults;

/* The trial, after the device has reported a feature that it lacks. */
static struct device_info found(void (*lie)(struct vulkan *v))
{
    OWNED_BY(clean_end) struct device *d = open_tested(defaults);
    lie(vulkan_of(d));
    cr_assert_eq(device_trial(d, &defaults), VKS_OK, "%s", message.text);
    struct device_info info = d->info;
    return info;
}

/* Between the trial and the device: modifies the kernel's output, of the last precision. */
static struct {
    struct device_ops ops;
    const struct device_ops *real;
    struct memory memory;
    uint32_t right; /* invocations at their expected places */
    bool misplaces; /* one of them */
} between;

static vks_status allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *m)
{
    vks_status s = between.real->allocate(d, kind, bytes, what, m);
    between.memory = *m;
    return s;
}

static vks_status await(struct device *d, uint64_t ticket, double seconds)
{
    vks_status s = between.real->wait(d, ticket, seconds);
    uint64_t numbers = (uint64_t)4 * TRIAL_CASES * real_bytes(d->info.f64 ? PRECISION_F64 : PRECISION_F32);
    uint32_t *word = (uint32_t *)(void *)((char *)between.memory.mapped + numbers);
    between.right = 0;
    for (uint32_t i = 0; i < 256 * TRIAL_GROUPS; i++)
        between.right += word[TRIAL_PLACES + i] == i % 256;
    if (between.misplaces)
        word[TRIAL_PLACES + 77] = TRIAL_WRONG;
    return s;
}

/* Whether subgroups are still used after the trial. */
static bool takes_subgroups(struct device *d)
{
    between.real = d->ops;
    between.ops = *d->ops;
    between.ops.allocate = allocate;
    between.ops.wait = await;
    d->ops = &between.ops;
    cr_assert_eq(device_trial(d, &defaults), VKS_OK);
    d->ops = between.real;
    return d->info.subgroups;
}

/* Subgroups of 32: the device's own, or a false report. Those of lavapipe have 4 or 8 lanes. */
static void says_subgroups(struct vulkan *v)
{
    if (!v->device.info.subgroups)
        v->profile.subgroups = (struct vulkan_subgroups){.width = 32, .most = UINT32_MAX};
    v->device.info.subgroups = true;
}

static bool has_subgroups(void)
{
    OWNED_BY(clean_end) struct device *d = open_tested(defaults);
    return d->info.subgroups;
}

Test(vulkan_trial, subgroups_that_are_not_as_wide_as_they_should_be_are_noticed)
{
    OWNED_BY(clean_end) struct device *d = open_tested(defaults);
    d->info.subgroups = false;
    cr_expect_not(takes_subgroups(d));
    cr_expect_eq(between.right, 256 * TRIAL_GROUPS);
    close_clean(d);

    bool has = has_subgroups();
    d = open_tested(defaults);
    says_subgroups(vulkan_of(d));
    cr_expect_eq(takes_subgroups(d), has);
    cr_expect_eq(between.right, has ? 256 * TRIAL_GROUPS : 0);
}

/* The host fuses, so only the places of the invocations decide. */
Test(vulkan_trial, subgroups_with_one_invocation_in_the_wrong_place_are_not_used)
{
    struct message m = {0};
    OWNED_BY(device_end) struct device *d = NULL;
    cr_assert_eq(device_host_create(&m, &defaults, &d), VKS_OK, "%s", m.text);
    d->info.subgroups = true;
    cr_expect(takes_subgroups(d));
    between.misplaces = true;
    cr_expect_not(takes_subgroups(d));
    cr_expect(d->info.fuses);
}

/* The kernels of the known answer are compiled after the trial. */
Test(vulkan_trial, a_device_is_opened_without_subgroups_that_are_not_as_wide_as_they_should_be)
{
    OWNED_BY(clean_end)
    struct device *d = open_tested((struct device_options){.threads = 1}); /* no helpers, which would leak */
    says_subgroups(vulkan_of(d));
    vks_status s = device_opened(d, &(struct device_options){.team = d->team});
    d->team_is_lent = false; /* it was the device's own before */
    must(s);
    cr_expect_eq(d->info.subgroups, has_subgroups());
}

/* It runs as many workgroups at once as there are processors; a machine with eight or more is not tried. */
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

Test(vulkan_trial, a_device_that_waits_for_no_one_is_not_asked_to)
{
    cr_expect_eq(found(says_nothing).polls, 0);
}

Test(vulkan_trial, the_host_fuses_and_nothing_fuses_that_is_to_do_without)
{
    struct message m = {0};
    OWNED_BY(device_end) struct device *d = NULL;
    cr_assert_eq(device_host_create(&m, &defaults, &d), VKS_OK, "%s", m.text);
    d->info.fuses = false;
    cr_assert_eq(device_trial(d, &defaults), VKS_OK, "%s", m.text);
    cr_expect(d->info.fuses);
    cr_assert_eq(device_trial(d, &(struct device_options){.without_fma = true}), VKS_OK);
    cr_expect_not(d->info.fuses);
}

/* The self-test validates `fused`, which is native if the device was found to fuse. */
Test(vulkan_trial, where_a_device_is_found_to_fuse_its_native_operation_is_exact)
{
    struct message m = {0};
    OWNED_BY(context_end) vks_context *c = NULL;
    vks_selftest t;
    cr_assert_eq(context_open(&m, gpu_name(), &defaults, &c), VKS_OK, "%s", m.text);
    cr_assert_eq(vks_context_selftest(c, &t), VKS_OK, "%s", vks_context_message(c));
    for (int p = 0; p < 2; p++)
        cr_expect_eq(t.wrong[p][6], 0, "fuses: %d", c->device->info.fuses);
}
