/* Checks of matrices with others: products, orderings, and replacements. */
#include "check.h"

/* A matrix of 20 rows and columns a rank in the type, or the transpose of one of `inner`. */
static PetscErrorCode make_partner(MatType type, MatType inner, Mat *B)
{
    PetscBool transpose;
    Mat M;
    PetscFunctionBeginUser;
    PetscCall(PetscStrcmp(type, MATTRANSPOSEVIRTUAL, &transpose));
    PetscCall(make_mat(transpose ? inner : MATAIJ, 20, 20, 3, &M));
    if (transpose)
        PetscCall(MatCreateTranspose(M, B));
    else
        PetscCall(MatConvert(M, type, MAT_INITIAL_MATRIX, B));
    PetscCall(MatDestroy(&M));
    PetscFunctionReturn(0);
}

/* *C = the product of A and B; with MAT_REUSE_MATRIX again, after A has changed. */
static PetscErrorCode multiply(MatProductType type, Mat A, Mat B, MatReuse reuse, Mat *C)
{
    PetscFunctionBeginUser;
    if (type == MATPRODUCT_AB)
        PetscCall(MatMatMult(A, B, reuse, PETSC_DEFAULT, C));
    else if (type == MATPRODUCT_AtB)
        PetscCall(MatTransposeMatMult(A, B, reuse, PETSC_DEFAULT, C));
    else if (type == MATPRODUCT_PtAP)
        PetscCall(MatPtAP(A, B, reuse, PETSC_DEFAULT, C));
    PetscFunctionReturn(0);
}

/* The same product with a matrix of the plug-in and with one of PETSc's, on the left or on the right. */
static PetscErrorCode check_product(MatProductType product, MatType partner, PetscBool left)
{
    Mat M[2], B[2], C[2];
    PetscBool once; /* PETSc cannot do it again */
    PetscFunctionBeginUser;
    PetscCall(PetscStrcmp(partner, MATTRANSPOSEVIRTUAL, &once));
    PetscCall(make_two(20, 20, M));
    for (int k = 0; k < 2; k++) {
        PetscCall(make_partner(partner, k ? MATAIJ : OURS, &B[k]));
        for (int again = 0; again < (once ? 1 : 2); again++) {
            PetscCall(multiply(product, left ? M[k] : B[k], left ? B[k] : M[k],
                               again ? MAT_REUSE_MATRIX : MAT_INITIAL_MATRIX, &C[k]));
            PetscCall(MatScale(M[k], 2));
        }
    }
    PetscCall(check_products(C[0], C[1]));
    PetscCall(destroy_two(M));
    PetscCall(destroy_two(B));
    PetscCall(destroy_two(C));
    PetscFunctionReturn(0);
}

/* The products that PETSc has with an AIJ. */
static PetscErrorCode products_take_partners_of_all_types(void)
{
    PetscFunctionBeginUser;
    PetscCall(check_product(MATPRODUCT_AB, MATDENSE, PETSC_TRUE));
    PetscCall(check_product(MATPRODUCT_AB, MATDENSE, PETSC_FALSE));
    PetscCall(check_product(MATPRODUCT_AtB, MATDENSE, PETSC_TRUE));
    PetscCall(check_product(MATPRODUCT_PtAP, MATDENSE, PETSC_FALSE));
    PetscCall(check_product(MATPRODUCT_PtAP, MATIS, PETSC_FALSE));
    PetscCall(check_product(MATPRODUCT_AB, MATTRANSPOSEVIRTUAL, PETSC_FALSE));
    PetscCall(check_product(MATPRODUCT_PtAP, MATAIJ, PETSC_TRUE));
    PetscCall(check_product(MATPRODUCT_PtAP, MATAIJ, PETSC_FALSE));
    PetscFunctionReturn(0);
}

/* As in Galerkin multigrid on a grid with several unknowns a node. */
static PetscErrorCode products_take_interpolations_of_several_unknowns(void)
{
    Mat A[2], scalar, P, C[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(24, 24, A));
    PetscCall(make_mat(MATAIJ, 12, 4, 2, &scalar));
    PetscCall(MatCreateMAIJ(scalar, 2, &P));
    for (int k = 0; k < 2; k++) {
        PetscCall(MatPtAP(A[k], P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C[k]));
        PetscCall(MatScale(A[k], 2));
        PetscCall(MatPtAP(A[k], P, MAT_REUSE_MATRIX, PETSC_DEFAULT, &C[k]));
    }
    PetscCall(check_products(C[0], C[1]));
    PetscCall(destroy_two(A));
    PetscCall(destroy_two(C));
    PetscCall(MatDestroy(&P));
    PetscCall(MatDestroy(&scalar));
    PetscFunctionReturn(0);
}

/* A B^T in all mixtures of the types, which PETSc has for matrices of one process. */
static PetscErrorCode a_product_with_a_transpose_takes_both_types(void)
{
    PetscFunctionBeginUser;
    for (int mixture = 0; mixture < 4; mixture++) {
        Mat A, B, C[2];
        for (int k = 0; k < 2; k++) {
            PetscCall(make_path(k && mixture & 1 ? "seqaijvksolve" : MATSEQAIJ, 9, 1, &A));
            PetscCall(make_path(k && mixture & 2 ? "seqaijvksolve" : MATSEQAIJ, 9, 2, &B));
            PetscCall(MatMatTransposeMult(A, B, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &C[k]));
            PetscCall(MatDestroy(&A));
            PetscCall(MatDestroy(&B));
        }
        PetscCall(check_products(C[0], C[1]));
        PetscCall(destroy_two(C));
    }
    PetscFunctionReturn(0);
}

/* PETSc orders the rows of each process by themselves. */
static PetscErrorCode orderings_are_those_of_petsc(void)
{
    const MatOrderingType types[] = {MATORDERINGNATURAL, MATORDERINGND, MATORDERINGRCM, MATORDERINGQMD};
    Mat M[2];
    PetscFunctionBeginUser;
    for (int k = 0; k < 2; k++) {
        Mat transpose;
        PetscCall(make_mat(k ? MATAIJ : OURS, 20, 20, 1, &M[k]));
        PetscCall(MatTranspose(M[k], MAT_INITIAL_MATRIX, &transpose));
        PetscCall(MatAXPY(M[k], 1, transpose, DIFFERENT_NONZERO_PATTERN));
        PetscCall(MatDestroy(&transpose));
    }
    for (size_t t = 0; t < PETSC_STATIC_ARRAY_LENGTH(types); t++) {
        IS rows[2], cols[2];
        PetscBool same;
        for (int k = 0; k < 2; k++)
            PetscCall(MatGetOrdering(M[k], types[t], &rows[k], &cols[k]));
        PetscCall(ISEqual(rows[0], rows[1], &same));
        CHECK(same);
        for (int k = 0; k < 2; k++) {
            PetscCall(ISDestroy(&rows[k]));
            PetscCall(ISDestroy(&cols[k]));
        }
    }
    PetscCall(check_type(M[0], OURS, PETSC_TRUE));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

static PetscErrorCode factors_in_place_solve(void)
{
    PetscFunctionBeginUser;
    for (int type = 0; type < 2; type++) {
        struct system s;
        IS rows, cols;
        PetscCall(make_system(&s, "seqaijvksolve", KSPPREONLY, type ? PCILU : PCLU));
        PetscCall(PCFactorSetUseInPlace(s.pc, PETSC_TRUE));
        PetscCall(KSPSolve(s.ksp, s.b, s.x));
        PetscCall(check_equal(s.x, s.ones, 1e-10));
        PetscCall(destroy_system(&s));
        PetscCall(make_system(&s, "seqaijvksolve", KSPPREONLY, PCNONE));
        PetscCall(MatGetOrdering(s.M, MATORDERINGND, &rows, &cols));
        PetscCall((type ? MatILUFactor : MatLUFactor)(s.M, rows, cols, &(MatFactorInfo){.fill = 5}));
        PetscCall(check_type(s.M, OURS, PETSC_TRUE));
        PetscCall(ISDestroy(&rows));
        PetscCall(ISDestroy(&cols));
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

/* *B = a transpose made of the type, then replaced twice in itself, with other entries, as *A. PETSc keeps
 * the type and the operations of the first, with the data of a matrix of the type of A. */
static PetscErrorCode make_replaced(Mat *A, Mat *B)
{
    PetscFunctionBeginUser;
    PetscCall(make_path(MATSEQAIJ, 9, 0, A));
    PetscCall(MatSetOption(*A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
    PetscCall(MatTranspose(*A, MAT_INITIAL_MATRIX, B));
    PetscCall(MatConvert(*B, OURS, MAT_INPLACE_MATRIX, B));
    for (PetscInt k = 7; k < 9; k++) {
        PetscCall(MatSetValue(*A, 0, k, 3, INSERT_VALUES));
        PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
        PetscCall(MatTranspose(*A, MAT_REUSE_MATRIX, B));
    }
    PetscCall(check_type(*B, OURS, PETSC_TRUE));
    PetscFunctionReturn(0);
}

static PetscErrorCode a_matrix_of_another_type_takes_its_place(void)
{
    PetscFunctionBeginUser;
    for (int after = 0; after < 3; after++) {
        Mat A, B, same;
        PetscCall(make_replaced(&A, &B));
        PetscCall(MatTranspose(A, MAT_INITIAL_MATRIX, &same));
        if (after == 1)
            PetscCall(MatConvert(B, MATSEQAIJ, MAT_INPLACE_MATRIX, &B));
        if (after)
            PetscCall(check_products(B, same));
        PetscCall(MatDestroy(&A));
        PetscCall(MatDestroy(&B));
        PetscCall(MatDestroy(&same));
    }
    PetscFunctionReturn(0);
}

const struct check mat_partner_checks[] = {
    {"products_take_partners_of_all_types", products_take_partners_of_all_types},
    {"products_take_interpolations_of_several_unknowns", products_take_interpolations_of_several_unknowns},
    {"a_product_with_a_transpose_takes_both_types", a_product_with_a_transpose_takes_both_types},
    {"orderings_are_those_of_petsc", orderings_are_those_of_petsc},
    {"factors_in_place_solve", factors_in_place_solve},
    {"a_matrix_of_another_type_takes_its_place", a_matrix_of_another_type_takes_its_place},
    {0}};
