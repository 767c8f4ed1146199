#include "device/vulkan/vulkan.h"
#include "device/vulkan/widen.h"

#include <stdlib.h>
#include <string.h>

static vks_status open_logical(struct vulkan *v)
{
    struct vulkan_api *vk = &v->instance.vk;
    vks_vulkan_features features;
    const char *extensions[sizeof features.extensions / sizeof *features.extensions + 1];
    vulkan_features_choose(&v->profile, v->device.info.f64, &features);
    uint32_t count = features.extension_count;
    memcpy(extensions, features.extensions, sizeof features.extensions);
    v->imports = v->profile.extensions.external_memory_host;
    if (v->imports)
        extensions[count++] = VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME;
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
    if (s) { /* without its functions it cannot be closed normally */
        if (vk->DestroyDevice)
            vk->DestroyDevice(v->logical, NULL);
        v->logical = VK_NULL_HANDLE;
        return s;
    }
    vk->GetDeviceQueue(v->logical, v->profile.family, 0, &v->queue);
    return VKS_OK;
}

static vks_status borrow_logical(struct vulkan *v)
{
    TRY(vulkan_api_device(v->device.message, v->own.device, &v->instance.vk));
    v->logical = v->own.device;
    v->queue = v->own.queue;
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
    IF_OK(r, vk->CreateCommandPool(v->logical, &pool, NULL, &v->pool));
    return r ? vulkan_fail(v, r, "opening its queue") : VKS_OK;
}

static void count_device(const struct vulkan *v, int change)
{
    if (v->profile.is_nvidia)
        vulkan_count_devices(change);
}

static void close_device(struct vulkan *v)
{
    bool locked = vulkan_lock();
    v->instance.vk.DestroyDevice(v->logical, NULL);
    vulkan_unlock(locked);
}

static void vulkan_destroy(struct device *d)
{
    struct vulkan *v = vulkan_of(d);
    const struct vulkan_api *vk = &v->instance.vk;
    if (!vulkan_ahead_close(v) || (v->logical && !vulkan_settled(v, v->submitted)))
        return;
    if (v->logical) {
        v->completed = v->submitted; /* all work has ended, or the device is lost */
        vulkan_discarded_release(v);
        vulkan_cache_close(v);
        vulkan_pipelines_close(v);
        vulkan_memory_close(v);
        vk->DestroyCommandPool(v->logical, v->pool, NULL);
        vk->DestroySemaphore(v->logical, v->timeline, NULL);
        if (!v->own.device)
            close_device(v);
        count_device(v, -1);
    }
    vulkan_instance_close(&v->instance);
    vulkan_ahead_free(&v->ahead);
    free(v);
}

static const struct device_ops vulkan_ops = {
    .destroy = vulkan_destroy,
    .allocate = vulkan_allocate,
    .import = vulkan_import,
    .room = vulkan_room,
    .release = vulkan_release,
    .write = vulkan_write,
    .read = vulkan_read,
    .prepare = vulkan_prepare,
    .submit = vulkan_submit,
    .wait = vulkan_wait,
    .times = vulkan_times,
    .span = vulkan_span,
    .discard = vulkan_discard,
    .forget = vulkan_forget,
    .want = vulkan_want,
};

static vks_status find_device(struct message *m, struct vulkan *v, const char *name,
                              struct passed_over *passed)
{
    struct vulkan_profile *profiles = NULL;
    struct device_listing *list = NULL;
    uint32_t count = 0, index = 0;
    vks_status s = vulkan_profiles_read(m, &v->instance, &profiles, &count);
    IF_OK(s, vulkan_listings(m, profiles, count, &list));
    IF_OK(s, vulkan_choose_but(m, list, count, name, passed, &index));
    if (!s)
        v->profile = profiles[index];
    free(list);
    free(profiles);
    return s;
}

static vks_status borrow_device(struct message *m, struct vulkan *v)
{
    TRY(vulkan_instance_borrow(m, &v->own, &v->instance));
    TRY(vulkan_profile_read(m, &v->instance, v->own.physical_device, 0, &v->own, &v->profile));
    const struct device_listing *found = &v->profile.listing;
    return found->usable ? VKS_OK
                         : fail(m, VKS_UNSUPPORTED, "%s cannot be used as its VkDevice was created: %s",
                                found->info.name, found->why_not);
}

static void limit(struct vulkan *v, const struct device_options *o)
{
    struct device_info *info = &v->device.info;
    if (o->max_groups && o->max_groups < info->max_groups)
        info->max_groups = o->max_groups;
    if (o->largest_array && o->largest_array < info->largest_array)
        info->largest_array = o->largest_array;
    v->piece_bytes = least(v->profile.largest_allocation, o->piece_bytes ? o->piece_bytes : UINT64_MAX);
    v->wide_bytes = o->piece_bytes ? o->piece_bytes : WIDE_BYTES;
    info->clock_waits = info->kind == DEVICE_SOFTWARE;
    info->polls = info->kind == DEVICE_SOFTWARE || o->no_waiting ? 0 : POLLS;
    info->fuses &= !o->without_fma;
    info->subgroups &= info->fuses && !o->without_subgroups;
    info->f64 &= !o->without_f64;
    info->atomic_add[PRECISION_F32] &= !o->without_atomic_add;
    info->atomic_add[PRECISION_F64] &= !o->without_atomic_add;
    info->atomic_swap[PRECISION_F64] &= !o->without_atomic_swap64;
}

/* Opens the device that was found. */
static vks_status open_found(struct vulkan *v, const struct device_options *o)
{
    v->device.info = v->profile.listing.info;
    limit(v, o);
    v->names = o->debug_names;
    v->timestamps = o->timestamps && v->profile.timestamp_bits;
    v->device.timed = v->timestamps;
    v->device.rehearsals.are_due = v->device.info.kind != DEVICE_SOFTWARE || o->rehearses;
    v->long_unit = v->timestamps ? UINT32_MAX : o->long_unit ? o->long_unit : LONG_UNIT;
    v->staging_bytes = o->staging_bytes;
    count_device(v, 1); /* before it opens: another thread may fork meanwhile */
    vks_status s = v->own.device ? borrow_logical(v) : open_logical(v);
    if (s) {
        count_device(v, -1);
        return s;
    }
    s = open_queue(v);
    IF_OK(s, vulkan_memory_open(v));
    v->device.info.unified = v->profile.types.unified && !o->without_unified;
    IF_OK(s, vulkan_zeros_open(v));
    IF_OK(s, vulkan_pipeline_layout(v));
    IF_OK(s, vulkan_cache_open(v, o));
    return s;
}

static struct vulkan *new_device(struct message *m)
{
    struct vulkan *v = calloc(1, sizeof *v);
    if (!v) {
        (void)fail_memory(m, "a device", sizeof *v);
        return NULL;
    }
    v->device.ops = &vulkan_ops;
    v->device.patience = OPENING_WAIT_SECONDS;
    v->device.message = m;
    vulkan_ahead_open(&v->ahead);
    return v;
}

/* Completes the device, or destroys it after a failure. */
static vks_status whole(struct vulkan *v, const struct device_options *o, vks_status s, struct device **out)
{
    s = s ? s : device_opened(&v->device, o);
    if (s)
        vulkan_destroy(&v->device);
    else
        *out = &v->device;
    return s;
}

/* Opens the device that the options select, excluding devices passed over. */
static vks_status create(struct message *m, const struct device_options *o, const char *library,
                         struct passed_over *passed, struct device **out)
{
    struct vulkan *v = new_device(m);
    if (!v)
        return VKS_OUT_OF_MEMORY;
    passed->chosen = NULL;
    vks_status s = vulkan_instance_open(m, library, o, &v->instance);
    IF_OK(s, find_device(m, v, o->name, passed));
    return whole(v, o, s ? s : open_found(v, o), out);
}

vks_status vulkan_create(struct message *m, const struct device_options *o, const char *library,
                         struct device **out)
{
    static const struct device_options defaults;
    struct passed_over passed = {0};
    vks_status s;
    *out = NULL;
    o = o ? o : &defaults;
    do
        s = create(m, o, library, &passed, out);
    while (!(o->name && o->name[0]) && vulkan_pass_over(&passed, s, m));
    vulkan_report_passed_over(&passed, o->passed_over);
    return s;
}

vks_status vulkan_create_in(struct message *m, const struct device_options *o, const vks_vulkan_device *own,
                            struct device **out)
{
    *out = NULL;
    struct vulkan *v = new_device(m);
    if (!v)
        return VKS_OUT_OF_MEMORY;
    v->own = *own;
    vks_status s = borrow_device(m, v);
    v->own.created_with = NULL; /* lent only for the call */
    return whole(v, o, s ? s : open_found(v, o), out);
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
