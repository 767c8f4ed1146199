/* Steps of triangular solves, as in shaders/precond/ilut.glsl. */
#ifndef VKS_HOST_PRECOND_ILUT_H
#define VKS_HOST_PRECOND_ILUT_H

#include "host/sparse/row_sum.h"
#include "shaders/precond/ilut.h"

DEFINE_ROW_SUM(scalar_t, row_sum)

struct lines {
    const uint32_t *row, *at, *col;
    const scalar_t *scale, *val;
};

static inline __attribute__((always_inline)) void lines_take_by(const struct lines *l, scalar_t *x,
                                                                uint32_t p, uint32_t end, uint32_t lanes)
{
    for (; p < end; p++)
        if (l->row[p] != ILUT_NONE) {
            scalar_t sum = row_sum(l->col, l->val, x, l->at[p], l->at[p + 1], lanes);
            x[l->row[p]] = mul(l->scale[p], x[l->row[p]] - sum);
        }
}

/* Solves lines p .. end - 1, in order. */
static inline void lines_take(const struct lines *l, scalar_t *x, uint32_t p, uint32_t end, uint32_t lanes)
{
    switch (lanes) {
    case 1:
        lines_take_by(l, x, p, end, 1);
        break;
    case 2:
        lines_take_by(l, x, p, end, 2);
        break;
    case 4:
        lines_take_by(l, x, p, end, 4);
        break;
    case 8:
        lines_take_by(l, x, p, end, 8);
        break;
    case 16:
        lines_take_by(l, x, p, end, 16);
        break;
    default:
        lines_take_by(l, x, p, end, 32);
    }
}

#endif
