/* The stand-in of a rehearsal: computes on the host with the real device's properties, so that the same
 * kernels are chosen. */
#include "device/host/host.h"
#include "device/rehearsal.h"

static void want(struct device *d, enum kernel_id kernel, enum precision precision, const void *args)
{
    struct device *real = ((struct host_device *)(void *)d)->real;
    real->ops->want(real, kernel, precision, args);
}

static vks_status submit(struct rec *r, uint64_t *ticket)
{
    const struct host_device *d = (const struct host_device *)(const void *)r->device;
    return atomic_load(d->ended) ? fail(d->base.message, VKS_TIMEOUT, "the rehearsal has ended")
                                 : host_submit(r, ticket);
}

/* Few workgroups suffice for small examples. */
enum { STAND_IN_GROUPS = 64 };

static void resemble(struct device_info *info, const struct device_info *real)
{
    struct device_info host = *info;
    *info = *real;
    info->works_at_submission = true;
    info->clock_waits = false;
    info->unified = true;
    info->max_groups = STAND_IN_GROUPS;
    info->threads = host.threads;
    info->largest_array = host.largest_array;
    info->memory = host.memory;
}

vks_status device_stand_in_create(struct message *m, struct device *d, const atomic_bool *ended,
                                  struct device **out)
{
    struct device *stand_in;
    TRY(device_host_create(m, &(struct device_options){.threads = 1, .unasked = true}, &stand_in));
    struct host_device *h = (struct host_device *)(void *)stand_in;
    resemble(&stand_in->info, &d->info);
    h->real = d;
    h->ended = ended;
    h->ops = host_ops;
    h->ops.want = want;
    h->ops.submit = submit;
    h->ops.import = NULL;
    stand_in->ops = &h->ops;
    *out = stand_in;
    return VKS_OK;
}
