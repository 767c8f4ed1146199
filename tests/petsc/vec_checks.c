/* Checks of operations on Vecs. */
#include "check.h"

#define N 37

/* Three of a type: w, x, y. */
static PetscErrorCode make_three(VecType type, Vec v[3])
{
    PetscFunctionBeginUser;
    for (int k = 0; k < 3; k++)
        PetscCall(make_vec(type, N, 0.5 + k, k, &v[k]));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy_three(Vec v[3])
{
    PetscFunctionBeginUser;
    for (int k = 0; k < 3; k++)
        PetscCall(VecDestroy(&v[k]));
    PetscFunctionReturn(0);
}

/* The elementwise operations from number 14 on; *any is false after the last. */
static PetscErrorCode operate_by_element(int which, Vec v[3], PetscBool *any)
{
    Vec w = v[0], x = v[1], y = v[2];
    PetscFunctionBeginUser;
    switch (which) {
    case 14:
        PetscCall(VecPointwiseMult(w, x, y));
        break;
    case 15:
        PetscCall(VecPointwiseMult(w, w, y));
        break;
    case 16:
        PetscCall(VecPointwiseDivide(w, x, y));
        break;
    case 17:
        PetscCall(VecPointwiseDivide(w, w, y));
        break;
    case 18:
        PetscCall(VecReciprocal(w));
        break;
    case 19:
        PetscCall(VecShift(w, 0.25));
        break;
    case 20:
        PetscCall(VecAbs(w));
        break;
    case 21:
        PetscCall(VecSqrtAbs(w));
        break;
    default:
        *any = PETSC_FALSE;
    }
    PetscFunctionReturn(0);
}

/* Every elementwise operation, in the order of `which`. */
static PetscErrorCode operate(int which, Vec v[3], PetscBool *any)
{
    Vec w = v[0], x = v[1], y = v[2];
    const PetscScalar alpha[2] = {0.3, -2};
    PetscFunctionBeginUser;
    *any = PETSC_TRUE;
    switch (which) {
    case 0:
        PetscCall(VecSet(w, 1.5));
        break;
    case 1:
        PetscCall(VecCopy(x, w));
        break;
    case 2:
        PetscCall(VecSwap(w, x));
        break;
    case 3:
        PetscCall(VecScale(w, -0.7));
        break;
    case 4:
        PetscCall(VecScale(w, 0));
        break;
    case 5:
        PetscCall(VecAXPY(w, 0.3, x));
        break;
    case 6:
        PetscCall(VecAYPX(w, 0.3, x));
        break;
    case 7:
        PetscCall(VecAYPX(w, 0, x));
        break;
    case 8:
        PetscCall(VecAXPBY(w, 0.3, -2, x));
        break;
    case 9:
        PetscCall(VecAXPBY(w, 0.3, 0, x));
        break;
    case 10:
        PetscCall(VecAXPBYPCZ(w, 0.3, -2, 0.5, x, y));
        break;
    case 11:
        PetscCall(VecAXPBYPCZ(w, 0.3, -2, 0, x, y));
        break;
    case 12:
        PetscCall(VecWAXPY(w, -1, x, y));
        break;
    case 13:
        PetscCall(VecMAXPY(w, 2, alpha, v + 1));
        break;
    default:
        PetscCall(operate_by_element(which, v, any));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode check_operations(VecType a, VecType b)
{
    PetscBool any = PETSC_TRUE;
    PetscFunctionBeginUser;
    for (int which = 0; any; which++) {
        Vec v[3], u[3];
        PetscCall(make_three(a, v));
        PetscCall(make_three(b, u));
        PetscCall(VecScale(v[0], 1.25)); /* so that only the device has its values */
        PetscCall(VecScale(u[0], 1.25));
        PetscCall(operate(which, v, &any));
        PetscCall(operate(which, u, &any));
        for (int k = 0; k < 3; k++)
            PetscCall(check_equal(v[k], u[k], 1e-14));
        PetscCall(destroy_three(v));
        PetscCall(destroy_three(u));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode operations_are_those_of_petsc(void)
{
    return check_operations("vksolve", VECSTANDARD);
}

static PetscErrorCode sums(Vec v[3], PetscReal *to)
{
    PetscReal two[2];
    PetscFunctionBeginUser;
    PetscCall(VecDot(v[0], v[1], to++));
    PetscCall(VecTDot(v[1], v[2], to++));
    PetscCall(VecMDot(v[0], 3, v, to));
    PetscCall(VecMTDot(v[2], 2, v, to + 3));
    to += 5;
    PetscCall(VecNorm(v[0], NORM_2, to++));
    PetscCall(VecNorm(v[0], NORM_1, to++));
    PetscCall(VecNorm(v[1], NORM_INFINITY, to++));
    PetscCall(VecNorm(v[2], NORM_1_AND_2, two));
    *to++ = two[0];
    *to++ = two[1];
    PetscCall(VecDotNorm2(v[0], v[2], to, to + 1));
    PetscCall(VecSum(v[1], to + 2));
    to += 3;
    PetscCall(VecDotBegin(v[0], v[2], to));
    PetscCall(VecNormBegin(v[1], NORM_2, to + 1));
    PetscCall(VecMDotBegin(v[0], 3, v, to + 2));
    PetscCall(VecDotEnd(v[0], v[2], to));
    PetscCall(VecNormEnd(v[1], NORM_2, to + 1));
    PetscCall(VecMDotEnd(v[0], 3, v, to + 2));
    to += 5;
    PetscCall(VecMax(v[0], NULL, to++));
    PetscCall(VecMin(v[0], NULL, to++));
    PetscFunctionReturn(0);
}

/* Makes three of a type, and scales the first, so that only the device has its values. */
static PetscErrorCode make_scaled(VecType type, Vec v[3])
{
    PetscFunctionBeginUser;
    PetscCall(make_three(type, v));
    PetscCall(VecScale(v[0], 1.25));
    PetscFunctionReturn(0);
}

static PetscErrorCode compare_sums(Vec v[3])
{
    Vec u[3];
    PetscReal a[32] = {0}, b[32] = {0};
    PetscFunctionBeginUser;
    PetscCall(make_scaled(VECSTANDARD, u));
    PetscCall(sums(v, a));
    PetscCall(sums(u, b));
    for (int k = 0; k < 32; k++)
        PetscCheck(PetscAbsReal(a[k] - b[k]) <= 1e-13 * (1 + PetscAbsReal(b[k])), PETSC_COMM_SELF,
                   PETSC_ERR_PLIB, "sum %d is %.17g, not %.17g", k, a[k], b[k]);
    PetscCall(destroy_three(u));
    PetscFunctionReturn(0);
}

static PetscErrorCode sums_are_those_of_petsc(void)
{
    Vec v[3];
    PetscFunctionBeginUser;
    PetscCall(make_scaled("vksolve", v));
    PetscCall(compare_sums(v));
    PetscCall(destroy_three(v));
    PetscFunctionReturn(0);
}

static PetscErrorCode sums_may_be_of_other_types(void)
{
    Vec v[3], u[3];
    PetscFunctionBeginUser;
    for (int other = 0; other < 3; other++) {
        PetscCall(make_scaled("vksolve", v));
        PetscCall(make_scaled(VECSTANDARD, u));
        PetscCall(VecDestroy(&v[other]));
        v[other] = u[other];
        u[other] = NULL;
        PetscCall(compare_sums(v));
        PetscCall(destroy_three(v));
        PetscCall(destroy_three(u));
    }
    PetscFunctionReturn(0);
}

/* Some operands are PETSc's own: one at each position in turn. */
static PetscErrorCode other_types_may_take_part(void)
{
    PetscFunctionBeginUser;
    for (int other = 0; other < 3; other++)
        for (int which = 0; which < 20; which++) {
            Vec v[3], u[3];
            PetscBool any;
            if (which == 2) /* VecSwap requires equal types */
                continue;
            PetscCall(make_three("vksolve", v));
            PetscCall(make_three(VECSTANDARD, u));
            PetscCall(VecDestroy(&v[other]));
            PetscCall(make_vec(VECSTANDARD, N, 0.5 + other, other, &v[other]));
            PetscCall(operate(which, v, &any));
            PetscCall(operate(which, u, &any));
            for (int k = 0; k < 3; k++)
                PetscCall(check_equal(v[k], u[k], 1e-14));
            PetscCall(destroy_three(v));
            PetscCall(destroy_three(u));
        }
    PetscFunctionReturn(0);
}

/* Every operation with one of its Vecs lent to the program, which writes before and after it through the
 * array that it took earlier, and sees there what the operation has written. */
static PetscErrorCode lent_arrays_see_operations_and_count(void)
{
    PetscBool any = PETSC_TRUE;
    PetscFunctionBeginUser;
    for (int which = 0; any; which++)
        for (int lent = 0; lent < 3; lent++) {
            Vec v[3], u[3];
            PetscScalar *a, *b;
            PetscInt n;
            PetscCall(make_scaled("vksolve", v));
            PetscCall(make_scaled(VECSTANDARD, u));
            PetscCall(VecGetLocalSize(v[lent], &n));
            PetscCall(VecGetArray(v[lent], &a));
            PetscCall(VecGetArray(u[lent], &b));
            for (PetscInt i = 0; i < n; i++)
                a[i] = b[i] = a[i] + 1;
            PetscCall(operate(which, v, &any));
            PetscCall(operate(which, u, &any));
            for (PetscInt i = 0; i < n; i++) {
                CHECK(PetscAbsReal(a[i] - b[i]) < 1e-14);
                a[i] = b[i] = 3 * b[i];
            }
            PetscCall(operate(which, v, &any));
            PetscCall(operate(which, u, &any));
            PetscCall(VecRestoreArray(v[lent], &a));
            PetscCall(VecRestoreArray(u[lent], &b));
            PetscCall(VecScale(v[0], 0.5));
            PetscCall(VecScale(u[0], 0.5));
            for (int k = 0; k < 3; k++)
                PetscCall(check_equal(v[k], u[k], 1e-13));
            PetscCall(destroy_three(v));
            PetscCall(destroy_three(u));
        }
    PetscFunctionReturn(0);
}

/* VecSetFromOptions does so with a Vec that a matrix has made. */
static PetscErrorCode types_may_be_set_again(void)
{
    Vec v, u;
    PetscFunctionBeginUser;
    PetscCall(make_vec("vksolve", N, 0.5, 0, &v));
    PetscCall(VecSetType(v, "vksolve"));
    PetscCall(VecSet(v, 2));
    PetscCall(make_vec(VECSTANDARD, N, 0.5, 0, &u));
    PetscCall(VecSet(u, 2));
    PetscCall(check_equal(v, u, 0));
    PetscCall(VecDestroy(&v));
    PetscCall(VecDestroy(&u));
    PetscFunctionReturn(0);
}

const struct check vec_checks[] = {
    {"operations_are_those_of_petsc", operations_are_those_of_petsc},
    {"sums_are_those_of_petsc", sums_are_those_of_petsc},
    {"sums_may_be_of_other_types", sums_may_be_of_other_types},
    {"lent_arrays_see_operations_and_count", lent_arrays_see_operations_and_count},
    {"other_types_may_take_part", other_types_may_take_part},
    {"types_may_be_set_again", types_may_be_set_again},
    {0}};
