#ifndef VKS_TESTS_GPU_NAME_H
#define VKS_TESTS_GPU_NAME_H

#include <stdlib.h>

/* The Vulkan device of the tests: lavapipe, or what VKSOLVE_TEST_DEVICE names. */
static inline const char *gpu_name(void)
{
    const char *name = getenv("VKSOLVE_TEST_DEVICE");
    return name ? name : "llvmpipe";
}

/* 0, or the size in bytes from which arrays on that device are split: VKSOLVE_TEST_PIECE_BYTES. */
static inline unsigned long long gpu_piece_bytes(void)
{
    const char *bytes = getenv("VKSOLVE_TEST_PIECE_BYTES");
    return bytes ? strtoull(bytes, NULL, 10) : 0;
}

#endif
