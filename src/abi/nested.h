/* Options of preconditioners that point to each other, in a caller's version. */
#ifndef VKS_ABI_NESTED_H
#define VKS_ABI_NESTED_H

#include "abi/structs.h"
#include "solvers/precond.h"

/* Today's copy of them, in *ours; NULL stays NULL. What is nested deeper than is allowed is not read. */
static inline const vks_precond_options *nested_options_in(uint32_t header, const vks_precond_options *theirs,
                                                           struct nested_options *ours)
{
    uint32_t depth = 0;
    for (const vks_precond_options *o = theirs; o && depth < VKS_LARGEST_NESTING; depth++) {
        vks_precond_options *to = &ours->of[depth], today;
        *to = *vks_precond_options_in(header, o, &today);
        o = to->inner;
        if (depth)
            ours->of[depth - 1].inner = to;
    }
    return depth ? ours->of : NULL;
}

#endif
