/* Elementwise operations of Vecs. If an operand is of another type, PETSc's own operation runs on the
 * host. */
#include "petsc/vec_arrays.h"
#include "petsc/vec_operations.h"
#include "petsc/vec_steps.h"

/* Whether the device can run an operation that reads x and changes y. */
static PetscBool ours(Vec x, Vec y)
{
    return vec_is_ours(x) && vec_may_change(y) ? PETSC_TRUE : PETSC_FALSE;
}

/* The device arrays of x, to be read, and of y, to be changed or written. */
static PetscErrorCode read_and_change(Vec x, Vec y, vks_vector **a, vks_vector **b)
{
    PetscFunctionBegin;
    PetscCall(vec_read(x, a));
    PetscCall(vec_change(y, b));
    PetscFunctionReturn(0);
}

static PetscErrorCode read_and_write(Vec x, Vec y, vks_vector **a, vks_vector **b)
{
    PetscFunctionBegin;
    PetscCall(vec_read(x, a));
    PetscCall(vec_write(y, b));
    PetscFunctionReturn(0);
}

static PetscErrorCode set(Vec x, PetscScalar alpha)
{
    vks_vector *a;
    PetscFunctionBegin;
    if (!vec_may_change(x)) {
        PetscCall((*vec_mirror(x)->base->set)(x, alpha));
        PetscFunctionReturn(0);
    }
    PetscCall(vec_write(x, &a));
    PetscCallVks(vks_vector_fill(a, alpha));
    PetscFunctionReturn(0);
}

static PetscErrorCode copy(Vec x, Vec y)
{
    vks_vector *a, *b;
    PetscFunctionBegin;
    if (!ours(x, y)) {
        PetscCall((*vec_mirror(x)->base->copy)(x, y));
        PetscFunctionReturn(0);
    }
    PetscCall(read_and_write(x, y, &a, &b));
    PetscCallVks(vks_vector_copy(a, b));
    PetscFunctionReturn(0);
}

/* x and y exchange their device data; nothing is copied. */
static PetscErrorCode swap(Vec x, Vec y)
{
    struct mirror *m = vec_mirror(x), *n;
    vks_vector *a, *b;
    PetscFunctionBegin;
    if (!vec_may_change(x) || !vec_may_change(y)) {
        PetscCall((*m->base->swap)(x, y));
        PetscFunctionReturn(0);
    }
    n = vec_mirror(y);
    PetscCall(vec_change(x, &a));
    PetscCall(vec_change(y, &b));
    m->device = b;
    n->device = a;
    PetscFunctionReturn(0);
}

static PetscErrorCode scale(Vec x, PetscScalar alpha)
{
    vks_vector *a;
    PetscFunctionBegin;
    if (!vec_may_change(x))
        PetscCall((*vec_mirror(x)->base->scale)(x, alpha));
    else if (alpha == 0)
        PetscCall(set(x, 0));
    else if (alpha != 1) {
        PetscCall(vec_change(x, &a));
        PetscCallVks(vks_vector_scale(alpha, a));
        PetscCall(PetscLogFlops(x->map->n));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode axpy(Vec y, PetscScalar alpha, Vec x)
{
    PetscFunctionBegin;
    if (!ours(x, y)) {
        PetscCall((*vec_mirror(y)->base->axpy)(y, alpha, x));
        PetscFunctionReturn(0);
    }
    PetscCall(vec_put_off(y, alpha, x));
    PetscCall(PetscLogFlops(2.0 * y->map->n));
    PetscFunctionReturn(0);
}

/* y = alpha x + beta y. With beta = 0 the old y is ignored, even if it is NaN. */
static PetscErrorCode axpby(Vec y, PetscScalar alpha, PetscScalar beta, Vec x)
{
    vks_vector *a, *b;
    PetscFunctionBegin;
    if (!ours(x, y)) {
        PetscCall((*vec_mirror(y)->base->axpby)(y, alpha, beta, x));
    } else if (beta == 0) {
        PetscCall(copy(x, y));
        PetscCall(scale(y, alpha));
    } else {
        PetscCall(read_and_change(x, y, &a, &b));
        PetscCallVks(vks_vector_axpby(alpha, a, beta, b));
        PetscCall(PetscLogFlops(3.0 * y->map->n));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode aypx(Vec y, PetscScalar beta, Vec x)
{
    PetscBool done = PETSC_FALSE;
    PetscFunctionBegin;
    if (!ours(x, y)) {
        PetscCall((*vec_mirror(y)->base->aypx)(y, beta, x));
        PetscFunctionReturn(0);
    }
    if (beta != 0)
        PetscCall(vec_aypx_with_step(y, beta, x, &done));
    if (!done)
        PetscCall(axpby(y, 1, beta, x));
    PetscFunctionReturn(0);
}

static PetscErrorCode waxpy(Vec w, PetscScalar alpha, Vec x, Vec y)
{
    PetscFunctionBegin;
    if (ours(x, w) && vec_is_ours(y)) {
        PetscCall(copy(y, w));
        PetscCall(axpy(w, alpha, x));
    } else
        PetscCall((*vec_mirror(w)->base->waxpy)(w, alpha, x, y));
    PetscFunctionReturn(0);
}

static PetscErrorCode axpbypcz(Vec z, PetscScalar alpha, PetscScalar beta, PetscScalar gamma, Vec x, Vec y)
{
    PetscFunctionBegin;
    if (ours(x, z) && vec_is_ours(y)) {
        PetscCall(axpby(z, alpha, gamma, x));
        PetscCall(axpy(z, beta, y));
    } else
        PetscCall((*vec_mirror(z)->base->axpbypcz)(z, alpha, beta, gamma, x, y));
    PetscFunctionReturn(0);
}

/* y = y + the sum of alpha[k] x[k]. */
static PetscErrorCode maxpy(Vec y, PetscInt count, const PetscScalar *alpha, Vec *x)
{
    PetscFunctionBegin;
    for (PetscInt k = 0; k < count; k++)
        PetscCall(axpy(y, alpha[k], x[k]));
    PetscFunctionReturn(0);
}

static PetscErrorCode shift_on_host(Vec y, PetscScalar alpha)
{
    PetscScalar *to;
    PetscFunctionBegin;
    PetscCall(VecGetArray(y, &to));
    for (PetscInt i = 0; i < y->map->n; i++)
        to[i] += alpha;
    PetscCall(VecRestoreArray(y, &to));
    PetscFunctionReturn(0);
}

/* y = y + alpha, by a vector of ones as long as y. */
static PetscErrorCode shift(Vec y, PetscScalar alpha)
{
    vks_vector *a, *ones = NULL;
    vks_status status;
    PetscFunctionBegin;
    if (!vec_may_change(y)) {
        PetscCall(shift_on_host(y, alpha));
        PetscFunctionReturn(0);
    }
    PetscCall(vec_change(y, &a));
    PetscCallVks(vks_vector_create(plugin_context, vks_vector_length(a), VKS_F64, &ones));
    status = vks_vector_fill(ones, 1);
    if (!status)
        status = vks_vector_axpy(alpha, ones, a);
    vks_vector_destroy(ones);
    PetscCallVks(status);
    PetscFunctionReturn(0);
}

static PetscErrorCode multiply(Vec w, Vec x, Vec y)
{
    vks_vector *a, *b, *c;
    PetscBool done;
    PetscFunctionBegin;
    if (!ours(x, w) || !vec_is_ours(y)) {
        PetscCall((*vec_mirror(w)->base->pointwisemult)(w, x, y));
        PetscFunctionReturn(0);
    }
    PetscCall(vec_multiply_with_step(w, y, x, &done));
    if (!done)
        PetscCall(vec_multiply_with_step(w, x, y, &done));
    if (!done) {
        PetscCall(vec_read(x, &a));
        PetscCall(vec_read(y, &b));
        PetscCall(vec_write(w, &c));
        PetscCallVks(vks_vector_multiply(a, b, c));
    }
    PetscCall(PetscLogFlops(w->map->n));
    PetscFunctionReturn(0);
}

/* w = x / y on the device; w = 1 / y if x is NULL. *done is false, and w unchanged, if a quotient or their
 * sum is not finite. The host then divides, since PETSc defines a quotient by 0 as 0. */
static PetscErrorCode divide_on_device(Vec w, Vec x, Vec y, PetscBool *done)
{
    vks_vector *a = NULL, *b, *c, *quotients = NULL;
    vks_status status;
    double sum = 0;
    PetscFunctionBegin;
    *done = PETSC_FALSE;
    if (x)
        PetscCall(vec_read(x, &a));
    PetscCall(vec_read(y, &b));
    PetscCallVks(vks_vector_create(plugin_context, vks_vector_length(b), VKS_F64, &quotients));
    status = x ? vks_vector_divide(a, b, quotients) : vks_vector_reciprocal(b, quotients);
    if (!status)
        status = vks_vector_sum(quotients, &sum);
    if (!status && isfinite(sum)) {
        PetscCall(vec_write(w, &c));
        status = vks_vector_copy(quotients, c);
        *done = PETSC_TRUE;
    }
    vks_vector_destroy(quotients);
    PetscCallVks(status);
    PetscFunctionReturn(0);
}

static PetscErrorCode divide(Vec w, Vec x, Vec y)
{
    PetscBool done = PETSC_FALSE;
    PetscFunctionBegin;
    if (ours(x, w) && vec_is_ours(y))
        PetscCall(divide_on_device(w, x, y, &done));
    if (!done)
        PetscCall((*vec_mirror(w)->base->pointwisedivide)(w, x, y));
    PetscFunctionReturn(0);
}

/* Runs on the host if only the host has the values, such as a diagonal just taken from a matrix. */
static PetscErrorCode reciprocal(Vec x)
{
    PetscBool done = PETSC_FALSE;
    PetscFunctionBegin;
    if (vec_mirror(x)->on_device)
        PetscCall(divide_on_device(x, NULL, x, &done));
    if (!done)
        PetscCall((*vec_mirror(x)->base->reciprocal)(x));
    PetscFunctionReturn(0);
}

void vec_set_algebra(VecOps ops)
{
    ops->set = set;
    ops->copy = copy;
    ops->swap = swap;
    ops->scale = scale;
    ops->axpy = axpy;
    ops->axpby = axpby;
    ops->aypx = aypx;
    ops->waxpy = waxpy;
    ops->axpbypcz = axpbypcz;
    ops->maxpy = maxpy;
    ops->shift = shift;
    ops->pointwisemult = multiply;
    ops->pointwisedivide = divide;
    ops->reciprocal = reciprocal;
}
