/* Checks of the types of matrices and their conversions. */
#include "check.h"

#include <petscdmda.h>

static PetscErrorCode duplicates_are_of_their_own(void)
{
    Mat M[2], D[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    PetscCall(check_products(M[0], M[1]));
    for (int k = 0; k < 2; k++)
        PetscCall(MatDuplicate(M[k], MAT_COPY_VALUES, &D[k]));
    PetscCall(check_type(D[0], OURS, PETSC_TRUE));
    for (int k = 0; k < 2; k++)
        PetscCall(MatScale(M[k], 3));
    PetscCall(check_products(D[0], D[1]));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscCall(check_products(D[0], D[1]));
    PetscCall(destroy_two(D));
    PetscFunctionReturn(0);
}

static PetscErrorCode conversions_go_both_ways(void)
{
    Mat M[2], B = NULL;
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    PetscCall(MatConvert(M[1], OURS, MAT_INITIAL_MATRIX, &B));
    PetscCall(check_type(B, OURS, PETSC_TRUE));
    PetscCall(check_products(B, M[1]));
    PetscCall(MatScale(M[1], 2));
    PetscCall(MatScale(M[0], 2));
    PetscCall(MatConvert(M[1], OURS, MAT_REUSE_MATRIX, &B));
    PetscCall(check_products(B, M[1]));
    PetscCall(MatConvert(B, MATAIJ, MAT_INPLACE_MATRIX, &B));
    PetscCall(check_type(B, MATAIJ, PETSC_TRUE));
    PetscCall(check_products(B, M[0]));
    PetscCall(MatConvert(B, OURS, MAT_INPLACE_MATRIX, &B));
    PetscCall(check_type(B, OURS, PETSC_TRUE));
    PetscCall(check_products(B, M[1]));
    PetscCall(MatDestroy(&B));
    PetscCall(MatConvert(M[0], MATAIJ, MAT_INITIAL_MATRIX, &B));
    PetscCall(check_type(B, MATAIJ, PETSC_TRUE));
    PetscCall(check_products(B, M[1]));
    PetscCall(MatDestroy(&B));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* MatSetType of an existing matrix converts it. If the new type has no conversion, PETSc makes another
 * matrix, value by value, and loses what programs have composed with it. */
static PetscErrorCode a_type_can_be_set_later(void)
{
    Mat M[2];
    PetscMPIInt size;
    PetscContainer container;
    PetscObject found;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCall(make_two(20, 20, M));
    PetscCall(MatDestroy(&M[0]));
    PetscCall(MatDuplicate(M[1], MAT_COPY_VALUES, &M[0]));
    PetscCall(PetscContainerCreate(PETSC_COMM_SELF, &container));
    PetscCall(PetscObjectCompose((PetscObject)M[0], "of a program", (PetscObject)container));
    PetscCall(MatSetType(M[0], size == 1 ? "seqaijvksolve" : "mpiaijvksolve"));
    PetscCall(PetscObjectQuery((PetscObject)M[0], "of a program", &found));
    CHECK(found == (PetscObject)container);
    PetscCall(PetscContainerDestroy(&container));
    PetscCall(check_type(M[0], OURS, PETSC_TRUE));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* PETSc finds rows of equal structure (inodes) in assembly, and has products of its own for them. */
static PetscErrorCode assembly_keeps_the_products(void)
{
    Mat M[2];
    void (*before)(void), (*after)(void);
    PetscFunctionBeginUser;
    for (int k = 0; k < 2; k++) {
        PetscInt first, end;
        PetscCall(MatCreate(PETSC_COMM_WORLD, &M[k]));
        PetscCall(MatSetSizes(M[k], 24, 24, PETSC_DETERMINE, PETSC_DETERMINE));
        PetscCall(MatSetType(M[k], k ? MATAIJ : OURS));
        PetscCall(MatSetUp(M[k]));
        PetscCall(MatGetOperation(M[k], MATOP_MULT, &before));
        PetscCall(MatGetOwnershipRange(M[k], &first, &end));
        for (PetscInt i = first; i < end; i++)
            for (PetscInt j = i - i % 4; j < i - i % 4 + 4; j++)
                PetscCall(MatSetValue(M[k], i, j, 1 + i + j, INSERT_VALUES));
        PetscCall(MatAssemblyBegin(M[k], MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(M[k], MAT_FINAL_ASSEMBLY));
        PetscCall(MatGetOperation(M[k], MATOP_MULT, &after));
        CHECK(k || before == after);
    }
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* Another matrix takes the place of this one (MatHeaderMerge). */
static PetscErrorCode a_transpose_in_place(void)
{
    Mat M[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    PetscCall(check_products(M[0], M[1]));
    for (int k = 0; k < 2; k++)
        PetscCall(MatTranspose(M[k], MAT_INPLACE_MATRIX, &M[k]));
    PetscCall(check_type(M[0], OURS, PETSC_TRUE));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(MatConvert(M[0], MATAIJ, MAT_INPLACE_MATRIX, &M[0]));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* P^T A P, as gamg makes its levels, A P, and the diagonal block. */
static PetscErrorCode products_of_matrices_keep_the_type(void)
{
    Mat A[2], P[2], C[2], D[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(24, 24, A));
    PetscCall(make_two(24, 8, P));
    for (int k = 0; k < 2; k++) {
        PetscCall(MatPtAP(A[k], P[k], MAT_INITIAL_MATRIX, 2, &C[k]));
        PetscCall(MatScale(A[k], 2));
        PetscCall(MatPtAP(A[k], P[k], MAT_REUSE_MATRIX, 2, &C[k]));
        PetscCall(MatMatMult(A[k], P[k], MAT_INITIAL_MATRIX, 2, &D[k]));
    }
    PetscCall(check_type(C[0], OURS, PETSC_TRUE));
    PetscCall(check_products(C[0], C[1]));
    PetscCall(check_products(D[0], D[1]));
    PetscCall(destroy_two(A));
    PetscCall(destroy_two(P));
    PetscCall(destroy_two(C));
    PetscCall(destroy_two(D));
    PetscFunctionReturn(0);
}

/* PETSc asks for functions under names with the type of the matrix: conversions to other types, products with
 * dense matrices. */
static PetscErrorCode other_types_take_it(void)
{
    const MatType types[] = {MATDENSE, MATBAIJ, MATIS, MATHYPRE, MATAIJPERM};
    Mat M[2], B[2], X[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    for (size_t t = 0; t < PETSC_STATIC_ARRAY_LENGTH(types); t++) {
        for (int k = 0; k < 2; k++)
            PetscCall(MatConvert(M[k], types[t], MAT_INITIAL_MATRIX, &B[k]));
        PetscCall(check_products(B[0], B[1]));
        PetscCall(destroy_two(B));
    }
    for (int k = 0; k < 2; k++) {
        PetscCall(MatCreateDense(PETSC_COMM_WORLD, 20, PETSC_DECIDE, PETSC_DETERMINE, 7, NULL, &X[k]));
        PetscCall(MatAssemblyBegin(X[k], MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(X[k], MAT_FINAL_ASSEMBLY));
        PetscCall(MatZeroEntries(X[k]));
        PetscCall(MatShift(X[k], 3));
        PetscCall(MatMatMult(M[k], X[k], MAT_INITIAL_MATRIX, 2, &B[k]));
    }
    PetscCall(check_products(B[0], B[1]));
    PetscCall(destroy_two(B));
    PetscCall(destroy_two(X));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* A grid of PETSc's with two unknowns a node, whose matrix and vectors are of the types. */
static PetscErrorCode make_on_grid(DM *dm, MatType mat, VecType vec, Mat *M)
{
    PetscInt x, y, width, height;
    PetscFunctionBeginUser;
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_PERIODIC, DMDA_STENCIL_STAR, 8, 9,
                           PETSC_DECIDE, PETSC_DECIDE, 2, 1, NULL, NULL, dm));
    PetscCall(DMSetMatType(*dm, mat));
    PetscCall(DMSetVecType(*dm, vec));
    PetscCall(DMSetUp(*dm));
    PetscCall(DMCreateMatrix(*dm, M));
    PetscCall(DMDAGetCorners(*dm, &x, &y, NULL, &width, &height, NULL));
    for (PetscInt j = y; j < y + height; j++)
        for (PetscInt i = x; i < x + width; i++) {
            const MatStencil at = {.i = i, .j = j, .c = j % 2}, other = {.i = i, .j = j + 1, .c = i % 2};
            PetscCall(MatSetValuesStencil(*M, 1, &at, 1, &at, (PetscScalar[]){4 + i}, ADD_VALUES));
            PetscCall(MatSetValuesStencil(*M, 1, &at, 1, &other, (PetscScalar[]){-1}, ADD_VALUES));
        }
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode grids_make_them(void)
{
    DM dm[2], found;
    Mat M[2];
    Vec x[2], local[2], y;
    PetscFunctionBeginUser;
    PetscCall(make_on_grid(&dm[0], OURS, "vksolve", &M[0]));
    PetscCall(make_on_grid(&dm[1], MATAIJ, VECSTANDARD, &M[1]));
    PetscCall(check_type(M[0], OURS, PETSC_TRUE));
    PetscCall(check_products(M[0], M[1]));
    for (int k = 0; k < 2; k++) {
        PetscCall(DMCreateGlobalVector(dm[k], &x[k]));
        PetscCall(DMCreateLocalVector(dm[k], &local[k]));
        PetscCall(VecSet(local[k], 1));
        PetscCall(VecScale(local[k], 1.5));
        PetscCall(VecZeroEntries(x[k]));
        PetscCall(DMLocalToGlobal(dm[k], local[k], ADD_VALUES, x[k]));
        PetscCall(VecScale(x[k], 2));
        PetscCall(DMGlobalToLocal(dm[k], x[k], INSERT_VALUES, local[k]));
    }
    PetscCall(check_equal(x[0], x[1], 0));
    PetscCall(check_equal(local[0], local[1], 0));
    PetscCall(VecDuplicate(x[0], &y));
    PetscCall(VecGetDM(y, &found));
    CHECK(found == dm[0]);
    PetscCall(VecDestroy(&y));
    for (int k = 0; k < 2; k++) {
        PetscCall(VecDestroy(&x[k]));
        PetscCall(VecDestroy(&local[k]));
        PetscCall(DMDestroy(&dm[k]));
    }
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* PETSc wraps the operation that destroys a submatrix, and assembles one later. */
static PetscErrorCode submatrices_can_change_their_type(void)
{
    Mat M, *part;
    IS rows;
    PetscFunctionBeginUser;
    PetscCall(make_path("seqaijvksolve", 12, 0, &M));
    PetscCall(ISCreateStride(PETSC_COMM_SELF, 6, 3, 1, &rows));
    for (int back = 0; back < 2; back++) {
        PetscCall(MatCreateSubMatrices(M, 1, &rows, &rows, MAT_INITIAL_MATRIX, &part));
        PetscCall(MatShift(part[0], 1));
        if (back) {
            PetscCall(MatConvert(part[0], MATSEQAIJ, MAT_INPLACE_MATRIX, &part[0]));
            PetscCall(check_type(part[0], OURS, PETSC_FALSE));
        }
        PetscCall(MatDestroySubMatrices(1, &part));
    }
    PetscCall(ISDestroy(&rows));
    PetscCall(MatDestroy(&M));
    PetscFunctionReturn(0);
}

const struct check mat_type_checks[] = {
    {"matrix_duplicates_are_of_their_own", duplicates_are_of_their_own},
    {"conversions_go_both_ways", conversions_go_both_ways},
    {"a_type_can_be_set_later", a_type_can_be_set_later},
    {"assembly_keeps_the_products", assembly_keeps_the_products},
    {"a_transpose_in_place", a_transpose_in_place},
    {"products_of_matrices_keep_the_type", products_of_matrices_keep_the_type},
    {"grids_make_them", grids_make_them},
    {"other_types_take_it", other_types_take_it},
    {"submatrices_can_change_their_type", submatrices_can_change_their_type},
    {0}};
