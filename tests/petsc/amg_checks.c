/* Checks of what multigrid learns from PETSc: the near-null space, coordinates, the block size. */
#include "check.h"

#define SIDE 24 /* nodes along an edge */

static PetscErrorCode add_spring(Mat M, PetscInt a, PetscInt b, PetscReal x, PetscReal y)
{
    PetscReal square = x * x + y * y;
    PetscInt rows[] = {2 * a, 2 * a + 1, 2 * b, 2 * b + 1};
    PetscReal along[] = {x, y, -x, -y};
    PetscScalar val[16];
    PetscFunctionBeginUser;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            val[4 * i + j] = along[i] * along[j] / square;
    PetscCall(MatSetValues(M, 4, rows, 4, rows, val, ADD_VALUES));
    PetscFunctionReturn(0);
}

/* A sheet of springs along and across the squares of a grid, clamped at one side. Unclamped, it can translate
 * and rotate; the block size does not imply the rotation. */
static PetscErrorCode make_sheet(Mat *M)
{
    PetscInt n = 2 * SIDE * SIDE;
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_SELF, M));
    PetscCall(MatSetSizes(*M, n, n, n, n));
    PetscCall(MatSetBlockSize(*M, 2));
    PetscCall(MatSetType(*M, "seqaijvksolve"));
    PetscCall(MatSeqAIJSetPreallocation(*M, 18, NULL));
    for (PetscInt node = 0; node < SIDE * SIDE; node++) {
        PetscInt i = node % SIDE, j = node / SIDE;
        if (i + 1 < SIDE)
            PetscCall(add_spring(*M, node, node + 1, 1, 0));
        if (j + 1 < SIDE)
            PetscCall(add_spring(*M, node, node + SIDE, 0, 1));
        if (i + 1 < SIDE && j + 1 < SIDE) {
            PetscCall(add_spring(*M, node, node + SIDE + 1, 1, 1));
            PetscCall(add_spring(*M, node + 1, node + SIDE, -1, 1));
        }
        for (PetscInt k = 0; i == 0 && k < 2; k++)
            PetscCall(MatSetValue(*M, 2 * node + k, 2 * node + k, 1, ADD_VALUES));
    }
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* The coordinates of the nodes, as a Vec of two unknowns a node. */
static PetscErrorCode make_places(Mat M, Vec *places)
{
    PetscFunctionBeginUser;
    PetscCall(MatCreateVecs(M, places, NULL));
    PetscCall(VecSetBlockSize(*places, 2));
    for (PetscInt node = 0; node < SIDE * SIDE; node++) {
        PetscCall(VecSetValue(*places, 2 * node, node % SIDE, INSERT_VALUES));
        PetscCall(VecSetValue(*places, 2 * node + 1, node / SIDE, INSERT_VALUES));
    }
    PetscCall(VecAssemblyBegin(*places));
    PetscCall(VecAssemblyEnd(*places));
    PetscFunctionReturn(0);
}

enum { BLOCK_SIZE, NEAR_NULL, COORDINATES, REPORTED };

static PetscErrorCode tell(Mat M, PC pc, int what)
{
    MatNullSpace space;
    Vec places;
    PetscReal *xy;
    PetscFunctionBeginUser;
    PetscCall(make_places(M, &places));
    if (what == NEAR_NULL) {
        PetscCall(MatNullSpaceCreateRigidBody(places, &space));
        PetscCall(MatSetNearNullSpace(M, space));
        PetscCall(MatNullSpaceDestroy(&space));
    } else if (what == COORDINATES) {
        PetscCall(VecGetArray(places, &xy));
        PetscCall(PCSetCoordinates(pc, 2, SIDE * SIDE, xy));
        PetscCall(VecRestoreArray(places, &xy));
    }
    PetscCall(VecDestroy(&places));
    PetscFunctionReturn(0);
}

/* `prefix` begins the options. */
static PetscErrorCode count_iterations(KSPType type, const char *prefix, int what, PetscInt *its)
{
    KSPConvergedReason reason;
    Mat M;
    Vec x, b;
    KSP ksp;
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(make_sheet(&M));
    PetscCall(MatCreateVecs(M, &x, &b));
    PetscCall(VecSet(b, 1));
    PetscCall(KSPCreate(PETSC_COMM_SELF, &ksp));
    PetscCall(KSPSetOptionsPrefix(ksp, prefix));
    PetscCall(KSPSetOperators(ksp, M, M));
    PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetType(ksp, type));
    PetscCall(KSPGetPC(ksp, &pc));
    PetscCall(KSPSetFromOptions(ksp));
    PetscCall(tell(M, pc, what));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPGetConvergedReason(ksp, &reason));
    CHECK(reason == KSP_CONVERGED_RTOL);
    PetscCall(KSPGetIterationNumber(ksp, its));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&b));
    PetscCall(MatDestroy(&M));
    PetscFunctionReturn(0);
}

/* If it knows the rotation of the sheet, multigrid takes fewer iterations: as a PC either way, within a KSP
 * of vksolve by the near-null space. */
static PetscErrorCode amg_takes_over_near_null_spaces_and_coordinates(void)
{
    const struct {
        KSPType type;
        const char *prefix;
        int ways;
    } cases[] = {{KSPCG, "pc_", REPORTED}, {"vksolve", "pc_", REPORTED}, {"vksolve", "ksp_", COORDINATES}};
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsInsertString(
        NULL, "-pc_pc_type vksolve -pc_pc_vksolve_type amg -ksp_ksp_vksolve_precond amg"));
    for (int k = 0; k < 3; k++) {
        PetscInt its[REPORTED];
        for (int what = 0; what < cases[k].ways; what++)
            PetscCall(count_iterations(cases[k].type, cases[k].prefix, what, &its[what]));
        for (int what = NEAR_NULL; what < cases[k].ways; what++)
            CHECK(4 * its[what] <= 3 * its[BLOCK_SIZE]);
    }
    PetscFunctionReturn(0);
}

const struct check amg_checks[] = {
    {"amg_takes_over_near_null_spaces_and_coordinates", amg_takes_over_near_null_spaces_and_coordinates},
    {0}};
