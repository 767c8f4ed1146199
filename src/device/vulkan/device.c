#include "device/vulkan/vulkan.h"

#include <stdlib.h>

vks_status vulkan_fail(struct vulkan *v, VkResult result, const char *doing)
{
    struct message *m = v->device.message;
    const char *name = v->device.info.name;
    char room[24];
    switch (result) {
    case VK_ERROR_DEVICE_LOST:
        v->lost = true;
        return fail(m, VKS_DEVICE_LOST, "%s was lost while %s; it cannot be used any more", name, doing);
    case VK_ERROR_OUT_OF_HOST_MEMORY:
        return fail(m, VKS_OUT_OF_MEMORY, "out of host memory while %s on %s", doing, name);
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        return fail(m, VKS_DEVICE_MEMORY, "out of device memory while %s on %s", doing, name);
    default:
        return fail(m, VKS_UNSUPPORTED, "%s on %s failed: %s", doing, name, vulkan_result_name(result, room));
    }
}

/* What is used of what there is. The integer types are for kernels that pack indices. */
static void choose_features(const struct vulkan_profile *p, bool f64, struct vulkan_features *f)
{
    const struct vulkan_features *has = &p->features;
    *f = (struct vulkan_features){0};
    f->core.features.shaderFloat64 = f64;
    f->core.features.shaderInt64 = has->core.features.shaderInt64;
    f->core.features.shaderInt16 = has->core.features.shaderInt16;
    f->v11.storageBuffer16BitAccess = has->v11.storageBuffer16BitAccess;
    f->v12.bufferDeviceAddress = VK_TRUE;
    f->v12.scalarBlockLayout = VK_TRUE;
    f->v12.timelineSemaphore = VK_TRUE;
    f->v12.vulkanMemoryModel = f->v12.vulkanMemoryModelDeviceScope =
        f->v12.vulkanMemoryModelAvailabilityVisibilityChains = p->listing.info.memory_model;
    f->v12.shaderBufferInt64Atomics = f64 && has->v12.shaderBufferInt64Atomics;
    f->sizes.subgroupSizeControl = has->sizes.subgroupSizeControl;
    f->sizes.computeFullSubgroups = has->sizes.computeFullSubgroups;
    f->atomics.shaderBufferFloat32AtomicAdd = has->atomics.shaderBufferFloat32AtomicAdd;
    f->atomics.shaderBufferFloat64AtomicAdd = f64 && has->atomics.shaderBufferFloat64AtomicAdd;
    vulkan_features_link(f, p);
}

static vks_status open_logical(struct vulkan *v)
{
    struct vulkan_api *vk = &v->instance.vk;
    const struct vulkan_extensions *has = &v->profile.extensions;
    struct vulkan_features features;
    choose_features(&v->profile, v->device.info.f64, &features);

    const char *extensions[3];
    uint32_t count = 0;
    if (has->atomic_float)
        extensions[count++] = VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME;
    if (has->memory_budget)
        extensions[count++] = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME;
    if (has->subgroup_size_control && v->profile.version < VK_API_VERSION_1_3)
        extensions[count++] = VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME;

    float priority = 1;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = v->profile.family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &features.core,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = count,
        .ppEnabledExtensionNames = extensions,
    };
    VkResult r = vk->CreateDevice(v->profile.physical, &info, NULL, &v->logical);
    if (r)
        return vulkan_fail(v, r, "opening the device");
    vks_status s = vulkan_api_device(v->device.message, v->logical, vk);
    if (s) { /* without its functions it cannot be closed as others are */
        if (vk->DestroyDevice)
            vk->DestroyDevice(v->logical, NULL);
        v->logical = VK_NULL_HANDLE;
        return s;
    }
    vk->GetDeviceQueue(v->logical, v->profile.family, 0, &v->queue);
    return VKS_OK;
}

static vks_status open_queue(struct vulkan *v)
{
    const struct vulkan_api *vk = &v->instance.vk;
    VkSemaphoreTypeCreateInfo type = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
        .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
    };
    VkSemaphoreCreateInfo semaphore = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, .pNext = &type};
    VkResult r = vk->CreateSemaphore(v->logical, &semaphore, NULL, &v->timeline);
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = v->profile.family,
    };
    if (!r)
        r = vk->CreateCommandPool(v->logical, &pool, NULL, &v->pool);
    return r ? vulkan_fail(v, r, "opening its queue") : VKS_OK;
}

static void vulkan_destroy(struct device *d)
{
    struct vulkan *v = vulkan_of(d);
    const struct vulkan_api *vk = &v->instance.vk;
    if (v->logical && !vulkan_settled(v, v->submitted))
        return;
    if (v->logical) {
        vulkan_cache_close(v);
        vulkan_pipelines_close(v);
        vulkan_memory_close(v);
        vk->DestroyCommandPool(v->logical, v->pool, NULL);
        vk->DestroySemaphore(v->logical, v->timeline, NULL);
        vk->DestroyDevice(v->logical, NULL);
    }
    vulkan_instance_close(&v->instance);
    free(v);
}

static const struct device_ops vulkan_ops = {
    .destroy = vulkan_destroy,
    .allocate = vulkan_allocate,
    .release = vulkan_release,
    .write = vulkan_write,
    .read = vulkan_read,
    .prepare = vulkan_prepare,
    .submit = vulkan_submit,
    .wait = vulkan_wait,
    .times = vulkan_times,
    .discard = vulkan_discard,
    .forget = vulkan_forget,
};

static vks_status find_device(struct message *m, struct vulkan *v, const char *name)
{
    struct vulkan_profile *profiles = NULL;
    struct device_listing *list = NULL;
    uint32_t count = 0, index = 0;
    vks_status s = vulkan_profiles_read(m, &v->instance, &profiles, &count);
    if (!s)
        s = vulkan_listings(m, profiles, count, &list);
    if (!s)
        s = vulkan_choose(m, list, count, name, &index);
    if (!s)
        v->profile = profiles[index];
    free(list);
    free(profiles);
    return s;
}

static void limit(struct vulkan *v, const struct device_options *o)
{
    struct device_info *info = &v->device.info;
    if (o->max_groups && o->max_groups < info->max_groups)
        info->max_groups = o->max_groups;
    if (o->largest_allocation && o->largest_allocation < info->largest_allocation)
        info->largest_allocation = o->largest_allocation;
    info->polls = info->kind == DEVICE_SOFTWARE || o->no_waiting ? 0 : POLLS;
    info->fuses &= !o->without_fma;
    info->subgroups &= info->fuses && !o->without_subgroups;
    info->f64 &= !o->without_f64;
    info->atomic_add[PRECISION_F32] &= !o->without_atomic_add;
    info->atomic_add[PRECISION_F64] &= !o->without_atomic_add;
    info->atomic_swap[PRECISION_F64] &= !o->without_atomic_swap64;
}

static vks_status open_all(struct vulkan *v, const struct device_options *o, const char *library)
{
    struct message *m = v->device.message;
    vks_status s = vulkan_instance_open(m, library, o, &v->instance);
    if (!s)
        s = find_device(m, v, o->name);
    if (s)
        return s;
    v->device.info = v->profile.listing.info;
    limit(v, o);
    v->names = o->debug_names;
    v->timestamps = o->timestamps && v->profile.timestamp_bits;
    v->device.timed = v->timestamps;
    v->staging_bytes = o->staging_bytes;
    s = open_logical(v);
    if (!s)
        s = open_queue(v);
    if (!s)
        s = vulkan_memory_open(v);
    v->device.info.unified = v->profile.types.unified && !o->without_unified;
    if (!s)
        s = vulkan_pipeline_layout(v);
    if (!s)
        s = vulkan_cache_open(v, o);
    return s;
}

vks_status vulkan_create(struct message *m, const struct device_options *o, const char *library,
                         struct device **out)
{
    static const struct device_options defaults;
    *out = NULL;
    struct vulkan *v = calloc(1, sizeof *v);
    if (!v)
        return fail_memory(m, "a device", sizeof *v);
    v->device.ops = &vulkan_ops;
    v->device.message = m;
    vks_status s = open_all(v, o ? o : &defaults, library);
    if (s) {
        vulkan_destroy(&v->device);
        return s;
    }
    *out = &v->device;
    return VKS_OK;
}

vks_status device_vulkan_create(struct message *m, const struct device_options *o, struct device **out)
{
    return vulkan_create(m, o, VULKAN_LIBRARY, out);
}

uint32_t device_vulkan_messages(const struct device *d)
{
    const struct vulkan *v = (const struct vulkan *)(const void *)d;
    return d->ops == &vulkan_ops ? atomic_load(&v->instance.messages) : 0;
}
