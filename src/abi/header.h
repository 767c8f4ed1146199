/* The version of the headers that a caller was compiled with. */
#ifndef VKS_ABI_HEADER_H
#define VKS_ABI_HEADER_H

#include "device/context.h"

/* VKS_UNSUPPORTED: the headers are later than this library. VKS_INVALID_ARGUMENT: there are no such headers.
 */
vks_status header_check(struct message *m, uint32_t header);

/* Begins a call in this context with that check. */
vks_status header_begin(vks_context *context, uint32_t header);

#endif
