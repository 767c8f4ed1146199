/* A kernel that comes at run time, in place of one of the library's that has the same arguments. */
#ifndef VKS_DEVICE_PROGRAM_H
#define VKS_DEVICE_PROGRAM_H

#include "device/kernel.h"

struct VkCommandBuffer_T;

struct program {
    struct kernel kernel; /* its code */
    /* NULL, or instead: records what it likes into the command buffer, and is not 0 where it cannot. */
    int (*record)(const struct program *p, struct VkCommandBuffer_T *commands, enum precision precision,
                  const void *args);
    uint64_t pipelines[2 /* for arrays beyond 2 GiB */][PRECISIONS]; /* the device's own; released by
                                                                        device_forget */
};

#endif
