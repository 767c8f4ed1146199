/* Opening Vulkan devices: the list, the choice, and the report if none is chosen. */
#include "vulkan_device.h"

#include <pthread.h>
#include <stdlib.h>

static struct device_listing listing(const char *name, enum device_kind kind, const char *why_not)
{
    struct device_listing d = {.usable = !why_not};
    snprintf(d.info.name, sizeof d.info.name, "%s", name);
    snprintf(d.why_not, sizeof d.why_not, "%s", why_not ? why_not : "");
    d.info.kind = kind;
    return d;
}

Test(vulkan, the_list_has_the_device_with_what_it_can_do)
{
    struct device_listing *list;
    uint32_t count;
    must(device_vulkan_list(&message, &list, &count));
    for (uint32_t i = 0; i < count; i++)
        cr_expect_eq(list[i].info.index, i);
    cr_assert_lt(gpu_info()->index, count);
    const struct device_listing *d = &list[gpu_info()->index];
    cr_expect(d->usable, "%s", d->why_not);
    cr_expect_eq(d->info.max_groups, 65535);
    cr_expect_geq(d->info.largest_array, 1u << 30);
    cr_expect_gt(d->info.memory, 0);
    cr_expect_neq(d->info.driver[0], 0);
    if (on_lavapipe()) {
        cr_expect_eq(d->info.kind, DEVICE_SOFTWARE);
        cr_expect(d->info.f64);
        cr_expect(d->info.unified);
        cr_expect(strstr(d->info.driver, "llvmpipe"));
    }
    free(list);
}

Test(vulkan, automatic_choice_takes_a_discrete_gpu_before_an_integrated_one)
{
    uint32_t index;
    struct device_listing list[] = {
        listing("llvmpipe", DEVICE_SOFTWARE, NULL),
        listing("venus", DEVICE_VIRTUAL, NULL),
        listing("iris", DEVICE_INTEGRATED, NULL),
        listing("old", DEVICE_DISCRETE, "no timelineSemaphore"),
        listing("a discrete one", DEVICE_DISCRETE, NULL),
        listing("a second", DEVICE_DISCRETE, NULL),
    };
    must(vulkan_choose(&message, list, 6, NULL, &index));
    cr_expect_eq(index, 4);
    must(vulkan_choose(&message, list, 4, NULL, &index));
    cr_expect_eq(index, 2);
    must(vulkan_choose(&message, list, 6, "", &index));
    cr_expect_eq(index, 4);
}

Test(vulkan, automatic_choice_leaves_software_and_unusable_devices_and_says_so)
{
    uint32_t index;
    struct device_listing list[] = {
        listing("llvmpipe", DEVICE_SOFTWARE, NULL),
        listing("old", DEVICE_DISCRETE, "no timelineSemaphore"),
    };
    must_fail(vulkan_choose(&message, list, 2, NULL, &index), VKS_NO_DEVICE,
              "0 llvmpipe (software, only by name); 1 old (no timelineSemaphore)");
    must_fail(vulkan_choose(&message, list, 0, NULL, &index), VKS_NO_DEVICE, "none");
}

Test(vulkan, automatic_choice_does_not_open_software)
{
    struct device *d = NULL;
    struct device_options o = {.no_pipeline_cache = true};
    vks_status s = device_vulkan_create(&message, &o, &d);
    if (s) { /* there is no GPU here */
        cr_expect_null(d);
        must_fail(s, VKS_NO_DEVICE, gpu_info()->name);
    } else {
        cr_expect_neq(d->info.kind, DEVICE_SOFTWARE);
        device_destroy(d);
    }
}

Test(vulkan, a_name_is_an_index_or_a_part_of_one_name_in_any_case)
{
    uint32_t index;
    struct device_listing list[] = {
        listing("NVIDIA GeForce RTX 3060", DEVICE_DISCRETE, NULL),
        listing("NVIDIA GeForce RTX 3060 Ti", DEVICE_DISCRETE, NULL),
        listing("llvmpipe (LLVM 15.0.6, 256 bits)", DEVICE_SOFTWARE, NULL),
    };
    must(vulkan_choose(&message, list, 3, "1", &index));
    cr_expect_eq(index, 1);
    must(vulkan_choose(&message, list, 3, "LLVMPIPE", &index));
    cr_expect_eq(index, 2);
    must(vulkan_choose(&message, list, 3, "3060 ti", &index));
    cr_expect_eq(index, 1);
    must(vulkan_choose(&message, list, 3, "nvidia geforce rtx 3060", &index)); /* the whole name of one */
    cr_expect_eq(index, 0);
    must(vulkan_choose(&message, list, 3, "256", &index)); /* no index, so a part of a name */
    cr_expect_eq(index, 2);
}

Test(vulkan, names_that_are_unknown_or_ambiguous_or_unusable_are_refused)
{
    uint32_t index;
    struct device_listing list[] = {
        listing("A twin", DEVICE_DISCRETE, NULL),
        listing("A twin", DEVICE_DISCRETE, NULL),
        listing("old", DEVICE_INTEGRATED, "no scalarBlockLayout"),
    };
    must_fail(vulkan_choose(&message, list, 3, "radeon", &index), VKS_NO_DEVICE, "0 A twin; 1 A twin; 2 old");
    must_fail(vulkan_choose(&message, list, 3, "3", &index), VKS_NO_DEVICE, "\"3\"");
    must_fail(vulkan_choose(&message, list, 3, "99999999999999999999", &index), VKS_NO_DEVICE, "no device");
    must_fail(vulkan_choose(&message, list, 3, "twin", &index), VKS_NO_DEVICE, "2 devices");
    must_fail(vulkan_choose(&message, list, 3, "a twin", &index), VKS_NO_DEVICE, "by its index");
    must_fail(vulkan_choose(&message, list, 3, "old", &index), VKS_NO_DEVICE, "no scalarBlockLayout");
}

static struct device_listing twin(const char *uuid, const char *pci)
{
    struct device_listing d = listing("NVIDIA H100 at65", DEVICE_DISCRETE, NULL);
    snprintf(d.info.uuid, sizeof d.info.uuid, "%s", uuid);
    snprintf(d.info.pci, sizeof d.info.pci, "%s", pci);
    return d;
}

Test(vulkan, devices_of_one_name_are_distinguished_by_uuid_and_pci_address)
{
    struct device_listing list[] = {
        twin("2ad6e2ce-3c0b-4e4e-9b0a-1f2d3c4b5a69", "0000:65:00.0"),
        twin("2ad6e2cf-3c0b-4e4e-9b0a-1f2d3c4b5a69", "0000:b3:00.0"),
        twin("00000000-0000-0000-0000-000000000001", "0001:65:00.0"),
    };
    static const struct {
        const char *name;
        uint32_t index;
    } right[] = {
        {"2ad6e2ce-3c0b-4e4e-9b0a-1f2d3c4b5a69", 0},
        {"2AD6E2CF3C0B4E4E9B0A1F2D3C4B5A69", 1},
        {"GPU-2ad6e2cf-3c0b-4e4e-9b0a-1f2d3c4b5a69", 1},
        {"gpu-2ad6e2ce", 0},
        {"GPU-0000", 2},
        {"0000:65:00.0", 0},
        {"00000000:B3:00.0", 1},
        {"b3:00.0", 1},
        {"0001:65:00.0", 2},
        {"1", 1},
    };
    uint32_t index;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        must(vulkan_choose(&message, list, 3, right[i].name, &index));
        cr_expect_eq(index, right[i].index, "%s", right[i].name);
    }
    must_fail(vulkan_choose(&message, list, 3, "65:00.0", &index), VKS_NO_DEVICE, "any of 2 devices");
    must_fail(vulkan_choose(&message, list, 3, "GPU-2ad6e2c", &index), VKS_NO_DEVICE, "any of 2 devices");
    must_fail(vulkan_choose(&message, list, 3, "100", &index), VKS_NO_DEVICE, "any of");
    must_fail(vulkan_choose(&message, list, 3, "h100", &index), VKS_NO_DEVICE,
              "choose one by its index, PCI address or UUID: 0 NVIDIA H100 at65 at 0000:65:00.0; 1 NVIDIA");
    static const char *const wrong[] = {"GPU-",  "GPU-2ad",  "2ad6e2ce",   "0000:65:00.1",
                                        "65:00", "65:00.0x", "-1:65:00.0", "65",
                                        "7",     " "}; /* the name has blanks, 65 and 100 */
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        must_fail(vulkan_choose(&message, list, 3, wrong[i], &index), VKS_NO_DEVICE, "no device is called");
    struct device_listing alike[] = {twin("00000000-0000-0000-0000-000000000001", ""),
                                     twin("00000000-0000-0000-0000-000000000001", "")};
    must_fail(vulkan_choose(&message, alike, 2, "h100", &index), VKS_NO_DEVICE,
              "choose one by its index, the only difference between them");
}

Test(vulkan, an_unknown_name_is_answered_with_the_devices_of_this_machine)
{
    struct device *d = NULL;
    struct device_options o = {.name = "no such device", .no_pipeline_cache = true};
    must_fail(device_vulkan_create(&message, &o, &d), VKS_NO_DEVICE, gpu_info()->name);
    cr_expect_null(d);
}

Test(vulkan, a_machine_without_vulkan_is_no_device)
{
    struct device *d = NULL;
    must_fail(vulkan_create(&message, NULL, "libno-such-vulkan.so.1", &d), VKS_NO_DEVICE,
              "no Vulkan on this machine");
    cr_expect_null(d);
    /* an existing library that is not Vulkan's loader */
    must_fail(vulkan_create(&message, NULL, "libm.so.6", &d), VKS_NO_DEVICE, "vkGetInstanceProcAddr");
    cr_expect_null(d);
}

Test(vulkan, options_for_tests_lower_what_the_device_can_do)
{
    OWNED_BY(clean_end)
    struct device *d = open_tested((struct device_options){.max_groups = 7,
                                                           .without_f64 = true,
                                                           .without_subgroups = true,
                                                           .without_unified = true,
                                                           .largest_array = 12345});
    cr_expect_eq(d->info.max_groups, 7);
    cr_expect_eq(d->info.largest_array, 12345);
    cr_expect_not(d->info.f64);
    cr_expect_not(d->info.subgroups);
    cr_expect_not(d->info.unified);
}

Test(vulkan, subgroups_are_used_only_where_they_can_be_32_wide)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){0});
    if (d->info.kind == DEVICE_SOFTWARE) /* those of lavapipe are 4 or 8 wide */
        cr_expect_not(d->info.subgroups);
}

Test(vulkan, messages_of_the_validation_layer_are_counted_and_printed)
{
    if (!on_lavapipe())
        cr_skip_test("%s is opened without the validation layer", gpu_name());
    OWNED_BY(device_end) struct device *d = open_tested((struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    VkBufferCreateInfo nothing = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    VkBuffer buffer = VK_NULL_HANDLE;
    struct printed p = stderr_away();
    v->instance.vk.CreateBuffer(v->logical, &nothing, NULL, &buffer); /* of no bytes: not allowed */
    v->instance.vk.DestroyBuffer(v->logical, buffer, NULL);
    stderr_back(&p);
    cr_expect_gt(device_vulkan_messages(d), 0);
    cr_expect(strstr(p.text, "vksolve: validation: "), "nothing was printed");
}

Test(vulkan, objects_can_have_names)
{
    OWNED_BY(device_end) struct device *d = open_tested((struct device_options){.debug_names = true});
    struct memory m = new_array(d, MEMORY_DEVICE, (uint64_t)2 << 20);
    device_release(d, &m);
    close_clean(d);
    struct device_options quiet = {.name = gpu_index(), .debug_names = true, .no_pipeline_cache = true};
    must(device_vulkan_create(&message, &quiet, &d)); /* without validation, too */
}

static void *open_and_close(void *status)
{
    struct message m = {0};
    struct device_options o = {.name = gpu_index(), .no_pipeline_cache = true};
    for (int i = 0; i < 3; i++) {
        OWNED_BY(device_end) struct device *d = NULL;
        *(vks_status *)status = device_vulkan_create(&m, &o, &d);
    }
    return NULL;
}

Test(vulkan, several_threads_may_open_devices_at_once)
{
    pthread_t threads[4];
    vks_status status[4];
    (void)gpu_index(); /* so that the threads find it cached */
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, open_and_close, &status[i]), 0);
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        cr_expect_eq(status[i], VKS_OK);
    }
}
