/* Workgroups of one dispatch that synchronise. Vulkan does not promise that they run at once; devices run as
 * many as fit. A trial finds out whether the wanted number does, and the device remembers the outcome. */
#ifndef VKS_SOLVERS_MEETINGS_H
#define VKS_SOLVERS_MEETINGS_H

#include "device/device.h"

/* Notes that `groups` workgroups timed out: later solves try fewer. */
static inline void meetings_missed(struct meetings *m, uint32_t groups)
{
    m->missed = groups;
    m->met = m->met < groups ? m->met : groups - 1;
}

#endif
