#include "command/shared/device.h"

#include <stdio.h>
#include <stdlib.h>

vks_status device_open_quietly(struct message *m, const char *given, const vks_context_options *more,
                               vks_context **context, vks_device_info *device)
{
    vks_context_options o = *more;
    o.device = given;
    o.message = m->text;
    o.message_size = sizeof m->text;
    vks_status s = vks_context_create(&o, context);
    return s ? s : vks_context_device(*context, device);
}

void device_print_passed_over(struct message *m)
{
    if (m->text[0])
        fprintf(stderr, "vksolve: %s\n", m->text);
    m->text[0] = 0;
}

vks_status device_open(struct message *m, const char *given, const vks_context_options *more,
                       vks_context **context, vks_device_info *device)
{
    vks_status s = device_open_quietly(m, given, more, context, device);
    if (!s)
        device_print_passed_over(m);
    return s;
}

vks_status device_open_or_host(struct message *m, const char *given, vks_context **context,
                               vks_device_info *device)
{
    const char *name = (given && given[0]) || device_by_environment() ? given : "host";
    return device_open(m, name, &(vks_context_options){0}, context, device);
}

vks_status device_check_precision(struct message *m, const vks_device_info *device, int asked)
{
    if (device_precision(device, asked) != VKS_F32 && !device->f64)
        return fail(m, VKS_UNSUPPORTED, "%s has no 64-bit floats; use --precision f32", device->name);
    return VKS_OK;
}

vks_status device_describe(struct message *m, const char *name, vks_device_info *info)
{
    vks_context *context = NULL;
    vks_status status = device_open_quietly(m, name, &(vks_context_options){0}, &context, info);
    if (!status)
        m->text[0] = 0;
    vks_context_destroy(context);
    return status;
}

vks_status devices_find(struct message *m, struct devices *d)
{
    *d = (struct devices){0};
    vks_status status = device_describe(m, "host", &d->host);
    IF_OK(status, vks_device_list(NULL, 0, &d->count));
    d->list = calloc((size_t)d->count + 1, sizeof *d->list);
    if (!d->list)
        return fail_memory(m, "the list of devices", d->count * sizeof *d->list);
    uint32_t room = d->count;
    IF_OK(status, vks_device_list(d->list, room, &d->count));
    if (d->count > room)
        d->count = room;
    return status;
}

void devices_free(struct devices *d)
{
    free(d->list);
    *d = (struct devices){0};
}
