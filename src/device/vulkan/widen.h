/* Kernel code for arrays beyond 4 GiB. */
#ifndef VKS_VULKAN_WIDEN_H
#define VKS_VULKAN_WIDEN_H

#include "device/spirv.h"

/* Drivers may count bytes in 32 bits, possibly signed: larger arrays need widened code. */
#define WIDE_BYTES ((uint64_t)1 << 31)

/* *out is a copy of a module without fault that computes element addresses in 64 bits. False: out of
 * memory. */
bool vulkan_widen(const uint32_t *word, uint32_t count, struct spirv *out);

#endif
