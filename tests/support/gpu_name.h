#ifndef VKS_TESTS_GPU_NAME_H
#define VKS_TESTS_GPU_NAME_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The device that VKSOLVE_TEST_DEVICE names, as for the command, or NULL. Without it tests leave out what
 * VKS_TESTS_ON_HOST, VKS_TESTS_ON_DEVICE and walks_in say. */
static inline const char *gpu_wanted(void)
{
    const char *name = getenv("VKSOLVE_TEST_DEVICE");
    return name && *name ? name : NULL;
}

/* The Vulkan device of all tests: the one that is named, or lavapipe. */
static inline const char *gpu_name(void)
{
    const char *name = gpu_wanted();
    return name ? name : "llvmpipe";
}

/* The device that a program's argument names; "tested" is that of all tests. */
static inline const char *device_named(const char *argument)
{
    return strcmp(argument, "tested") != 0 ? argument : gpu_name();
}

/* Lavapipe runs under the validation layer. */
static inline bool on_lavapipe(void)
{
    return strstr(gpu_name(), "llvmpipe") != NULL;
}

/* The size in bytes from which arrays on that device are split, VKSOLVE_TEST_PIECE_BYTES; or 0. */
static inline unsigned long long gpu_piece_bytes(void)
{
    const char *bytes = getenv("VKSOLVE_TEST_PIECE_BYTES");
    return bytes ? strtoull(bytes, NULL, 10) : 0;
}

#endif
