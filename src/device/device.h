/* The device interface. device/vulkan and device/host implement it; no higher layer includes Vulkan.
 *
 * A device executes recordings (record.h) in the order of submission, one dispatch after the other. It
 * belongs to one context and is used by one thread at a time. */
#ifndef VKS_DEVICE_DEVICE_H
#define VKS_DEVICE_DEVICE_H

#include "device/co_residency.h"
#include "device/kernel.h"
#include "device/program.h"
#include "kernels.h"
#include "report/message.h"
#include "team/helpers.h"
#include "team/team.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct rec;
struct device;
struct scratch;

enum device_kind { DEVICE_HOST, DEVICE_DISCRETE, DEVICE_INTEGRATED, DEVICE_VIRTUAL, DEVICE_SOFTWARE };

struct device_info {
    char name[256];
    char driver[256]; /* name and version, for the report */
    char uuid[40];    /* of a Vulkan device: "2ad6e2ce-3c0b-4e4e-9b0a-1f2d3c4b5a69" */
    char pci[24];     /* "0000:65:00.0"; "" if it has none or its driver does not report it */
    enum device_kind kind;
    bool f64;       /* 64-bit floats in kernels */
    bool fuses;     /* `fma` in kernels rounds only once */
    bool subgroups; /* kernels run in their variant with 32-wide subgroups; `fuses` is then true */
    bool atomic_add[REAL_PRECISIONS];  /* kernels may add to floats in memory atomically */
    bool atomic_swap[REAL_PRECISIONS]; /* kernels may compare and swap words of that size */
    bool unified;                      /* host and device share one memory: no staging */
    uint32_t max_groups;               /* workgroups of one dispatch; at most 65,535; tests lower it */
    uint32_t multiprocessors;          /* 0: unknown */
    uint32_t groups_at_once; /* workgroups that run at the same time if they take few registers; 0: unknown */
    uint64_t largest_array;  /* bytes of one array */
    bool few_registers;    /* few registers per invocation: kernels take smaller tiles, with the same bits */
    const char *not_split; /* why an array cannot exceed one allocation; NULL if it can */
    uint64_t memory;       /* bytes of device memory, 0 where unknown */
    uint32_t turn_bytes;   /* bytes that memory moves during one read latency, estimated from the kind */
    bool works_at_submission; /* a submission has ended when it returns */
    bool clock_waits;         /* reading the time of a submission waits for all submitted work */
    uint32_t polls; /* polls of a workgroup that waits for another; 0: workgroups never wait for each other */
    bool memory_model; /* Vulkan's: writes become visible to other workgroups when they synchronise */
    uint32_t threads;  /* threads that run the twins; 0 except on the host device */
    uint32_t index;    /* in device_vulkan_list */
};

/* Polls of about a microsecond each: well below the seconds after which systems consider a GPU hung. */
enum { POLLS = 1 << 18 };

/* Bytes that 4 TB/s memory moves in 1.2 us. Slower memory moves less, but an overestimate costs a slow device
 * less than an underestimate costs a fast one. */
enum { TURN_BYTES_DISCRETE = 5000000, TURN_BYTES_INTEGRATED = 100000 };

/* An array on a device. `address` is the kernel's view: a GPU address, or a pointer on the host device. */
struct memory {
    uint64_t address;
    uint64_t bytes;
    void *mapped; /* the host's view: always for MEMORY_SHARED, for MEMORY_DEVICE on the host device only */
    void *handle; /* private to the backend */
};

/* A part of an array; released with the whole. */
static inline struct memory memory_part(const struct memory *m, uint64_t offset, uint64_t bytes)
{
    return (struct memory){.address = m->address + offset,
                           .bytes = bytes,
                           .mapped = m->mapped ? (char *)m->mapped + offset : NULL,
                           .handle = m->handle};
}

enum memory_kind {
    MEMORY_DEVICE, /* fastest for kernels; reached through device_write and device_read */
    MEMORY_SHARED  /* small, visible to host and device without a copy: status words */
};

struct device_ops {
    void (*destroy)(struct device *);
    vks_status (*allocate)(struct device *, enum memory_kind, uint64_t bytes, const char *what,
                           struct memory *);
    void (*release)(struct device *, struct memory *);
    vks_status (*write)(struct device *, struct memory *, uint64_t offset, const void *from, uint64_t bytes);
    vks_status (*read)(struct device *, const struct memory *, uint64_t offset, void *to, uint64_t bytes);
    vks_status (*prepare)(struct rec *);
    vks_status (*submit)(struct rec *, uint64_t *ticket);
    vks_status (*wait)(struct device *, uint64_t ticket, double seconds);
    vks_status (*times)(struct rec *, double *seconds);
    vks_status (*span)(struct rec *, double *seconds);
    void (*discard)(struct rec *);
    void (*forget)(struct device *, struct program *);
    /* Announces that the kernel will be dispatched with the specialisation constants in `args`, so that it
     * can be prepared. NULL: the backend prepares nothing. */
    void (*want)(struct device *, enum kernel_id, enum precision, const void *args);
    /* Makes host memory an array that kernels can reach, for device_import. NULL: unsupported. */
    vks_status (*import)(struct device *, void *host, uint64_t bytes, struct memory *);
    /* The bytes that are free now. False, or NULL: the backend does not know. */
    bool (*room)(struct device *, uint64_t *bytes);
};

/* The most rehearsals of a device: a program that needs more has already made most of its pipelines. */
enum { MOST_REHEARSALS = 16 };

struct device {
    const struct device_ops *ops;
    struct team *team; /* threads of the host */
    bool team_is_lent; /* the lender destroys it */
    pid_t pid;         /* the process that opened the device */
    double patience;   /* seconds after which a submission is considered hung */
    struct device_info info;
    struct message *message; /* the context's; receives failure messages */
    struct helpers *helpers; /* background threads, or NULL */
    struct rehearsals {      /* rehearsal.h */
        bool are_due;        /* compiling takes long */
        uint32_t count;
        uint64_t key[MOST_REHEARSALS];
        atomic_bool ended;
    } rehearsals;
    struct scratch *scratch;    /* NULL, or the source and destination of arrays and recordings (scratch.h) */
    uint64_t loans;             /* of recordings by scratches, so far */
    bool timed;                 /* opened with timestamps, which it has */
    uint64_t bytes, most_bytes; /* of arrays: now, and the most so far */
    double kernel_seconds;      /* if timed: of the kernels run in this public call */
    struct co_residency co_residency[KERNEL_COUNT][PRECISIONS];
    struct spent { /* if timed: per kernel, over the submissions that rec_finish waited for */
        uint64_t runs;
        double seconds;
    } spent[KERNEL_COUNT];
    uint64_t waits; /* of rec_finish, if timed */
};

/* How a device is opened; zero means default. */
struct device_options {
    const char
        *name;     /* NULL: automatic. An index, UUID, PCI address or part of the name of a Vulkan device */
    bool validate; /* with the validation layer; its messages are counted and printed on stderr */
    bool debug_names; /* arrays and pipelines carry names for captures */
    bool timestamps;  /* recordings report the time of each dispatch */
    bool no_pipeline_cache;
    bool no_waiting;   /* workgroups never wait for each other */
    uint32_t threads;  /* of the host, 0: as many as the machine grants */
    struct team *team; /* not NULL: the team of another device, which outlives this one */
    struct message
        *passed_over;         /* NULL, or receives an automatic choice's report of devices that do not work */
    const char *host_isa;     /* tests: the highest instruction set to consider on the host */
    const char *cache_folder; /* NULL: $XDG_CACHE_HOME/vksolve, or ~/.cache/vksolve */
    uint32_t max_groups;      /* tests: a lower limit than the device's */
    bool without_subgroups;   /* tests: the shared-memory variant even if subgroups would work */
    bool without_fma;         /* tests: kernels emulate a fused multiply-add; also without subgroups */
    bool without_f64;         /* tests: behaves as a device without 64-bit floats */
    bool without_atomic_add;  /* tests: behaves as a device without atomic float adds */
    bool without_atomic_swap64; /* tests: behaves as a device without 64-bit atomic swaps */
    uint32_t long_unit;     /* tests: dispatches of the shortest unit that is executed rather than copied */
    bool without_unified;   /* tests: transfers use the staging ring even if memory is shared */
    uint64_t largest_array; /* tests: a lower limit than the device's */
    uint64_t piece_bytes;   /* tests: larger arrays are split, if the device can split them */
    double opening_seconds; /* tests: a shorter wait for the known-answer test */
    bool unasked;           /* tests: skips the trial and the known-answer test */
    bool rehearses;         /* tests: rehearses on a software device too */
    uint64_t staging_bytes; /* tests: a smaller staging ring */
};

vks_status device_host_create(struct message *m, const struct device_options *o, struct device **out);

/* Opens the Vulkan device named o->name; without a name the first discrete, else the first integrated GPU.
 * VKS_NO_DEVICE, with a list of the devices: there is none, or no Vulkan. Software devices (lavapipe) are
 * chosen only by name. */
vks_status device_vulkan_create(struct message *m, const struct device_options *o, struct device **out);

/* Lists all Vulkan devices, with the reason if a device is not usable. The caller frees *list. */
struct device_listing {
    struct device_info info;
    bool usable;
    char why_not[160];
};
vks_status device_vulkan_list(struct message *m, struct device_listing **list, uint32_t *count);

/* Number of messages of the validation layer since the device was opened: tests require 0. */
uint32_t device_vulkan_messages(const struct device *d);

/* opened.c: called once a device is open. Sets its team and its process, and runs the trial and the
 * known-answer test. VKS_NO_DEVICE: the answer was wrong. VKS_TIMEOUT: it did not end within d->patience
 * seconds. After a failure, such as VKS_DEVICE_LOST, the device has no team. */
vks_status device_opened(struct device *d, const struct device_options *o);

/* Whether this process was forked after the device was opened; operations then fail: VKS_UNSUPPORTED. */
bool device_is_forked(struct device *d);

/* device.c: make the checks that both backends share, then call the op. */
void device_destroy(struct device *d); /* NULL is fine */
/* bytes = 0 gives an array whose address no kernel may dereference. Contents are undefined. The error message
 * names `what`, the bytes and the limit. */
vks_status device_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out);
void device_count(struct device *d, uint64_t bytes);     /* counts an array that was allocated elsewhere */
void device_release(struct device *d, struct memory *m); /* a zeroed struct is fine; zeroes the struct */
/* Makes the caller's memory an array: whole pages, which must stay valid until the array is released.
 * VKS_UNSUPPORTED, with a message, if kernels cannot reach them. */
vks_status device_import(struct device *d, void *host, uint64_t bytes, struct memory *out);
/* Approximate free device memory; UINT64_MAX if unknown. */
uint64_t device_room(struct device *d);
/* Peak bytes of arrays: device_watch starts a measurement, and device_watched, given its return value, ends
 * it and returns the peak. */
uint64_t device_watch(struct device *d);
uint64_t device_watched(struct device *d, uint64_t before);
/* Transfers follow all submitted work. device_write returns once `from` has been read; device_read once `to`
 * is complete. */
vks_status device_write(struct device *d, struct memory *m, uint64_t offset, const void *from,
                        uint64_t bytes);
vks_status device_read(struct device *d, const struct memory *m, uint64_t offset, void *to, uint64_t bytes);
/* Waits until the submission `ticket` and all earlier ones have ended. VKS_TIMEOUT after `seconds`,
 * VKS_DEVICE_LOST if the device is lost. */
vks_status device_wait(struct device *d, uint64_t ticket, double seconds);

/* Drops all data that the device keeps for the program. No recording may still use it. */
void device_forget(struct device *d, struct program *p);

/* The longest wait. Even on the slowest device the slowest batch that vksolve submits takes only seconds. */
#define DEVICE_WAIT_SECONDS 300.0
/* The longest wait while a device is opened; all its work is then small. */
#define OPENING_WAIT_SECONDS 10.0

#endif
