#ifndef VKS_TESTS_GPU_NAME_H
#define VKS_TESTS_GPU_NAME_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The Vulkan device of all tests: lavapipe, or what VKSOLVE_TEST_DEVICE names as the command does. */
static inline const char *gpu_name(void)
{
    const char *name = getenv("VKSOLVE_TEST_DEVICE");
    return name && *name ? name : "llvmpipe";
}

/* The device that a program is given by name; "tested" is that of all tests. */
static inline const char *device_named(const char *argument)
{
    return strcmp(argument, "tested") != 0 ? argument : gpu_name();
}

/* Lavapipe runs under the validation layer. */
static inline bool on_lavapipe(void)
{
    return strstr(gpu_name(), "llvmpipe") != NULL;
}

/* 0, or the size in bytes from which arrays on that device are split: VKSOLVE_TEST_PIECE_BYTES. */
static inline unsigned long long gpu_piece_bytes(void)
{
    const char *bytes = getenv("VKSOLVE_TEST_PIECE_BYTES");
    return bytes ? strtoull(bytes, NULL, 10) : 0;
}

#endif
