/* Upwind differences of convection and diffusion, whose matrices are unsymmetric; host_csr_free frees
 * them. */
#ifndef VKS_TESTS_CONVECTION_MODELS_H
#define VKS_TESTS_CONVECTION_MODELS_H

#include "tests/support/multigrid_models.h"

/* A square of size x size points or, if `turns` is 0, a cube, with rows numbered along the last axis
 * first. */
struct flow {
    uint32_t size;
    double diffusion;
    double speed[3]; /* through the cube along each axis, as a change of an entry */
    bool turns;      /* around the centre of the square, with walls at rest */
};

/* The neighbour along an axis: -diffusion, reduced upstream by the speed. */
static inline void add_flow(const struct flow *f, uint32_t i, uint32_t at, uint32_t step, double speed,
                            uint32_t *col, double *val, uint32_t *count, double *diagonal)
{
    double before = -f->diffusion - (speed > 0 ? speed : 0), after = -f->diffusion + (speed < 0 ? speed : 0);
    *diagonal -= before + after;
    if (at > 0) {
        col[*count] = i - step;
        val[(*count)++] = before;
    }
    if (at + 1 < f->size) {
        col[*count] = i + step;
        val[(*count)++] = after;
    }
}

static inline uint32_t flow_row(const void *model, uint32_t i, uint32_t *col, double *val)
{
    const struct flow *f = model;
    uint32_t n = f->size, count = 1, x = i / n % n, y = i % n;
    double h = 1.0 / (n + 1), u = (x + 1) * h, v = (y + 1) * h, diagonal = 0;
    if (f->turns) {
        add_flow(f, i, x, n, 4 * h * u * (u - 1) * (1 - 2 * v), col, val, &count, &diagonal);
        add_flow(f, i, y, 1, -4 * h * v * (v - 1) * (1 - 2 * u), col, val, &count, &diagonal);
    } else {
        add_flow(f, i, i / n / n, n * n, f->speed[0], col, val, &count, &diagonal);
        add_flow(f, i, x, n, f->speed[1], col, val, &count, &diagonal);
        add_flow(f, i, y, 1, f->speed[2], col, val, &count, &diagonal);
    }
    col[0] = i;
    val[0] = diagonal;
    return count;
}

static inline struct host_csr flow_csr(struct flow f)
{
    uint32_t n = f.size * f.size * (f.turns ? 1 : f.size);
    return model_csr(n, 7 * (size_t)n, flow_row, &f);
}

/* A vortex in a closed square: its flow is never aligned with the grid, and recirculates. */
static inline struct host_csr whirl(uint32_t size, double diffusion)
{
    return flow_csr((struct flow){.size = size, .diffusion = diffusion, .turns = true});
}

/* Wind through a cube. */
static inline struct host_csr wind(uint32_t size, double speed)
{
    return flow_csr(
        (struct flow){.size = size, .diffusion = 1, .speed = {0.7 * speed, 0.5 * speed, 0.3 * speed}});
}

#endif
