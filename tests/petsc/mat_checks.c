/* Checks of products, and of values that change. */
#include "check.h"

static PetscErrorCode products_are_those_of_petsc(void)
{
    const PetscInt shapes[4][2] = {{30, 30}, {40, 11}, {11, 40}, {1, 1}};
    PetscFunctionBeginUser;
    for (int k = 0; k < 4; k++) {
        Mat M[2];
        PetscCall(make_two(shapes[k][0], shapes[k][1], M));
        PetscCall(check_products(M[0], M[1]));
        PetscCall(destroy_two(M));
    }
    PetscFunctionReturn(0);
}

/* Fewer rows than ranks, so that some ranks have none. */
static PetscErrorCode ranks_may_be_empty(void)
{
    Mat M[2];
    PetscMPIInt rank;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(make_two(rank % 2 ? 0 : 7, rank % 2 ? 0 : 7, M));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* Operations that change values; *any is false after the last. */
static PetscErrorCode change(Mat M, int which, PetscBool *any)
{
    Vec right, left;
    PetscInt first, end, all;
    PetscFunctionBeginUser;
    *any = PETSC_TRUE;
    PetscCall(MatGetOwnershipRange(M, &first, &end));
    PetscCall(MatGetSize(M, NULL, &all));
    PetscCall(MatCreateVecs(M, &right, &left));
    PetscCall(VecSet(right, 2));
    PetscCall(VecSet(left, -3));
    switch (which) {
    case 0:
        PetscCall(MatScale(M, 1.5));
        break;
    case 1:
        PetscCall(MatShift(M, 0.5));
        break;
    case 2:
        PetscCall(MatDiagonalScale(M, left, right));
        break;
    case 3:
        PetscCall(MatDiagonalSet(M, left, ADD_VALUES));
        break;
    case 4:
        for (PetscInt i = first; i < end; i++)
            PetscCall(MatSetValue(M, i, (i + 3) % all, 11, INSERT_VALUES)); /* most of them are new entries */
        PetscCall(MatAssemblyBegin(M, MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(M, MAT_FINAL_ASSEMBLY));
        break;
    case 5:
        PetscCall(MatAXPY(M, 2, M, SAME_NONZERO_PATTERN));
        break;
    case 6:
        PetscCall(MatZeroRows(M, 1, &first, 5, NULL, NULL));
        break;
    case 7:
        PetscCall(MatZeroEntries(M));
        break;
    default:
        *any = PETSC_FALSE;
    }
    PetscCall(VecDestroy(&right));
    PetscCall(VecDestroy(&left));
    PetscFunctionReturn(0);
}

static PetscErrorCode the_device_follows_every_change(void)
{
    Mat M[2];
    PetscBool any = PETSC_TRUE;
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    for (int k = 0; k < 2; k++) {
        PetscCall(MatSetOption(M[k], MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
        PetscCall(MatSetOption(M[k], MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
    }
    PetscCall(check_products(M[0], M[1]));
    for (int which = 0; any; which++) {
        for (int k = 0; k < 2; k++)
            PetscCall(change(M[k], which, &any));
        PetscCall(check_products(M[0], M[1]));
    }
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* PETSc counts new entries: the counters of a new structure may equal those of the old one. */
static PetscErrorCode a_new_structure_is_seen(void)
{
    Mat M[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    for (PetscInt round = 0; round < 3; round++) {
        for (int k = 0; k < 2; k++) {
            PetscInt first, end, all;
            PetscCall(MatSeqAIJSetPreallocation(M[k], 4, NULL));
            PetscCall(MatMPIAIJSetPreallocation(M[k], 4, NULL, 4, NULL));
            PetscCall(MatGetSize(M[k], NULL, &all));
            PetscCall(MatGetOwnershipRange(M[k], &first, &end));
            for (PetscInt i = first; i < end; i++) {
                PetscInt own = first + (i - first + round + 1) % (end - first);
                PetscCall(MatSetValue(M[k], i, i, 3, INSERT_VALUES));
                PetscCall(MatSetValue(M[k], i, own, 1, INSERT_VALUES));
                PetscCall(MatSetValue(M[k], i, (end + round) % all, 2, INSERT_VALUES));
            }
            PetscCall(MatAssemblyBegin(M[k], MAT_FINAL_ASSEMBLY));
            PetscCall(MatAssemblyEnd(M[k], MAT_FINAL_ASSEMBLY));
        }
        PetscCall(check_products(M[0], M[1]));
    }
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* Triplets, some of them for rows of other ranks, and some twice. */
static PetscErrorCode triplets_are_assembled(void)
{
    const MatType types[2] = {OURS, MATAIJ};
    Mat M[2];
    PetscInt row[60], col[60];
    PetscScalar val[60];
    PetscMPIInt size, rank;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    for (int k = 0; k < 2; k++) {
        PetscCall(MatCreate(PETSC_COMM_WORLD, &M[k]));
        PetscCall(MatSetSizes(M[k], 10, 10, PETSC_DETERMINE, PETSC_DETERMINE));
        PetscCall(MatSetType(M[k], types[k]));
        for (PetscInt e = 0; e < 60; e++) {
            row[e] = (10 * rank + e / 4) % (10 * size);
            col[e] = (row[e] + e % 3 * 5) % (10 * size);
        }
        PetscCall(MatSetPreallocationCOO(M[k], 60, row, col));
    }
    for (int round = 1; round <= 2; round++) {
        for (PetscInt e = 0; e < 60; e++)
            val[e] = PetscSinReal(e * round) + 3;
        for (int k = 0; k < 2; k++)
            PetscCall(MatSetValuesCOO(M[k], val, round == 1 ? INSERT_VALUES : ADD_VALUES));
        PetscCall(check_products(M[0], M[1]));
        PetscCall(check_type(M[0], OURS, PETSC_TRUE));
    }
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* Rows in any order, as MatCreateSeqAIJWithArrays permits if PETSc is compiled without argument checks. */
static PetscErrorCode rows_may_be_unsorted(void)
{
    PetscInt row[] = {0, 3, 5, 6}, col[] = {2, 0, 1, 1, 0, 2};
    PetscScalar val[] = {1, 2, 3, 4, 5, 6};
    Mat M, A;
    PetscFunctionBeginUser;
    if (PetscDefined(USE_DEBUG))
        PetscFunctionReturn(0);
    PetscCall(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, 3, 3, row, col, val, &A));
    PetscCall(MatConvert(A, "seqaijvksolve", MAT_INITIAL_MATRIX, &M));
    PetscCall(check_products(M, A));
    PetscCall(MatScale(M, 2));
    PetscCall(MatScale(A, 2));
    PetscCall(check_products(M, A));
    PetscCall(MatDestroy(&M));
    PetscCall(MatDestroy(&A));
    PetscFunctionReturn(0);
}

static PetscErrorCode submatrices_are_taken(void)
{
    Mat M[2], B[2];
    PetscInt first, end;
    IS is;
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    PetscCall(MatGetOwnershipRange(M[0], &first, &end));
    PetscCall(ISCreateStride(PETSC_COMM_WORLD, 10, first, 2, &is));
    for (int k = 0; k < 2; k++)
        PetscCall(MatCreateSubMatrix(M[k], is, is, MAT_INITIAL_MATRIX, &B[k]));
    PetscCall(check_products(B[0], B[1]));
    PetscCall(ISDestroy(&is));
    PetscCall(destroy_two(B));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* Vecs of PETSc's own types with this matrix. */
static PetscErrorCode host_vectors_may_be_multiplied(void)
{
    Mat M[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    PetscCall(MatSetVecType(M[0], VECSTANDARD));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(MatSetVecType(M[1], "vksolve"));
    PetscCall(check_products(M[0], M[1]));
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

/* The array of the result is lent on the first rank alone. */
static PetscErrorCode multiply_into_lent(Mat M, PetscBool transposed, Vec *z)
{
    PetscMPIInt rank;
    PetscScalar *array;
    Vec x;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(MatCreateVecs(M, transposed ? z : &x, transposed ? &x : z));
    PetscCall(VecSet(x, 1.5));
    PetscCall(VecSet(*z, 2));
    if (rank == 0)
        PetscCall(VecGetArray(*z, &array));
    PetscCall(transposed ? MatMultTransposeAdd(M, x, *z, *z) : MatMultAdd(M, x, *z, *z));
    if (rank == 0) {
        array[0] += 100;
        PetscCall(VecRestoreArray(*z, &array));
    }
    PetscCall(VecScale(*z, 2));
    PetscCall(VecDestroy(&x));
    PetscFunctionReturn(0);
}

static PetscErrorCode a_sum_may_be_lent_on_one_rank(void)
{
    Mat M[2];
    Vec z[2];
    PetscFunctionBeginUser;
    PetscCall(make_two(20, 20, M));
    for (int transposed = 0; transposed < 2; transposed++) {
        for (int k = 0; k < 2; k++)
            PetscCall(multiply_into_lent(M[k], transposed ? PETSC_TRUE : PETSC_FALSE, &z[k]));
        PetscCall(check_equal(z[0], z[1], 1e-12));
        PetscCall(VecDestroy(&z[0]));
        PetscCall(VecDestroy(&z[1]));
    }
    PetscCall(destroy_two(M));
    PetscFunctionReturn(0);
}

const struct check mat_checks[] = {{"products_are_those_of_petsc", products_are_those_of_petsc},
                                   {"ranks_may_be_empty", ranks_may_be_empty},
                                   {"the_device_follows_every_change", the_device_follows_every_change},
                                   {"a_new_structure_is_seen", a_new_structure_is_seen},
                                   {"triplets_are_assembled", triplets_are_assembled},
                                   {"rows_may_be_unsorted", rows_may_be_unsorted},
                                   {"submatrices_are_taken", submatrices_are_taken},
                                   {"host_vectors_may_be_multiplied", host_vectors_may_be_multiplied},
                                   {"a_sum_may_be_lent_on_one_rank", a_sum_may_be_lent_on_one_rank},
                                   {0}};
