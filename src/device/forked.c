/* A device in a child that was forked from the process that opened it. The threads of the driver and the team
 * do not exist here, so every operation fails, and releases free only this process's memory. */
#include "device/record.h"

#include <stdlib.h>
#include <unistd.h>

static vks_status refuse(struct device *d)
{
    return fail(d->message, VKS_UNSUPPORTED,
                "the context was made by process %ld, from which this one was forked: make a new one here",
                (long)d->pid);
}

static void destroy(struct device *d)
{
    if (d->info.kind == DEVICE_HOST)
        free(d); /* otherwise it belongs to the driver and is not freed */
}

static vks_status allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    (void)kind, (void)bytes, (void)what, (void)out;
    return refuse(d);
}

static void release(struct device *d, struct memory *m)
{
    if (d->info.kind == DEVICE_HOST)
        free(m->handle);
}

static vks_status write_memory(struct device *d, struct memory *m, uint64_t offset, const void *from,
                               uint64_t bytes)
{
    (void)m, (void)offset, (void)from, (void)bytes;
    return refuse(d);
}

static vks_status read_memory(struct device *d, const struct memory *m, uint64_t offset, void *to,
                              uint64_t bytes)
{
    (void)m, (void)offset, (void)to, (void)bytes;
    return refuse(d);
}

static vks_status prepare(struct rec *r)
{
    return refuse(r->device);
}

static vks_status submit(struct rec *r, uint64_t *ticket)
{
    (void)ticket;
    return refuse(r->device);
}

static vks_status wait(struct device *d, uint64_t ticket, double seconds)
{
    (void)ticket, (void)seconds;
    return refuse(d);
}

static vks_status times(struct rec *r, double *seconds)
{
    (void)seconds;
    return refuse(r->device);
}

static void discard(struct rec *r)
{
    if (r->device->info.kind == DEVICE_HOST)
        free(r->backend);
    r->backend = NULL;
}

static void forget(struct device *d, struct program *p)
{
    (void)d, (void)p;
}

static vks_status import(struct device *d, void *host, uint64_t bytes, struct memory *out)
{
    (void)host, (void)bytes, (void)out;
    return refuse(d);
}

static const struct device_ops refusing = {destroy, allocate, release, write_memory, read_memory,
                                           prepare, submit,   wait,    times,        times,
                                           discard, forget,   NULL,    import,       NULL};

bool device_is_forked(struct device *d)
{
    if (d->pid == getpid())
        return false;
    d->ops = &refusing;
    return true;
}
