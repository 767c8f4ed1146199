/* The Vulkan device. Included only by src/device/vulkan and by tests. */
#ifndef VKS_VULKAN_VULKAN_H
#define VKS_VULKAN_VULKAN_H

#include "device/record.h"
#include "device/vulkan/profile.h"
#include <pthread.h>
#include <stdatomic.h>

/* How a block's memory is made: one allocation, one that is mapped, or pieces that the queue binds to the
 * buffer (sparse binding). */
enum block_memory { BLOCK_PLAIN, BLOCK_MAPPED, BLOCK_SPLIT };

/* A buffer with its memory: one large array, or many small ones. */
struct block {
    VkBuffer buffer;
    VkDeviceMemory *memory; /* its pieces, one after the other */
    uint32_t pieces;        /* 1 except for BLOCK_SPLIT */
    enum block_memory how;
    uint64_t address, bytes;
    unsigned char *mapped;
    enum memory_kind kind;
    bool small;         /* for many small arrays */
    uint32_t arrays;    /* number of arrays in it */
    struct array *free; /* free ranges by ascending offset, never adjacent */
    struct block *next; /* in the list of blocks of small arrays or of spare blocks */
};

/* memory.handle: the location of an array or, so that releases do not allocate, a free range of a block. */
struct array {
    struct block *block; /* NULL: in the program's memory */
    uint64_t offset, bytes;
    struct array *next;
};

/* Host memory to and from which the device copies, in chunks that are in flight independently. */
enum { STAGING_CHUNKS = 4 };
struct staging {
    struct block *block;
    uint64_t chunk_bytes;
    VkCommandBuffer commands[STAGING_CHUNKS];
    uint64_t tickets[STAGING_CHUNKS]; /* the submission that frees each chunk */
    uint32_t next;
};

struct cache {
    VkPipelineCache handle;
    char *path;      /* NULL: not stored on disk */
    uint64_t loaded; /* bytes read from the file */
};

/* A pipeline, and its key among the kernel's pipelines. */
struct pipeline {
    struct errand errand; /* makes it ahead of use */
    struct vulkan *of;
    VkPipeline handle;
    const struct kernel *kernel;
    enum precision precision;
    bool wide;                         /* vulkan_wide when it was requested */
    uint32_t constants[MAX_CONSTANTS]; /* only the kernel's count of them is used */
    enum { PIPELINE_WANTED, PIPELINE_IN_WORK, PIPELINE_MADE } state;
    struct pipeline *next; /* of this kernel */
};

/* Pipelines ahead of use (ahead.c). */
struct ahead {
    pthread_mutex_t lock; /* of all pipelines of kernels */
    pthread_cond_t made;
};

/* A unit of at least this many dispatches is a secondary command buffer, which saves recording it again. A
 * shorter unit is copied into the recordings that include it, which saves the device 0.1 to 1 us each time
 * (on an H200, an iteration of elasticity3d 48 in f32 takes 38.35 us copied and 39.37 executed). With
 * timestamps all are copied, since each dispatch is timed. */
enum { LONG_UNIT = 16 };

struct vulkan {
    struct device device; /* the first member: the view of higher layers */
    struct vulkan_instance instance;
    struct vulkan_profile profile;
    vks_vulkan_device own; /* the program's device in which this one was opened; else all zero */
    VkDevice logical;
    VkQueue queue;
    VkCommandPool pool;
    VkSemaphore timeline; /* its value is the ticket of the last submission that has ended */
    uint64_t submitted, completed;
    uint64_t staging_bytes;
    uint64_t wide_bytes;          /* larger arrays need kernels with 64-bit element addresses (widen.h) */
    _Atomic uint32_t wide_arrays; /* number of such arrays */
    uint64_t piece_bytes;         /* per allocation: larger arrays are split if possible */
    bool lost, timestamps, names;
    bool imports;       /* VK_EXT_external_memory_host is enabled */
    uint32_t long_unit; /* dispatches of the shortest unit that is executed rather than copied */
    bool hung;          /* a wait of full patience timed out; later waits, such as for clean-up, only poll */
    struct recording *discarded; /* recordings that may still be running */
    struct block *blocks;
    struct block *spare; /* of released large arrays, oldest first */
    uint64_t spare_bytes;
    uint32_t spares;
    struct staging staging;
    struct block *zeros; /* passed instead of null addresses, and as the guard if a dispatch has none */
    VkPipelineLayout layout;
    struct pipeline *pipelines[2 /* vulkan_wide */][KERNEL_COUNT][PRECISIONS]; /* lists */
    struct ahead ahead;
    atomic_bool made_pipelines;
    struct cache cache;
};

static inline struct vulkan *vulkan_of(struct device *d)
{
    return (struct vulkan *)(void *)d;
}

/* Whether new recordings widen kernels. A recording uses only arrays that exist when it is made. */
static inline bool vulkan_wide(const struct vulkan *v)
{
    return v->wide_arrays && v->profile.features.core.features.shaderInt64;
}

/* fail.c: the status of a Vulkan call that failed while `doing` something. Sets v->lost if the device is
 * lost. */
vks_status vulkan_fail(struct vulkan *v, VkResult result, const char *doing);

/* recording.c: releases discarded recordings that have ended. */
void vulkan_discarded_release(struct vulkan *v);

/* device.c: opens the device with another Vulkan loader, for tests. */
vks_status vulkan_create(struct message *m, const struct device_options *o, const char *library,
                         struct device **out);
/* Opens in the program's device, whose description is complete. */
vks_status vulkan_create_in(struct message *m, const struct device_options *o, const vks_vulkan_device *own,
                            struct device **out);

/* own.c: the context's device, if it was opened in a program's own device. */
vks_status vulkan_borrowed(vks_context *context, struct vulkan **v);

/* submit.c */
vks_status vulkan_commands_create(struct vulkan *v, VkCommandBufferLevel level, uint32_t count,
                                  VkCommandBuffer *commands);
/* Commands between begin and end see all earlier writes, and all later commands see their writes. */
vks_status vulkan_commands_begin(struct vulkan *v, VkCommandBuffer commands, VkCommandBufferUsageFlags usage);
vks_status vulkan_commands_end(struct vulkan *v, VkCommandBuffer commands);
vks_status vulkan_commands_submit(struct vulkan *v, VkCommandBuffer commands, uint64_t *ticket);
/* Binds memory to a buffer. Waits for the binding and for all earlier submissions. */
VkResult vulkan_bind(struct vulkan *v, const VkSparseBufferMemoryBindInfo *binds);
/* Later submissions wait for the value (wait); earlier submissions set it when they end (signal). */
vks_status vulkan_semaphore_wait(struct vulkan *v, VkSemaphore semaphore, uint64_t value);
vks_status vulkan_semaphore_signal(struct vulkan *v, VkSemaphore semaphore, uint64_t value);
/* Compute to compute: the next dispatch sees all earlier writes. */
void vulkan_barrier(const struct vulkan *v, VkCommandBuffer commands);
vks_status vulkan_wait(struct device *d, uint64_t ticket, double seconds);
/* Waits for the submission `ticket`, and returns whether its resources can be freed. False only if the device
 * hangs: then they must be leaked. */
bool vulkan_settled(struct vulkan *v, uint64_t ticket);

/* recording.c */
vks_status vulkan_commands_dispatch(struct vulkan *v, VkCommandBuffer commands, const struct dispatch *d);
vks_status vulkan_prepare(struct rec *r);
vks_status vulkan_submit(struct rec *r, uint64_t *ticket);
vks_status vulkan_times(struct rec *r, double *seconds);
vks_status vulkan_span(struct rec *r, double *seconds);
void vulkan_discard(struct rec *r);

/* block.c: make and buffer read b->bytes and b->how; after a failed make b owns nothing. */
VkResult vulkan_block_make(struct vulkan *v, uint32_t type, struct block *b);
VkResult vulkan_block_buffer(struct vulkan *v, struct block *b); /* without memory */
/* The bytes free in the heap of a memory type. False: the driver does not report them. */
bool vulkan_block_room(struct vulkan *v, uint32_t type, uint64_t *bytes);
void vulkan_block_destroy(struct vulkan *v, struct block *b);

/* spare.c: keeps the block of a large array for reuse; submitted work may still use it. False: it is not
 * kept, because its kind or size is unsuitable or the device is lost. */
bool vulkan_spare_keep(struct vulkan *v, struct block *b);
/* Takes the smallest spare block of at least `bytes` with at most an eighth unused, and names it `what`. NULL
 * if there is none or the device is lost. */
struct block *vulkan_spare_take(struct vulkan *v, enum memory_kind kind, uint64_t bytes, const char *what);
/* Returns all spare blocks to the driver. True if there were any. */
bool vulkan_spare_drop(struct vulkan *v);

/* memory.c: vulkan_memory_open chooses the memory types, once the open device can report which types suit a
 * buffer. */
vks_status vulkan_memory_open(struct vulkan *v);
/* Makes a block. Returns the spare blocks to the driver if memory runs short. */
vks_status vulkan_block_create(struct vulkan *v, uint32_t type, uint64_t bytes, enum block_memory how,
                               const char *what, struct block **out);
vks_status vulkan_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out);
void vulkan_release(struct device *d, struct memory *m);
bool vulkan_room(struct device *d, uint64_t *bytes); /* spare blocks count as free */
/* An array in the program's memory, which its release leaves unchanged. */
vks_status vulkan_wrap(struct vulkan *v, uint64_t address, uint64_t bytes, struct memory *out);
void vulkan_memory_close(struct vulkan *v);

/* zeros.c: makes v->zeros. */
vks_status vulkan_zeros_open(struct vulkan *v);
/* Copies kernel k's push_bytes of push constants from `args`, with v->zeros for each null address. */
void vulkan_push_of(const struct vulkan *v, const struct kernel *k, const uint64_t *args,
                    uint64_t pushed[MAX_PUSH_BYTES / 8]);

/* import.c */
vks_status vulkan_import(struct device *d, void *host, uint64_t bytes, struct memory *out);

/* staging.c */
vks_status vulkan_write(struct device *d, struct memory *m, uint64_t offset, const void *from,
                        uint64_t bytes);
vks_status vulkan_read(struct device *d, const struct memory *m, uint64_t offset, void *to, uint64_t bytes);

/* pipeline.c */
vks_status vulkan_pipeline_layout(struct vulkan *v);
/* Makes p->handle. Thread-safe. */
VkResult vulkan_pipeline_make(struct vulkan *v, struct pipeline *p);
/* "spmv_coded", or with specialisation constants "spmv_coded (lanes 1, wide 0)". */
enum { PIPELINE_DESCRIPTION = 160 };
void vulkan_pipeline_describe(const struct pipeline *p, char text[PIPELINE_DESCRIPTION]);

/* pipelines.c */
/* The pipeline of a kernel with the specialisation constants in `args`, its arguments; `args` may be NULL if
 * it has none. It is made when a combination is first used. */
vks_status vulkan_pipeline(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                           const void *args, VkPipeline *out);
vks_status vulkan_program_pipeline(struct vulkan *v, struct program *p, enum precision precision,
                                   VkPipeline *out);
void vulkan_forget(struct device *d, struct program *p);
void vulkan_pipelines_close(struct vulkan *v);

/* ahead.c */
void vulkan_ahead_open(struct ahead *a);
/* Announces that the pipeline will be needed: a helper makes it as soon as one is free. Thread-safe; failures
 * are left to vulkan_pipeline. */
void vulkan_want(struct device *d, enum kernel_id kernel, enum precision precision, const void *args);
/* Finds or adds the pipeline, and makes it unless a helper has. VKS_TIMEOUT: a helper takes longer than the
 * device's patience. */
vks_status vulkan_ahead_take(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                             const void *args, struct pipeline **out, VkResult *made);
/* Ends the helpers under the driver's lock, because NVIDIA's driver may hang if a thread ends while another
 * destroys a device. False: a helper hangs in the driver. */
bool vulkan_ahead_close(struct vulkan *v);
void vulkan_ahead_free(struct ahead *a);

/* cache.c */
vks_status vulkan_cache_open(struct vulkan *v, const struct device_options *o);
void vulkan_cache_close(struct vulkan *v);

/* debug.c: names an object for captures, if names were requested. */
void vulkan_name(const struct vulkan *v, VkObjectType type, uint64_t object, const char *name);

#endif
