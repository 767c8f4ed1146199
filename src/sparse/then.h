/* Products followed by an operation on vectors, row by row: y = b - A x and the like, in one kernel if the
 * format of A has one. Bitwise equal to spmv followed by the operation. */
#ifndef VKS_SPARSE_THEN_H
#define VKS_SPARSE_THEN_H

#include "shaders/sparse/then.h"
#include "vector/verbs.h"
#include "vksolve/matrix.h"

/* The forms, where s_i is row i of A x:
 *
 *   PRODUCT_STEP      y = x + w d (b - s)    a weighted step, A square
 *   PRODUCT_RESIDUAL  y = b - s
 *   PRODUCT_ADD       y = y + s
 *   PRODUCT_SCALED    y = s, z = w d s
 *
 * y and z must not be x. b may be y. Members that a form does not use are unset. */
struct product_then {
    uint32_t form;
    bool varies; /* d has one number per row, else one for all */
    number w;
    reals d; /* a diagonal, such as the inverse diagonal of A */
    struct vec x, b, y, z;
    struct vec spare; /* as long as y: receives A x if y cannot (product_then_spares) and the format has no
                         fused kernel */
};

/* Whether the form uses d with one number per row. */
static inline bool product_then_varies(const struct product_then *t)
{
    return t->varies && (t->form == PRODUCT_STEP || t->form == PRODUCT_SCALED);
}

/* Whether y is read after A x is computed. Then `spare` must be set. */
static inline bool product_then_spares(const struct product_then *t)
{
    return t->form == PRODUCT_ADD || (t->form != PRODUCT_SCALED && t->b.at == t->y.at);
}

static inline bool vecs_are_apart(struct vec x, struct vec y)
{
    return x.at != y.at || !x.n || !y.n;
}

/* Whether the vectors fit a matrix of this shape. */
static inline bool product_then_fits(const struct product_then *t, uint32_t rows, uint32_t cols)
{
    bool product = t->x.n == cols && t->y.n == rows && t->x.precision == t->y.precision;
    if (t->form == PRODUCT_SCALED)
        return product && vecs_are_apart(t->x, t->y) && vecs_fit(t->z, t->y) && vecs_are_apart(t->z, t->x) &&
               vecs_are_apart(t->z, t->y);
    return product && vecs_are_apart(t->x, t->y) && vecs_fit(t->b, t->y) &&
           (t->form != PRODUCT_STEP || vecs_fit(t->x, t->y));
}

/* Bytes of the vectors other than x or A x: two vectors, and d if it varies. */
static inline uint64_t then_bytes(const struct product_then *t)
{
    return (2 + (uint64_t)product_then_varies(t)) * vec_bytes(t->y);
}

/* The arguments common to the kernels; b is set even if it is y. */
#define THEN_ARGS(t)                                                                                       \
    .weight = (t)->w, .d = (t)->d, .x = vec_reals((t)->x), .b = vec_reals((t)->b), .y = vec_reals((t)->y), \
    .z = vec_reals((t)->z), .form = (t)->form, .varies = product_then_varies(t)

/* Whether A needs two kernels for spmv_then, and therefore the spare if product_then_spares. */
bool product_then_is_apart(const vks_matrix *A);

/* Records the product and the operation. */
void spmv_then(struct rec *r, const vks_matrix *A, const struct product_then *t);

#endif
