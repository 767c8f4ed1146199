/* What is refused about a program's own Vulkan device, without leaving anything behind. */
#include "own_device.h"

/* Between vksolve and the driver: the program's vkGetInstanceProcAddr. */
static struct {
    PFN_vkGetInstanceProcAddr instance;
    PFN_vkGetDeviceProcAddr device;
    PFN_vkGetPhysicalDeviceFeatures2 features;
    const char *missing; /* a device function */
    uint32_t calls, fail_call;
    VkResult result; /* of the failing call */
} driver;

static VKAPI_ATTR void VKAPI_CALL features_without_scalar_layout(VkPhysicalDevice physical,
                                                                 VkPhysicalDeviceFeatures2 *f)
{
    driver.features(physical, f);
    for (VkBaseOutStructure *s = (void *)f; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES)
            ((VkPhysicalDeviceVulkan12Features *)(void *)s)->scalarBlockLayout = VK_FALSE;
}

static PFN_vkVoidFunction VKAPI_PTR find_lacking(VkInstance instance, const char *name)
{
    if (strcmp(name, "vkGetPhysicalDeviceFeatures2"))
        return driver.instance(instance, name);
    return (PFN_vkVoidFunction)features_without_scalar_layout;
}

static bool fails(void)
{
    return ++driver.calls == driver.fail_call;
}

/* Every object that a context makes when it opens. X(name, handle) */
#define MADE(X)       \
    X(Semaphore)      \
    X(CommandPool)    \
    X(Buffer)         \
    X(PipelineLayout) \
    X(PipelineCache)

#define X(name)                                                                                      \
    static PFN_vkCreate##name create_##name;                                                         \
    static VkResult VKAPI_PTR make_##name(VkDevice device, const Vk##name##CreateInfo *info,         \
                                          const VkAllocationCallbacks *callbacks, Vk##name *made)    \
    {                                                                                                \
        return fails() ? VK_ERROR_OUT_OF_HOST_MEMORY : create_##name(device, info, callbacks, made); \
    }
MADE(X)
#undef X

static PFN_vkQueueSubmit queue_submit;
static VkResult VKAPI_PTR submit(VkQueue queue, uint32_t count, const VkSubmitInfo *list, VkFence fence)
{
    return fails() ? driver.result : queue_submit(queue, count, list, fence);
}

static PFN_vkVoidFunction VKAPI_PTR find_of_device(VkDevice device, const char *name)
{
    PFN_vkVoidFunction f = driver.device(device, name);
    if (driver.missing && !strcmp(name, driver.missing))
        return NULL;
    if (!strcmp(name, "vkQueueSubmit") && driver.result) {
        queue_submit = (PFN_vkQueueSubmit)f;
        return (PFN_vkVoidFunction)submit;
    }
#define X(made)                                 \
    if (!strcmp(name, "vkCreate" #made)) {      \
        create_##made = (PFN_vkCreate##made)f;  \
        return (PFN_vkVoidFunction)make_##made; \
    }
    MADE(X)
#undef X
    return f;
}

static PFN_vkVoidFunction VKAPI_PTR find_hooked(VkInstance instance, const char *name)
{
    return strcmp(name, "vkGetDeviceProcAddr") ? driver.instance(instance, name)
                                               : (PFN_vkVoidFunction)find_of_device;
}

static void hook(struct app *a)
{
    driver.instance = a->vk.GetInstanceProcAddr;
    driver.device = a->vk.GetDeviceProcAddr;
    driver.features = a->vk.GetPhysicalDeviceFeatures2;
}

/* Must give no context, and a message with the part. */
static void refuse_with(const vks_vulkan_device *own, vks_context_options o, vks_status expected,
                        const char *part)
{
    vks_context *c = (void *)&o;
    o.no_pipeline_cache = 1;
    o.message = message.text;
    o.message_size = sizeof message.text;
    must_fail(vks_context_create_vulkan(own, &o, &c), expected, part);
    cr_expect_null(c);
}

static void refuse(const vks_vulkan_device *own, vks_status expected, const char *part)
{
    refuse_with(own, (vks_context_options){0}, expected, part);
}

static void nothing(void *user)
{
    (void)user;
}

Test(vulkan_own_refuse, descriptions_that_lack_something_are_refused_by_name)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    vks_vulkan_device own;
#define WITHOUT(member, value, part) \
    own = a.own;                     \
    own.member = value;              \
    refuse(&own, VKS_INVALID_ARGUMENT, part)
    WITHOUT(instance, NULL, "no instance");
    WITHOUT(physical_device, NULL, "no physical_device");
    WITHOUT(device, NULL, "no device");
    WITHOUT(created_with, NULL, "no created_with");
    WITHOUT(queue, NULL, "no queue");
    WITHOUT(lock_queue, nothing, "no unlock_queue");
    WITHOUT(unlock_queue, nothing, "no lock_queue");
    WITHOUT(api_version, VK_API_VERSION_1_1, "1.1");
    WITHOUT(api_version, 0, "1.2");
#undef WITHOUT
    own = a.own;
    own.queue_family = 77;
    refuse(&own, VKS_UNSUPPORTED, "no compute in the family of the queue");
    vks_context_destroy(app_context(&a)); /* without an error it opens */
}

Test(vulkan_own_refuse, options_that_are_the_programs_affair_are_refused)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    refuse_with(&a.own, (vks_context_options){.device = "host"}, VKS_INVALID_ARGUMENT, "\"host\"");
    refuse_with(&a.own, (vks_context_options){.validate = 1}, VKS_INVALID_ARGUMENT, "validation");
    refuse_with(&a.own, (vks_context_options){.threads = 1025}, VKS_INVALID_ARGUMENT, "at most 1024");
}

Test(vulkan_own_refuse, features_that_were_not_enabled_are_named)
{
    OWNED_BY(app_close) struct app a;
    app_begin(&a);
    a.features.v12.bufferDeviceAddress = VK_FALSE;
    a.features.v12.timelineSemaphore = VK_FALSE;
    app_create_device(&a);
    refuse(&a.own, VKS_UNSUPPORTED, "no bufferDeviceAddress, no timelineSemaphore");
    a.features.v12.bufferDeviceAddress = a.features.v12.timelineSemaphore = VK_TRUE;
    a.features.v12.scalarBlockLayout = VK_FALSE; /* as if it had been created so */
    refuse(&a.own, VKS_UNSUPPORTED, "created: no scalarBlockLayout");
    VkDeviceCreateInfo bare = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    a.own.created_with = &bare;
    refuse(&a.own, VKS_UNSUPPORTED, "no bufferDeviceAddress, no scalarBlockLayout, no timelineSemaphore");
}

Test(vulkan_own_refuse, features_count_wherever_the_program_has_enabled_them)
{
    OWNED_BY(app_close) struct app a;
    app_begin(&a);
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .bufferDeviceAddress = VK_TRUE};
    VkPhysicalDeviceScalarBlockLayoutFeatures scalar = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SCALAR_BLOCK_LAYOUT_FEATURES,
        .pNext = &address,
        .scalarBlockLayout = VK_TRUE};
    VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .pNext = &scalar,
        .timelineSemaphore = VK_TRUE};
    VkPhysicalDeviceFeatures core = {.shaderFloat64 = VK_TRUE};
    a.created_with.pNext = &timeline;
    a.created_with.pEnabledFeatures = &core;
    a.created_with.enabledExtensionCount = 0;
    app_create_device(&a);
    OWNED_BY(context_end) vks_context *c = app_context(&a);
    const struct device_info *info = &c->device->info;
    cr_expect(info->f64);
    cr_expect_not(info->memory_model); /* the device has these, but they were not enabled */
    cr_expect_not(info->atomic_swap[PRECISION_F64]);
    cr_expect_not(info->atomic_add[PRECISION_F32]);
}

Test(vulkan_own_refuse, f64_that_was_not_enabled_is_refused_and_f32_works)
{
    OWNED_BY(app_close) struct app a;
    app_begin(&a);
    a.features.core.features.shaderFloat64 = VK_FALSE;
    app_create_device(&a);
    vks_context *c = app_context(&a);
    struct app_buffer there = app_buffer(&a, 64);
    vks_vector *v = (void *)c;
    double sum = 0;
    must_refuse(c, vks_vector_wrap_buffer(c, there.buffer, 0, 8, VKS_F64, &v), VKS_UNSUPPORTED, "64-bit");
    cr_expect_null(v);
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, 16, VKS_F32, &v));
    must_work(c, vks_vector_fill(v, 0.25));
    must_work(c, vks_vector_sum(v, &sum));
    cr_expect_eq(sum, 4);
    vks_vector_destroy(v);
    vks_context_destroy(c);
    app_buffer_free(&a, &there);
}

Test(vulkan_own_refuse, the_choice_of_features_says_what_a_physical_device_lacks)
{
    OWNED_BY(app_close) struct app a;
    vks_vulkan_features f;
    app_begin(&a);
    hook(&a);
    a.own.get_instance_proc_addr = find_lacking;
    VkPhysicalDeviceProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    a.vk.GetPhysicalDeviceProperties2(a.own.physical_device, &p);
    must_fail(vks_vulkan_choose_features(&a.own, &f, message.text, sizeof message.text), VKS_UNSUPPORTED,
              p.properties.deviceName);
    must_fail(vks_vulkan_choose_features(&a.own, &f, message.text, sizeof message.text), VKS_UNSUPPORTED,
              "cannot be used: no scalarBlockLayout");
    a.own.physical_device = VK_NULL_HANDLE;
    must_fail(vks_vulkan_choose_features(&a.own, &f, message.text, sizeof message.text), VKS_INVALID_ARGUMENT,
              "physical_device");
    cr_expect_eq(vks_vulkan_choose_features(&a.own, &f, NULL, 0), VKS_INVALID_ARGUMENT);
}

Test(vulkan_own_refuse, the_chosen_chain_holds_each_feature_once)
{
    OWNED_BY(app_close) struct app a;
    app_begin(&a); /* of Vulkan 1.3 */
    cr_expect_eq(a.features.v12.pNext, &a.features.v13);
    a.own.api_version = VK_API_VERSION_1_2;
    vks_vulkan_features f;
    cr_assert_eq(vks_vulkan_choose_features(&a.own, &f, NULL, 0), VKS_OK);
    cr_expect_eq(f.core.pNext, &f.v12);
    cr_expect_eq(f.v12.pNext, &f.sizes);
    bool named = false;
    for (uint32_t i = 0; i < f.extension_count; i++)
        named |= !strcmp(f.extensions[i], VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
    cr_expect(named, "Vulkan 1.2 has the feature by an extension");
}

Test(vulkan_own_refuse, a_vector_that_takes_64_bit_integers)
{
    enum { N = 1 << 29 };
    OWNED_BY(app_close) struct app a;
    app_begin(&a);
    a.features.core.features.shaderInt64 = VK_FALSE;
    app_create_device(&a);
    OWNED_BY(context_end) vks_context *c = app_context(&a);
    OWNED(vks_vector) *v = NULL;
    must_refuse(c, vks_vector_wrap_address(c, 4096, N + 1, VKS_F64, &v), VKS_UNSUPPORTED,
                "a vector of 4294967304 bytes: without shaderInt64 the most is 4294967296");
    cr_assert_eq(vks_vector_wrap_address(c, 4096, N, VKS_F64, &v), VKS_OK);
}

Test(vulkan_own_refuse, ranges_that_are_no_vectors)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    vks_context *c = app_context(&a);
    struct app_buffer there = app_buffer(&a, 4096);
    vks_vector *v = (void *)c;
    must_refuse(c, vks_vector_wrap_buffer(c, VK_NULL_HANDLE, 0, 1, VKS_F64, &v), VKS_INVALID_ARGUMENT,
                "VK_NULL_HANDLE");
    must_refuse(c, vks_vector_wrap_buffer(c, there.buffer, 4, 1, VKS_F64, &v), VKS_INVALID_ARGUMENT,
                "no multiple of 8");
    must_refuse(c, vks_vector_wrap_buffer(c, there.buffer, 2, 1, VKS_F32, &v), VKS_INVALID_ARGUMENT,
                "no multiple of 4");
    must_refuse(c, vks_vector_wrap_buffer(c, there.buffer, 8, 512, VKS_F64, &v), VKS_INVALID_ARGUMENT,
                "4096 bytes at 8 leaves its buffer of 4096");
    must_refuse(c, vks_vector_wrap_buffer(c, there.buffer, UINT64_MAX - 7, 1, VKS_F64, &v),
                VKS_INVALID_ARGUMENT, "leaves its buffer");
    must_refuse(c, vks_vector_wrap_address(c, 0, 1, VKS_F64, &v), VKS_INVALID_ARGUMENT, "none");
    must_refuse(c, vks_vector_wrap_address(c, there.address + 4, 1, VKS_F64, &v), VKS_INVALID_ARGUMENT,
                "no multiple of 8");
    must_refuse(c, vks_vector_wrap_address(c, there.address, UINT32_MAX, VKS_F64, &v), VKS_LIMIT,
                "4294967295");
    must_refuse(c, vks_vector_wrap_address(c, there.address, 1, VKS_MIXED, &v), VKS_INVALID_ARGUMENT,
                "VKS_MIXED");
    must_refuse(c, vks_context_wait_semaphore(c, VK_NULL_HANDLE, 1), VKS_INVALID_ARGUMENT, "VK_NULL_HANDLE");
    must_refuse(c, vks_context_signal_semaphore(c, VK_NULL_HANDLE, 1), VKS_INVALID_ARGUMENT,
                "VK_NULL_HANDLE");
    cr_expect_null(v);
    vks_context_destroy(c);
    app_buffer_free(&a, &there);
}

Test(vulkan_own_refuse, contexts_that_are_not_in_the_programs_device)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 64);
    VkSemaphore s = app_timeline(&a);
    const char *devices[] = {"host", gpu_name()};
    for (int i = 0; i < 2; i++) {
        OWNED_BY(context_end) vks_context *c = NULL;
        vks_vector *v = (void *)&a;
        vks_context_options o = {.device = devices[i], .no_pipeline_cache = 1};
        cr_assert_eq(vks_context_create(&o, &c), VKS_OK);
        must_refuse(c, vks_vector_wrap_buffer(c, there.buffer, 0, 1, VKS_F64, &v), VKS_INVALID_ARGUMENT,
                    "vks_context_create_vulkan");
        cr_expect_null(v);
        must_refuse(c, vks_context_wait_semaphore(c, s, 1), VKS_INVALID_ARGUMENT,
                    "vks_context_create_vulkan");
        must_refuse(c, vks_context_signal_semaphore(c, s, 1), VKS_INVALID_ARGUMENT,
                    "vks_context_create_vulkan");
    }
    a.vk.DestroySemaphore(a.own.device, s, NULL);
    app_buffer_free(&a, &there);
}

Test(vulkan_own_refuse, a_driver_without_a_function_is_refused_by_its_name)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    hook(&a);
    a.own.get_instance_proc_addr = find_hooked;
    driver.missing = "vkCmdDispatch";
    refuse(&a.own, VKS_NO_DEVICE, "vkCmdDispatch");
}

/* The validation layer reports leaked objects when the device is destroyed. */
Test(vulkan_own_refuse, failures_of_the_driver_are_reported_and_leave_nothing_in_the_device)
{
    struct app a;
    app_open(&a);
    hook(&a);
    a.own.get_instance_proc_addr = find_hooked;
    for (driver.fail_call = 1;; driver.fail_call++) {
        driver.calls = 0;
        vks_context *c = NULL;
        vks_context_options o = {
            .no_pipeline_cache = 1, .message = message.text, .message_size = sizeof message.text};
        vks_status s = vks_context_create_vulkan(&a.own, &o, &c);
        if (!s) {
            vks_context_destroy(c);
            break;
        }
        must_fail(s, VKS_OUT_OF_MEMORY, "out of host memory");
        cr_expect_null(c);
    }
    cr_expect_gt(driver.fail_call, 8, "only %u objects were made to fail", driver.fail_call - 1);
    app_close(&a);
}

Test(vulkan_own_refuse, a_device_that_is_lost_is_reported_and_only_left)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    hook(&a);
    a.own.get_instance_proc_addr = find_hooked;
    driver.result = VK_ERROR_DEVICE_LOST;
    vks_context *c = app_context(&a);
    VkSemaphore s = app_timeline(&a);
    driver.calls = 0;
    driver.fail_call = 1;
    must_refuse(c, vks_context_signal_semaphore(c, s, 1), VKS_DEVICE_LOST, "lost");
    must_refuse(c, vks_context_wait_semaphore(c, s, 1), VKS_DEVICE_LOST, "lost");
    vks_vector *v;
    must_refuse(c, vks_vector_create(c, 10, VKS_F32, &v), VKS_DEVICE_LOST, "lost");
    vks_context_destroy(c);
    cr_expect_eq(app_value(&a, s), 0);
    a.vk.DestroySemaphore(a.own.device, s, NULL);
}
