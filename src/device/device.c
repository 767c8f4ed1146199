#include "device/device.h"
#include "device/scratch.h"

void device_destroy(struct device *d)
{
    if (!d)
        return;
    if (!d->team_is_lent)
        team_destroy(d->team);
    d->team = NULL;
    device_is_forked(d);
    d->ops->destroy(d);
}

static vks_status refuse_size(struct device *d, uint64_t bytes, const char *what)
{
    const char *not_split = d->info.not_split;
    return fail(d->message, VKS_DEVICE_MEMORY,
                "%llu bytes for %s are too many: the largest array on %s is %llu bytes%s%s",
                (unsigned long long)bytes, what, d->info.name, (unsigned long long)d->info.largest_array,
                not_split ? ", one allocation of memory, since " : "", not_split ? not_split : "");
}

vks_status device_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    *out = (struct memory){0};
    if (bytes > d->info.largest_array)
        return refuse_size(d, bytes, what);
    if (d->scratch && scratch_lend(d->scratch, kind, bytes, out))
        return VKS_OK;
    TRY(d->ops->allocate(d, kind, bytes ? bytes : 16, what, out));
    out->bytes = bytes;
    device_count(d, bytes);
    if (d->scratch)
        scratch_note(d->scratch, kind, out);
    return VKS_OK;
}

void device_count(struct device *d, uint64_t bytes)
{
    d->bytes += bytes;
    d->most_bytes = d->bytes > d->most_bytes ? d->bytes : d->most_bytes;
}

uint64_t device_watch(struct device *d)
{
    uint64_t most = d->most_bytes;
    d->most_bytes = d->bytes;
    return most;
}

uint64_t device_watched(struct device *d, uint64_t before)
{
    uint64_t most = d->most_bytes;
    d->most_bytes = before > most ? before : most;
    return most;
}

void device_release(struct device *d, struct memory *m)
{
    if (m->handle && !(d->scratch && scratch_keep(d->scratch, m))) {
        device_is_forked(d);
        d->ops->release(d, m);
        d->bytes -= m->bytes;
    }
    *m = (struct memory){0};
}

vks_status device_import(struct device *d, void *host, uint64_t bytes, struct memory *out)
{
    *out = (struct memory){0};
    vks_status s = d->ops->import
                       ? d->ops->import(d, host, bytes, out)
                       : fail(d->message, VKS_UNSUPPORTED, "%s cannot use memory of the host", d->info.name);
    if (!s && out->handle)
        device_count(d, bytes);
    return s;
}

uint64_t device_room(struct device *d)
{
    uint64_t bytes, memory = d->info.memory;
    if (d->ops->room && d->ops->room(d, &bytes))
        return bytes;
    return !memory ? UINT64_MAX : d->bytes < memory ? memory - d->bytes : 0;
}

static vks_status check_range(struct device *d, const struct memory *m, uint64_t offset, uint64_t bytes)
{
    if (offset <= m->bytes && bytes <= m->bytes - offset)
        return VKS_OK;
    return fail(d->message, VKS_INVALID_ARGUMENT, "a transfer of %llu bytes at %llu leaves its array of %llu",
                (unsigned long long)bytes, (unsigned long long)offset, (unsigned long long)m->bytes);
}

vks_status device_write(struct device *d, struct memory *m, uint64_t offset, const void *from, uint64_t bytes)
{
    TRY(check_range(d, m, offset, bytes));
    return bytes ? d->ops->write(d, m, offset, from, bytes) : VKS_OK;
}

vks_status device_read(struct device *d, const struct memory *m, uint64_t offset, void *to, uint64_t bytes)
{
    TRY(check_range(d, m, offset, bytes));
    return bytes ? d->ops->read(d, m, offset, to, bytes) : VKS_OK;
}

vks_status device_wait(struct device *d, uint64_t ticket, double seconds)
{
    return d->ops->wait(d, ticket, seconds);
}

void device_forget(struct device *d, struct program *p)
{
    d->ops->forget(d, p);
}
