/* The C side of shaders/solver/control.glsl, cg.glsl and jacobi.glsl. */
#ifndef VKS_HOST_SOLVER_CONTROL_H
#define VKS_HOST_SOLVER_CONTROL_H

#include "host/kernel.h"
#include "shaders/solver/state.h"

struct control {
    uint32_t state, iteration, limit, pending;
};

struct cg_numbers {
    real rho, pq, alpha, rho_old, rr, stop, ceiling, scale;
};

struct jacobi_numbers {
    real older, old, age, span, rr, stop, ceiling, scale, weight, least, calm, growing;
};

static inline bool alive(const struct control *c)
{
    return c->state == STATE_RUNNING;
}

#endif
