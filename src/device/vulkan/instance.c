#include "device/vulkan/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char validation_layer[] = "VK_LAYER_KHRONOS_validation";

static VkBool32 VKAPI_PTR message_arrived(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT type,
                                          const VkDebugUtilsMessengerCallbackDataEXT *data, void *messages)
{
    (void)severity;
    (void)type;
    atomic_fetch_add((atomic_uint *)messages, 1);
    fprintf(stderr, "vksolve: validation: %s\n", data->pMessage);
    return VK_FALSE;
}

/* The type GENERAL is excluded: with it the loader complains about unrelated files on the machine. */
static VkDebugUtilsMessengerCreateInfoEXT messenger_info(struct vulkan_instance *instance)
{
    return (VkDebugUtilsMessengerCreateInfoEXT){
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity =
            VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType =
            VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT,
        .pfnUserCallback = message_arrived,
        .pUserData = &instance->messages,
    };
}

static bool has_layer(const struct vulkan_api *vk, const char *name)
{
    uint32_t count = 0;
    if (vk->EnumerateInstanceLayerProperties(&count, NULL) || !count)
        return false;
    VkLayerProperties *list = calloc(count, sizeof *list);
    bool found = false;
    if (list && vk->EnumerateInstanceLayerProperties(&count, list) >= 0)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(list[i].layerName, name) == 0;
    free(list);
    return found;
}

static bool has_extension(const struct vulkan_api *vk, const char *layer, const char *name)
{
    uint32_t count = 0;
    if (vk->EnumerateInstanceExtensionProperties(layer, &count, NULL) || !count)
        return false;
    VkExtensionProperties *list = calloc(count, sizeof *list);
    bool found = false;
    if (list && vk->EnumerateInstanceExtensionProperties(layer, &count, list) >= 0)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(list[i].extensionName, name) == 0;
    free(list);
    return found;
}

/* The version to use: 1.3 at most, else 1.2. */
static uint32_t used_version(uint32_t version)
{
    return version < VK_API_VERSION_1_3 ? VK_API_VERSION_1_2 : VK_API_VERSION_1_3;
}

static vks_status create(struct message *m, struct vulkan_instance *instance, bool validate, bool debug)
{
    const struct vulkan_api *vk = &instance->vk;
    const char *layer = validation_layer, *extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(instance);
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "vksolve",
        .apiVersion = instance->version,
    };
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = validate ? &messenger : NULL, /* also covers creation and destruction of the instance */
        .pApplicationInfo = &application,
        .enabledLayerCount = validate,
        .ppEnabledLayerNames = &layer,
        .enabledExtensionCount = debug,
        .ppEnabledExtensionNames = &extension,
    };
    VkResult r = vk->CreateInstance(&info, NULL, &instance->handle);
    char room[24];
    if (r == VK_ERROR_INCOMPATIBLE_DRIVER) {
        char why[400] = "";
        vulkan_why_absent(why, sizeof why);
        return fail(m, VKS_NO_DEVICE, "Vulkan is installed, but no driver for it%s", why);
    }
    if (r)
        return fail(m, VKS_NO_DEVICE, "Vulkan does not start: %s", vulkan_result_name(r, room));
    return VKS_OK;
}

vks_status vulkan_instance_open(struct message *m, const char *library, const struct device_options *o,
                                struct vulkan_instance *instance)
{
    struct vulkan_api *vk = &instance->vk;
    vks_status s = vulkan_api_open(m, library, vk);
    if (s)
        return s;

    uint32_t version = 0;
    vk->EnumerateInstanceVersion(&version);
    if (version < VK_API_VERSION_1_2)
        return fail(m, VKS_NO_DEVICE,
                    "vksolve needs Vulkan 1.2; the loader on this machine has version %u.%u",
                    VK_API_VERSION_MAJOR(version), VK_API_VERSION_MINOR(version));
    instance->version = used_version(version);

    bool validate = o && o->validate;
    if (validate && !has_layer(vk, validation_layer))
        return fail(m, VKS_UNSUPPORTED, "validation was asked for, but %s is not installed",
                    validation_layer);
    bool names = o && o->debug_names && has_extension(vk, NULL, VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    s = create(m, instance, validate, validate || names);
    IF_OK(s, vulkan_api_instance(m, instance->handle, vk));
    if (s || !validate)
        return s;

    VkDebugUtilsMessengerCreateInfoEXT messenger = messenger_info(instance);
    if (!vk->CreateDebugUtilsMessengerEXT ||
        vk->CreateDebugUtilsMessengerEXT(instance->handle, &messenger, NULL, &instance->messenger))
        return fail(m, VKS_UNSUPPORTED, "%s does not report its messages", validation_layer);
    return VKS_OK;
}

vks_status vulkan_instance_borrow(struct message *m, const vks_vulkan_device *own,
                                  struct vulkan_instance *instance)
{
    instance->vk.GetInstanceProcAddr = own->get_instance_proc_addr;
    vks_status s = VKS_OK;
    if (!own->get_instance_proc_addr)
        s = vulkan_api_open(m, VULKAN_LIBRARY, &instance->vk);
    if (s)
        return s;
    instance->handle = own->instance;
    instance->borrowed = true;
    instance->version = used_version(own->api_version);
    return vulkan_api_instance(m, own->instance, &instance->vk);
}

void vulkan_instance_close(struct vulkan_instance *instance)
{
    const struct vulkan_api *vk = &instance->vk;
    if (instance->messenger)
        vk->DestroyDebugUtilsMessengerEXT(instance->handle, instance->messenger, NULL);
    if (instance->handle && !instance->borrowed && vk->DestroyInstance)
        vk->DestroyInstance(instance->handle, NULL);
    instance->messenger = VK_NULL_HANDLE;
    instance->handle = VK_NULL_HANDLE;
    vulkan_api_close(&instance->vk);
}

vks_status vulkan_instance_devices(struct message *m, const struct vulkan_instance *instance,
                                   VkPhysicalDevice list[VULKAN_MOST_DEVICES], uint32_t *count)
{
    *count = VULKAN_MOST_DEVICES;
    VkResult r = instance->vk.EnumeratePhysicalDevices(instance->handle, count, list);
    if (r >= 0) /* VK_INCOMPLETE: more devices than any machine has */
        return VKS_OK;
    *count = 0;
    char room[24];
    return fail(m, VKS_NO_DEVICE, "Vulkan cannot name its devices: %s", vulkan_result_name(r, room));
}
