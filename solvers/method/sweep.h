/* Sweeps of stationary iterations: eight steps, preceded by the residual of the current x. x is updated in
 * place, after its product: a second x would save nothing. The residual is not a recurrence, so it cannot
 * drift. The residual of the x that is returned ends the solve. */
#ifndef VKS_SOLVERS_METHOD_SWEEP_H
#define VKS_SOLVERS_METHOD_SWEEP_H

#include "shaders/solver/jacobi.h"
#include "solvers/method.h"

struct sweep {
    bool fixed_point;
    struct vec q; /* A x */
    struct vec d; /* 1 / diagonal of A; unused for a fixed point */
    double weight;
    jacobi_numbers w;
};

/* In the order of shaders/solver/jacobi.glsl. */
enum { OLDER, OLD, AGE, SPAN, WEIGHT, LEAST, CALM, GROWING, SWEEP_NUMBERS };

/* Allocates the memory of a sweep; NULL after a failure, whose status is in k->room. */
struct sweep *sweep_room(struct krylov *k, bool fixed_point);
void sweep_numbers_at_start(const struct krylov *k, double *number);
void sweep_unit(struct rec *r, const struct krylov *k);
double sweep_contraction(const struct snapshot *end);
void sweep_explain(const struct ending *e, struct diagnosis *f);

#endif
