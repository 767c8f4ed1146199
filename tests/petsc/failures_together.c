/* One allocation after the other fails on one process of several, in a shared solve: it must end with an
 * error on all of them, none may hang, and the next solve must succeed. A product alone ends with an error on
 * that process, and the others need not learn of it. -rank R: the process. */
#include "failing.h"

/* Two ranges of rows: a whole chunk, and a few more. */
enum { CHUNK = 65536, MORE = 100 };

struct things {
    Mat M;
    Vec x, b;
    KSP ksp;
};

static PetscErrorCode make_matrix(PetscInt rows, Mat *M)
{
    PetscInt first, end, all;
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_WORLD, M));
    PetscCall(MatSetSizes(*M, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE));
    PetscCall(MatSetType(*M, "aijvksolve"));
    PetscCall(MatMPIAIJSetPreallocation(*M, 3, NULL, 1, NULL));
    PetscCall(MatGetSize(*M, &all, NULL));
    PetscCall(MatGetOwnershipRange(*M, &first, &end));
    for (PetscInt i = first; i < end; i++)
        for (PetscInt j = PetscMax(i - 1, 0); j <= PetscMin(i + 1, all - 1); j++)
            PetscCall(MatSetValue(*M, i, j, i == j ? 2.5 : -1, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_solver(PCType pc, struct things *t)
{
    PC of_ksp;
    PetscFunctionBeginUser;
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &t->ksp));
    PetscCall(KSPSetType(t->ksp, "vksolve"));
    PetscCall(KSPSetOperators(t->ksp, t->M, t->M));
    PetscCall(KSPSetTolerances(t->ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, 4));
    PetscCall(KSPSetResidualHistory(t->ksp, NULL, 100, PETSC_TRUE));
    PetscCall(KSPGetPC(t->ksp, &of_ksp));
    PetscCall(PCSetType(of_ksp, pc));
    PetscCall(KSPSetUp(t->ksp)); /* allocations of PETSc for its own PC are not counted */
    PetscFunctionReturn(0);
}

static PetscErrorCode make(PetscMPIInt rank, PCType pc, struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(make_matrix(rank ? MORE : CHUNK, &t->M));
    PetscCall(MatCreateVecs(t->M, &t->x, &t->b));
    PetscCall(VecSet(t->b, 1));
    PetscCall(VecSet(t->x, 0)); /* on the device before the solve, which begins with this */
    if (pc)
        PetscCall(make_solver(pc, t));
    PetscFunctionReturn(0);
}

/* A solve, or a product if there is no solver. */
static PetscErrorCode use(struct things *t)
{
    return t->ksp ? KSPSolve(t->ksp, t->b, t->x) : MatMult(t->M, t->b, t->x);
}

/* After an error, PETSc leaves a KSP locked. */
static PetscErrorCode use_again(PCType pc, struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(KSPDestroy(&t->ksp));
    PetscCall(VecDestroy(&t->x));
    PetscCall(VecDestroy(&t->b));
    PetscCall(MatCreateVecs(t->M, &t->x, &t->b));
    PetscCall(VecSet(t->b, 1));
    if (pc)
        PetscCall(make_solver(pc, t));
    PetscCall(use(t));
    PetscFunctionReturn(0);
}

static PetscErrorCode destroy(struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(KSPDestroy(&t->ksp));
    PetscCall(MatDestroy(&t->M));
    PetscCall(VecDestroy(&t->x));
    PetscCall(VecDestroy(&t->b));
    PetscFunctionReturn(0);
}

/* The first solve makes everything; the second one has new values and its own allocations. The library can
 * continue without some of them, such as those for a faster format. */
static PetscErrorCode fail_at(PCType pc, PetscInt solve, PetscMPIInt one, PetscInt k, PetscBool *failed,
                              PetscInt *reported)
{
    enum { FAILED, REPORTED };
    struct things t = {0};
    PetscErrorCode code;
    PetscMPIInt rank;
    int any[2];
    PetscFunctionBeginUser;
    PetscCallMPI(MPI_Comm_rank(PETSC_COMM_WORLD, &rank));
    PetscCall(make(rank, pc, &t));
    for (PetscInt before = 0; before < solve; before++) {
        PetscCall(use(&t));
        PetscCall(MatScale(t.M, 2));
    }
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    memory.calls = memory.failures = 0;
    memory.fail_call = rank == one ? k : 0;
    code = use(&t);
    memory.fail_call = 0;
    PetscCall(PetscPopErrorHandler());
    any[FAILED] = memory.failures > 0;
    any[REPORTED] = code != 0;
    PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, any, 2, MPI_INT, MPI_MAX, PETSC_COMM_WORLD));
    PetscCheck((any[REPORTED] == (code != 0) || (!pc && rank != one)) && any[REPORTED] <= any[FAILED],
               PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%s, solve %" PetscInt_FMT ": allocation %" PetscInt_FMT " on rank %d gives %d on rank %d",
               pc ? pc : "product", solve, k, one, code, rank);
    PetscCall(use_again(pc, &t));
    PetscCall(destroy(&t));
    *reported += any[REPORTED];
    *failed = any[FAILED] ? PETSC_TRUE : PETSC_FALSE;
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    const PCType pcs[] = {PCJACOBI, PCNONE, NULL};
    PetscInt one = 0;
    PetscFunctionBeginUser;
    PetscCall(failing_begin());
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsGetInt(NULL, NULL, "-rank", &one, NULL));
    PetscCall(failing_find_library());
    for (int p = 0; p < 3; p++)
        for (PetscInt solve = 0; solve < 2; solve++) {
            PetscBool failed = PETSC_TRUE;
            PetscInt k = 0, reported = 0;
            while (failed)
                PetscCall(fail_at(pcs[p], solve, (PetscMPIInt)one, ++k, &failed, &reported));
            PetscCheck(reported || !pcs[p], PETSC_COMM_SELF, PETSC_ERR_PLIB, "nothing failed");
            PetscCall(PetscPrintf(PETSC_COMM_WORLD,
                                  "ok %s, solve %" PetscInt_FMT ": %" PetscInt_FMT " of %" PetscInt_FMT
                                  " failures were reported\n",
                                  pcs[p] ? pcs[p] : "product", solve, reported, k - 1));
        }
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "all failures were reported\n"));
    PetscCall(PetscFinalize());
    return 0;
}
