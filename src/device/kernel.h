/* What the generator writes for each kernel: kernels.h lists them, kernels.c holds their code. */
#ifndef VKS_DEVICE_KERNEL_H
#define VKS_DEVICE_KERNEL_H

#include <stdint.h>

/* The precisions that every kernel is compiled in; the index into all tables of code. */
enum precision { PRECISION_F32, PRECISION_F64, PRECISIONS };

static inline uint32_t real_bytes(enum precision p)
{
    return p == PRECISION_F64 ? 8 : 4;
}

struct kernel_code {
    const uint32_t *words;
    uint32_t count;
};

struct kernel {
    const char *name;
    uint32_t args_bytes; /* at most 128, the push constants that every device has */
    uint32_t group_size; /* invocations in a workgroup */
    struct kernel_code code[PRECISIONS][2 /* with subgroup operations */];
};

extern const struct kernel kernels[];

#endif
