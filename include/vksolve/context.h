/* vksolve/context.h -- a device, and the place where failures are told.
 *
 * A context owns one device: the host processor or a GPU. Matrices and vectors belong to the context that
 * they were made in; one of another context is refused with VKS_INVALID_ARGUMENT. They may be destroyed in
 * any order, also after their context's destruction was asked for: the device goes with the last of them.
 *
 * Threads: a context and all that belongs to it is used by one thread at a time; different contexts are
 * independent. The library has no global state but a lock around the opening of Vulkan's loader and a
 * count of open devices, prints nothing and never aborts. The threads that it starts for a context have 2 MiB
 * of stack, end with the context, and take no signals but faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP,
 * SIGSYS) that the thread which starts them does not block. The caller's thread needs 512 KiB of stack.
 *
 * fork(): in the child, what the parent made is refused with VKS_UNSUPPORTED by all that needs the device,
 * and can be destroyed; what Vulkan holds of it stays until the child ends. A new context works. But fork
 * while no other thread creates or destroys a context, or calls Vulkan otherwise: its loader may stay locked
 * in the child, where creating a context would then wait for ever, unless it is one of the host (`device`
 * "host"). NVIDIA's driver opens no device in a child whose parent had one open: vks_device_list says so, and
 * "auto" takes the host. Fork before the first context of a GPU, or start processes another way.
 *
 * Handles and pointers must not be NULL but where a function says that they may: they are not checked.
 *
 * In every options struct zero means default: `vks_context_options o = {0};`. */
#ifndef VKSOLVE_CONTEXT_H
#define VKSOLVE_CONTEXT_H

#include "vksolve/version.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_context vks_context;

/* X(name, text) */
#define VKS_DEVICE_KINDS(X)         \
    X(HOST, "host")                 \
    X(DISCRETE, "discrete GPU")     \
    X(INTEGRATED, "integrated GPU") \
    X(VIRTUAL, "virtual GPU")       \
    X(SOFTWARE, "software Vulkan")

#define VKS_DEVICE_ENUM_(name, text) VKS_DEVICE_##name,
typedef enum vks_device_kind { VKS_DEVICE_KINDS(VKS_DEVICE_ENUM_) VKS_DEVICE_KIND_COUNT_ } vks_device_kind;
#undef VKS_DEVICE_ENUM_

typedef struct vks_device_info {
    vks_device_kind kind;
    char name[256];
    char driver[256];
    uint32_t index;  /* what vks_context_options.device takes; 0 for the host */
    int usable;      /* 0: why_not says what is missing */
    int f64;         /* has 64-bit floats; without, VKS_F64 is pairs (vksolve/vector.h) */
    int subgroups;   /* kernels use 32-wide subgroups */
    uint64_t memory; /* bytes, 0 where unknown */
    /* Bytes of one array; a larger one is refused with VKS_DEVICE_MEMORY. With sparse binding and 64-bit
     * integers an array may take all of the memory, else one allocation of it (docs/gpu.md, "Memory"). */
    uint64_t largest_array;
    char why_not[160];
} vks_device_info;

typedef struct vks_context_options {
    /* NULL or "auto": the first discrete GPU, else the first integrated one, else the host.
     * "host": the processor. "gpu": as auto, but never the host.
     * Otherwise an index of vks_device_list or any part of a Vulkan device's name, in any case ("llvmpipe").
     * Software Vulkan devices are only taken by name or index: plain C on the host is 10 to 50 times faster.
     * No matrix is known here: small systems, of some thousand unknowns, may be done faster by "host" also
     * where there is a GPU (docs/measurements/host.md, "Small systems"). */
    const char *device;
    int validate; /* with Vulkan's validation layer, whose messages go to stderr (the layer must be installed)
                   */
    int debug_names;       /* names for captures */
    int timestamps;        /* time each dispatch on the device: vks_context_kernel_seconds */
    int no_pipeline_cache; /* compiled pipelines are kept in the cache folder otherwise */
    int no_waiting; /* never run kernels whose workgroups wait for each other. These are only run where that
                     * many of them have been seen to run at once; without, elimination takes a dispatch for
                     * each column and conjugate gradients one for each step, with the same bits */
    const char *cache_folder; /* NULL: $XDG_CACHE_HOME/vksolve, else ~/.cache/vksolve */
    char *message;            /* where a failing vks_context_create leaves its message; NULL: nowhere */
    size_t message_size;      /* bytes at `message` */
    /* Of the processor, also for what is done there beside a GPU: 1 to 1024; more are refused with
     * VKS_INVALID_ARGUMENT. 0: as many as the machine grants this process (its affinity, and quotas of its
     * control groups), or OMP_NUM_THREADS where that is set to a number of 1 to 1024. No result depends on
     * it. */
    uint32_t threads;
    /* Calls that return no value submit their work and return: vks_vector_create, _fill, _copy, _axpy and
     * _write, those of vksolve/vector_algebra.h but for dots and views, vks_array_create and _fill,
     * vks_dense_create, vks_spmv, vks_spmv_transpose, vks_precond_apply.
     * All other calls wait for what they need, as does destroying a vector, an array or a matrix. The device
     * works in the order of the calls, so the results are the same, to the bit.
     *  - Errors of the device (VKS_DEVICE_LOST, VKS_TIMEOUT) come out at a later call, at the latest at the
     *    next one that waits.
     *  - 16 such calls can be under way. The next one waits for the oldest.
     *  - vks_vector_write has read the values when it returns. Four pieces of up to 8 MiB can be under way;
     *    where host and device share their memory, it waits.
     *  - What the program lends (the buffer of a vks_vector_wrap_buffer, what vks_operator.record uses) must
     *    stay until a later call has waited. vks_context_signal_semaphore signals after all these calls.
     * Without effect on the host device, which works during the call, and with `timestamps`. */
    int deferred;
} vks_context_options;

/* Opens a device. options may be NULL. On failure *context is NULL, and options->message (if given) says why.
 * VKS_NO_DEVICE: no such device, or none that is usable; the message lists the devices.
 * VKS_UNSUPPORTED: the validation layer is not installed. VKS_INVALID_ARGUMENT: more threads than are
 * allowed. VKS_OUT_OF_MEMORY. */
VKS_CALL_0_1(vks_context_create, (options, context), const vks_context_options *options,
             vks_context **context)

/* NULL is fine. The device is closed once the last matrix, vector and solver of the context is gone too.
 * Until then up to an eighth of a GPU's memory stays with it for large arrays to come, after others were
 * destroyed. */
VKS_API void vks_context_destroy(vks_context *context);

/* The detail of the last call that failed in this context, "" after one that succeeded. Owned by the context,
 * valid until its next call. NULL gives "". */
VKS_API const char *vks_context_message(const vks_context *context);

VKS_CALL_0_1(vks_context_device, (context, info), vks_context *context, vks_device_info *info)

/* Measures (once, then remembers) what the device copies: bytes read plus bytes written in a second, the
 * median of several copies of arrays well beyond any cache. Takes some milliseconds on a GPU, a fraction of a
 * second elsewhere. VKS_DEVICE_MEMORY when there is no room for the arrays. */
VKS_API vks_status vks_context_copy_bandwidth(vks_context *context, double *bytes_per_second);

/* The seconds that the kernels of the last call in this context took by the device's own clock, without
 * transfers and the ways to the device and back: of a call on vectors, arrays or a product, 0 for one that
 * runs no kernel. The times of a solve are in its report. Several calls in a row give the same.
 * VKS_UNSUPPORTED: the context was made without vks_context_options.timestamps, or the device has no clock.
 */
VKS_API vks_status vks_context_kernel_seconds(vks_context *context, double *seconds);

/* How many arithmetic results of each kind differ from IEEE 754 (round to nearest even). All zero: solves on
 * this device give the same bits as on the host. */
typedef struct vks_selftest {
    uint32_t cases;       /* operand pairs tried in each precision */
    uint32_t wrong[2][8]; /* [vks_precision][add, subtract, multiply, divide, square root, multiply and add
                             that were fused, fused multiply-add, reciprocal] */
    uint32_t denormals_differ[2]; /* results that should be denormal and are not, or not that one; not in
                                     `wrong` */
    int qualifies[2]; /* the same bits as on the host, denormals aside; -1: not tested, no such floats */
} vks_selftest;

/* Runs the arithmetic self-test. The order of its operations is fixed; nothing is random. */
VKS_CALL_0_1(vks_context_selftest, (context, result), vks_context *context, vks_selftest *result)

/* Describes up to `capacity` Vulkan devices, in the order of their index, and gives their number in *count
 * (which may be larger). list may be NULL with capacity 0. A machine without Vulkan has none: VKS_OK, *count
 * = 0. */
VKS_CALL_0_1(vks_device_list, (list, capacity, count), vks_device_info *list, uint32_t capacity,
             uint32_t *count)

/* "discrete GPU" */
VKS_API const char *vks_device_kind_text(vks_device_kind kind);

#ifdef __cplusplus
}
#endif
#endif
