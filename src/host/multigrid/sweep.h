/* Sweep operator of a pivot; shaders/multigrid/sweep.glsl is the twin. */
#ifndef VKS_HOST_MULTIGRID_SWEEP_H
#define VKS_HOST_MULTIGRID_SWEEP_H

#include "host/powers.h"
#include "shaders/multigrid/sweep.h"

#include <stdbool.h>

struct sweep {
    bool dropped;
    real inverse, scale, rest;
};

static inline struct sweep sweep_of(real pivot, real inverse)
{
    int half_exponent = exponent_of(pivot) / 2;
    real unit = power_of_two(half_exponent);
    return (struct sweep){inverse == 0, inverse, power_of_two(-half_exponent), (inverse * unit) * unit};
}

static inline real swept(const struct sweep *s, real v, real c, real b)
{
    return s->dropped ? v : v - ((c * s->scale) * (b * s->scale)) * s->rest;
}

static inline real swept_row(const struct sweep *s, real b)
{
    return s->dropped ? 0 : b * s->inverse;
}

static inline real swept_column(const struct sweep *s, real c)
{
    return s->dropped ? 0 : -(c * s->inverse);
}

#endif
