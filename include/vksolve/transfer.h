/* vksolve/transfer.h -- vectors to and from host memory, without waiting.
 *
 * A transfer is a piece of host memory that the device can access. Elements are copied between it and vectors
 * while the program continues:
 *
 *     vks_transfer_read(t, 0, x, first, n);    -- x to the memory
 *     ... other calls, which the device works on after the copy ...
 *     vks_transfer_wait(t);
 *     double *elements = vks_transfer_memory(t);
 *
 * The device executes copies and calls in the order in which they are made: a read sees the results of all
 * calls before it, and calls after a write see the written values, even without waiting.
 *
 * Until vks_transfer_wait or vks_transfer_done reports the end of a call, the bytes that it reads must not
 * change, and those that it writes must not be read. Several calls may be pending.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_TRANSFER_H
#define VKSOLVE_TRANSFER_H

#include "vksolve/vector.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_transfer vks_transfer;

/* Allocates `bytes` of memory; contents are undefined. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY; after a failure
 * *transfer is NULL. */
vks_status vks_transfer_create(vks_context *context, uint64_t bytes, vks_transfer **transfer) VKS_API;

/* Uses the caller's memory, such as a window that processes share. `memory` and `bytes` are multiples of the
 * page size (sysconf(_SC_PAGESIZE)), else VKS_INVALID_ARGUMENT. It must outlive the transfer.
 *
 * If possible, the device uses these very pages, by VK_EXT_external_memory_host (vks_transfer_is_direct).
 * Otherwise, as on a device of the program's own (vksolve/vulkan.h), the host copies: from the pages when a
 * write is called, to them in the vks_transfer_wait or vks_transfer_done that reports the end of a read.
 * Errors as vks_transfer_create. */
vks_status vks_transfer_create_in(vks_context *context, void *memory, uint64_t bytes,
                                  vks_transfer **transfer) VKS_API;

/* Waits for pending calls; data that they read need not arrive in the caller's memory. NULL is allowed. */
void vks_transfer_destroy(vks_transfer *transfer) VKS_API;

/* The memory, the library's or the caller's; its bytes. */
void *vks_transfer_memory(const vks_transfer *transfer) VKS_API;
uint64_t vks_transfer_bytes(const vks_transfer *transfer) VKS_API;

/* Whether the device accesses the memory itself. */
bool vks_transfer_is_direct(const vks_transfer *transfer) VKS_API;

/* Copies from the memory to the elements first .. first + count - 1 of x, or back. In the memory they have
 * the precision of x and begin at byte `at`, a multiple of their size. Returns when the copy is submitted. If
 * 16 calls are pending, it waits for the first of them; if the memory is not direct, it also waits for the
 * previous read. VKS_INVALID_ARGUMENT: the range leaves x or the memory. VKS_UNSUPPORTED: pairs of floats
 * (vksolve/vector.h). VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure
 * nothing is copied; pending calls continue. */
vks_status vks_transfer_write(vks_transfer *transfer, uint64_t at, vks_vector *x, uint32_t first,
                              uint32_t count) VKS_API;
vks_status vks_transfer_read(vks_transfer *transfer, uint64_t at, const vks_vector *x, uint32_t first,
                             uint32_t count) VKS_API;

/* Waits until all copies of this transfer have ended. VKS_TIMEOUT: after 300 seconds. VKS_DEVICE_LOST. */
vks_status vks_transfer_wait(vks_transfer *transfer) VKS_API;

/* Sets *done to whether they have ended, without waiting. VKS_DEVICE_LOST. */
vks_status vks_transfer_done(vks_transfer *transfer, bool *done) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
