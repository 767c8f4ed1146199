/* Declarations shared by the kernels of conjugate gradients (GLSL), their twins and the method (C). */
#ifndef VKS_SOLVER_CG_H
#define VKS_SOLVER_CG_H

/* Forms of the preconditioner in the kernels: none, a diagonal, a diagonal with d[0] in all rows. */
#define FORM_NONE 0u
#define FORM_EACH 1u
#define FORM_ONE 2u
#define FORM_GIVEN 3u /* z = M^-1 r is already computed */

/* Form in which a kernel finds p . q, or r . z and r . r: in sums of tiles or stripes, which it adds up, or
 * as whole sums from outside. */
#define SUMS_IN_TILES 0u
#define SUMS_IN_STRIPES 1u
#define SUMS_WHOLE 2u

/* Work that cg_update leaves to cg_direction. */
#define PENDING_NOTHING 0u
#define PENDING_STEP 1u      /* the step of x, and the new direction p */
#define PENDING_BREAKDOWN 2u /* p . A p is not positive, or not finite */

/* The state after iteration k. If rho = r . z is zero it has underflowed: a new cycle may rescale r. */
#define CG_STATE_AFTER(is_finite, k, limit, rho, rr, stop, ceiling) \
    (!(is_finite)       ? STATE_NOT_FINITE                          \
     : (rr) <= (stop)   ? STATE_MET                                 \
     : (rr) > (ceiling) ? STATE_DIVERGED                            \
     : (rho) < 0        ? STATE_NOT_POSITIVE                        \
     : (rho) == 0       ? STATE_MET                                 \
     : (k) >= (limit)   ? STATE_LIMIT                               \
                        : STATE_RUNNING)

#endif
