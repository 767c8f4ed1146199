/* An ordinary PETSc program: Poisson's equation in a cube of -width unknowns an edge, on any number of
 * processes. Nothing in it refers to vksolve, which options select (docs/clusters.md).
 *
 * The rows are divided at multiples of 65,536, so that x, iterations and history have the same bits on any
 * number of processes. */
#include <petscksp.h>

enum { CUT = 65536 };

/* The number of rows, of n, on this process. */
static PetscErrorCode share(PetscInt n, PetscInt *rows)
{
    PetscMPIInt rank, ranks;
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &ranks));
    PetscInt pieces = n / CUT, first = pieces * rank / ranks * CUT, end = pieces * (rank + 1) / ranks * CUT;
    *rows = (rank + 1 == ranks ? n : end) - first;
    PetscFunctionReturn(0);
}

/* Row `row`: 6 on the diagonal, -1 for each neighbour. */
static PetscErrorCode set_row(Mat A, PetscInt width, PetscInt row)
{
    PetscInt place[3] = {row % width, row / width % width, row / width / width};
    PetscInt step[3] = {1, width, width * width}, col[7] = {row}, count = 1;
    PetscScalar val[7] = {6};
    PetscFunctionBeginUser;
    for (int d = 0; d < 3; d++) {
        if (place[d] > 0)
            col[count] = row - step[d], val[count++] = -1;
        if (place[d] + 1 < width)
            col[count] = row + step[d], val[count++] = -1;
    }
    PetscCall(MatSetValues(A, 1, &row, count, col, val, INSERT_VALUES));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(PetscInt width, Mat *A)
{
    PetscInt n = width * width * width, rows, first, end;
    PetscFunctionBeginUser;
    PetscCall(share(n, &rows));
    PetscCall(MatCreate(PETSC_COMM_WORLD, A));
    PetscCall(MatSetSizes(*A, rows, rows, n, n));
    PetscCall(MatSetFromOptions(*A));
    PetscCall(MatSeqAIJSetPreallocation(*A, 7, NULL));
    PetscCall(MatMPIAIJSetPreallocation(*A, 7, NULL, 2, NULL));
    PetscCall(MatGetOwnershipRange(*A, &first, &end));
    for (PetscInt row = first; row < end; row++)
        PetscCall(set_row(*A, width, row));
    PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* Solves for the solution that is 1 everywhere, and prints the outcome. */
static PetscErrorCode solve(Mat A)
{
    Vec x, b;
    KSP ksp;
    PetscInt its;
    PetscReal error;
    PetscLogDouble begun, ended;
    KSPConvergedReason reason;
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(A, &x, &b));
    PetscCall(VecSet(x, 1));
    PetscCall(MatMult(A, x, b));
    PetscCall(VecSet(x, 0));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPSetUp(ksp));
    PetscCall(PetscTime(&begun));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(PetscTime(&ended));
    PetscCall(KSPGetIterationNumber(ksp, &its));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(VecShift(x, -1));
    PetscCall(VecNorm(x, NORM_INFINITY, &error));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: %" PetscInt_FMT " iterations, %.3g s, error %.1e\n",
                          KSPConvergedReasons[reason], its, ended - begun, (double)error));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    Mat A;
    PetscInt width = 64;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-width", &width, NULL));
    PetscCall(make_matrix(width, &A));
    PetscCall(solve(A));
    PetscCall(MatDestroy(&A));
    PetscCall(PetscFinalize());
    return 0;
}
