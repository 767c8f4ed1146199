/* Every allocation of host memory by the plug-in, or by the library for it, can fail: PETSc must then get an
 * error, nothing may leak, and the next call must succeed. Each use of the plug-in is repeated, with its
 * first, second, third ... allocation failing, until it succeeds. On one process. */
#include "failing.h"
#include "stage.h"

/* The objects of a use. They are destroyed after it, whether it succeeded or not. */
struct things {
    Mat M, other;
    Vec w, x, y, z;
    KSP ksp;
};

#define N 60

static PetscErrorCode make_matrix(MatType type, Mat *M)
{
    PetscFunctionBeginUser;
    PetscCall(MatCreate(PETSC_COMM_SELF, M));
    PetscCall(MatSetSizes(*M, N, N, N, N));
    PetscCall(MatSetBlockSize(*M, 2));
    PetscCall(MatSetType(*M, type));
    PetscCall(MatSeqAIJSetPreallocation(*M, 3, NULL));
    for (PetscInt i = 0; i < N; i++)
        for (PetscInt j = PetscMax(i - 1, 0); j <= PetscMin(i + 1, N - 1); j++)
            PetscCall(MatSetValue(*M, i, j, i == j ? 2.5 : -1, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode make_vectors(struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(VecCreate(PETSC_COMM_SELF, &t->x));
    PetscCall(VecSetSizes(t->x, N, N));
    PetscCall(VecSetType(t->x, "vksolve"));
    PetscCall(VecDuplicate(t->x, &t->y));
    PetscCall(VecSet(t->x, 1));
    PetscCall(VecSet(t->y, 2));
    PetscFunctionReturn(0);
}

static PetscErrorCode use_vectors(struct things *t)
{
    PetscScalar sums[2], *array;
    PetscReal norm;
    PetscFunctionBeginUser;
    PetscCall(make_vectors(t));
    PetscCall(VecDuplicate(t->x, &t->z));
    PetscCall(VecWAXPY(t->z, 2, t->x, t->y));
    PetscCall(VecMDot(t->x, 2, (Vec[]){t->y, t->z}, sums));
    PetscCall(VecMAXPY(t->z, 2, sums, (Vec[]){t->x, t->y}));
    PetscCall(VecPointwiseDivide(t->z, t->x, t->y));
    PetscCall(VecNorm(t->z, NORM_2, &norm));
    PetscCall(VecGetArray(t->z, &array));
    array[0] = 7;
    PetscCall(VecRestoreArray(t->z, &array));
    PetscCall(VecAXPBYPCZ(t->z, 1, 2, 3, t->x, t->y));
    PetscFunctionReturn(0);
}

/* The elements of v must be `value`. The first check may need an allocation that fails; the second must
 * not. */
static PetscErrorCode look(Vec v, PetscScalar value)
{
    const PetscScalar *array;
    PetscErrorCode code;
    PetscFunctionBeginUser;
    code = VecGetArrayRead(v, &array);
    if (code)
        PetscCall(VecGetArrayRead(v, &array));
    PetscCheck(array[0] == value && array[N - 1] == value, PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "an operation that failed has cost one before it");
    PetscCall(VecRestoreArrayRead(v, &array));
    PetscFunctionReturn(code);
}

/* x = x + y / 2 is deferred. It takes effect whether the next operation succeeds or not; that operation makes
 * the device array of z. */
static PetscErrorCode keep_a_step(struct things *t, PetscBool multiply)
{
    PetscErrorCode code;
    PetscScalar sum;
    PetscFunctionBeginUser;
    PetscCall(make_vectors(t));
    PetscCall(VecDuplicate(t->x, &t->z));
    PetscCall(VecDuplicate(t->x, &t->w));
    PetscCall(VecDot(t->w, t->x, &sum));
    PetscCall(VecAXPY(t->x, 0.5, t->y));
    code = multiply ? VecPointwiseMult(t->w, t->x, t->z) : VecAYPX(t->y, 3, t->z);
    PetscCall(look(t->x, 2));
    PetscFunctionReturn(code);
}

static PetscErrorCode keep_a_step_of_a_product(struct things *t)
{
    return keep_a_step(t, PETSC_TRUE);
}

static PetscErrorCode keep_a_step_of_a_sum(struct things *t)
{
    return keep_a_step(t, PETSC_FALSE);
}

static PetscErrorCode multiply(struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(make_vectors(t));
    PetscCall(make_matrix("seqaijvksolve", &t->M));
    PetscCall(MatMult(t->M, t->x, t->y));
    PetscCall(MatMultAdd(t->M, t->x, t->y, t->y));
    PetscCall(MatMultTranspose(t->M, t->x, t->y));
    PetscCall(MatScale(t->M, 2));
    PetscCall(MatMultTransposeAdd(t->M, t->x, t->y, t->y));
    PetscFunctionReturn(0);
}

static PetscErrorCode convert(struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(make_matrix(MATSEQAIJ, &t->M));
    PetscCall(MatConvert(t->M, "seqaijvksolve", MAT_INITIAL_MATRIX, &t->other));
    PetscCall(MatCreateVecs(t->other, &t->x, &t->y));
    PetscCall(MatMult(t->other, t->x, t->y));
    PetscFunctionReturn(0);
}

/* Uses the plug-in's own function: PETSc's leaves a matrix behind if the new type cannot be made. */
static PetscErrorCode convert_a_copy(struct things *t)
{
    PetscErrorCode (*into)(Mat, MatType, MatReuse, Mat *);
    Mat copy;
    PetscFunctionBeginUser;
    PetscCall(make_matrix("seqaijvksolve", &t->M));
    PetscCall(MatConvert(t->M, MATSEQAIJ, MAT_INITIAL_MATRIX, &t->other));
    PetscCall(PetscObjectQueryFunction((PetscObject)t->M, "MatConvert_seqaij_seqaijvksolve_C", &into));
    PetscCall((*into)(t->other, "seqaijvksolve", MAT_INITIAL_MATRIX, &copy));
    PetscCall(MatDestroy(&copy));
    PetscFunctionReturn(0);
}

static PetscErrorCode solve(struct things *t, MatType type, const char *prefix)
{
    KSPConvergedReason reason;
    PC pc;
    PetscFunctionBeginUser;
    PetscCall(make_matrix(type, &t->M));
    PetscCall(MatCreateVecs(t->M, &t->x, &t->y));
    PetscCall(VecSet(t->y, 1));
    PetscCall(KSPCreate(PETSC_COMM_SELF, &t->ksp));
    PetscCall(KSPSetOptionsPrefix(t->ksp, prefix));
    PetscCall(KSPSetOperators(t->ksp, t->M, t->M));
    PetscCall(KSPSetFromOptions(t->ksp));
    PetscCall(KSPGetPC(t->ksp, &pc));
    PetscCall(PCSetCoordinates(pc, 2, N / 2, (PetscReal[N]){0, 1, 5, 3, 2, 7, 9}));
    PetscCall(KSPSetResidualHistory(t->ksp, NULL, 100, PETSC_TRUE));
    for (int k = 0; k < 2; k++) {
        PetscCall(KSPSolve(t->ksp, t->y, t->x));
        PetscCall(KSPGetConvergedReason(t->ksp, &reason));
        PetscCheck(reason > 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "%s", KSPConvergedReasons[reason]);
        PetscCall(MatScale(t->M, 2));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode solve_by_jacobi(struct things *t)
{
    return solve(t, "seqaijvksolve", "jacobi_");
}

static PetscErrorCode solve_by_amg(struct things *t)
{
    return solve(t, MATSEQAIJ, "amg_");
}

static PetscErrorCode solve_a_singular_system(struct things *t)
{
    MatNullSpace space;
    PetscFunctionBeginUser;
    PetscCall(make_matrix(MATSEQAIJ, &t->M));
    PetscCall(MatShift(t->M, -0.5));
    PetscCall(MatSetValue(t->M, 0, 0, 1, INSERT_VALUES));
    PetscCall(MatSetValue(t->M, N - 1, N - 1, 1, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(t->M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(t->M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatCreateVecs(t->M, &t->x, &t->y));
    PetscCall(VecSetValue(t->y, 3, 1, INSERT_VALUES));
    PetscCall(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_TRUE, 0, NULL, &space));
    PetscCall(MatSetNullSpace(t->M, space));
    PetscCall(MatSetNearNullSpace(t->M, space));
    PetscCall(MatNullSpaceDestroy(&space));
    PetscCall(KSPCreate(PETSC_COMM_SELF, &t->ksp));
    PetscCall(KSPSetOptionsPrefix(t->ksp, "singular_"));
    PetscCall(KSPSetOperators(t->ksp, t->M, t->M));
    PetscCall(KSPSetFromOptions(t->ksp));
    PetscCall(KSPSolve(t->ksp, t->y, t->x));
    PetscFunctionReturn(0);
}

/* A PC under a KSP of PETSc's without work vectors, which it would leave behind. */
static PetscErrorCode apply_a_pc(struct things *t)
{
    return solve(t, "seqaijvksolve", "once_");
}

static PetscErrorCode destroy(struct things *t)
{
    PetscFunctionBeginUser;
    PetscCall(KSPDestroy(&t->ksp));
    PetscCall(MatDestroy(&t->other));
    PetscCall(MatDestroy(&t->M));
    PetscCall(VecDestroy(&t->w));
    PetscCall(VecDestroy(&t->x));
    PetscCall(VecDestroy(&t->y));
    PetscCall(VecDestroy(&t->z));
    PetscFunctionReturn(0);
}

struct use {
    PetscBool all; /* PETSc itself leaves nothing behind either, unlike its options and copies if a type
                      cannot be made */
    const char *name;
    PetscErrorCode (*run)(struct things *t);
};

/* The first opens the device. */
static const struct use uses[] = {{PETSC_TRUE, "make_vectors", make_vectors},
                                  {PETSC_TRUE, "use_vectors", use_vectors},
                                  {PETSC_TRUE, "keep_a_step_of_a_product", keep_a_step_of_a_product},
                                  {PETSC_TRUE, "keep_a_step_of_a_sum", keep_a_step_of_a_sum},
                                  {PETSC_TRUE, "multiply", multiply},
                                  {PETSC_FALSE, "convert", convert},
                                  {PETSC_TRUE, "convert_a_copy", convert_a_copy},
                                  {PETSC_FALSE, "solve_by_jacobi", solve_by_jacobi},
                                  {PETSC_FALSE, "solve_by_amg", solve_by_amg},
                                  {PETSC_FALSE, "solve_a_singular_system", solve_a_singular_system},
                                  {PETSC_FALSE, "apply_a_pc", apply_a_pc},
                                  {0}};

/* Runs it with the k-th allocation failing. *failed says whether there is one. Nothing more may remain once
 * the device is open and has what it keeps between calls. */
static PetscErrorCode fail_at(const struct use *u, PetscInt k, PetscBool is_warm, PetscBool *failed)
{
    struct things t = {0};
    PetscInt before = memory.live;
    PetscErrorCode code;
    int stage[2];
    PetscFunctionBeginUser;
    PetscCall(current_stage(&stage[0]));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    memory.calls = memory.failures = 0;
    memory.fail_call = k;
    memory.all = u->all;
    code = u->run(&t);
    memory.fail_call = 0;
    PetscCall(PetscPopErrorHandler());
    PetscCall(destroy(&t));
    PetscCall(current_stage(&stage[1]));
    *failed = memory.failures ? PETSC_TRUE : PETSC_FALSE;
    PetscCheck(stage[0] == stage[1], PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%s: a stage goes on after allocation %" PetscInt_FMT, u->name, k);
    PetscCheck(*failed ? code == PETSC_ERR_MEM || code == PETSC_ERR_LIB : !code, PETSC_COMM_SELF,
               PETSC_ERR_PLIB, "%s: allocation %" PetscInt_FMT " gives error %d", u->name, k, code);
    PetscCheck(!is_warm || memory.live <= before, PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%s: %" PetscInt_FMT " blocks are left after allocation %" PetscInt_FMT, u->name,
               memory.live - before, k);
    PetscFunctionReturn(0);
}

static PetscErrorCode fail_each(const struct use *u)
{
    PetscInt count[2];
    PetscFunctionBeginUser;
    for (int warm = 0; warm < 2; warm++) {
        PetscBool failed = PETSC_TRUE;
        PetscInt k = 0;
        while (failed)
            PetscCall(fail_at(u, ++k, warm ? PETSC_TRUE : PETSC_FALSE, &failed));
        count[warm] = k - 1;
    }
    PetscCall(PetscPrintf(PETSC_COMM_SELF, "ok %s: %" PetscInt_FMT " and %" PetscInt_FMT " allocations\n",
                          u->name, count[0], count[1]));
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    char only[128] = "";
    PetscFunctionBeginUser;
    PetscCall(failing_begin());
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    PetscCall(PetscOptionsInsertString(
        NULL, "-jacobi_ksp_type vksolve -jacobi_pc_type jacobi -amg_ksp_type vksolve -amg_pc_type vksolve "
              "-amg_pc_vksolve_type amg -singular_ksp_type vksolve -singular_ksp_vksolve_precond amg "
              "-once_ksp_type preonly -once_pc_type vksolve -once_pc_vksolve_type dense"));
    PetscCall(PetscOptionsGetString(NULL, NULL, "-only", only, sizeof only, NULL));
    PetscCall(failing_find_library());
    for (const struct use *u = uses; u->run; u++)
        if (!only[0] || !strcmp(u->name, only))
            PetscCall(fail_each(u));
    PetscCall(PetscPrintf(PETSC_COMM_SELF, "all uses passed\n"));
    PetscCall(PetscFinalize());
    return 0;
}
