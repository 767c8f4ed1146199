/* Devices on which workgroups of conjugate gradients iterate together. */
#ifndef VKS_TESTS_MEET_H
#define VKS_TESTS_MEET_H

#include "shaders/solver/together.h"
#include "tests/support/context.h"

/* As if workgroups of conjugate gradients had been seen to meet: on a GPU they are asked, in llvmpipe there
 * is one, and twins wait for nobody. */
static inline void make_meet(vks_context *c)
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
