/* Workgroups of one dispatch that wait for each other. Vulkan does not promise that they run at once; devices
 * run as many as fit. So it is tried with as many as are wanted, and the device remembers the outcome. */
#ifndef VKS_SOLVERS_MEETINGS_H
#define VKS_SOLVERS_MEETINGS_H

#include "device/device.h"

/* So many workgroups timed out: later solves try fewer. */
static inline void meetings_missed(struct meetings *m, uint32_t groups)
{
    m->missed = groups;
    m->met = m->met < groups ? m->met : groups - 1;
}

#endif
