/* A program with its own Vulkan device, that of the tests; if it is lavapipe, it runs under the validation
 * layer with synchronisation checks, which must report nothing. */
#ifndef VKS_TESTS_OWN_DEVICE_H
#define VKS_TESTS_OWN_DEVICE_H

#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vulkan_device.h"

#include <dlfcn.h>

struct app {
    struct vulkan_api vk; /* the program's own entry points, not those of vksolve */
    PFN_vkCmdFillBuffer CmdFillBuffer;
    PFN_vkSignalSemaphore SignalSemaphore;
    VkInstance instance;
    VkDebugUtilsMessengerEXT messenger;
    atomic_uint messages;
    vks_vulkan_features features; /* enabled in its device; tests change them before it is created */
    VkDeviceCreateInfo created_with;
    VkQueue queue;
    VkCommandPool pool;
    vks_vulkan_device own; /* the struct that vksolve receives */
};

static VkBool32 VKAPI_PTR app_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                      VkDebugUtilsMessageTypeFlagsEXT type,
                                      const VkDebugUtilsMessengerCallbackDataEXT *data, void *messages)
{
    (void)severity;
    (void)type;
    atomic_fetch_add((atomic_uint *)messages, 1);
    fprintf(stderr, "validation: %s\n", data->pMessage);
    return VK_FALSE;
}

static inline void app_open_instance(struct app *a)
{
    must(vulkan_api_open(&message, VULKAN_LIBRARY, &a->vk));
    static const char *const layers[] = {"VK_LAYER_KHRONOS_validation"};
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME};
    static const VkValidationFeatureEnableEXT checks[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT more = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                    .enabledValidationFeatureCount = 1,
                                    .pEnabledValidationFeatures = checks};
    VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                     .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pNext = on_lavapipe() ? &more : NULL,
                                 .pApplicationInfo = &application,
                                 .enabledLayerCount = on_lavapipe(),
                                 .ppEnabledLayerNames = layers,
                                 .enabledExtensionCount = 1,
                                 .ppEnabledExtensionNames = extensions};
    cr_assert_eq(a->vk.CreateInstance(&info, NULL, &a->instance), VK_SUCCESS);
    must(vulkan_api_instance(&message, a->instance, &a->vk));
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = app_message,
        .pUserData = &a->messages};
    cr_assert_eq(a->vk.CreateDebugUtilsMessengerEXT(a->instance, &messenger, NULL, &a->messenger),
                 VK_SUCCESS);
}

static inline VkPhysicalDevice app_find_device(struct app *a)
{
    VkPhysicalDevice list[16];
    uint32_t count = 16;
    cr_assert_geq(a->vk.EnumeratePhysicalDevices(a->instance, &count, list), 0);
    cr_assert_lt(gpu_info()->index, count);
    return list[gpu_info()->index];
}

/* The instance, the physical device, and the features to enable. */
static inline void app_begin(struct app *a)
{
    *a = (struct app){0};
    app_open_instance(a);
    a->own = (vks_vulkan_device){
        .instance = a->instance, .api_version = VK_API_VERSION_1_3, .physical_device = app_find_device(a)};
    char text[256] = "";
    vks_status s = vks_vulkan_choose_features(&a->own, &a->features, text, sizeof text);
    cr_assert_eq(s, VKS_OK, "%s", text);
    a->created_with = (VkDeviceCreateInfo){.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                           .pNext = &a->features.core,
                                           .enabledExtensionCount = a->features.extension_count,
                                           .ppEnabledExtensionNames = a->features.extensions};
}

/* Creates the device according to `created_with`. */
static inline void app_create_device(struct app *a)
{
    static const float priority = 1;
    static const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkDevice device;
    a->created_with.queueCreateInfoCount = 1;
    a->created_with.pQueueCreateInfos = &queue;
    cr_assert_eq(a->vk.CreateDevice(a->own.physical_device, &a->created_with, NULL, &device), VK_SUCCESS);
    must(vulkan_api_device(&message, device, &a->vk));
    a->CmdFillBuffer = (PFN_vkCmdFillBuffer)a->vk.GetDeviceProcAddr(device, "vkCmdFillBuffer");
    a->SignalSemaphore = (PFN_vkSignalSemaphore)a->vk.GetDeviceProcAddr(device, "vkSignalSemaphore");
    a->vk.GetDeviceQueue(device, 0, 0, &a->queue);
    VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    cr_assert_eq(a->vk.CreateCommandPool(device, &pool, NULL, &a->pool), VK_SUCCESS);
    a->own.device = device;
    a->own.queue = a->queue;
    a->own.created_with = &a->created_with;
}

static inline void app_open(struct app *a)
{
    app_begin(a);
    app_create_device(a);
}

/* The validation layer reports at the device's destruction what vksolve has left in it. */
static inline void app_close(struct app *a)
{
    if (a->own.device) {
        a->vk.DestroyCommandPool(a->own.device, a->pool, NULL);
        a->vk.DestroyDevice(a->own.device, NULL);
    }
    cr_expect_eq(atomic_load(&a->messages), 0, "the validation layer printed messages");
    a->vk.DestroyDebugUtilsMessengerEXT(a->instance, a->messenger, NULL);
    a->vk.DestroyInstance(a->instance, NULL);
    vulkan_api_close(&a->vk);
}

static inline vks_context *app_context(struct app *a)
{
    char text[256] = "";
    vks_context *c = NULL;
    vks_context_options o = {.no_pipeline_cache = 1, .message = text, .message_size = sizeof text};
    vks_status s = vks_context_create_vulkan(&a->own, &o, &c);
    cr_assert_eq(s, VKS_OK, "%s", text);
    return c;
}

/* A host-visible buffer of the program. Its size is a multiple of 4. */
struct app_buffer {
    VkBuffer buffer;
    VkDeviceMemory memory;
    VkDeviceAddress address;
    void *mapped;
};

static inline uint32_t app_host_memory(struct app *a, uint32_t allowed)
{
    static const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties2 p = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    a->vk.GetPhysicalDeviceMemoryProperties2(a->own.physical_device, &p);
    for (uint32_t i = 0; i < p.memoryProperties.memoryTypeCount; i++)
        if ((allowed >> i & 1) && (p.memoryProperties.memoryTypes[i].propertyFlags & wanted) == wanted)
            return i;
    cr_assert_fail("no memory that the host sees");
    return 0;
}

static inline struct app_buffer app_buffer(struct app *a, uint64_t bytes)
{
    struct app_buffer b = {0};
    VkDevice d = a->own.device;
    VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                               .size = bytes,
                               .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                        VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    cr_assert_eq(a->vk.CreateBuffer(d, &info, NULL, &b.buffer), VK_SUCCESS);
    VkMemoryRequirements needs;
    a->vk.GetBufferMemoryRequirements(d, b.buffer, &needs);
    VkMemoryAllocateFlagsInfo flags = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                       .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .pNext = &flags,
                                   .allocationSize = needs.size,
                                   .memoryTypeIndex = app_host_memory(a, needs.memoryTypeBits)};
    cr_assert_eq(a->vk.AllocateMemory(d, &memory, NULL, &b.memory), VK_SUCCESS);
    cr_assert_eq(a->vk.BindBufferMemory(d, b.buffer, b.memory, 0), VK_SUCCESS);
    cr_assert_eq(a->vk.MapMemory(d, b.memory, 0, VK_WHOLE_SIZE, 0, &b.mapped), VK_SUCCESS);
    VkBufferDeviceAddressInfo address = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
                                         .buffer = b.buffer};
    b.address = a->vk.GetBufferDeviceAddress(d, &address);
    return b;
}

static inline void app_buffer_free(struct app *a, struct app_buffer *b)
{
    a->vk.DestroyBuffer(a->own.device, b->buffer, NULL);
    a->vk.FreeMemory(a->own.device, b->memory, NULL);
}

static inline VkSemaphore app_timeline(struct app *a)
{
    VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                      .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkSemaphore s;
    cr_assert_eq(a->vk.CreateSemaphore(a->own.device, &info, NULL, &s), VK_SUCCESS);
    return s;
}

static inline uint64_t app_value(struct app *a, VkSemaphore s)
{
    uint64_t value = 0;
    cr_assert_eq(a->vk.GetSemaphoreCounterValue(a->own.device, s, &value), VK_SUCCESS);
    return value;
}

static inline void app_signal(struct app *a, VkSemaphore s, uint64_t value)
{
    VkSemaphoreSignalInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = s, .value = value};
    cr_assert_eq(a->SignalSemaphore(a->own.device, &info), VK_SUCCESS);
}

/* Whether the value is reached within 20 seconds. */
static inline bool app_reaches(struct app *a, VkSemaphore s, uint64_t value)
{
    VkSemaphoreWaitInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
                                .semaphoreCount = 1,
                                .pSemaphores = &s,
                                .pValues = &value};
    return a->vk.WaitSemaphores(a->own.device, &info, 20000000000u) == VK_SUCCESS;
}

/* The program's work: fills the buffer with a word, after `wait` reached its value and before `signal` gets
 * its own; without them if the handles are null. */
static inline void app_fill(struct app *a, VkBuffer buffer, uint32_t word, VkSemaphore wait,
                            uint64_t wait_value, VkSemaphore signal, uint64_t signal_value)
{
    VkCommandBufferAllocateInfo allocate = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = a->pool,
                                            .commandBufferCount = 1};
    VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    VkCommandBuffer commands; /* freed with the pool */
    cr_assert_eq(a->vk.AllocateCommandBuffers(a->own.device, &allocate, &commands), VK_SUCCESS);
    cr_assert_eq(a->vk.BeginCommandBuffer(commands, &begin), VK_SUCCESS);
    a->CmdFillBuffer(commands, buffer, 0, VK_WHOLE_SIZE, word);
    cr_assert_eq(a->vk.EndCommandBuffer(commands), VK_SUCCESS);
    VkPipelineStageFlags transfer = VK_PIPELINE_STAGE_TRANSFER_BIT;
    VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                            .waitSemaphoreValueCount = wait != VK_NULL_HANDLE,
                                            .pWaitSemaphoreValues = &wait_value,
                                            .signalSemaphoreValueCount = signal != VK_NULL_HANDLE,
                                            .pSignalSemaphoreValues = &signal_value};
    VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                         .pNext = &values,
                         .waitSemaphoreCount = wait != VK_NULL_HANDLE,
                         .pWaitSemaphores = &wait,
                         .pWaitDstStageMask = &transfer,
                         .commandBufferCount = 1,
                         .pCommandBuffers = &commands,
                         .signalSemaphoreCount = signal != VK_NULL_HANDLE,
                         .pSignalSemaphores = &signal};
    cr_assert_eq(a->vk.QueueSubmit(a->queue, 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
}

#endif
