#define _DEFAULT_SOURCE /* madvise */
/* The host as a device: addresses are pointers, and a submission runs immediately. */
#include "device/device.h"
#include "device/host/host.h"
#include "device/record.h"
#include "report/clock.h"
#include "team/cores.h"
#include "team/team.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Arrays of at least this size use huge pages if the system has them: without them, SpMV's gathers miss the
 * TLB. */
#define HUGE_PAGE ((uint64_t)2 << 20)

static void destroy(struct device *d)
{
    free(d);
}

static vks_status allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    (void)kind;
    bool huge = bytes >= HUGE_PAGE;
    void *p = NULL;
    if (posix_memalign(&p, huge ? HUGE_PAGE : 64, bytes))
        return fail(d->message, VKS_DEVICE_MEMORY, "out of memory: %llu bytes for %s",
                    (unsigned long long)bytes, what);
#ifdef MADV_HUGEPAGE
    if (huge)
        madvise(p, bytes, MADV_HUGEPAGE);
#endif
    *out = (struct memory){(uint64_t)(uintptr_t)p, bytes, p, p};
    return VKS_OK;
}

static void release(struct device *d, struct memory *m)
{
    (void)d;
    free(m->handle);
}

static vks_status write_memory(struct device *d, struct memory *m, uint64_t offset, const void *from,
                               uint64_t bytes)
{
    (void)d;
    memcpy((char *)m->mapped + offset, from, bytes);
    return VKS_OK;
}

static vks_status read_memory(struct device *d, const struct memory *m, uint64_t offset, void *to,
                              uint64_t bytes)
{
    (void)d;
    memcpy(to, (const char *)m->mapped + offset, bytes);
    return VKS_OK;
}

/* The backend of a recording: the seconds of each dispatch and of the whole recording. */
struct recording {
    uint32_t room;
    double span;
    double seconds[];
};

static vks_status prepare(struct rec *r)
{
    struct recording *b = r->backend;
    if (b && b->room >= r->dispatches)
        return VKS_OK;
    free(b);
    uint64_t bytes = sizeof *b + r->dispatches * sizeof(double);
    r->backend = b = calloc(1, bytes);
    if (!b)
        return fail_memory(r->device->message, "a recording", bytes);
    b->room = r->dispatches;
    return VKS_OK;
}

/* Whether the guard is set. The twins do not test it themselves. */
static bool is_stopped(const struct dispatch *d)
{
    return d->guard && *(const uint32_t *)(const void *)d->guard;
}

/* Runs the dispatches of r and of its units. Sets *now to the time after the last one, and advances *seconds
 * past the times it has stored. */
static void run_list(const struct rec *r, double *now, double **seconds)
{
    const struct host_isa *isa = ((struct host_device *)r->device)->isa;
    for (uint32_t i = 0; i < r->count; i++) {
        const struct dispatch *d = &r->list[i];
        if (d->unit) {
            run_list(d->unit, now, seconds);
            continue;
        }
        if (!is_stopped(d))
            team_run(r->device->team, isa->twins[d->precision][d->kernel], d->args);
        double end = clock_seconds();
        *(*seconds)++ = end - *now;
        *now = end;
    }
}

vks_status host_submit(struct rec *r, uint64_t *ticket)
{
    struct recording *b = r->backend;
    double begun = clock_seconds(), now = begun, *seconds = b->seconds;
    run_list(r, &now, &seconds);
    b->span = now - begun;
    *ticket = 0;
    return VKS_OK;
}

static vks_status wait(struct device *d, uint64_t ticket, double seconds)
{
    (void)d, (void)ticket, (void)seconds;
    return VKS_OK;
}

static vks_status times(struct rec *r, double *seconds)
{
    memcpy(seconds, ((const struct recording *)r->backend)->seconds, r->dispatches * sizeof *seconds);
    return VKS_OK;
}

static vks_status span(struct rec *r, double *seconds)
{
    *seconds = ((const struct recording *)r->backend)->span;
    return VKS_OK;
}

static void discard(struct rec *r)
{
    free(r->backend);
    r->backend = NULL;
}

static void forget(struct device *d, struct program *p)
{
    (void)d, (void)p;
}

/* Leaves the handle NULL, because there is nothing to release. */
static vks_status import(struct device *d, void *host, uint64_t bytes, struct memory *out)
{
    (void)d;
    *out = (struct memory){(uint64_t)(uintptr_t)host, bytes, host, NULL};
    return VKS_OK;
}

const struct device_ops host_ops = {destroy, allocate,    release, write_memory, read_memory,
                                    prepare, host_submit, wait,    times,        span,
                                    discard, forget,      NULL,    import,       NULL};

/* "model name : ..." of /proc/cpuinfo, if present. */
static void processor_name(char *name, size_t size)
{
    snprintf(name, size, "CPU");
    FILE *f = fopen("/proc/cpuinfo", "re");
    if (!f)
        return;
    char line[256];
    while (fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        if (!strncmp(line, "model name", 10) && colon) {
            snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
            break;
        }
    }
    fclose(f);
}

vks_status device_host_create(struct message *m, const struct device_options *o, struct device **out)
{
    *out = NULL;
    const struct host_isa *isa = host_isa_choose(o->host_isa);
    if (!isa)
        return fail(m, VKS_NO_DEVICE, "this processor or this build has no twins for \"%s\"", o->host_isa);
    struct host_device *d = calloc(1, sizeof *d);
    if (!d)
        return fail_memory(m, "the host device", sizeof *d);
    uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    d->isa = isa;
    d->base.ops = &host_ops;
    d->base.message = m;
    d->base.timed = o->timestamps;
    d->base.info = (struct device_info){.kind = DEVICE_HOST,
                                        .works_at_submission = true,
                                        .f64 = !o->without_f64,
                                        .fuses = true,
                                        .atomic_add = {true, true},
                                        .atomic_swap = {true, true},
                                        .unified = true,
                                        .max_groups = 65535,
                                        .largest_array = memory,
                                        .memory = memory,
                                        .threads = cores_for(o->threads)};
    if (o->max_groups)
        d->base.info.max_groups = o->max_groups;
    if (o->largest_array)
        d->base.info.largest_array = o->largest_array;
    processor_name(d->base.info.name, sizeof d->base.info.name);
    uint32_t threads = d->base.info.threads;
    snprintf(d->base.info.driver, sizeof d->base.info.driver, "%u thread%s, %s", threads,
             threads == 1 ? "" : "s", isa->name);
    vks_status s = device_opened(&d->base, o);
    if (s)
        free(d);
    else
        *out = &d->base;
    return s;
}
