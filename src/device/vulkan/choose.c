#include "device/vulkan/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *remark(const struct device_listing *d)
{
    if (!d->usable)
        return d->why_not;
    switch (d->info.kind) {
    case DEVICE_SOFTWARE:
        return "software, only by name";
    case DEVICE_VIRTUAL:
        return "virtual, only by name";
    default:
        return NULL;
    }
}

/* "0 NVIDIA H200; 1 llvmpipe (software, only by name)" */
static void describe(const struct device_listing *list, uint32_t count, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "%s", count ? "" : "none");
    for (uint32_t i = 0; i < count && used < room; i++) {
        const char *more = remark(&list[i]);
        used += (size_t)snprintf(text + used, room - used, "%s%u %s%s%s%s", i ? "; " : "", i,
                                 list[i].info.name, more ? " (" : "", more ? more : "", more ? ")" : "");
    }
}

static bool contains(const char *text, const char *part)
{
    size_t length = strlen(part);
    for (; *text; text++)
        if (!strncasecmp(text, part, length))
            return true;
    return false;
}

static bool is_index(const char *name, uint32_t count, uint32_t *index)
{
    if (name[strspn(name, "0123456789")])
        return false;
    unsigned long long value = strtoull(name, NULL, 10);
    *index = (uint32_t)value;
    return value < count;
}

static vks_status by_name(struct message *m, const struct device_listing *list, uint32_t count,
                          const char *name, uint32_t *index)
{
    char all[800];
    describe(list, count, all, sizeof all);
    uint32_t parts = 0, whole = 0;
    if (!is_index(name, count, index)) { /* a number that is no index may still be part of a name: "3060" */
        for (uint32_t i = 0; i < count; i++) {
            bool same = !strcasecmp(list[i].info.name, name);
            whole += same;
            parts += contains(list[i].info.name, name);
            if (same ? whole == 1 : !whole && contains(list[i].info.name, name))
                *index = i;
        }
        if (!parts)
            return fail(m, VKS_NO_DEVICE,
                        "no device is called \"%.100s\"; the Vulkan devices are: %s; auto, host and gpu are "
                        "taken too",
                        name, all);
        if (parts > 1 && whole != 1)
            return fail(m, VKS_NO_DEVICE,
                        "\"%.100s\" is part of the names of %u devices; say which by its index: %s", name,
                        parts, all);
    }
    if (!list[*index].usable)
        return fail(m, VKS_NO_DEVICE, "%s cannot be used: %s", list[*index].info.name, list[*index].why_not);
    return VKS_OK;
}

vks_status vulkan_choose(struct message *m, const struct device_listing *list, uint32_t count,
                         const char *name, uint32_t *index)
{
    *index = 0;
    if (name && name[0])
        return by_name(m, list, count, name, index);

    static const enum device_kind order[] = {DEVICE_DISCRETE, DEVICE_INTEGRATED};
    for (int k = 0; k < 2; k++)
        for (*index = 0; *index < count; ++*index)
            if (list[*index].usable && list[*index].info.kind == order[k])
                return VKS_OK;
    *index = 0;
    char all[800];
    describe(list, count, all, sizeof all);
    return fail(m, VKS_NO_DEVICE, "no GPU that vksolve can use; the Vulkan devices are: %s", all);
}

vks_status vulkan_choose_but(struct message *m, struct device_listing *list, uint32_t count, const char *name,
                             struct passed_over *passed, uint32_t *index)
{
    for (uint32_t k = 0; k < passed->count; k++)
        if (passed->device[k].info.index < count)
            list[passed->device[k].info.index] = passed->device[k];
    TRY(vulkan_choose(m, list, count, name, index));
    passed->chosen = &passed->device[passed->count];
    *passed->chosen = list[*index];
    return VKS_OK;
}

bool vulkan_pass_over(struct passed_over *passed, vks_status s, struct message *m)
{
    bool works = s != VKS_NO_DEVICE && s != VKS_DEVICE_LOST && s != VKS_TIMEOUT;
    if (works || !passed->chosen || passed->count == PASSED_OVER_MOST)
        return false;
    passed->chosen->usable = false;
    snprintf(passed->chosen->why_not, sizeof passed->chosen->why_not, "%.159s", m->text);
    passed->count++;
    m->text[0] = 0;
    return true;
}

void vulkan_tell_passed_over(const struct passed_over *passed, struct message *m)
{
    char all[sizeof m->text] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < passed->count && used < sizeof all; k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 k ? "; " : "passed over: ", passed->device[k].why_not);
    if (used)
        tell(m, "%s", all);
}

vks_status vulkan_listings(struct message *m, const struct vulkan_profile *profiles, uint32_t count,
                           struct device_listing **out)
{
    struct device_listing *list = calloc(count + 1, sizeof *list); /* + 1: so that NULL is a failure */
    if (!list)
        return fail_memory(m, "the list of devices", (count + 1) * sizeof *list);
    for (uint32_t i = 0; i < count; i++)
        list[i] = profiles[i].listing;
    *out = list;
    return VKS_OK;
}

vks_status device_vulkan_list(struct message *m, struct device_listing **list, uint32_t *count)
{
    *list = NULL;
    *count = 0;
    struct vulkan_instance instance = {0};
    struct vulkan_profile *profiles = NULL;
    uint32_t found = 0;
    vks_status s = vulkan_instance_open(m, VULKAN_LIBRARY, NULL, &instance);
    if (!s)
        s = vulkan_profiles_read(m, &instance, &profiles, &found);
    if (!s)
        s = vulkan_listings(m, profiles, found, list);
    if (!s)
        *count = found;
    free(profiles);
    vulkan_instance_close(&instance);
    return s;
}
