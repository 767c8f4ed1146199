/* vksolve devices, and VKSOLVE_DEVICE for the command and the library. */
#include "cli.h"
#include "tests/support/own.h"
#include "vksolve/context.h"

TestSuite(devices, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define LAVAPIPE "lvp=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json | head -1); "

Test(devices, list_has_uuids_and_two_of_one_uuid_are_taken_by_index)
{
    expect(LAVAPIPE "cp $lvp $FOLDER/a.json; cp $lvp $FOLDER/b.json", 0, "");
    char files[160];
    snprintf(files, sizeof files, "%s/a.json:%s/b.json", folder, folder);
    setenv("VK_DRIVER_FILES", files, 1);
    expect("$VKSOLVE devices --json - | grep -cE '\"uuid\": *\"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\"'",
           0, "2");
    expect("$VKSOLVE devices", 0, "UUID ");
    expect("$VKSOLVE selftest --device llvmpipe", 4,
           "choose one by its index, the only difference between them");
    expect("VKSOLVE_DEVICE=1 $VKSOLVE devices", 0, "\n* 1     llvmpipe");
}

Test(devices, the_command_says_why_there_is_no_gpu)
{
    expect("VK_DRIVER_FILES=/nowhere.json $VKSOLVE devices", 0,
           "no driver for it; VK_DRIVER_FILES names /nowhere.json, which cannot be read: No such file");
    expect("VK_DRIVER_FILES= VK_ICD_FILENAMES=/nowhere.json $VKSOLVE devices --json -", 0,
           "VK_ICD_FILENAMES names /nowhere.json");
    expect("VK_DRIVER_FILES=/nowhere.json $VKSOLVE selftest --device gpu", 4,
           "VK_DRIVER_FILES names /nowhere.json");
    expect(LAVAPIPE "VK_DRIVER_FILES=$lvp $VKSOLVE devices", 0,
           "no GPU that vksolve can use; the Vulkan devices are: 0 llvm");
}

Test(devices, the_environment_names_the_device_for_the_command)
{
    expect("$VKSOLVE generate poisson2d 8 -o $FOLDER/A.mtx", 0, "");
    expect("VKSOLVE_DEVICE=Host $VKSOLVE solve $FOLDER/A.mtx", 0, "(by VKSOLVE_DEVICE)");
    expect("VKSOLVE_DEVICE=nonsense $VKSOLVE solve $FOLDER/A.mtx", 4,
           "VKSOLVE_DEVICE is \"nonsense\": no device is called");
    expect("VKSOLVE_DEVICE=nonsense $VKSOLVE devices", 0,
           "VKSOLVE_DEVICE is \"nonsense\": no device is called");
    expect("VKSOLVE_DEVICE=nonsense $VKSOLVE solve $FOLDER/A.mtx --device host", 0, "(as asked)");
}

static vks_status open_named(const char *name, vks_device_kind *kind, char message[512])
{
    OWNED_BY(context_end) vks_context *context = NULL;
    vks_context_options o = {.device = name, .message = message, .message_size = 512};
    vks_device_info info = {0};
    vks_status s = vks_context_create(&o, &context);
    if (!s)
        s = vks_context_device(context, &info);
    *kind = info.kind;
    return s;
}

Test(devices, the_environment_names_the_device_for_the_library_where_a_call_does_not)
{
    char message[512];
    vks_device_kind kind;
    setenv("VKSOLVE_DEVICE", gpu_name(), 1);
    cr_assert_eq(open_named(NULL, &kind, message), VKS_OK, "%s", message);
    cr_expect_neq(kind, VKS_DEVICE_HOST);
    cr_assert_eq(open_named("", &kind, message), VKS_OK, "%s", message);
    cr_expect_neq(kind, VKS_DEVICE_HOST);
    cr_assert_eq(open_named("HOST", &kind, message), VKS_OK, "%s", message);
    cr_expect_eq(kind, VKS_DEVICE_HOST);
    setenv("VKSOLVE_DEVICE", "nonsense", 1);
    cr_expect_eq(open_named(NULL, &kind, message), VKS_NO_DEVICE);
    cr_expect(strstr(message, "VKSOLVE_DEVICE is \"nonsense\": no device is called"), "%s", message);
    cr_expect_eq(open_named("auto", &kind, message), VKS_OK);
    setenv("VKSOLVE_DEVICE", "", 1);
    cr_expect_eq(open_named(NULL, &kind, message), VKS_OK);
}
