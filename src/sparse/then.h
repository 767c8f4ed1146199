/* Products that end in an operation on vectors, row by row: y = b - A x and the like, by one kernel where
 * the format of A has one. The bits are those of spmv and then the operation on its result. */
#ifndef VKS_SPARSE_THEN_H
#define VKS_SPARSE_THEN_H

#include "shaders/sparse/then.h"
#include "vector/verbs.h"
#include "vksolve/matrix.h"

/* Where s_i is row i of A x:
 *
 *   PRODUCT_STEP      y = x + w d (b - s)    a weighted step, A square
 *   PRODUCT_RESIDUAL  y = b - s
 *   PRODUCT_ADD       y = y + s
 *   PRODUCT_SCALED    y = s, z = w d s
 *
 * y and z are other vectors than x. b may be y. What a form does not name is not set. */
struct product_then {
    uint32_t form;
    bool varies; /* d has one number a row, else one for all */
    number w;
    reals d; /* of a diagonal, such as the inverse of that of A */
    struct vec x, b, y, z;
    struct vec spare; /* as long as y: it gets A x where that cannot be in y (product_then_spares) and no
                         kernel of the format does it all */
};

/* Whether the form takes d, of one number a row. */
static inline bool product_then_varies(const struct product_then *t)
{
    return t->varies && (t->form == PRODUCT_STEP || t->form == PRODUCT_SCALED);
}

/* Whether y is read when A x is there. Then `spare` is to be set. */
static inline bool product_then_spares(const struct product_then *t)
{
    return t->form == PRODUCT_ADD || (t->form != PRODUCT_SCALED && t->b.at == t->y.at);
}

static inline bool vecs_are_apart(struct vec x, struct vec y)
{
    return x.at != y.at || !x.n || !y.n;
}

/* Whether the vectors suit a matrix of this shape. */
static inline bool product_then_fits(const struct product_then *t, uint32_t rows, uint32_t cols)
{
    bool product = t->x.n == cols && t->y.n == rows && t->x.precision == t->y.precision;
    if (t->form == PRODUCT_SCALED)
        return product && vecs_are_apart(t->x, t->y) && vecs_fit(t->z, t->y) && vecs_are_apart(t->z, t->x) &&
               vecs_are_apart(t->z, t->y);
    return product && vecs_are_apart(t->x, t->y) && vecs_fit(t->b, t->y) &&
           (t->form != PRODUCT_STEP || vecs_fit(t->x, t->y));
}

/* Bytes of the vectors beside x, or beside A x: two, and d. */
static inline uint64_t then_bytes(const struct product_then *t)
{
    return (2 + (uint64_t)product_then_varies(t)) * vec_bytes(t->y);
}

/* The arguments that all kernels of it take; b is set also where it is y. */
#define THEN_ARGS(t)                                                                                       \
    .weight = (t)->w, .d = (t)->d, .x = vec_reals((t)->x), .b = vec_reals((t)->b), .y = vec_reals((t)->y), \
    .z = vec_reals((t)->z), .form = (t)->form, .varies = product_then_varies(t)

/* Whether A takes two kernels for it, and so the spare where product_then_spares. */
bool product_then_is_apart(const vks_matrix *A);

/* Records it. */
void spmv_then(struct rec *r, const vks_matrix *A, const struct product_then *t);

#endif
