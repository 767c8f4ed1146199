/* The C declarations of shaders/solver/control.glsl, cg.glsl and jacobi.glsl. */
#ifndef VKS_HOST_SOLVER_CONTROL_H
#define VKS_HOST_SOLVER_CONTROL_H

#include "host/kernel.h"
#include "shaders/solver/state.h"

struct control {
    uint32_t state, iteration, limit, seen;
    real rr, stop, ceiling, scale, ratio;
};

struct cg_numbers {
    uint32_t pending, unused;
    real rho, pq, alpha, rho_old;
};

struct jacobi_numbers {
    uint32_t pending, unused;
    real older, old, age, span, weight, least, calm, growing;
};

struct idr_numbers {
    uint32_t fresh, unused;
    real start, fault;
    scalar_t omega;
    real ended, least, marked, since;
    scalar_t pivot;
    real square;
    scalar_t f[4], c[4], m[16];
};

struct lsmr_scalars {
    real alpha, rho, rhobar, alphabar, cbar, sbar, zeta, zetabar;
    real betadd, betad, rhod, tautilde, thetatilde, rr, normal;
};

struct lsmr_numbers {
    uint32_t unused[2];
    real goal, normal, fault, beta;
    struct lsmr_scalars now, next;
};

struct minres_turn {
    real gamma, gamma_old, c, c_old, s, s_old, eta, size;
};

struct minres_numbers {
    uint32_t pending, unused;
    real least, delta, square, slope, size, share, marked, since;
    struct minres_turn turn[2];
};

struct bicgstab_numbers {
    uint32_t fresh, unused;
    real start, fault;
    scalar_t omega, alpha;
    real ended, least, marked, since;
    scalar_t pivot, rho[4];
};

struct gmres_numbers {
    uint32_t column, combined;
    real fault, unit, inverse, marked, since, next, whole;
};

static inline bool alive(const struct control *c)
{
    return c->state == STATE_RUNNING;
}

#endif
