/* Whether the workgroups of a panel may synchronise (device/co_residency.h). If not, elimination takes a
 * dispatch for each column. */
#ifndef VKS_SOLVERS_DENSE_CO_RESIDENT_H
#define VKS_SOLVERS_DENSE_CO_RESIDENT_H

#include "dense/pivot_verbs.h"

/* Sets p->co_resident, by a trial unless the device remembers one. `mailbox` has at least one shared word. */
vks_status probe_co_residency(struct device *d, enum precision precision, struct pivots *p,
                              const struct memory *mailbox);

/* Records that workgroups of p timed out: p and later panels with as many rows take one dispatch per column.
 */
void pivots_timed_out(struct device *d, enum precision precision, struct pivots *p);

/* Records that clear the workgroups' exchange. */
void pivots_clear_tell(struct rec *r, const struct pivots *p);

#endif
