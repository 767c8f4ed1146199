/* vksolve/status.h -- what functions return, and how a solve ends.
 *
 * Every function that can fail returns a vks_status. The detail (which file, line, row, limit) is kept on the
 * context and read with vks_context_message(). A solve that ran returns VKS_OK whatever its outcome: how it
 * ended is the `reason` in its report.
 *
 * All functions of this header are pure and may be called from any thread. */
#ifndef VKSOLVE_STATUS_H
#define VKSOLVE_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Follows the prototype of a function that the library exports. */
#if defined(_WIN32)
#define VKS_API
#else
#define VKS_API __attribute__((visibility("default")))
#endif

/* X(name, text) */
#define VKS_STATUSES(X)                                                                          \
    X(OK, "success")                                                                             \
    X(INVALID_ARGUMENT, "an argument is outside its documented range")                           \
    X(OUT_OF_MEMORY, "host memory is exhausted")                                                 \
    X(DEVICE_MEMORY, "device memory is exhausted, or an array is larger than the device allows") \
    X(NO_DEVICE, "no such device, or no usable driver")                                          \
    X(DEVICE_LOST, "the device stopped working")                                                 \
    X(TIMEOUT, "the device did not finish in time")                                              \
    X(FILE, "a file cannot be opened, read or written")                                          \
    X(FORMAT, "a file is malformed")                                                             \
    X(UNSUPPORTED, "well-formed, but not supported")                                             \
    X(LIMIT, "a stated limit is exceeded")                                                       \
    X(PARTNER, "a process that shares the solve failed")

#define VKS_STATUS_ENUM_(name, text) VKS_##name,
typedef enum vks_status { VKS_STATUSES(VKS_STATUS_ENUM_) VKS_STATUS_COUNT_ } vks_status;
#undef VKS_STATUS_ENUM_

/* How a solve ended. X(name, exit code of the command, text) */
#define VKS_REASONS(X)                                                                         \
    X(NOT_RUN, 4, "the call failed before the solve began, or in it")                          \
    X(CONVERGED, 0, "the true residual meets the tolerance")                                   \
    X(ITERATION_LIMIT, 2, "the iteration limit was reached")                                   \
    X(STAGNATED, 2, "the true residual no longer falls in this precision")                     \
    X(DIVERGED, 2, "the residual grew beyond the divergence limit")                            \
    X(CANCELLED, 2, "the caller cancelled the solve")                                          \
    X(NOT_POSITIVE_DEFINITE, 3, "the matrix, or the preconditioner, is not positive definite") \
    X(ZERO_DIAGONAL, 3, "a diagonal entry to divide by is zero or missing")                    \
    X(SINGULAR, 3, "the matrix is singular")                                                   \
    X(NOT_FINITE, 3, "a NaN or an infinity appeared")                                          \
    X(NOT_SINGULAR, 3, "the matrix is not singular, but singular was set")                     \
    X(BREAKDOWN, 3, "the method would divide by zero")                                         \
    X(STRUCTURALLY_SINGULAR, 3, "the matrix is singular, whatever the values of its entries")

#define VKS_REASON_ENUM_(name, code, text) VKS_REASON_##name,
typedef enum vks_reason { VKS_REASONS(VKS_REASON_ENUM_) VKS_REASON_COUNT_ } vks_reason;
#undef VKS_REASON_ENUM_

/* The name ("DEVICE_LOST") and the sentence of a status; a static string, "?" outside the list. */
const char *vks_status_name(vks_status status) VKS_API;
const char *vks_status_text(vks_status status) VKS_API;

/* The name ("CONVERGED"), the sentence and the command's exit code (0, 2 or 3) of a reason. */
const char *vks_reason_name(vks_reason reason) VKS_API;
const char *vks_reason_text(vks_reason reason) VKS_API;
int vks_reason_exit_code(vks_reason reason) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
