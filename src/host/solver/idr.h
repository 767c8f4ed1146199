/* The twin of shaders/solver/idr_residual.glsl and idr_decide.glsl. */
#ifndef VKS_HOST_SOLVER_IDR_H
#define VKS_HOST_SOLVER_IDR_H

#include "host/solver/control.h"
#include "host/solver/rows.h"
#include "shaders/solver/course_state.glsl"

static inline uint32_t idr_directions(uint32_t n)
{
    return n < IDR_S ? n : IDR_S;
}

static inline uint32_t shadow_key(const struct idr_numbers *w)
{
    return hash((uint32_t)(w->start < 0 ? -w->start : w->start));
}

/* The sums of a tile's elements e with the shadow vectors: to[0], to[stride] and so on. */
static inline void shadow_sums(const struct idr_numbers *w, const scalar_t *restrict e, uint32_t first,
                               uint32_t length, uint32_t n, scalar_t *restrict to, uint32_t stride)
{
    scalar_t v[IDR_S][TILE];
    uint32_t key = shadow_key(w);
    bool has_numbers = shadow_has_numbers(w->start, n);
    for (uint32_t j = 0; j < length; j++) {
        uint32_t bits = shadow_bits(first + j, key);
        for (uint32_t k = 0; k < IDR_S; k++)
            v[k][j] = bits >> k & 1 ? -e[j] : e[j];
    }
    for (uint32_t j = 0; has_numbers && j < length; j++)
        for (uint32_t k = 0; k < IDR_S; k++)
            v[k][j] *= shadow_number(shadow_bits(first + j, key) ^ k << 24, false);
    for (uint32_t k = 0; k < IDR_S; k++)
        to[k * stride] = tile_sum(v[k], length);
}

static inline void idr_decide(struct control *c, struct idr_numbers *w, real *history, uint32_t kept, real rr)
{
    course now = course_after(course(w->marked, w->since), rr);
    w->marked = now.marked;
    w->since = now.since;
    if (w->fresh)
        count_iteration(c, history, kept, rr);
    w->fresh = 0;
    c->rr = rr;
    c->state = course_state(c, c->iteration, rr, now, (real)COURSE_GROWTH, IDR_PATIENCE);
}

#endif
