/* The state word of a solve on the device. Read by the kernels (GLSL) and by the driver (C). */
#ifndef VKS_SOLVER_STATE_H
#define VKS_SOLVER_STATE_H

#define STATE_RUNNING 0u
#define STATE_MET 1u          /* the recurrence meets the tolerance: check the true residual */
#define STATE_LIMIT 2u        /* the iteration limit */
#define STATE_NOT_POSITIVE 3u /* p . A p <= 0, or r . z <= 0 */
#define STATE_NOT_FINITE 4u
#define STATE_DIVERGED 5u
#define STATE_STAGNATED 6u
/* Synchronisation between workgroups timed out: before anything was done, or midway. */
#define STATE_TIMED_OUT 7u
#define STATE_INCONSISTENT 8u
#define STATE_BREAKDOWN 9u /* a number that the method divides by is zero, or nearly so */
#define STATE_NO_SOLUTION \
    10u /* A r is (nearly) zero, but r is not: no x lowers the residual, or only a large one does */

#endif
