#ifndef VKS_TESTS_GPU_NAME_H
#define VKS_TESTS_GPU_NAME_H

#include <stdlib.h>

/* The Vulkan device of the tests: lavapipe, or what VKSOLVE_TEST_DEVICE names. */
static inline const char *gpu_name(void)
{
    const char *name = getenv("VKSOLVE_TEST_DEVICE");
    return name ? name : "llvmpipe";
}

#endif
