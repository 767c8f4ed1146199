/* The generator's data for each kernel: kernels.h lists the kernels, kernels.c holds their code. */
#ifndef VKS_DEVICE_KERNEL_H
#define VKS_DEVICE_KERNEL_H

#include "device/kernel_limits.h"
#include "device/spirv.h"
#include "scalar/scalar.h"

#include <stdint.h>

/* A variant's code: words, or a module in the kernel's pack. */
struct kernel_code {
    const uint32_t *words; /* NULL: packed */
    uint32_t count;        /* of words; 0: there is no such variant */
    uint32_t module;       /* in the pack */
};

struct kernel {
    const char *name;
    uint32_t args_bytes; /* of struct NAME_args: push constants, then specialisation constants */
    uint32_t push_bytes;
    uint32_t group_size; /* invocations in a workgroup */
    uint32_t guard_at;   /* the offset of its argument of type guard, or NO_GUARD */
    uint32_t addresses;  /* bit k: the eight bytes from 8 k on are an address */
    uint32_t values;     /* whether it takes `values`: only then PRECISION_MIXED differs from PRECISION_F64 */
    uint32_t constants;  /* the number of specialisation constants; their ids are 1, 2 ... */
    const char *constant[MAX_CONSTANTS];
    struct kernel_code code[PRECISIONS][2 /* with subgroup operations */];
    struct packed pack;
};

extern const struct kernel kernels[];

/* *out is a copy of the code of an existing variant. False: out of memory. */
bool kernel_code(const struct kernel *k, enum precision p, bool subgroups, struct spirv *out);

#endif
