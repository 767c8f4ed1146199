#include "abi/abi.h"
#include "device/call.h"
#include "device/choice.h"
#include "report/names.h"
#include "team/cores.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
} kinds[] = {
#define X(name, text) {text},
    VKS_DEVICE_KINDS(X)
#undef X
};

/* Opens the device that `name` means. "auto" opens a GPU if there is one, else the host. */
static vks_status choose_device(struct message *m, const char *name, struct device_options o,
                                struct device **device)
{
    if (!strcmp(name, "host"))
        return device_host_create(m, &o, device);
    bool automatic = !strcmp(name, "auto");
    o.name = automatic || !strcmp(name, "gpu") ? NULL : name;
    vks_status s = device_vulkan_create(m, &o, device);
    if (s != VKS_NO_DEVICE || !automatic)
        return s;
    m->text[0] = 0;
    return device_host_create(m, &o, device);
}

/* With VKS_OK the message lists the devices that were passed over. */
static vks_status open_device(struct message *m, const char *name, struct device_options o,
                              struct device **device)
{
    struct message passed_over = {0};
    o.passed_over = &passed_over;
    const char *choice = device_choice(name);
    vks_status s = choose_device(m, choice, o, device);
    if (!s && passed_over.text[0])
        set_message(m, "%s", passed_over.text);
    if (s && !(name && name[0]) && device_by_environment()) {
        const struct message why = *m;
        m->text[0] = 0;
        set_message(m, DEVICE_VARIABLE " is \"%.100s\": %s", choice, why.text);
    }
    return s;
}

vks_status context_of(struct message *m, struct device *device, vks_context **context)
{
    vks_context *c = calloc(1, sizeof *c);
    struct calls *calls = calls_create();
    if (!c || !calls) {
        device_destroy(device);
        free(calls);
        free(c);
        return fail_memory(m, "a context", sizeof *c);
    }
    *c = (vks_context){.device = device, .references = 1, .calls = calls};
    c->message.team = device->team;
    device->message = &c->message;
    *context = c;
    return VKS_OK;
}

void context_defer(vks_context *context, bool wanted)
{
    const struct device *d = context->device;
    context->deferred = wanted && !d->timed && !d->info.works_at_submission;
}

vks_status context_open(struct message *m, const char *device, const struct device_options *o,
                        vks_context **context)
{
    struct device *opened = NULL;
    TRY(open_device(m, device, *o, &opened));
    return context_of(m, opened, context);
}

struct device_options context_device_options(const vks_context_options *o)
{
    return (struct device_options){.validate = o->validate,
                                   .debug_names = o->debug_names,
                                   .timestamps = o->timestamps,
                                   .no_pipeline_cache = o->no_pipeline_cache,
                                   .no_waiting = o->no_waiting,
                                   .cache_folder = o->cache_folder,
                                   .threads = o->threads};
}

vks_status context_check_threads(struct message *m, const vks_context_options *o)
{
    if (o->threads <= CORES_MOST)
        return VKS_OK;
    return fail(m, VKS_INVALID_ARGUMENT, "vks_context_options.threads is %u: at most %d are allowed",
                o->threads, CORES_MOST);
}

void context_leave_message(const vks_context_options *o, const struct message *m)
{
    if (o->message && o->message_size)
        snprintf(o->message, o->message_size, "%s", m->text);
}

vks_status context_begin_as(vks_context *context, uint32_t header)
{
    struct message *m = context_begin(context);
    return abi_check(header, m->text, sizeof m->text);
}

vks_status vks_context_create_as(uint32_t header, const vks_context_options *options, vks_context **context)
{
    const vks_context_options o = vks_context_options_in(header, options);
    struct device_options device_options = context_device_options(&o);
    struct message m = {0};
    *context = NULL;
    vks_status s = abi_check(header, m.text, sizeof m.text);
    IF_OK(s, context_check_threads(&m, &o));
    IF_OK(s, context_open(&m, o.device, &device_options, context));
    if (!s)
        context_defer(*context, o.deferred);
    context_leave_message(&o, &m);
    return s;
}

void context_retain(vks_context *context)
{
    context->references++;
}

void context_release(vks_context *context)
{
    if (--context->references)
        return;
    calls_destroy(context->device, context->calls);
    device_destroy(context->device);
    free(context);
}

void vks_context_destroy(vks_context *context)
{
    if (context)
        context_release(context);
}

const char *vks_context_message(const vks_context *context)
{
    return context ? context->message.text : "";
}

int vks_context_errno(const vks_context *context)
{
    return context ? context->message.error : 0;
}

vks_status context_check_precision(vks_context *context, vks_precision p)
{
    if (p == VKS_MIXED)
        return fail(&context->message, VKS_INVALID_ARGUMENT,
                    "VKS_MIXED is a precision of matrices; vectors beside them are VKS_F64");
    if (p != VKS_F32 && p != VKS_F64)
        return fail(&context->message, VKS_INVALID_ARGUMENT, "%d is not a vks_precision", (int)p);
    return VKS_OK;
}

vks_status context_check_arithmetic(vks_context *context, vks_precision p)
{
    vks_status s = context_check_precision(context, p);
    if (!s && in_pairs(context->device, p))
        return fail(&context->message, VKS_UNSUPPORTED, "%s has no 64-bit floats; use VKS_F32",
                    context->device->info.name);
    return s;
}

vks_status fail_range(vks_context *context, const char *what, double value)
{
    return fail(&context->message, VKS_LIMIT,
                "%s, %.6g, is outside the range of 32-bit floats, 1.4e-45 to 3.4e+38: %s has no 64-bit ones, "
                "and holds f64 as pairs of those",
                what, value, context->device->info.name);
}

vks_status context_check_values(vks_context *context, vks_precision p)
{
    if (p == VKS_F32 || p == VKS_F64)
        return VKS_OK;
    return fail(&context->message, VKS_INVALID_ARGUMENT, "%d is not a vks_precision of values in host memory",
                (int)p);
}

vks_status context_check_range(vks_context *context, uint32_t first, uint32_t count, const char *what,
                               uint32_t n)
{
    if (first <= n && count <= n - first)
        return VKS_OK;
    return fail(&context->message, VKS_INVALID_ARGUMENT, "%u elements from %u on, of %s of %u", count, first,
                what, n);
}

static vks_device_info public_info(const struct device_info *d)
{
    vks_device_info info = {.kind = (vks_device_kind)d->kind,
                            .index = d->index,
                            .usable = 1,
                            .f64 = d->f64,
                            .subgroups = d->subgroups,
                            .memory = d->memory,
                            .largest_array = d->largest_array};
    memcpy(info.name, d->name, sizeof info.name);
    memcpy(info.driver, d->driver, sizeof info.driver);
    memcpy(info.uuid, d->uuid, sizeof info.uuid);
    memcpy(info.pci, d->pci, sizeof info.pci);
    return info;
}

vks_status vks_context_device_as(uint32_t header, vks_context *context, vks_device_info *info)
{
    vks_status s = context_begin_as(context, header);
    const vks_device_info found = public_info(&context->device->info);
    if (!s)
        vks_device_info_out(header, &found, info);
    return s;
}

vks_status vks_context_kernel_seconds(vks_context *context, double *seconds)
{
    context_forget_message(context); /* not context_begin, which clears the time */
    *seconds = context->device->kernel_seconds;
    if (context->device->timed)
        return VKS_OK;
    return fail(&context->message, VKS_UNSUPPORTED, "%s was opened without timestamps, or has none",
                context->device->info.name);
}

vks_status vks_device_list_as(uint32_t header, vks_device_info *list, uint32_t capacity, uint32_t *count)
{
    struct message m = {0};
    struct device_listing *found = NULL;
    *count = 0;
    vks_status s = abi_check(header, m.text, sizeof m.text);
    IF_OK(s, device_vulkan_list(&m, &found, count));
    if (s == VKS_NO_DEVICE)
        s = VKS_OK;
    for (uint32_t i = 0; !s && i < *count && i < capacity; i++) {
        vks_device_info info = public_info(&found[i].info);
        info.usable = found[i].usable;
        memcpy(info.why_not, found[i].why_not, sizeof info.why_not);
        vks_device_info_out(header, &info, vks_device_info_at(header, list, i));
    }
    free(found);
    return s;
}

NAME_OF(vks_device_kind_text, vks_device_kind, kind, kinds, text)

const char *vks_version(void)
{
    return VKS_VERSION;
}
