/* The twins that this processor can run. */
#ifndef VKS_DEVICE_HOST_ISA_H
#define VKS_DEVICE_HOST_ISA_H

#include "device/kernel.h"
#include "host/twins.h"

struct host_isa {
    const char *name;
    const host_twin *twins[PRECISIONS];
};

/* The best built-in instruction set. `at_most` (NULL: no bound) names the highest one to consider, for tests.
 * NULL if it has no such name or this processor cannot run it. */
const struct host_isa *host_isa_choose(const char *at_most);

#endif
