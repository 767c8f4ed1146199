/* Definition of vks_precond, and its use by the solves that share it. */
#ifndef VKS_SOLVERS_SOLVE_SHARED_H
#define VKS_SOLVERS_SOLVE_SHARED_H

#include "device/context.h"
#include "solvers/precond.h"

struct vks_precond {
    vks_context *context;
    vks_matrix *A;                 /* kept alive; its CSR is held during updates */
    struct nested_options options; /* its own copy; of[0] is the outermost */
    struct precond *M;
    enum precision stored;      /* precision of A when M was made */
    struct diagnosis diagnosis; /* may refuse A */
    double seconds_setup;
    uint32_t version;    /* incremented by each update */
    uint32_t remade;     /* incremented when M is replaced */
    uint32_t references; /* one of the program, and one of each solver */
    uint32_t solves;     /* current solves that use it */
};

/* Returns the part of M that applies to vectors of precision p and n elements, in this context.
 * VKS_INVALID_ARGUMENT: the vectors do not fit, or A has another precision than at M's last update. */
vks_status shared_for(const vks_precond *M, vks_context *context, uint32_t n, enum precision p,
                      const struct precond **out);
/* Whether M must be updated before it is applied again. */
bool shared_is_outdated(const vks_precond *M);
void shared_retain(vks_precond *M);  /* NULL is fine */
void shared_release(vks_precond *M); /* NULL is fine */

#endif
