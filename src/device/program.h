/* A kernel supplied at run time that replaces a library kernel with the same arguments. */
#ifndef VKS_DEVICE_PROGRAM_H
#define VKS_DEVICE_PROGRAM_H

#include "device/kernel.h"

struct VkCommandBuffer_T;

struct program {
    struct kernel kernel; /* the replacement */
    /* NULL, or a function that records into the command buffer instead. Returns nonzero if it cannot. */
    int (*record)(const struct program *p, struct VkCommandBuffer_T *commands, enum precision precision,
                  const void *args);
    uint64_t pipelines[2 /* for arrays beyond 2 GiB */]
                      [PRECISIONS]; /* private to the device; released by device_forget */
};

#endif
