#include "launch.h"

#include "device/kernel.h"
#include "kernels.h"
#include "twins_isas.h"

#include <stdio.h>
#include <string.h>

#define DECLARE(NAME, name, isa) unsigned twins_##name##_##isa(void);
VKS_TWINS(DECLARE)

/* Whether this processor runs twins of that instruction set. */
static int runs(const char *isa)
{
#if defined(__x86_64__)
    if (!strcmp(isa, "v4"))
        return __builtin_cpu_supports("avx512f") != 0;
    if (!strcmp(isa, "v3"))
        return __builtin_cpu_supports("avx2") != 0;
#endif
    return !strcmp(isa, "base");
}

void launch_show(void)
{
#define KERNEL(k)                                                                            \
    printf("kernel %s %u %u %u\n", kernels[KERNEL_##k].name, kernels[KERNEL_##k].args_bytes, \
           kernels[KERNEL_##k].group_size, kernels[KERNEL_##k].values);
    KERNELS(KERNEL)
#define TWINS(NAME, name, isa) \
    if (runs(#isa))            \
        printf("twins %s %s %u\n", #isa, #name, twins_##name##_##isa());
    VKS_TWINS(TWINS)
}
