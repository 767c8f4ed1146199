/* The inside of a vks_precond, and its use by the solves that share it. */
#ifndef VKS_SOLVERS_SOLVE_SHARED_H
#define VKS_SOLVERS_SOLVE_SHARED_H

#include "device/context.h"
#include "solvers/precond.h"

struct vks_precond {
    vks_context *context;
    vks_matrix *A;                 /* kept alive, and held as CSR while values are taken */
    struct nested_options options; /* its own copy; of[0] is the outermost */
    struct precond *M;
    enum precision stored;      /* of A, when M was made */
    struct diagnosis diagnosis; /* refuses A, or not */
    double seconds_setup;
    uint32_t version;    /* counts how often values were taken */
    uint32_t remade;     /* counts how often M was replaced */
    uint32_t references; /* the program's, and one of each solver */
    uint32_t solves;     /* solves under way that use it */
};

/* What M applies to vectors of precision p and n elements, of this context. VKS_INVALID_ARGUMENT: they do not
 * fit, or A stores its values in another precision than when M took them. */
vks_status shared_for(const vks_precond *M, vks_context *context, uint32_t n, enum precision p,
                      const struct precond **out);
/* Whether M must be updated before it is applied again. */
bool shared_is_outdated(const vks_precond *M);
void shared_retain(vks_precond *M);  /* NULL is fine */
void shared_release(vks_precond *M); /* NULL is fine */

#endif
