#include "shaders/primitive/trial.h"
#include "host/kernel.h"

KERNEL(trial)
{
    if (!LEADS)
        return;
    for (uint32_t i = 0; i < TRIAL_CASES; i++)
        a->fused[i] = FMA(a->a[i], a->b[i], a->c[i]);
    for (uint32_t i = 0; i < 256 * TRIAL_GROUPS; i++)
        a->words[TRIAL_PLACES + i] = i % 256;
    a->words[TRIAL_BEGUN] = a->words[TRIAL_CO_RESIDENT] = TRIAL_GROUPS;
}
