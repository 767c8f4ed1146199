/* Checks of Vecs. */
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

/* The operations on elements from number 14 on; *any is false behind the last. */
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

/* Every operation on elements, in the order of `which`. */
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
        PetscCall(VecScale(v[0], 1.25)); /* so that its values are on the device alone */
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

static PetscErrorCode sums_are_those_of_petsc(void)
{
    Vec v[3], u[3];
    PetscReal a[32] = {0}, b[32] = {0};
    PetscFunctionBeginUser;
    PetscCall(make_three("vksolve", v));
    PetscCall(make_three(VECSTANDARD, u));
    PetscCall(VecScale(v[0], 1.25));
    PetscCall(VecScale(u[0], 1.25));
    PetscCall(sums(v, a));
    PetscCall(sums(u, b));
    for (int k = 0; k < 32; k++)
        PetscCheck(PetscAbsReal(a[k] - b[k]) <= 1e-13 * (1 + PetscAbsReal(b[k])), PETSC_COMM_SELF,
                   PETSC_ERR_PLIB, "sum %d is %.17g, not %.17g", k, a[k], b[k]);
    PetscCall(destroy_three(v));
    PetscCall(destroy_three(u));
    PetscFunctionReturn(0);
}

/* Operands of which some are PETSc's own: one at each place in turn. */
static PetscErrorCode other_types_may_take_part(void)
{
    PetscFunctionBeginUser;
    for (int other = 0; other < 3; other++)
        for (int which = 0; which < 20; which++) {
            Vec v[3], u[3];
            PetscBool any;
            if (which == 2) /* VecSwap wants equal types */
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

/* PCHYPRE sets x to zero and then takes its array "for writing", relying on the zeros. */
static PetscErrorCode an_array_for_writing_has_the_values(void)
{
    Vec v;
    PetscScalar *a;
    PetscInt n;
    PetscFunctionBeginUser;
    PetscCall(make_vec("vksolve", N, 1, 0, &v));
    PetscCall(VecSet(v, 3));
    PetscCall(VecGetLocalSize(v, &n));
    PetscCall(VecGetArrayWrite(v, &a));
    for (PetscInt i = 0; i < n; i++)
        CHECK(a[i] == 3);
    PetscCall(VecRestoreArrayWrite(v, &a));
    PetscCall(VecDestroy(&v));
    PetscFunctionReturn(0);
}

/* Values that a caller wrote count, whether it gives the array back or not. */
static PetscErrorCode what_is_written_into_an_array_counts(void)
{
    Vec v;
    PetscScalar *a;
    PetscReal norm;
    PetscInt n, all;
    PetscFunctionBeginUser;
    for (int back = 0; back < 2; back++) {
        PetscCall(make_vec("vksolve", N, 1, 0, &v));
        PetscCall(VecScale(v, 2));
        PetscCall(VecGetLocalSize(v, &n));
        PetscCall(VecGetSize(v, &all));
        PetscCall(VecGetArray(v, &a));
        for (PetscInt i = 0; i < n; i++)
            a[i] = 3;
        if (back)
            PetscCall(VecRestoreArray(v, &a));
        PetscCall(VecScale(v, 2)); /* on the device */
        PetscCall(VecNorm(v, NORM_2, &norm));
        CHECK(PetscAbsReal(norm - 6 * PetscSqrtReal(all)) < 1e-12);
        PetscCall(VecDestroy(&v));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode placed_arrays_come_and_go(void)
{
    Vec v, w;
    PetscScalar *mine;
    PetscInt n;
    PetscFunctionBeginUser;
    PetscCall(make_vec("vksolve", N, 1, 0, &v));
    PetscCall(VecScale(v, 2));
    PetscCall(VecDuplicate(v, &w));
    PetscCall(VecCopy(v, w));
    PetscCall(VecGetLocalSize(v, &n));
    PetscCall(PetscMalloc1(n, &mine));
    for (PetscInt i = 0; i < n; i++)
        mine[i] = 5;
    PetscCall(VecPlaceArray(v, mine));
    PetscCall(VecScale(v, 3)); /* on the device; the lender finds it at the end */
    PetscCall(VecResetArray(v));
    for (PetscInt i = 0; i < n; i++)
        CHECK(mine[i] == 15);
    PetscCall(check_equal(v, w, 0));
    PetscCall(VecReplaceArray(v, mine));
    PetscCall(VecShift(v, 1));
    PetscCall(VecSet(w, 16));
    PetscCall(check_equal(v, w, 0));
    PetscCall(VecDestroy(&v));
    PetscCall(VecDestroy(&w));
    PetscFunctionReturn(0);
}

/* What a program composes goes along, such as a DM; the values do not. */
static PetscErrorCode duplicates_are_of_their_own(void)
{
    Vec v, w;
    PetscContainer container;
    PetscObject found;
    PetscReal norm;
    PetscFunctionBeginUser;
    PetscCall(make_vec("vksolve", N, 1, 0, &v));
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscObjectCompose((PetscObject)v, "of a program", (PetscObject)container));
    PetscCall(VecScale(v, 2));
    PetscCall(VecDuplicate(v, &w));
    PetscCall(PetscObjectQuery((PetscObject)w, "of a program", &found));
    CHECK(found == (PetscObject)container);
    PetscCall(VecSet(v, 7));
    PetscCall(VecNorm(w, NORM_2, &norm));
    CHECK(norm == 0);
    PetscCall(PetscContainerDestroy(&container));
    PetscCall(VecDestroy(&v));
    PetscCall(VecNorm(w, NORM_2, &norm));
    CHECK(norm == 0);
    PetscCall(VecDestroy(&w));
    PetscFunctionReturn(0);
}

/* PETSc has 0 there. */
static PetscErrorCode division_by_zero_is_that_of_petsc(void)
{
    const VecType types[2] = {"vksolve", VECSTANDARD};
    Vec v[2], w[2];
    PetscInt first, end;
    PetscFunctionBeginUser;
    for (int k = 0; k < 2; k++) {
        PetscCall(make_vec(types[k], N, 1, 0, &v[k]));
        PetscCall(VecGetOwnershipRange(v[k], &first, &end));
        if (end > first)
            PetscCall(VecSetValue(v[k], first, 0, INSERT_VALUES));
        PetscCall(VecAssemblyBegin(v[k]));
        PetscCall(VecAssemblyEnd(v[k]));
        PetscCall(VecScale(v[k], 2));
        PetscCall(VecDuplicate(v[k], &w[k]));
        PetscCall(VecSet(w[k], 1));
        PetscCall(VecPointwiseDivide(w[k], w[k], v[k]));
        PetscCall(VecReciprocal(v[k]));
    }
    PetscCall(check_equal(v[0], v[1], 0));
    PetscCall(check_equal(w[0], w[1], 0));
    for (int k = 0; k < 2; k++) {
        PetscCall(VecDestroy(&v[k]));
        PetscCall(VecDestroy(&w[k]));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode parts_are_seen_and_written(void)
{
    Vec v, part;
    IS places;
    PetscInt first, end;
    PetscReal sum;
    PetscFunctionBeginUser;
    for (int stride = 1; stride <= 2; stride++) {
        PetscCall(make_vec("vksolve", N, 1, 0, &v));
        PetscCall(VecSet(v, 2));
        PetscCall(VecGetOwnershipRange(v, &first, &end));
        PetscCall(ISCreateStride(PETSC_COMM_WORLD, (end - first) / stride, first, stride, &places));
        PetscCall(VecGetSubVector(v, places, &part));
        PetscCall(VecScale(part, 2));
        PetscCall(VecRestoreSubVector(v, places, &part));
        PetscCall(VecSum(v, &sum));
        PetscCall(ISGetSize(places, &first));
        PetscCall(VecGetSize(v, &end));
        CHECK(sum == 2.0 * end + 2.0 * first);
        PetscCall(ISDestroy(&places));
        PetscCall(VecDestroy(&v));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode files_and_local_vectors(void)
{
    Vec v, w, local;
    PetscViewer file;
    PetscReal norm;
    char path[] = "checks-vec.bin";
    PetscFunctionBeginUser;
    PetscCall(make_vec("vksolve", N, 1, 0, &v));
    PetscCall(VecScale(v, 2));
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_WRITE, &file));
    PetscCall(VecView(v, file));
    PetscCall(PetscViewerDestroy(&file));
    PetscCall(VecDuplicate(v, &w));
    PetscCall(VecSet(w, 1));
    PetscCall(PetscViewerBinaryOpen(PETSC_COMM_WORLD, path, FILE_MODE_READ, &file));
    PetscCall(VecLoad(w, file));
    PetscCall(PetscViewerDestroy(&file));
    PetscCall(check_equal(v, w, 0));
    PetscCall(VecCreateLocalVector(v, &local));
    PetscCall(VecGetLocalVector(v, local));
    PetscCall(VecScale(local, 0));
    PetscCall(VecRestoreLocalVector(v, local));
    PetscCall(VecNorm(v, NORM_2, &norm));
    CHECK(norm == 0);
    PetscCall(VecDestroy(&local));
    PetscCall(VecDestroy(&v));
    PetscCall(VecDestroy(&w));
    PetscFunctionReturn(0);
}

const struct check vec_checks[] = {
    {"operations_are_those_of_petsc", operations_are_those_of_petsc},
    {"sums_are_those_of_petsc", sums_are_those_of_petsc},
    {"other_types_may_take_part", other_types_may_take_part},
    {"an_array_for_writing_has_the_values", an_array_for_writing_has_the_values},
    {"what_is_written_into_an_array_counts", what_is_written_into_an_array_counts},
    {"placed_arrays_come_and_go", placed_arrays_come_and_go},
    {"duplicates_are_of_their_own", duplicates_are_of_their_own},
    {"division_by_zero_is_that_of_petsc", division_by_zero_is_that_of_petsc},
    {"parts_are_seen_and_written", parts_are_seen_and_written},
    {"files_and_local_vectors", files_and_local_vectors},
    {0}};
