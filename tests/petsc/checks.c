/* Checks of the plug-in that an ordinary program cannot make: single operations compared with PETSc's own,
 * and past bugs. Runs on any number of ranks. -only NAME: one of them; -except NAME: all
 * others. */
#include "check.h"

PetscErrorCode make_vec(VecType type, PetscInt local, PetscReal scale, PetscReal phase, Vec *v)
{
    PetscMPIInt size, rank;
    PetscInt first, end;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(VecCreate(PETSC_COMM_WORLD, v));
    PetscCall(VecSetSizes(*v, size > 1 && rank == size - 1 ? 0 : local, PETSC_DETERMINE));
    PetscCall(VecSetType(*v, type));
    PetscCall(VecGetOwnershipRange(*v, &first, &end));
    for (PetscInt i = first; i < end; i++)
        PetscCall(VecSetValue(*v, i, scale * PetscSinReal(i + phase) + 2, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(*v));
    PetscCall(VecAssemblyEnd(*v));
    PetscFunctionReturn(0);
}

PetscErrorCode check_equal(Vec a, Vec b, PetscReal tolerance)
{
    const PetscScalar *x, *y;
    PetscInt n, m;
    PetscFunctionBeginUser;
    PetscCall(VecGetLocalSize(a, &n));
    PetscCall(VecGetLocalSize(b, &m));
    CHECK(n == m);
    PetscCall(VecGetArrayRead(a, &x));
    PetscCall(VecGetArrayRead(b, &y));
    for (PetscInt i = 0; i < n; i++)
        PetscCheck(PetscAbsReal(x[i] - y[i]) <= tolerance, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                   "element %" PetscInt_FMT " is %.17g, not %.17g", i, x[i], y[i]);
    PetscCall(VecRestoreArrayRead(b, &y));
    PetscCall(VecRestoreArrayRead(a, &x));
    PetscFunctionReturn(0);
}

PetscErrorCode make_mat(MatType type, PetscInt rows, PetscInt cols, PetscInt seed, Mat *M)
{
    PetscInt first, end, all;
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_WORLD, M));
    PetscCall(MatSetSizes(*M, rows, cols, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(*M, type));
    PetscCall(MatSetUp(*M));
    PetscCall(MatGetSize(*M, NULL, &all));
    PetscCall(MatGetOwnershipRange(*M, &first, &end));
    for (PetscInt i = first; i < end; i++)
        for (PetscInt k = 0; k < 4; k++) {
            PetscInt j = (i * cols / rows + k * k * (seed + 2)) % all;
            PetscCall(MatSetValue(*M, i, j, PetscSinReal(i + 3 * k + seed) + (k ? 0 : 4), INSERT_VALUES));
        }
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* Vecs for a product, filled alike whatever their type. */
static PetscErrorCode make_sides(Mat M, Vec *right, Vec *left)
{
    Vec both[2];
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(M, right, left));
    both[0] = *right;
    both[1] = *left;
    for (int k = 0; k < 2; k++) {
        PetscInt first, end;
        PetscCall(VecGetOwnershipRange(both[k], &first, &end));
        for (PetscInt i = first; i < end; i++)
            PetscCall(VecSetValue(both[k], i, PetscCosReal(2 * i + k), INSERT_VALUES));
        PetscCall(VecAssemblyBegin(both[k]));
        PetscCall(VecAssemblyEnd(both[k]));
    }
    PetscFunctionReturn(0);
}

/* `to` = one of the products, the second and the last also in place. */
static PetscErrorCode product(Mat M, int which, Vec right, Vec left, Vec *to)
{
    PetscFunctionBeginUser;
    PetscCall(VecDuplicate(which < 3 ? left : right, to));
    PetscCall(VecCopy(which < 3 ? left : right, *to));
    if (which == 0)
        PetscCall(MatMult(M, right, *to));
    else if (which == 1)
        PetscCall(MatMultAdd(M, right, left, *to));
    else if (which == 2)
        PetscCall(MatMultAdd(M, right, *to, *to));
    else if (which == 3)
        PetscCall(MatMultTranspose(M, left, *to));
    else if (which == 4)
        PetscCall(MatMultTransposeAdd(M, left, right, *to));
    else
        PetscCall(MatMultTransposeAdd(M, left, *to, *to));
    PetscFunctionReturn(0);
}

PetscErrorCode check_products(Mat a, Mat b)
{
    Mat M[2] = {a, b};
    Vec right[2], left[2], to[2];
    PetscFunctionBeginUser;
    for (int k = 0; k < 2; k++)
        PetscCall(make_sides(M[k], &right[k], &left[k]));
    for (int which = 0; which < 6; which++) {
        for (int k = 0; k < 2; k++)
            PetscCall(product(M[k], which, right[k], left[k], &to[k]));
        PetscCall(check_equal(to[0], to[1], 1e-12));
        for (int k = 0; k < 2; k++)
            PetscCall(VecDestroy(&to[k]));
    }
    for (int k = 0; k < 2; k++) {
        PetscCall(VecDestroy(&right[k]));
        PetscCall(VecDestroy(&left[k]));
    }
    PetscFunctionReturn(0);
}

PetscErrorCode make_two(PetscInt rows, PetscInt cols, Mat M[2])
{
    PetscFunctionBeginUser;
    PetscCall(make_mat(OURS, rows, cols, 1, &M[0]));
    PetscCall(make_mat(MATAIJ, rows, cols, 1, &M[1]));
    PetscFunctionReturn(0);
}

PetscErrorCode destroy_two(Mat M[2])
{
    PetscFunctionBeginUser;
    PetscCall(MatDestroy(&M[0]));
    PetscCall(MatDestroy(&M[1]));
    PetscFunctionReturn(0);
}

PetscErrorCode check_type(Mat M, const char *root, PetscBool is)
{
    PetscBool seq, mpi;
    char name[64];
    PetscFunctionBeginUser;
    PetscCall(PetscSNPrintf(name, sizeof name, "seq%s", root));
    PetscCall(PetscObjectTypeCompare((PetscObject)M, name, &seq));
    PetscCall(PetscSNPrintf(name, sizeof name, "mpi%s", root));
    PetscCall(PetscObjectTypeCompare((PetscObject)M, name, &mpi));
    CHECK((seq || mpi) == is);
    PetscFunctionReturn(0);
}

PetscErrorCode make_path(MatType type, PetscInt n, PetscReal more, Mat *M)
{
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_SELF, M));
    PetscCall(MatSetSizes(*M, n, n, n, n));
    PetscCall(MatSetType(*M, type));
    PetscCall(MatSeqAIJSetPreallocation(*M, 3, NULL));
    for (PetscInt i = 0; i < n; i++) {
        PetscCall(MatSetValue(*M, i, i, 2 + more, INSERT_VALUES));
        if (i > 0)
            PetscCall(MatSetValue(*M, i, i - 1, -1, INSERT_VALUES));
        if (i < n - 1)
            PetscCall(MatSetValue(*M, i, i + 1, -1, INSERT_VALUES));
    }
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    const struct check *groups[] = {vec_checks,      vec_array_checks,   sequence_checks, mat_checks,
                                    mat_type_checks, mat_partner_checks, solver_checks,   choice_checks,
                                    kept_checks,     amg_checks};
    char only[128] = "", except[128] = "";
    PetscInt passed = 0;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-only", only, sizeof only, NULL));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-except", except, sizeof except, NULL));
    for (size_t g = 0; g < sizeof groups / sizeof *groups; g++)
        for (const struct check *c = groups[g]; c->name; c++) {
            if ((only[0] && strcmp(c->name, only)) || !strcmp(c->name, except))
                continue;
            PetscCall((*c->run)());
            PetscCall(PetscPrintf(PETSC_COMM_WORLD, "ok %s\n", c->name));
            passed++;
        }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%" PetscInt_FMT " checks passed\n", passed));
    PetscCall(PetscFinalize());
    return 0;
}
