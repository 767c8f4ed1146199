/* Sums over the elements of Vecs: each process sums its own elements, and MPI adds the sums. */
#include "petsc/vec_arrays.h"
#include "petsc/vec_chunks.h"
#include "petsc/vec_operations.h"
#include "petsc/vec_steps.h"

static PetscErrorCode over_ranks(Vec x, PetscScalar *sums, PetscInt count)
{
    PetscMPIInt n;
    PetscFunctionBegin;
    PetscCall(PetscMPIIntCast(count, &n));
    PetscCall(MPIU_Allreduce(MPI_IN_PLACE, sums, n, MPIU_SCALAR, MPIU_SUM, PetscObjectComm((PetscObject)x)));
    PetscFunctionReturn(0);
}

static PetscErrorCode dot_local(Vec x, Vec y, PetscScalar *result)
{
    vks_vector *a, *b;
    PetscFunctionBegin;
    if (!vec_is_ours(y)) {
        PetscCall((*vec_mirror(x)->base->dot_local)(x, y, result));
        PetscFunctionReturn(0);
    }
    if (!vec_knows_dot(x, y, result)) {
        PetscCall(vec_read(x, &a));
        PetscCall(vec_read(y, &b));
        PetscCallVks(vks_vector_dot(a, b, result));
    }
    PetscCall(PetscLogFlops(2.0 * x->map->n));
    PetscFunctionReturn(0);
}

static PetscErrorCode dot(Vec x, Vec y, PetscScalar *result)
{
    vks_vector *a, *b;
    PetscFunctionBegin;
    if (vec_reproducible && vec_is_ours(y)) {
        PetscCall(vec_read(x, &a));
        PetscCall(vec_read(y, &b));
        PetscCall(vec_chunk_dot(x, a, b, result));
        PetscFunctionReturn(0);
    }
    PetscCall(dot_local(x, y, result));
    PetscCall(over_ranks(x, result, 1));
    PetscFunctionReturn(0);
}

/* The device arrays of `count` Vecs. */
static PetscErrorCode read_all(PetscInt count, const Vec y[], const vks_vector **b)
{
    PetscFunctionBegin;
    for (PetscInt k = 0; k < count; k++) {
        vks_vector *one;
        PetscCall(vec_read(y[k], &one));
        b[k] = one;
    }
    PetscFunctionReturn(0);
}

/* results[k] = x . y[k], with one wait for all of them, or one for every 32. */
static PetscErrorCode mdot_local(Vec x, PetscInt count, const Vec y[], PetscScalar *results)
{
    vks_vector *a;
    const vks_vector **b;
    PetscBool all = PETSC_TRUE;
    uint32_t n;
    vks_status status = VKS_OK;
    PetscErrorCode code;
    PetscFunctionBegin;
    for (PetscInt k = 0; k < count; k++)
        all = all && vec_is_ours(y[k]) ? PETSC_TRUE : PETSC_FALSE;
    if (!all) {
        for (PetscInt k = 0; k < count; k++)
            PetscCall(dot_local(x, y[k], &results[k]));
        PetscFunctionReturn(0);
    }
    PetscCall(plugin_word(count, "dot products in a call", &n));
    PetscCall(vec_read(x, &a));
    PetscCall(PetscMalloc1(count, &b));
    code = read_all(count, y, b);
    if (!code)
        status = vks_vector_dots(a, n, b, results);
    PetscCall(PetscFree(b));
    PetscCall(code);
    PetscCallVks(status);
    PetscCall(PetscLogFlops(2.0 * count * x->map->n));
    PetscFunctionReturn(0);
}

static PetscErrorCode mdot(Vec x, PetscInt count, const Vec y[], PetscScalar *results)
{
    PetscFunctionBegin;
    if (vec_reproducible) {
        for (PetscInt k = 0; k < count; k++)
            PetscCall(dot(x, y[k], &results[k]));
        PetscFunctionReturn(0);
    }
    PetscCall(mdot_local(x, count, y, results));
    PetscCall(over_ranks(x, results, count));
    PetscFunctionReturn(0);
}

/* The Euclidean norm is the root of a dot product. PETSc computes the others on the host. */
static PetscErrorCode norm_local(Vec x, NormType type, PetscReal *result)
{
    PetscScalar square;
    PetscFunctionBegin;
    if (type == NORM_2 || type == NORM_FROBENIUS) {
        PetscCall(dot_local(x, x, &square));
        *result = PetscSqrtReal(square);
    } else
        PetscCall((*vec_mirror(x)->base->norm_local)(x, type, result));
    PetscFunctionReturn(0);
}

static PetscErrorCode norm(Vec x, NormType type, PetscReal *result)
{
    PetscScalar square;
    PetscFunctionBegin;
    if (type == NORM_2 || type == NORM_FROBENIUS) {
        PetscCall(dot(x, x, &square));
        *result = PetscSqrtReal(square);
    } else
        PetscCall((*vec_mirror(x)->base->norm)(x, type, result));
    PetscFunctionReturn(0);
}

/* x . y and y . y, for BiCGStab. */
static PetscErrorCode dot_and_norm2(Vec x, Vec y, PetscScalar *product, PetscScalar *square)
{
    PetscScalar results[2];
    PetscFunctionBegin;
    if (!vec_is_ours(y)) {
        PetscCall(VecDot(x, y, product));
        PetscCall(VecDot(y, y, square));
        PetscFunctionReturn(0);
    }
    PetscCall(mdot(y, 2, (const Vec[]){x, y}, results));
    *product = results[0];
    *square = results[1];
    PetscFunctionReturn(0);
}

/* The sum over this process. VecSum adds those of all processes. */
static PetscErrorCode sum_local(Vec x, PetscScalar *result)
{
    vks_vector *a;
    PetscFunctionBegin;
    PetscCall(vec_read(x, &a));
    PetscCallVks(vks_vector_sum(a, result));
    PetscFunctionReturn(0);
}

void vec_set_sums(VecOps ops)
{
    ops->dot = ops->tdot = dot;
    ops->dot_local = ops->tdot_local = dot_local;
    ops->mdot = ops->mtdot = mdot;
    ops->mdot_local = ops->mtdot_local = mdot_local;
    ops->norm = norm;
    ops->norm_local = norm_local;
    ops->dotnorm2 = dot_and_norm2;
    ops->sum = sum_local;
}
