/* The time of kernels by the device's clock. */
#include "report/clock.h"
#include "tests/support/context.h"
#include "vksolve/vector.h"

enum { N = 300000 };

static void time_calls(const char *device)
{
    OWNED(vks_context) *c = open_context(device, (struct device_options){.timestamps = true});
    double seconds = -1, again = -1, result, value;
    must_work(c, vks_context_kernel_seconds(c, &seconds));
    cr_expect_eq(seconds, 0, "%s: nothing has run yet", device);
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F32, NULL, N);
    double start = clock_seconds();
    must_work(c, vks_vector_dot(x, x, &result));
    double wall = clock_seconds() - start;
    must_work(c, vks_context_kernel_seconds(c, &seconds));
    must_work(c, vks_context_kernel_seconds(c, &again));
    cr_expect(seconds > 0 && seconds <= wall, "%s: %g s of %g s", device, seconds, wall);
    cr_expect_eq(seconds, again);
    must_work(c, vks_vector_read(x, 0, 1, VKS_F64, &value));
    must_work(c, vks_context_kernel_seconds(c, &seconds));
    cr_expect_eq(seconds, 0, "%s: reading runs no kernel", device);
}

Test(timing, the_kernels_of_the_last_call_are_timed_where_that_is_asked_for)
{
    time_calls("host");
    time_calls(gpu_name());
}

static void refuse_times(const char *device)
{
    OWNED(vks_context) *c = open_context(device, (struct device_options){0});
    double seconds;
    must_refuse(c, vks_context_kernel_seconds(c, &seconds), VKS_UNSUPPORTED, "without timestamps");
    must_work(c, vks_context_copy_bandwidth(c, &seconds));
}

Test(timing, there_is_none_where_it_is_not_asked_for)
{
    refuse_times("host");
    refuse_times(gpu_name());
}

static vks_status no_times(struct rec *r, double *seconds)
{
    (void)seconds;
    return fail(r->device->message, VKS_DEVICE_LOST, "the clock stopped");
}

Test(timing, a_clock_that_fails_fails_the_call)
{
    OWNED(vks_context) *c = open_context("host", (struct device_options){.timestamps = true});
    const struct device_ops *working = c->device->ops;
    struct device_ops broken = *working;
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F32, NULL, N);
    broken.times = no_times;
    c->device->ops = &broken;
    must_refuse(c, vks_vector_fill(x, 2), VKS_DEVICE_LOST, "the clock stopped");
    c->device->ops = working;
    must_work(c, vks_vector_fill(x, 2));
}
