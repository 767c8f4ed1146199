/* A recording: a list of dispatches that is prepared once and can be submitted many times. Each dispatch sees
 * all earlier writes. Verbs add dispatches. The first error sticks, and rec_prepare returns it.
 *
 * A unit is a recording that other recordings include any number of times, even while some of them are in
 * flight. It is prepared first, never submitted itself, and may include units. It must outlive the recordings
 * that include it, unless these are cleared before they are submitted again. If a unit has changed since it
 * was included, preparing or submitting a recording with it fails.
 *
 * A pause is a place in a recording where the host acts. Everything before it has ended, unless the pause is
 * early; everything after it is submitted later. So rec_submit of a recording with pauses waits before it
 * returns. The list of a unit with pauses is copied on inclusion, and may change afterwards. */
#ifndef VKS_DEVICE_RECORD_H
#define VKS_DEVICE_RECORD_H

#include "device/device.h"
#include "kernels.h"

/* The words of m from index `first` on, as an argument. */
static inline u32s words_in(const struct memory *m, uint64_t first)
{
    return (u32s)(uintptr_t)(m->address + 4 * first);
}

static inline u32s words_of(const struct memory *m)
{
    return words_in(m, 0);
}

/* The host's action at a pause. `status` is the status of the submission so far, which `act` may set. The
 * host acts even after a failure, since other processes may wait for it. Returns false to leave the rest of
 * the recording unsubmitted. */
struct pause {
    bool (*act)(struct pause *p, vks_status *status);
    bool early; /* the host acts while the work before the pause still runs */
};

struct dispatch {
    struct pause *pause;    /* not NULL: a pause, in place of a dispatch */
    const struct rec *unit; /* not NULL: a whole unit, in place of a dispatch */
    uint32_t version;       /* of the unit; the members below are then unset */
    enum kernel_id kernel;
    struct program *program; /* NULL, or the program that replaces the kernel on a GPU */
    enum precision precision;
    uint32_t groups; /* 1 .. device->info.max_groups */
    u32s guard;      /* NULL, or the word that must be 0 for the dispatch to run */
    uint64_t args[MAX_ARGS_BYTES / 8];
};

struct rec {
    struct device *device;
    enum precision precision; /* of dispatches added from now on; likewise the guard */
    u32s guard;
    vks_status status;
    struct dispatch *list;
    uint32_t count, capacity;
    uint32_t includes;   /* entries of the list that are units */
    uint32_t dispatches; /* of the whole list, including its units */
    uint64_t bytes;      /* memory traffic by the kernels' bills, for one run of the whole list */
    void *backend;       /* made by prepare() */
    uint32_t version;    /* number of times it was prepared */
    bool changed;        /* since it was prepared */
    bool spanned;        /* set before rec_prepare if rec_span will be called */
    bool is_unit;        /* set before rec_prepare if it will be included and not submitted */
    uint64_t loan;       /* number of the loan if a scratch lent the list; 0: none */
    uint32_t pauses;
    struct rec *part; /* of a prepared recording with pauses: the pauses + 1 parts of its list */
    uint32_t parts;
};

void rec_create(struct rec *r, struct device *d, enum precision p);
/* rec_create for a local variable. rec_run_once or rec_leave_once ends a recording that runs once. */
struct rec rec_once(struct device *d, enum precision p);
void rec_destroy(struct rec *r); /* a zeroed struct is fine; not while it is submitted */

/* Appends all of a unit. Its kernels keep their recorded guards, whatever the guard of r. The recording fails
 * with VKS_INVALID_ARGUMENT if `unit` is not a unit, not prepared, or of another device. */
void rec_include(struct rec *r, const struct rec *unit);

/* Adds a pause. It must outlive the recording. */
void rec_pause(struct rec *r, struct pause *p);

/* Removes the dispatches and the guard, and keeps the memory for reuse. Not allowed while submitted. */
void rec_clear(struct rec *r);

/* Adds a dispatch. `groups` is the number of workgroups that would cover the work once. Kernels stride over
 * the remaining work, so no count is too large for a device. 0 groups run as one: an empty reduction still
 * has a result. */
void rec_dispatch(struct rec *r, enum kernel_id kernel, uint64_t groups, const void *args,
                  uint32_t args_bytes);

/* Sets the guard: dispatches recorded from here on run only while *word is 0; NULL: always. Returns the
 * previous guard for the caller to restore. The word is on the device and is read when the dispatch runs, so
 * an earlier dispatch may have written it. A dispatch must not write its own guard. Kernels take the word as
 * an argument of type `guard`, which verbs do not name. A kernel without one makes the recording fail with
 * VKS_UNSUPPORTED. */
u32s rec_guard(struct rec *r, u32s word);

/* Sets the precision of dispatches added from now on, and returns the previous one. */
static inline enum precision rec_precision(struct rec *r, enum precision p)
{
    enum precision before = r->precision;
    r->precision = p;
    return before;
}

/* Adds a dispatch. A GPU runs the program in place of the kernel. */
void rec_dispatch_program(struct rec *r, struct program *program, enum kernel_id kernel, uint64_t groups,
                          const void *args, uint32_t args_bytes);

/* run(r, spmv_csr, groups, .row = ..., ...) */
#define run(r, name, groups, ...) \
    rec_dispatch(r, KERNEL_##name, groups, &(struct name##_args){__VA_ARGS__}, sizeof(struct name##_args))

/* `run` without the guard, for kernels that check it themselves, such as kernels that write its word. */
#define run_always(r, ...)                  \
    do {                                    \
        u32s guard_ = rec_guard((r), NULL); \
        run(r, __VA_ARGS__);                \
        rec_guard((r), guard_);             \
    } while (0)

/* `run` in a precision other than the recording's. */
#define run_in(r, p, ...)                             \
    do {                                              \
        enum precision before_ = rec_precision(r, p); \
        run(r, __VA_ARGS__);                          \
        (r)->precision = before_;                     \
    } while (0)

/* Adds `bytes` to the recording's memory traffic. */
static inline void bill(struct rec *r, uint64_t bytes)
{
    r->bytes += bytes;
}

vks_status rec_prepare(struct rec *r);
/* Needs rec_prepare. May be called again while the recording runs. *ticket is for device_wait. */
vks_status rec_submit(struct rec *r, uint64_t *ticket);
/* rec_prepare and rec_submit. */
vks_status rec_start(struct rec *r, uint64_t *ticket);
/* device_wait; if the device is timed, also adds to its kernel_seconds. */
vks_status rec_finish(struct rec *r, uint64_t ticket);
/* rec_start and rec_finish. */
vks_status rec_run(struct rec *r);
/* rec_run while a device is opened: waits no longer than the device's patience, and adds no times. */
vks_status rec_try(struct rec *r);
/* rec_run, but returns before the device has finished: all later submissions and reads wait for it, and the
 * recording may be destroyed. */
vks_status rec_leave(struct rec *r);
/* rec_run unless `status` is a failure, and rec_destroy. Returns the first failure. */
vks_status rec_run_once(struct rec *r, vks_status status);
/* rec_run_once with rec_leave. */
vks_status rec_leave_once(struct rec *r, vks_status status);
/* Seconds of each of r->dispatches in the last submission, in order; it must have ended. VKS_UNSUPPORTED if
 * the device was opened without timestamps or the recording has pauses. */
vks_status rec_times(struct rec *r, double *seconds);
/* Seconds that the device took for the whole last submission, which must have ended. NAN if its queue has no
 * clock or r->spanned was not set. */
vks_status rec_span(struct rec *r, double *seconds);

#endif
