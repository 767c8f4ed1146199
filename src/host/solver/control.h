/* The states of solves, as the shaders declare them. */
#ifndef VKS_HOST_SOLVER_CONTROL_H
#define VKS_HOST_SOLVER_CONTROL_H

#include "host/kernel.h"
#include "shaders/solver/bicgstab.glsl"
#include "shaders/solver/cg.glsl"
#include "shaders/solver/control.glsl"
#include "shaders/solver/gmres.glsl"
#include "shaders/solver/idr.glsl"
#include "shaders/solver/jacobi.glsl"
#include "shaders/solver/lsmr.glsl"
#include "shaders/solver/minres.glsl"

/* A state and an element, in shader text. */
#define OF(state) (*(state))
#define AT(array, i) (array)[i]

static inline bool alive(const struct control *c)
{
    return c->state == STATE_RUNNING;
}

#endif
