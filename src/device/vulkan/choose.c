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

/* "0 NVIDIA H200 at 0000:65:00.0; 1 llvmpipe (software, only by name)" */
static void describe(const struct device_listing *list, uint32_t count, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "%s", count ? "" : "none");
    for (uint32_t i = 0; i < count && used < room; i++) {
        const char *more = remark(&list[i]);
        used += (size_t)snprintf(text + used, room - used, "%s%u %s%s%s%s%s%s", i ? "; " : "", i,
                                 list[i].info.name, list[i].info.pci[0] ? " at " : "", list[i].info.pci,
                                 more ? " (" : "", more ? more : "", more ? ")" : "");
    }
}

/* Fails because no device has the name or, with NULL, because there is no GPU. */
static vks_status fail_without(struct message *m, const struct device_listing *list, uint32_t count,
                               const char *name)
{
    char all[800], why[400] = "";
    describe(list, count, all, sizeof all);
    vulkan_why_absent(why, sizeof why);
    if (!name)
        return fail(m, VKS_NO_DEVICE, "no GPU that vksolve can use; the Vulkan devices are: %s%s", all, why);
    return fail(
        m, VKS_NO_DEVICE,
        "no device is called \"%.100s\"; the Vulkan devices are: %s%s; auto, host and gpu are also accepted",
        name, all, count ? "" : why);
}

static bool is_index(const char *name, uint32_t count, uint32_t *index)
{
    if (name[strspn(name, "0123456789")])
        return false;
    unsigned long long value = strtoull(name, NULL, 10);
    *index = (uint32_t)value;
    return value < count;
}

/* Finds the devices with the best fit for the name. Returns their number. */
static uint32_t find(const struct device_listing *list, uint32_t count, const char *name,
                     bool found[VULKAN_MOST_DEVICES])
{
    enum vulkan_fit best = FITS_NOT, fit[VULKAN_MOST_DEVICES];
    uint32_t number = 0;
    for (uint32_t i = 0; i < count; i++) {
        fit[i] = vulkan_fits(&list[i].info, name);
        best = fit[i] > best ? fit[i] : best;
    }
    for (uint32_t i = 0; i < count; i++) {
        found[i] = fit[i] && fit[i] == best;
        number += found[i];
    }
    return number;
}

static vks_status say_which(struct message *m, const struct device_listing *list, uint32_t count,
                            const char *name, const bool found[VULKAN_MOST_DEVICES])
{
    uint32_t number = 0;
    bool alike = false;
    char all[800];
    describe(list, count, all, sizeof all);
    for (uint32_t i = 0; i < count; i++) {
        number += found[i];
        for (uint32_t k = 0; k < i; k++)
            alike |= found[i] && found[k] && !vulkan_distinguishes(&list[i].info, &list[k].info);
    }
    return fail(m, VKS_NO_DEVICE, "\"%.100s\" names any of %u devices; choose one by its index%s: %s", name,
                number, alike ? ", the only difference between them" : ", PCI address or UUID", all);
}

static vks_status by_name(struct message *m, const struct device_listing *list, uint32_t count,
                          const char *name, uint32_t *index)
{
    bool found[VULKAN_MOST_DEVICES] = {false};
    if (!is_index(name, count, index)) { /* a number may also be part of a name: "3060" */
        uint32_t number = find(list, count, name, found);
        if (!number)
            return fail_without(m, list, count, name);
        if (number > 1)
            return say_which(m, list, count, name, found);
        for (*index = 0; !found[*index];)
            ++*index;
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
    return fail_without(m, list, count, NULL);
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

void vulkan_report_passed_over(const struct passed_over *passed, struct message *m)
{
    char all[sizeof m->text] = "";
    size_t used = 0;
    for (uint32_t k = 0; k < passed->count && used < sizeof all; k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s",
                                 k ? "; " : "passed over: ", passed->device[k].why_not);
    if (used)
        set_message(m, "%s", all);
}

vks_status vulkan_listings(struct message *m, const struct vulkan_profile *profiles, uint32_t count,
                           struct device_listing **out)
{
    struct device_listing *list = calloc(count + 1, sizeof *list); /* + 1: so that NULL means failure */
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
    IF_OK(s, vulkan_profiles_read(m, &instance, &profiles, &found));
    IF_OK(s, vulkan_listings(m, profiles, found, list));
    if (!s)
        *count = found;
    free(profiles);
    vulkan_instance_close(&instance);
    return s;
}
