/* The Vulkan device. Only src/device/vulkan includes this, and tests. */
#ifndef VKS_VULKAN_VULKAN_H
#define VKS_VULKAN_VULKAN_H

#include "device/record.h"
#include "device/vulkan/profile.h"
#include <pthread.h>
#include <stdatomic.h>

/* How the memory of a block is made: in one allocation, in one that the host sees, or in pieces, which the
 * queue binds to the buffer (sparse binding). */
enum block_memory { BLOCK_PLAIN, BLOCK_MAPPED, BLOCK_SPLIT };

/* A buffer with its memory: one large array, or many small ones. */
struct block {
    VkBuffer buffer;
    VkDeviceMemory *memory; /* its pieces, one after the other */
    uint32_t pieces;        /* 1 but for BLOCK_SPLIT */
    enum block_memory how;
    uint64_t address, bytes;
    unsigned char *mapped;
    enum memory_kind kind;
    bool small;         /* for many small arrays */
    uint32_t arrays;    /* in it */
    struct array *free; /* what lies between them, by offset; never two in touch */
    struct block *next; /* among the blocks of small arrays, or the spare ones */
};

/* memory.handle: where an array lies. Also a free stretch of a block, so that a release allocates nothing. */
struct array {
    struct block *block; /* NULL: in memory of the program's */
    uint64_t offset, bytes;
    struct array *next;
};

/* Host memory that the device copies to and from, in chunks that are in flight independently. */
enum { STAGING_CHUNKS = 4 };
struct staging {
    struct block *block;
    uint64_t chunk_bytes;
    VkCommandBuffer commands[STAGING_CHUNKS];
    uint64_t tickets[STAGING_CHUNKS]; /* when each chunk is free again */
    uint32_t next;
};

struct cache {
    VkPipelineCache handle;
    char *path;      /* NULL: it is not kept */
    uint64_t loaded; /* bytes that were read from there */
};

/* A pipeline, and what tells it from others of its kernel. */
struct pipeline {
    struct errand errand; /* making it ahead of use */
    struct vulkan *of;
    VkPipeline handle;
    const struct kernel *kernel;
    enum precision precision;
    bool wide;                         /* vulkan_wide when it was asked for */
    uint32_t constants[MAX_CONSTANTS]; /* as many as the kernel has */
    enum { PIPELINE_WANTED, PIPELINE_IN_WORK, PIPELINE_MADE } state;
    struct pipeline *next; /* of this kernel */
};

/* Pipelines ahead of use (ahead.c). */
struct ahead {
    pthread_mutex_t lock; /* of all pipelines of kernels */
    pthread_cond_t made;
};

/* A unit of so many dispatches is a secondary command buffer, which saves recording it anew; a shorter one is
 * copied into the recordings that include it, which saves the device 0.1 to 1 us each time (on an H200, an
 * iteration of elasticity3d 48 in f32 takes 38.35 us copied and 39.37 executed). With timestamps all are
 * copied, since a time is told of each dispatch. */
enum { LONG_UNIT = 16 };

struct vulkan {
    struct device device; /* the first member: what the layers above see */
    struct vulkan_instance instance;
    struct vulkan_profile profile;
    vks_vulkan_device own; /* the program's, in which this one was opened; else all zero */
    VkDevice logical;
    VkQueue queue;
    VkCommandPool pool;
    VkSemaphore timeline; /* its value is the ticket of the last submission that has ended */
    uint64_t submitted, completed;
    uint64_t staging_bytes;
    uint64_t wide_bytes;          /* larger arrays need kernels that find elements in 64 bits (widen.h) */
    _Atomic uint32_t wide_arrays; /* how many there are */
    uint64_t piece_bytes; /* of memory in one allocation: larger arrays are split, where they can be */
    bool lost, timestamps, names;
    bool imports;       /* VK_EXT_external_memory_host is enabled */
    uint32_t long_unit; /* dispatches of the shortest unit that is executed and not copied */
    bool hung; /* a wait of the longest kind ran out: those that follow, such as for clean-up, only ask */
    struct recording *discarded; /* and not known to have ended */
    struct block *blocks;
    struct block *spare; /* of large arrays that were released, the oldest first */
    uint64_t spare_bytes;
    uint32_t spares;
    struct staging staging;
    struct block *zeros; /* passed in place of null addresses, and as the guard of none */
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

/* Whether kernels are widened from now on: each recording names arrays that were there when it was made. */
static inline bool vulkan_wide(const struct vulkan *v)
{
    return v->wide_arrays && v->profile.features.core.features.shaderInt64;
}

/* fail.c: the status of a Vulkan call that failed while `doing` something. Sets v->lost where the device is
 * lost. */
vks_status vulkan_fail(struct vulkan *v, VkResult result, const char *doing);

/* recording.c: releases what was discarded and has ended since. */
void vulkan_discarded_release(struct vulkan *v);

/* device.c. Opens with another loader than Vulkan's usual one; for tests. */
vks_status vulkan_create(struct message *m, const struct device_options *o, const char *library,
                         struct device **out);
/* Opens in the program's device, which is complete. */
vks_status vulkan_create_in(struct message *m, const struct device_options *o, const vks_vulkan_device *own,
                            struct device **out);

/* own.c: the device of a context, where it is in a program's own. */
vks_status vulkan_borrowed(vks_context *context, struct vulkan **v);

/* submit.c */
vks_status vulkan_commands_create(struct vulkan *v, VkCommandBufferLevel level, uint32_t count,
                                  VkCommandBuffer *commands);
/* What is recorded between begin and end sees all that was submitted before, and is seen by all that follows.
 */
vks_status vulkan_commands_begin(struct vulkan *v, VkCommandBuffer commands, VkCommandBufferUsageFlags usage);
vks_status vulkan_commands_end(struct vulkan *v, VkCommandBuffer commands);
vks_status vulkan_commands_submit(struct vulkan *v, VkCommandBuffer commands, uint64_t *ticket);
/* Binds memory to a buffer, which is then ready; waits for that, and for all that was submitted before. */
VkResult vulkan_bind(struct vulkan *v, const VkSparseBufferMemoryBindInfo *binds);
/* What is submitted later waits for the semaphore's value; it gets the value when what was submitted ends. */
vks_status vulkan_semaphore_wait(struct vulkan *v, VkSemaphore semaphore, uint64_t value);
vks_status vulkan_semaphore_signal(struct vulkan *v, VkSemaphore semaphore, uint64_t value);
/* Compute to compute: the next dispatch sees what those before it wrote. */
void vulkan_barrier(const struct vulkan *v, VkCommandBuffer commands);
vks_status vulkan_wait(struct device *d, uint64_t ticket, double seconds);
/* Whether what the submission `ticket` uses can be freed; waits for it. False only when the device hangs:
 * then it is better leaked than freed under the device's hands. */
bool vulkan_settled(struct vulkan *v, uint64_t ticket);

/* recording.c */
vks_status vulkan_commands_dispatch(struct vulkan *v, VkCommandBuffer commands, const struct dispatch *d);
vks_status vulkan_prepare(struct rec *r);
vks_status vulkan_submit(struct rec *r, uint64_t *ticket);
vks_status vulkan_times(struct rec *r, double *seconds);
vks_status vulkan_span(struct rec *r, double *seconds);
void vulkan_discard(struct rec *r);

/* block.c. Make and buffer read b->bytes and b->how; after a failed make b owns nothing. */
VkResult vulkan_block_make(struct vulkan *v, uint32_t type, struct block *b);
VkResult vulkan_block_buffer(struct vulkan *v, struct block *b); /* without memory */
/* The bytes that are free in the heap of a memory type. False: the driver does not say. */
bool vulkan_block_room(struct vulkan *v, uint32_t type, uint64_t *bytes);
void vulkan_block_destroy(struct vulkan *v, struct block *b);

/* spare.c: keeps the block of a large array for a later one; what has been submitted may still use it. False:
 * it is not kept, since its kind or size does not suit, or the device is lost. */
bool vulkan_spare_keep(struct vulkan *v, struct block *b);
/* Takes the smallest that holds `bytes` and leaves at most an eighth of itself unused, and names it `what`.
 * NULL: there is none, or the device is lost. */
struct block *vulkan_spare_take(struct vulkan *v, enum memory_kind kind, uint64_t bytes, const char *what);
/* Gives all back to the driver. True: there were some. */
bool vulkan_spare_drop(struct vulkan *v);

/* memory.c. Open chooses the types of memory, now that the driver can say which suit a buffer. */
vks_status vulkan_memory_open(struct vulkan *v);
/* Makes a block. Gives the spare ones back to the driver where there is no room otherwise. */
vks_status vulkan_block_create(struct vulkan *v, uint32_t type, uint64_t bytes, enum block_memory how,
                               const char *what, struct block **out);
vks_status vulkan_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out);
void vulkan_release(struct device *d, struct memory *m);
bool vulkan_room(struct device *d, uint64_t *bytes); /* spare blocks count as free */
/* An array in memory of the program's; its release leaves that as it is. */
vks_status vulkan_wrap(struct vulkan *v, uint64_t address, uint64_t bytes, struct memory *out);
void vulkan_memory_close(struct vulkan *v);

/* zeros.c. Makes v->zeros. */
vks_status vulkan_zeros_open(struct vulkan *v);
/* What kernel k gets of `args`: its push_bytes, with the address of v->zeros for each that is null. */
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
/* Makes p->handle. By any thread. */
VkResult vulkan_pipeline_make(struct vulkan *v, struct pipeline *p);
/* "spmv_coded", or with specialisation constants "spmv_coded (lanes 1, wide 0)". */
enum { PIPELINE_DESCRIPTION = 160 };
void vulkan_pipeline_describe(const struct pipeline *p, char text[PIPELINE_DESCRIPTION]);

/* pipelines.c */
/* The pipeline of a kernel with the specialisation constants in `args`, its arguments; NULL where it has
 * none. Made on first use of a combination. */
vks_status vulkan_pipeline(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                           const void *args, VkPipeline *out);
vks_status vulkan_program_pipeline(struct vulkan *v, struct program *p, enum precision precision,
                                   VkPipeline *out);
void vulkan_forget(struct device *d, struct program *p);
void vulkan_pipelines_close(struct vulkan *v);

/* ahead.c */
void vulkan_ahead_open(struct ahead *a);
/* The pipeline will be needed: a helper makes it as soon as one is free. By any thread; a failure is left to
 * vulkan_pipeline. */
void vulkan_want(struct device *d, enum kernel_id kernel, enum precision precision, const void *args);
/* Finds the pipeline or adds it, and makes it unless a helper has. VKS_TIMEOUT: a helper takes more than the
 * patience of the device. */
vks_status vulkan_ahead_take(struct vulkan *v, enum kernel_id kernel, enum precision precision,
                             const void *args, struct pipeline **out, VkResult *made);
/* Ends the helpers, under the lock of the driver: NVIDIA's may wait for ever if a thread ends while another
 * one destroys a device. False: one of them hangs in the driver. */
bool vulkan_ahead_close(struct vulkan *v);
void vulkan_ahead_free(struct ahead *a);

/* cache.c */
vks_status vulkan_cache_open(struct vulkan *v, const struct device_options *o);
void vulkan_cache_close(struct vulkan *v);

/* debug.c: gives an object a name for captures, where names were asked for. */
void vulkan_name(const struct vulkan *v, VkObjectType type, uint64_t object, const char *name);

#endif
