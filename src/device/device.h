/* The seam: what a device can do. device/vulkan and device/host implement it; nothing above includes Vulkan.
 *
 * A device executes recordings (record.h) in the order in which they are submitted, one dispatch after the
 * other. It belongs to one context and is used by one thread at a time. */
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
    char pci[24];     /* "0000:65:00.0"; "": it has none, or its driver does not say */
    enum device_kind kind;
    bool f64;                         /* 64-bit floats in kernels */
    bool fuses;                       /* `fma` of kernels rounds once */
    bool subgroups;                   /* kernels run in their variant with 32-wide subgroups; then it fuses */
    bool atomic_add[REAL_PRECISIONS]; /* kernels may add to floats in memory atomically */
    bool atomic_swap[REAL_PRECISIONS]; /* and compare and swap words of that size */
    bool unified;                      /* host and device share one memory: no staging */
    uint32_t max_groups;               /* workgroups of one dispatch; at most 65,535; tests lower it */
    uint32_t multiprocessors;          /* 0: unknown, as is the next one */
    uint32_t groups_at_once; /* workgroups that run at the same time if they take few registers; 0: unknown */
    uint64_t largest_array;  /* bytes of one array */
    bool few_registers;      /* of an invocation: kernels take smaller tiles, with the same bits */
    const char *not_split;   /* why an array is no larger than one allocation; NULL: it may be */
    uint64_t memory;         /* bytes of device memory, 0 where unknown */
    uint32_t turn_bytes;     /* that memory moves while one read waits, estimated by the kind */
    bool works_at_submission; /* a submission has ended when it returns */
    bool clock_waits;         /* reading the time of a submission waits for all that was submitted */
    uint32_t polls;           /* looks of a workgroup for another one, 0: none waits for others */
    bool memory_model;        /* Vulkan's: what workgroups write becomes visible when they meet */
    uint32_t threads;         /* that twins run on; 0 but on the host device */
    uint32_t index;           /* in the order of device_vulkan_list */
};

/* A microsecond or so each: well below the seconds after which systems take a GPU for hung. */
enum { POLLS = 1 << 18 };

/* What memory of 4 TB/s moves in 1.2 us. A slower device moves less, but loses less by too high an estimate
 * than such a one by too low a one. */
enum { TURN_BYTES_DISCRETE = 5000000, TURN_BYTES_INTEGRATED = 100000 };

/* An array on a device. `address` is what kernels get: a GPU address, or a pointer on the host device. */
struct memory {
    uint64_t address;
    uint64_t bytes;
    void *mapped; /* where the host sees it: MEMORY_SHARED always, MEMORY_DEVICE on the host device only */
    void *handle; /* the backend's own */
};

/* A part of some memory, which goes with the whole. */
static inline struct memory memory_part(const struct memory *m, uint64_t offset, uint64_t bytes)
{
    return (struct memory){.address = m->address + offset,
                           .bytes = bytes,
                           .mapped = m->mapped ? (char *)m->mapped + offset : NULL,
                           .handle = m->handle};
}

enum memory_kind {
    MEMORY_DEVICE, /* fastest for kernels; reached through device_write and device_read */
    MEMORY_SHARED  /* small, seen by both sides without a copy: status words */
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
    /* The kernel will be dispatched, with specialisation constants as in `args`. NULL: nothing is made for
     * that.
     */
    void (*want)(struct device *, enum kernel_id, enum precision, const void *args);
    /* Memory of the host's as an array that kernels reach, for device_import. NULL: never. */
    vks_status (*import)(struct device *, void *host, uint64_t bytes, struct memory *);
    /* The bytes that are free now. False, or NULL: the backend cannot say. */
    bool (*room)(struct device *, uint64_t *bytes);
};

/* A device has no more than these: a program that asks for more has made most of its pipelines. */
enum { MOST_REHEARSALS = 16 };

struct device {
    const struct device_ops *ops;
    struct team *team; /* threads of the host */
    bool team_is_lent; /* the one who lent it ends it */
    pid_t pid;         /* of the process that opened it */
    double patience;   /* seconds after which a submission is taken for hung */
    struct device_info info;
    struct message *message; /* the context's; failures are told there */
    struct helpers *helpers; /* threads beside the work, or NULL */
    struct rehearsals {      /* rehearsal.h */
        bool are_due;        /* compiling takes long */
        uint32_t count;
        uint64_t key[MOST_REHEARSALS];
        atomic_bool ended;
    } rehearsals;
    struct scratch *scratch;    /* NULL, or what arrays and recordings come from and go to (scratch.h) */
    bool timed;                 /* opened with timestamps, and has them */
    uint64_t bytes, most_bytes; /* of arrays: now, and the most so far */
    double kernel_seconds;      /* where it is timed: of all that rec_run has run in this public call */
    struct co_residency co_residency[KERNEL_COUNT][PRECISIONS];
    struct spent { /* where it is timed: on each kernel, in what rec_finish has waited for */
        uint64_t runs;
        double seconds;
    } spent[KERNEL_COUNT];
    uint64_t waits; /* of rec_finish; where it is timed */
};

/* How a device is opened; zero means default. */
struct device_options {
    const char
        *name;     /* NULL: automatic. An index, UUID, PCI address or part of the name of a Vulkan device */
    bool validate; /* with the validation layer; its messages are counted and printed on stderr */
    bool debug_names; /* arrays and pipelines carry names for captures */
    bool timestamps;  /* recordings can tell the time of each dispatch */
    bool no_pipeline_cache;
    bool no_waiting;             /* no workgroups wait for each other */
    uint32_t threads;            /* of the host, 0: as many as the machine grants */
    struct team *team;           /* not NULL: a team of another device, which outlives this one */
    struct message *passed_over; /* NULL, or where an automatic choice tells of devices that do not work */
    const char *host_isa;        /* tests: the last instruction set to consider on the host */
    const char *cache_folder;    /* NULL: $XDG_CACHE_HOME/vksolve, or ~/.cache/vksolve */
    uint32_t max_groups;         /* tests: a lower limit than the device's */
    bool without_subgroups;      /* tests: the shared-memory variant even where subgroups would do */
    bool without_fma;           /* tests: kernels put a fused multiply-add together; without subgroups, too */
    bool without_f64;           /* tests: as a device that has no 64-bit floats */
    bool without_atomic_add;    /* tests: as a device whose memory adds no floats */
    bool without_atomic_swap64; /* tests: as one that swaps no 64-bit words */
    uint32_t long_unit;         /* tests: dispatches of the shortest unit that is executed and not copied */
    bool without_unified;       /* tests: transfers through the staging ring even where memory is shared */
    uint64_t largest_array;     /* tests: a lower limit than the device's */
    uint64_t piece_bytes;       /* tests: arrays that are larger than this are split, where they can be */
    double opening_seconds;     /* tests: a shorter wait for the known answer */
    bool unasked;               /* tests: no known answer is asked for */
    bool rehearses;             /* tests: also a software device */
    uint64_t staging_bytes;     /* tests: a smaller staging ring */
};

vks_status device_host_create(struct message *m, const struct device_options *o, struct device **out);

/* Opens the Vulkan device that o->name means; without a name the first discrete, else the first integrated
 * GPU. VKS_NO_DEVICE (with the devices that there are) when there is none, or no Vulkan at all. Software
 * devices (lavapipe) are taken only by name. */
vks_status device_vulkan_create(struct message *m, const struct device_options *o, struct device **out);

/* All Vulkan devices that vksolve can use, or could but for the reason given. The caller frees *list. */
struct device_listing {
    struct device_info info;
    bool usable;
    char why_not[160];
};
vks_status device_vulkan_list(struct message *m, struct device_listing **list, uint32_t *count);

/* Messages of the validation layer since the device was opened: tests want 0. */
uint32_t device_vulkan_messages(const struct device *d);

/* opened.c, called by whoever has opened the device: gives it its team and its process, tries it, and
 * asks it for a known answer. VKS_NO_DEVICE: another one came back. VKS_TIMEOUT: it did not end within
 * d->patience seconds. After a failure, such as VKS_DEVICE_LOST, it has no team. */
vks_status device_opened(struct device *d, const struct device_options *o);

/* Whether this process was forked from the device's. Then everything is refused with VKS_UNSUPPORTED. */
bool device_is_forked(struct device *d);

/* device.c: the checks that both devices share, then the op. */
void device_destroy(struct device *d); /* NULL is fine */
/* bytes = 0 gives an array with an address that no kernel may follow. Contents are undefined. The error names
 * `what`, the bytes and the limit. */
vks_status device_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out);
void device_count(struct device *d, uint64_t bytes);     /* of an array that was not allocated here */
void device_release(struct device *d, struct memory *m); /* a zeroed struct is fine; leaves one */
/* The caller's memory as an array: whole pages, which stay until it is released. VKS_UNSUPPORTED, with a
 * message, where kernels cannot reach them. */
vks_status device_import(struct device *d, void *host, uint64_t bytes, struct memory *out);
/* The bytes that arrays may still take, about; UINT64_MAX where nobody knows. */
uint64_t device_room(struct device *d);
/* The most bytes of arrays from here on: `watch` returns what `watched` takes back, which returns the most.
 */
uint64_t device_watch(struct device *d);
uint64_t device_watched(struct device *d, uint64_t before);
/* Ordered after all submitted work. device_write returns once `from` has been read; device_read once `to` is
 * there. */
vks_status device_write(struct device *d, struct memory *m, uint64_t offset, const void *from,
                        uint64_t bytes);
vks_status device_read(struct device *d, const struct memory *m, uint64_t offset, void *to, uint64_t bytes);
/* Waits until the submission `ticket` (and all before it) has ended: VKS_TIMEOUT after `seconds`,
 * VKS_DEVICE_LOST when the device is gone. */
vks_status device_wait(struct device *d, uint64_t ticket, double seconds);

/* The device drops all that it keeps of the program. No recording may still use it. */
void device_forget(struct device *d, struct program *p);

/* No wait is longer: the slowest single batch that vksolve submits takes seconds on the slowest device. */
#define DEVICE_WAIT_SECONDS 300.0
/* The same while a device is opened, when all it has to do is small. */
#define OPENING_WAIT_SECONDS 10.0

#endif
