/* The operation on the rows of A x, as in shaders/sparse/then.glsl. */
#ifndef VKS_HOST_SPARSE_THEN_H
#define VKS_HOST_SPARSE_THEN_H

#include "host/kernel.h"
#include "shaders/sparse/then.h"

struct then {
    uint32_t form;
    uint32_t step; /* stride in d: 0 if d is one number */
    real w;
    const scalar_t *d, *x, *b; /* b may be y */
    scalar_t *y, *z;
};

/* A struct then from a kernel's arguments. The weight exists only if the form uses it. */
#define THEN_OF(a)                                                         \
    ((struct then){.form = (a)->form,                                      \
                   .step = (a)->varies ? 1 : 0,                            \
                   .w = then_takes_diagonal((a)->form) ? *(a)->weight : 0, \
                   .d = (a)->d,                                            \
                   .x = (a)->x,                                            \
                   .b = (a)->b,                                            \
                   .y = (a)->y,                                            \
                   .z = (a)->z})

static inline bool then_takes_diagonal(uint32_t form)
{
    return form == PRODUCT_STEP || form == PRODUCT_SCALED;
}

/* Writes rows first .. end - 1, whose sums begin at s, which may be their place in y. */
static inline void then_rows(const struct then *t, uint32_t first, uint32_t end, const scalar_t *s)
{
    const scalar_t *x = t->x, *b = t->b, *d = t->d;
    scalar_t *y = t->y, *z = t->z;
    real w = t->w;
    switch (t->form) {
    case PRODUCT_STEP:
        for (uint32_t i = first; i < end; i++)
            y[i] = x[i] + w * mul(d[t->step * i], b[i] - s[i - first]);
        break;
    case PRODUCT_RESIDUAL:
        for (uint32_t i = first; i < end; i++)
            y[i] = b[i] - s[i - first];
        break;
    case PRODUCT_ADD:
        for (uint32_t i = first; i < end; i++)
            y[i] = b[i] + s[i - first];
        break;
    default:
        for (uint32_t i = first; i < end; i++) {
            scalar_t sum = s[i - first];
            y[i] = sum;
            z[i] = w * mul(d[t->step * i], sum);
        }
    }
}

#endif
