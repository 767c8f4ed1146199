/* vksolve/context.h -- a device, and the messages of calls that fail.
 *
 * A context owns one device: the host processor or a GPU. Matrices and vectors belong to the context that
 * made them; those of another context are refused with VKS_INVALID_ARGUMENT. They and the context may be
 * destroyed in any order: the device is closed with the last of them.
 *
 * Threads: a context and its objects are used by one thread at a time; different contexts are independent.
 * The library has no global state except a lock around the opening of Vulkan's loader and a count of open
 * devices, prints nothing and never aborts. The threads of a context end with it, and block all signals
 * except faults (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS). Threads that share its work have 2 MiB of
 * stack; threads that compile for a GPU, also between calls, have 8 MiB. The caller's thread needs 512 KiB.
 *
 * fork(): in the child, calls that need the parent's device fail with VKS_UNSUPPORTED. The parent's objects
 * can be destroyed; Vulkan's share of their memory is freed when the child ends. The child can create its own
 * context, with two exceptions. If another thread of the parent was in Vulkan at the time, such as one in
 * vks_context_create or a compiling thread of a GPU's context, the loader or driver may stay locked in the
 * child: creating a context of a GPU then waits forever or aborts. And NVIDIA's driver opens no device in a
 * child whose parent had one open: vks_device_list says so, and "auto" uses the host. Fork before the first
 * context of a GPU, or start processes another way.
 *
 * Floating point: calls compute in the default environment, rounding to nearest, without traps, with
 * denormals. They restore the caller's environment, flags included.
 *
 * Functions of the program, such as vks_solve_options.progress, run in the program's floating-point
 * environment as it was at the call, on whichever thread runs them. Their changes to it, flags included, are
 * dropped when they return. They must return: exceptions of C++ and longjmp must not leave them.
 *
 * Handles and pointers must not be NULL unless a function says that they may be; this is not checked.
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
    uint32_t index;  /* for vks_context_options.device; 0 for the host */
    int usable;      /* 0: why_not says what is missing */
    int f64;         /* has 64-bit floats; otherwise VKS_F64 is pairs (vksolve/vector.h) */
    int subgroups;   /* kernels use 32-wide subgroups */
    uint64_t memory; /* bytes; 0: unknown */
    /* Bytes of one array; a larger one is refused with VKS_DEVICE_MEMORY. With sparse binding and 64-bit
     * integers this is the whole memory, else the largest allocation (docs/gpu.md, "Memory"). */
    uint64_t largest_array;
    char why_not[160];
    /* Distinguishes a Vulkan device from others of its model, even after a reboot: its UUID, which CUDA and
     * nvidia-smi also report ("2ad6e2ce-3c0b-4e4e-9b0a-1f2d3c4b5a69"; drivers of software devices give all of
     * them the same), and its PCI address ("0000:65:00.0"). "": unknown, or none. */
    char uuid[40];
    char pci[24];
} vks_device_info;

typedef struct vks_context_options {
    /* NULL or "": the value of the environment variable VKSOLVE_DEVICE, in the same words, else "auto".
     * "auto": the first discrete GPU, else the first integrated one, else the host. "host": the processor.
     * "gpu": as auto, but never the host. Otherwise a Vulkan device by its index in vks_device_list, its
     * UUID, also as nvidia-smi writes it ("GPU-2ad6e2ce-..."; the first digits are enough), its PCI address
     * ("0000:65:00.0" or "65:00.0"), or any part of its name ("llvmpipe"); case is ignored. Software devices
     * are chosen only when named: the host is 10 to 50 times faster. The choice does not consider the matrix:
     * "host" may solve small systems, of a few thousand unknowns, faster than a GPU
     * (docs/measurements/host.md, "Small systems"). */
    const char *device;
    int validate; /* 1: use Vulkan's validation layer, which must be installed; its messages go to stderr */
    int debug_names;       /* 1: name buffers and kernels, for captures */
    int timestamps;        /* 1: time each dispatch on the device: vks_context_kernel_seconds */
    int no_pipeline_cache; /* 1: do not keep compiled pipelines in the cache folder */
    int no_waiting; /* 1: never run kernels whose workgroups wait for each other. They run only on devices
                       where a trial has run that many workgroups at once. Without them elimination takes a
                       dispatch per column, and conjugate gradients one per step; the bits are the same */
    const char *cache_folder; /* NULL: $XDG_CACHE_HOME/vksolve, else ~/.cache/vksolve */
    /* Receives the message if vks_context_create fails; after VKS_OK it is "", or lists the GPUs that "auto"
     * or "gpu" passed over because they do not work, with the reasons. NULL: no message. */
    char *message;
    size_t message_size; /* bytes at `message` */
    /* Threads of the processor, also for host work beside a GPU: 1 to 1024, else VKS_INVALID_ARGUMENT. 0:
     * OMP_NUM_THREADS if that is a number from 1 to 1024, else as many as the affinity and the control groups
     * of the process allow. A GPU has one less, at most 15, to compile for it; 1: the caller's thread alone
     * compiles. No result depends on it. */
    uint32_t threads;
    /* 1: these calls submit their work and return: vks_vector_create, _fill, _copy, _axpy and _write, those
     * of vksolve/vector_algebra.h except dots and views, vks_array_create and _fill, vks_dense_create,
     * vks_spmv, vks_spmv_transpose, vks_precond_apply. All other calls wait for their results; destroying a
     * vector, an array or a matrix waits, too. The device works in the order of the calls, so results are the
     * same, bit for bit.
     *  - Errors of the device (VKS_DEVICE_LOST, VKS_TIMEOUT) are returned by a later call, at the latest by
     * the next one that waits.
     *  - 16 such calls can be pending. The next one waits for the oldest.
     *  - vks_vector_write has read the values when it returns. Four pieces of up to 8 MiB can be pending; if
     * host and device share memory, it waits.
     *  - Buffers of the program (of vks_vector_wrap_buffer, or used by vks_operator.record) must exist until
     * a later call has waited. vks_context_signal_semaphore signals after all these calls. It has no effect
     * on the host device, which works during the call, or with `timestamps`. */
    int deferred;
} vks_context_options;

/* Opens a device. options may be NULL. On failure *context is NULL, and options->message (if given) says why.
 * The device runs a kernel with a known answer, which takes a millisecond on a GPU. "auto" and "gpu" pass
 * over devices that fail. VKS_NO_DEVICE: no such device, or several of them, or no usable one, and the
 * message lists the devices; or the answer was wrong, and the message gives it. VKS_TIMEOUT: no answer came
 * within 10 seconds. VKS_DEVICE_LOST. VKS_UNSUPPORTED: the validation layer is not installed.
 * VKS_INVALID_ARGUMENT: too many threads. VKS_OUT_OF_MEMORY. */
static inline vks_status vks_context_create(const vks_context_options *options, vks_context **context);
VKS_CALL(vks_context_create, (options, context), const vks_context_options *options, vks_context **context)

/* NULL is allowed. The device is closed when the last matrix, vector and solver of the context has been
 * destroyed. Until then it keeps up to an eighth of a GPU's memory for reuse after large arrays are
 * destroyed. */
void vks_context_destroy(vks_context *context) VKS_API;

/* The message of the last call in this context if it failed, else "". Owned by the context, valid until its
 * next call. NULL gives "". */
const char *vks_context_message(const vks_context *context) VKS_API;

/* The errno of the last call in this context if it returned VKS_FILE and the system said why, such as ENOENT;
 * else 0. EINTR: a handler without SA_RESTART was called while a pipe was read. NULL gives 0. */
int vks_context_errno(const vks_context *context) VKS_API;

static inline vks_status vks_context_device(vks_context *context, vks_device_info *info);
VKS_CALL(vks_context_device, (context, info), vks_context *context, vks_device_info *info)

/* Measures the copy bandwidth of the device, and remembers it: bytes read plus bytes written in a second, the
 * median of several copies of arrays larger than any cache. It takes some milliseconds on a GPU, a fraction
 * of a second elsewhere. VKS_DEVICE_MEMORY: the arrays do not fit. */
vks_status vks_context_copy_bandwidth(vks_context *context, double *bytes_per_second) VKS_API;

/* The seconds that the kernels of the last call in this context took by the device's clock, without transfers
 * and latency; 0 if it ran no kernel. The call may be one on vectors or arrays, or a product; the times of a
 * solve are in its report. VKS_UNSUPPORTED: the context was made without
 * vks_context_options.timestamps, or the device has no clock. */
vks_status vks_context_kernel_seconds(vks_context *context, double *seconds) VKS_API;

/* Counts of arithmetic results of each kind that differ from IEEE 754 (round to nearest even). All zero:
 * solves on this device give the same bits as on the host. */
typedef struct vks_selftest {
    uint32_t cases;       /* operand pairs tried in each precision */
    uint32_t wrong[2][8]; /* [vks_precision][add, subtract, multiply, divide, square root, multiply and add
                             that were fused, fused multiply-add, reciprocal] */
    uint32_t denormals_differ[2]; /* wrong results that should be denormal; not counted in `wrong` */
    int qualifies[2]; /* 1: the same bits as on the host, apart from denormals; -1: no such floats */
} vks_selftest;

/* Runs the arithmetic self-test. The order of its operations is fixed; nothing is random. */
static inline vks_status vks_context_selftest(vks_context *context, vks_selftest *result);
VKS_CALL(vks_context_selftest, (context, result), vks_context *context, vks_selftest *result)

/* Describes up to `capacity` Vulkan devices, in the order of their index, without opening them: `usable`
 * relies on what their drivers report. *count becomes the number of all devices. list may be NULL if capacity
 * is 0. Without Vulkan there are no devices: VKS_OK, *count = 0. */
static inline vks_status vks_device_list(vks_device_info *list, uint32_t capacity, uint32_t *count);
VKS_CALL(vks_device_list, (list, capacity, count), vks_device_info *list, uint32_t capacity, uint32_t *count)

/* "discrete GPU" */
const char *vks_device_kind_text(vks_device_kind kind) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
