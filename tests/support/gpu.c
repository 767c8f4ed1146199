#include "tests/support/gpu.h"
#include "device/vulkan/profile.h"

#include <criterion/criterion.h>
#include <stdio.h>

const struct device_info *gpu_info(void)
{
    static struct device_info info;
    struct message m = {0};
    struct device_listing *list = NULL;
    uint32_t count = 0, index = 0;
    if (info.name[0])
        return &info;
    vks_status s = device_vulkan_list(&m, &list, &count);
    if (!s)
        s = vulkan_choose(&m, list, count, strcmp(gpu_name(), "gpu") != 0 ? gpu_name() : NULL, &index);
    if (!s)
        info = list[index].info;
    free(list);
    cr_assert_eq(s, VKS_OK,
                 "these tests need lavapipe (mesa-vulkan-drivers), or what VKSOLVE_TEST_DEVICE names: %s",
                 m.text);
    return &info;
}

const char *gpu_index(void)
{
    static char index[12];
    if (!index[0])
        snprintf(index, sizeof index, "%u", gpu_info()->index);
    return index;
}

void skip_without_f64(vks_status s, const char *message)
{
    if (s == VKS_UNSUPPORTED && !on_lavapipe() && strstr(message, "has no 64-bit floats"))
        cr_skip_test("%s", message);
}

bool both_devices(void)
{
    return gpu_wanted() || !getenv("VKS_TESTS_ON_HOST");
}

bool walks_in(const struct device *d, enum precision p)
{
    return p != PRECISION_F32 || d->info.kind == DEVICE_HOST || gpu_wanted();
}

bool on_hardware(void)
{
    return !on_lavapipe() && gpu_info()->kind != DEVICE_SOFTWARE;
}
