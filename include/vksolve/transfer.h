/* vksolve/transfer.h -- vectors to and from host memory, without waiting.
 *
 * A transfer is a piece of host memory that the device reaches by itself. Elements are copied between it and
 * vectors while the program does something else:
 *
 *     vks_transfer_read(t, 0, x, first, n);    -- x to the memory
 *     ... other calls, which the device works on after the copy ...
 *     vks_transfer_wait(t);
 *     double *elements = vks_transfer_memory(t);
 *
 * The device takes copies and calls in the order in which they are made: a read has what all calls before it
 * have left in x, and calls after a write find what was written, whether or not somebody waits.
 *
 * From a call on until its end is known, by vks_transfer_wait or vks_transfer_done, the bytes that it reads
 * must stay as they are, and those that it writes must not be looked at. Several calls may be under way.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_TRANSFER_H
#define VKSOLVE_TRANSFER_H

#include "vksolve/vector.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_transfer vks_transfer;

/* With `bytes` of memory that the library makes; contents are undefined. VKS_DEVICE_MEMORY,
 * VKS_OUT_OF_MEMORY; after a failure *transfer is NULL. */
VKS_API vks_status vks_transfer_create(vks_context *context, uint64_t bytes, vks_transfer **transfer);

/* With the caller's memory, such as a window that processes share. `memory` and `bytes` are multiples of the
 * size of a page (sysconf(_SC_PAGESIZE)), else VKS_INVALID_ARGUMENT. It stays the caller's, and must outlive
 * the transfer.
 *
 * If the device can, by VK_EXT_external_memory_host, it uses these very pages (vks_transfer_is_direct).
 * Otherwise, as on a device of the program's own (vksolve/vulkan.h), they are copied by the host: from them
 * when a write is called, to them by the vks_transfer_wait or vks_transfer_done that tells the end of a read.
 * Programs need not know which it is. Errors as vks_transfer_create. */
VKS_API vks_status vks_transfer_create_in(vks_context *context, void *memory, uint64_t bytes,
                                          vks_transfer **transfer);

/* Waits for what is under way; what was read then need not be in the caller's memory. NULL is fine. */
VKS_API void vks_transfer_destroy(vks_transfer *transfer);

/* The memory, the library's or the caller's; its bytes. */
VKS_API void *vks_transfer_memory(const vks_transfer *transfer);
VKS_API uint64_t vks_transfer_bytes(const vks_transfer *transfer);

/* Whether the device reaches the memory itself. */
VKS_API bool vks_transfer_is_direct(const vks_transfer *transfer);

/* From the memory to the elements first .. first + count - 1 of x, or back. They stand in the precision of x,
 * one after the other, from byte `at` on, a multiple of their size. Returns when the copy is submitted. If 16
 * calls are under way, it waits for the first of them; memory that is not direct also waits for the read
 * before. VKS_INVALID_ARGUMENT: the range leaves x or the memory. VKS_UNSUPPORTED: pairs of floats
 * (vksolve/vector.h). VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure
 * nothing is copied, but what was under way before still is. */
VKS_API vks_status vks_transfer_write(vks_transfer *transfer, uint64_t at, vks_vector *x, uint32_t first,
                                      uint32_t count);
VKS_API vks_status vks_transfer_read(vks_transfer *transfer, uint64_t at, const vks_vector *x, uint32_t first,
                                     uint32_t count);

/* Waits until all of this transfer's copies have ended, 300 seconds at most: VKS_TIMEOUT. VKS_DEVICE_LOST. */
VKS_API vks_status vks_transfer_wait(vks_transfer *transfer);

/* *done = whether they have. Does not wait. VKS_DEVICE_LOST. */
VKS_API vks_status vks_transfer_done(vks_transfer *transfer, bool *done);

#ifdef __cplusplus
}
#endif
#endif
