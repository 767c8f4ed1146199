/* An ordinary PETSc program whose matrix and vectors are those of a DMDA. Its options are -side, and PETSc's
 * own. Solves by the KSP, from a right-hand side that it computes on the grid, and prints the outcome on one
 * line. */
#include <petscdmda.h>
#include <petscksp.h>

/* The five points of the grid. */
static PetscErrorCode set_operators(KSP ksp, Mat J, Mat A, void *user)
{
    DM dm;
    DMDALocalInfo g;
    PetscFunctionBeginUser;
    (void)J, (void)user;
    PetscCall(KSPGetDM(ksp, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &g));
    for (PetscInt j = g.ys; j < g.ys + g.ym; j++)
        for (PetscInt i = g.xs; i < g.xs + g.xm; i++) {
            const PetscInt near[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
            MatStencil row = {.i = i, .j = j}, col[5] = {row};
            PetscScalar val[5] = {4.01};
            PetscInt count = 1;
            for (int k = 0; k < 4; k++) {
                PetscInt x = i + near[k][0], y = j + near[k][1];
                if (x < 0 || y < 0 || x >= g.mx || y >= g.my)
                    continue;
                col[count] = (MatStencil){.i = x, .j = y};
                val[count++] = -1;
            }
            PetscCall(MatSetValuesStencil(A, 1, &row, count, col, val, INSERT_VALUES));
        }
    PetscCall(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode set_right_side(KSP ksp, Vec b, void *user)
{
    DM dm;
    DMDALocalInfo g;
    PetscScalar **value;
    PetscFunctionBeginUser;
    (void)user;
    PetscCall(KSPGetDM(ksp, &dm));
    PetscCall(DMDAGetLocalInfo(dm, &g));
    PetscCall(DMDAVecGetArray(dm, b, &value));
    for (PetscInt j = g.ys; j < g.ys + g.ym; j++)
        for (PetscInt i = g.xs; i < g.xs + g.xm; i++)
            value[j][i] = 1 + PetscSinReal(0.7 * (j * g.mx + i));
    PetscCall(DMDAVecRestoreArray(dm, b, &value));
    PetscFunctionReturn(0);
}

static PetscErrorCode report(KSP ksp)
{
    PetscInt its;
    Vec x, b, r;
    Mat A;
    PetscReal norm[2];
    KSPConvergedReason reason;
    MatType mat;
    VecType vec;
    PetscFunctionBeginUser;
    PetscCall(KSPGetSolution(ksp, &x));
    PetscCall(KSPGetRhs(ksp, &b));
    PetscCall(KSPGetOperators(ksp, &A, NULL));
    PetscCall(VecDuplicate(b, &r));
    PetscCall(MatMult(A, x, r));
    PetscCall(VecAXPY(r, -1, b));
    PetscCall(VecNorm(r, NORM_2, &norm[0]));
    PetscCall(VecNorm(b, NORM_2, &norm[1]));
    PetscCall(KSPGetIterationNumber(ksp, &its));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    PetscCall(MatGetType(A, &mat));
    PetscCall(VecGetType(x, &vec));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "its %" PetscInt_FMT " reason %s error %.1e mat %s vec %s\n", its,
                          KSPConvergedReasons[reason], (double)(norm[0] / norm[1]), mat, vec));
    PetscCall(VecDestroy(&r));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    PetscInt side = 40;
    PetscMPIInt size;
    DM dm;
    KSP ksp;
    PetscFunctionBeginUser;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCallMPI(MPI_Comm_size(PETSC_COMM_WORLD, &size));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-side", &side, NULL));
    PetscCall(DMDACreate2d(PETSC_COMM_WORLD, DM_BOUNDARY_NONE, DM_BOUNDARY_NONE, DMDA_STENCIL_STAR, side,
                           side, 1, size, 1, 1, NULL, NULL, &dm));
    PetscCall(DMSetFromOptions(dm));
    PetscCall(DMSetUp(dm));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetDM(ksp, dm));
    PetscCall(KSPSetComputeOperators(ksp, set_operators, NULL));
    PetscCall(KSPSetComputeRHS(ksp, set_right_side, NULL));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(KSPSolve(ksp, NULL, NULL));
    PetscCall(report(ksp));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(DMDestroy(&dm));
    PetscCall(PetscFinalize());
    return 0;
}
