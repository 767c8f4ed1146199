/* Whether the workgroups of a panel may synchronise (device/co_residency.h). If not, elimination takes a
 * dispatch for each column. */
#ifndef VKS_SOLVERS_DENSE_CO_RESIDENT_H
#define VKS_SOLVERS_DENSE_CO_RESIDENT_H

#include "dense/pivot_verbs.h"

/* Sets p->co_resident, from a trial unless the device remembers its result. `mailbox` has at least
 * PIVOT_STATE_WORDS shared words. */
vks_status probe_co_residency(struct device *d, enum precision precision, struct pivots *p,
                              const struct memory *mailbox);

/* Records that workgroups of p timed out: p and later panels of that size take one dispatch per column. */
void pivots_timed_out(struct device *d, enum precision precision, struct pivots *p);

/* Records a clearing of the workgroups' exchange. */
void pivots_clear_posted(struct rec *r, const struct pivots *p);

#endif
