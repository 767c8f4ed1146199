/* Workgroups of one dispatch that synchronise. Vulkan does not guarantee co-residency; devices run as many
 * workgroups as fit. A trial tests the requested number, and the device remembers the outcome. */
#ifndef VKS_DEVICE_CO_RESIDENCY_H
#define VKS_DEVICE_CO_RESIDENCY_H

#include <stdint.h>

/* The outcome of trials with a kernel. */
struct co_residency {
    uint32_t max_ok;     /* the most workgroups that ran at once */
    uint32_t min_failed; /* the fewest that timed out; 0: none so far */
};

/* Records that `groups` workgroups timed out: later solves try fewer. */
static inline void co_residency_failed(struct co_residency *c, uint32_t groups)
{
    c->min_failed = groups;
    c->max_ok = c->max_ok < groups ? c->max_ok : groups - 1;
}

#endif
