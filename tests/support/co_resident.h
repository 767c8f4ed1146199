/* Devices on which workgroups of conjugate gradients iterate together, in co-residency. */
#ifndef VKS_TESTS_CO_RESIDENT_H
#define VKS_TESTS_CO_RESIDENT_H

#include "shaders/solver/together.h"
#include "tests/support/context.h"

/* Acts as if co-residency of conjugate gradients' workgroups had been observed: a GPU is probed, llvmpipe has
 * one workgroup, and twins never wait. */
static inline void make_co_resident(vks_context *c)
{
    struct device *d = c->device;
    d->info.memory_model = true;
    if (d->info.polls)
        return;
    d->info.polls = 1000;
    if (d->info.kind != DEVICE_HOST)
        d->info.max_groups = 1;
    static const enum kernel_id together[] = {KERNEL_cg_together_csr, KERNEL_cg_together_sell,
                                              KERNEL_cg_together_coded};
    for (size_t i = 0; i < sizeof together / sizeof *together; i++)
        for (int p = 0; p < PRECISIONS; p++)
            d->co_residency[together[i]][p].max_ok = TOGETHER_MOST;
}

#endif
