/* Drivers that misbehave (lying/loader.c): a device that does not give the known answer is not opened, the
 * reason says what it returned, and nothing leaks. */
#include "device/context.h"
#include "vulkan_device.h"
#undef run /* a recording's; the command's follows */
#include "cli.h"

#include <stdlib.h>

TestSuite(vulkan_lying, .init = make_folder, .fini = remove_folder);

/* Opens the device with these lies. The validation layer must report nothing when it is closed. */
static void must_be_found_out(const char *lies, vks_status expected, const char *why)
{
    struct device *d = NULL;
    struct device_options o = {
        .name = gpu_index(), .validate = on_lavapipe(), .no_pipeline_cache = true, .opening_seconds = 0.1};
    setenv("LYING_DEVICE", lies, 1);
    struct printed p = stderr_away();
    vks_status s = vulkan_create(&message, &o, LYING_LOADER, &d);
    stderr_back(&p);
    cr_expect(strstr(message.text, gpu_info()->name), "%s", message.text);
    must_fail(s, expected, why);
    cr_expect_null(d);
    cr_expect_str_empty(p.text, "printed: %s", p.text);
}

Test(vulkan_lying, a_device_that_executes_nothing_is_found_out)
{
    must_be_found_out("nothing", VKS_NO_DEVICE, "does not work: a kernel whose result is");
    must_be_found_out("nothing", VKS_NO_DEVICE, " wrote nothing over -");
}

Test(vulkan_lying, a_device_that_writes_zeros_is_found_out)
{
    must_be_found_out("zeros", VKS_NO_DEVICE, " gave 0");
}

Test(vulkan_lying, a_device_that_never_ends_is_not_waited_for_longer_than_the_opening_allows)
{
    must_be_found_out("late", VKS_TIMEOUT, "did not finish within 0.1 seconds");
}

Test(vulkan_lying, a_device_that_is_lost_at_once_is_named)
{
    must_be_found_out("lost", VKS_DEVICE_LOST, "was lost while submitting work");
}

Test(vulkan_lying, an_honest_device_is_opened_through_the_same_loader)
{
    OWNED_BY(clean_end) struct device *d = NULL;
    struct device_options o = {.name = gpu_index(), .validate = on_lavapipe(), .no_pipeline_cache = true};
    setenv("LYING_DEVICE", "", 1);
    must(vulkan_create(&message, &o, LYING_LOADER, &d));
    cr_expect_eq(d->patience, DEVICE_WAIT_SECONDS);
    cr_expect_eq(d->bytes, 0);
}

Test(vulkan_lying, the_question_leaves_no_array_and_no_time_on_any_device)
{
    const char *names[] = {"host", gpu_name()};
    for (int k = 0; k < 2; k++) {
        struct message m = {0};
        OWNED_BY(context_end) vks_context *c = NULL;
        must(context_open(&m, names[k], &(struct device_options){.timestamps = true}, &c));
        cr_expect_str_empty(m.text);
        cr_expect_eq(c->device->bytes, 0);
        cr_expect_eq(c->device->waits, 0);
        cr_expect_eq(c->device->kernel_seconds, 0);
    }
}

/* By the command, with the misbehaving loader. */
#define LYING "LD_LIBRARY_PATH=" LYING_FOLDER " LYING_DEVICE=discrete,nothing $VKSOLVE "

Test(vulkan_lying, devices_says_why_one_cannot_be_used)
{
    expect(LYING "devices", 0, "does not work: a kernel whose result is");
    expect(LYING "devices", 0, "not usable");
    expect(LYING "devices", 0, "* host");
    expect(LYING "devices --json - | grep -c '\"usable\": *false'", 0, "1");
}

Test(vulkan_lying, auto_passes_over_such_a_device_and_says_so)
{
    expect("$VKSOLVE generate poisson2d 20 -q -o $FOLDER/A.mtx", 0, "");
    expect(LYING "spmv -d auto $FOLDER/A.mtx 2>&1", 0, "vksolve: passed over: ");
    expect(LYING "spmv -d gpu $FOLDER/A.mtx 2>&1", 4, "does not work: a kernel whose result is");
}

Test(vulkan_lying, nothing_converges_on_a_device_that_executes_nothing)
{
    expect("$VKSOLVE generate poisson2d 20 -q -o $FOLDER/A.mtx", 0, "");
    expect(LYING "solve -d $GPU --method cg --precond jacobi $FOLDER/A.mtx 2>&1", 4, "does not work");
}
