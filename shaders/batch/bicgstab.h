/* BiCGStab in batches: read by the kernel and its twin. */
#ifndef VKS_BATCH_BICGSTAB_H
#define VKS_BATCH_BICGSTAB_H

/* The state after iteration k. A new cycle may follow a breakdown. */
#define BICGSTAB_STATE_AFTER(is_finite, k, limit, rho, omega, rr, stop, ceiling) \
    (!(is_finite)                 ? STATE_NOT_FINITE                             \
     : (rr) <= (stop)             ? STATE_MET                                    \
     : (rr) > (ceiling)           ? STATE_DIVERGED                               \
     : (rho) == 0 || (omega) == 0 ? STATE_BREAKDOWN                              \
     : (k) >= (limit)             ? STATE_LIMIT                                  \
                                  : STATE_RUNNING)

#endif
