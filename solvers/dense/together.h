/* Whether the workgroups of one dispatch may wait for each other. Vulkan does not promise that they run at
 * once; devices run as many as fit. So it is tried with as many as are wanted: who does not meet the others
 * gives up, and then, or where a device is not asked, elimination takes a dispatch for each column. */
#ifndef VKS_SOLVERS_TOGETHER_H
#define VKS_SOLVERS_TOGETHER_H

#include "dense/pivot_verbs.h"
#include "solvers/meetings.h"

/* Sets p->together. What has been seen once is remembered for the device. `mailbox` is a shared word or more.
 */
vks_status see_whether_together(struct device *d, enum precision precision, struct pivots *p,
                                const struct memory *mailbox);

/* They did not meet after all: from now on fewer will be asked to, and p none. */
void missed(struct device *d, enum precision precision, struct pivots *p);

/* Records that nothing has been told so far. */
void pivots_forget_told(struct rec *r, const struct pivots *p);

#endif
