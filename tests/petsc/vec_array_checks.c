/* Checks of the arrays of Vecs: where values are, and who may access them. */
#include "check.h"

#define N 37

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

/* Values that a caller wrote take effect, whether it returns the array or not. */
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
        PetscCall(VecScale(v, 2)); /* on the device, or on the host while the array is lent */
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
    PetscCall(VecScale(v, 3)); /* on the device; the borrower sees the result at the end */
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

/* v's own array is lent while another one is in its place. */
static PetscErrorCode a_lent_array_may_be_laid_aside(void)
{
    Vec v;
    PetscScalar *lent, *mine;
    PetscReal norm;
    PetscInt n, all;
    PetscFunctionBeginUser;
    PetscCall(make_vec("vksolve", N, 1, 0, &v));
    PetscCall(VecGetLocalSize(v, &n));
    PetscCall(VecGetSize(v, &all));
    PetscCall(PetscCalloc1(n, &mine));
    PetscCall(VecGetArray(v, &lent));
    PetscCall(VecPlaceArray(v, mine));
    PetscCall(VecSet(v, 7));
    PetscCall(VecResetArray(v));
    PetscCall(VecSet(v, 2));
    for (PetscInt i = 0; i < n; i++) {
        CHECK(lent[i] == 2 && mine[i] == 7);
        lent[i] = 3;
    }
    PetscCall(VecRestoreArray(v, &lent));
    PetscCall(VecScale(v, 2));
    PetscCall(VecNorm(v, NORM_2, &norm));
    CHECK(PetscAbsReal(norm - 6 * PetscSqrtReal(all)) < 1e-12);
    PetscCall(PetscFree(mine));
    PetscCall(VecDestroy(&v));
    PetscFunctionReturn(0);
}

/* Objects that a program composes, such as a DM, are kept; values are not. */
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

/* PETSc gives 0. */
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

/* x = x + s / 2 is deferred until x is multiplied by s, which the program has meanwhile written to, through
 * an array that it has not returned. The sum before it combines w = s x with the step. */
static PetscErrorCode a_step_has_the_values_of_its_time(void)
{
    Vec w, x, s;
    PetscScalar *lent, sum;
    PetscInt n;
    PetscFunctionBeginUser;
    for (int order = 0; order < 2; order++) {
        PetscCall(make_vec("vksolve", N, 1, 0, &x));
        PetscCall(VecDuplicate(x, &s));
        PetscCall(VecDuplicate(x, &w));
        PetscCall(VecSet(x, 1));
        PetscCall(VecSet(s, 2));
        PetscCall(VecSet(w, 0));
        PetscCall(VecDot(w, x, &sum));
        PetscCall(VecGetLocalSize(s, &n));
        PetscCall(VecGetArray(s, &lent));
        PetscCall(VecAXPY(x, 0.5, s));
        for (PetscInt i = 0; i < n; i++)
            lent[i] = 10;
        PetscCall(VecPointwiseMult(w, order ? x : s, order ? s : x));
        PetscCall(VecRestoreArray(s, &lent));
        PetscCall(VecSet(s, 20));
        PetscCall(check_equal(w, s, 0));
        PetscCall(VecSet(s, 2));
        PetscCall(check_equal(x, s, 0));
        PetscCall(VecDestroy(&w));
        PetscCall(VecDestroy(&x));
        PetscCall(VecDestroy(&s));
    }
    PetscFunctionReturn(0);
}

const struct check vec_array_checks[] = {
    {"an_array_for_writing_has_the_values", an_array_for_writing_has_the_values},
    {"what_is_written_into_an_array_counts", what_is_written_into_an_array_counts},
    {"placed_arrays_come_and_go", placed_arrays_come_and_go},
    {"duplicates_are_of_their_own", duplicates_are_of_their_own},
    {"division_by_zero_is_that_of_petsc", division_by_zero_is_that_of_petsc},
    {"parts_are_seen_and_written", parts_are_seen_and_written},
    {"files_and_local_vectors", files_and_local_vectors},
    {"a_lent_array_may_be_laid_aside", a_lent_array_may_be_laid_aside},
    {"a_step_has_the_values_of_its_time", a_step_has_the_values_of_its_time},
    {0}};
