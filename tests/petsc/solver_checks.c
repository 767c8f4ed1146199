/* Checks of KSP and PC "vksolve", on each process alone. */
#include "check.h"
#include "stage.h"

#define N SYSTEM_ROWS

static PetscErrorCode all_types_of_matrices_and_pcs_are_solved(void)
{
    const MatType mats[] = {MATSEQAIJ, "seqaijvksolve", MATSEQAIJPERM};
    const PCType pcs[] = {NULL, PCNONE, PCJACOBI, PCPBJACOBI, "vksolve"};
    PetscFunctionBeginUser;
    for (int m = 0; m < 3; m++)
        for (int p = 0; p < 5; p++) {
            struct system s;
            PetscReal residual, norm;
            PetscCall(make_system(&s, mats[m], "vksolve", pcs[p]));
            PetscCall(expect(&s, KSP_CONVERGED_RTOL));
            PetscCall(KSPGetResidualNorm(s.ksp, &residual));
            PetscCall(MatMult(s.M, s.x, s.ones));
            PetscCall(VecAXPY(s.ones, -1, s.b));
            PetscCall(VecNorm(s.ones, NORM_2, &norm));
            CHECK(PetscAbsReal(norm - residual) < 1e-3 * norm + 1e-14);
            PetscCall(destroy_system(&s));
        }
    PetscFunctionReturn(0);
}

/* The diagonal of this matrix varies widely, so a solve without it takes more iterations. */
static PetscErrorCode a_pc_can_be_changed_between_solves(void)
{
    const PCType pcs[] = {NULL, PCJACOBI, PCNONE, "vksolve", PCPBJACOBI};
    PetscInt its[5];
    struct system s;
    PetscFunctionBeginUser;
    PetscCall(make_system(&s, MATSEQAIJ, "vksolve", NULL));
    for (PetscInt i = 0; i < N; i++)
        PetscCall(VecSetValue(s.x, i, 1 + i % 7, INSERT_VALUES));
    PetscCall(MatDiagonalScale(s.M, s.x, s.x));
    PetscCall(MatMult(s.M, s.ones, s.b));
    for (int p = 0; p < 5; p++) {
        if (pcs[p])
            PetscCall(PCSetType(s.pc, pcs[p]));
        PetscCall(VecSet(s.x, 0));
        PetscCall(expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(KSPGetIterationNumber(s.ksp, &its[p]));
    }
    CHECK(its[2] > its[1] && its[4] < its[2]);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* Changes values, then the structure, then the size. */
static PetscErrorCode a_matrix_can_change_between_solves(void)
{
    struct system s;
    Mat other;
    PetscFunctionBeginUser;
    for (int ours = 0; ours < 2; ours++) {
        PetscCall(
            make_system(&s, ours ? "seqaijvksolve" : MATSEQAIJ, "vksolve", ours ? PCJACOBI : "vksolve"));
        PetscCall(expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(MatScale(s.M, 3));
        PetscCall(VecScale(s.b, 3));
        PetscCall(expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(MatSetOption(s.M, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
        PetscCall(MatSetValue(s.M, 0, N - 1, -1, INSERT_VALUES));
        PetscCall(MatSetValue(s.M, N - 1, 0, -1, INSERT_VALUES));
        PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
        PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
        PetscCall(MatMult(s.M, s.ones, s.b));
        PetscCall(expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(make_path(MATSEQAIJ, N, 1, &other));
        PetscCall(MatMult(other, s.ones, s.b));
        PetscCall(KSPSetOperators(s.ksp, other, other));
        PetscCall(expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(MatDestroy(&other));
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode a_guess_and_limits_count(void)
{
    struct system s;
    PetscInt its;
    PetscReal *history, residual;
    PetscFunctionBeginUser;
    for (int ours = 0; ours < 2; ours++) {
        PetscCall(make_system(&s, ours ? "seqaijvksolve" : MATSEQAIJ, "vksolve", PCJACOBI));
        for (PetscInt i = 0; i < N; i++)
            PetscCall(VecSetValue(s.ones, i, 1 + i % 3, INSERT_VALUES));
        PetscCall(MatMult(s.M, s.ones, s.b));
        PetscCall(KSPSetResidualHistory(s.ksp, NULL, 100, PETSC_TRUE));
        PetscCall(KSPSetTolerances(s.ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, 3));
        PetscCall(expect(&s, KSP_DIVERGED_ITS));
        PetscCall(KSPGetResidualHistory(s.ksp, (const PetscReal **)&history, &its));
        CHECK(its == 4 && history[0] > history[3]);
        PetscCall(KSPGetIterationNumber(s.ksp, &its));
        CHECK(its == 3);
        PetscCall(KSPSetTolerances(s.ksp, 0, 1e-12, PETSC_DEFAULT, 1000));
        PetscCall(KSPSolve(s.ksp, s.b, s.x));
        PetscCall(KSPGetResidualNorm(s.ksp, &residual));
        CHECK(residual <= 1e-12);
        PetscCall(KSPSetTolerances(s.ksp, 1e-10, 1e-50, PETSC_DEFAULT, 1000));
        PetscCall(KSPSetInitialGuessNonzero(s.ksp, PETSC_TRUE));
        PetscCall(VecCopy(s.ones, s.x));
        PetscCall(expect(&s, KSP_CONVERGED_ATOL));
        PetscCall(KSPGetIterationNumber(s.ksp, &its));
        CHECK(its == 0);
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

static PetscErrorCode failures_have_reasons(void)
{
    struct system s;
    PetscFunctionBeginUser;
    PetscCall(make_system(&s, MATSEQAIJ, "vksolve", PCJACOBI));
    PetscCall(MatScale(s.M, -1));
    PetscCall(expect(&s, KSP_DIVERGED_INDEFINITE_MAT));
    PetscCall(MatScale(s.M, -1));
    PetscCall(MatSetValue(s.M, 3, 3, 0, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(expect(&s, KSP_DIVERGED_PC_FAILED));
    PetscCall(MatSetValue(s.M, 3, 3, NAN, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(PCSetType(s.pc, PCNONE));
    PetscCall(expect(&s, KSP_DIVERGED_NANORINF));
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* The first row of M is zero, and b is not zero there. */
static PetscErrorCode least_squares_are_no_solution(void)
{
    struct system s;
    PetscInt first = 0;
    KSPConvergedReason reason;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-least_ksp_vksolve_method", "lsmr"));
    PetscCall(make_system(&s, MATSEQAIJ, "vksolve", PCNONE));
    PetscCall(KSPSetOptionsPrefix(s.ksp, "least_"));
    PetscCall(KSPSetFromOptions(s.ksp));
    PetscCall(expect(&s, KSP_CONVERGED_RTOL));
    PetscCall(MatZeroRows(s.M, 1, &first, 0, NULL, NULL));
    PetscCall(KSPSolve(s.ksp, s.b, s.x));
    PetscCall(KSPGetConvergedReason(s.ksp, &reason));
    CHECK(reason == KSP_CONVERGED_RTOL_NORMAL);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* With vectors of PETSc's own type, which the KSP copies to vectors that it keeps. */
static PetscErrorCode a_ksp_takes_a_smaller_system_after_a_reset_of_its_pc(void)
{
    struct system s, small;
    PetscFunctionBeginUser;
    PetscCall(make_system(&s, MATSEQAIJ, "vksolve", PCJACOBI));
    PetscCall(expect(&s, KSP_CONVERGED_RTOL));
    PetscCall(PCReset(s.pc));
    PetscCall(make_path(MATSEQAIJ, 10, 0.5, &small.M));
    PetscCall(MatCreateVecs(small.M, &small.x, &small.b));
    PetscCall(VecDuplicate(small.x, &small.ones));
    PetscCall(VecSet(small.ones, 1));
    PetscCall(MatMult(small.M, small.ones, small.b));
    PetscCall(KSPSetOperators(s.ksp, small.M, small.M));
    small.ksp = s.ksp;
    PetscCall(PetscObjectReference((PetscObject)s.ksp));
    PetscCall(expect(&small, KSP_CONVERGED_RTOL));
    PetscCall(destroy_system(&small));
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* A PC that does not suit also ends a KSP of PETSc's. */
static PetscErrorCode a_pc_that_does_not_suit_says_so(void)
{
    struct system s;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-suit_pc_vksolve_type", "jacobi"));
    PetscCall(make_system(&s, MATSEQAIJ, KSPCG, "vksolve"));
    PetscCall(KSPSetOptionsPrefix(s.ksp, "suit_"));
    PetscCall(KSPSetFromOptions(s.ksp));
    PetscCall(MatSetValue(s.M, 3, 3, 0, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(expect(&s, KSP_DIVERGED_PC_FAILED));
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* The preconditioner is the inverse of M, so nothing else is needed. */
static PetscErrorCode preonly_applies_the_pc_once(void)
{
    struct system s;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-once_pc_vksolve_type", "dense"));
    for (int ours = 0; ours < 2; ours++) {
        PetscCall(make_system(&s, ours ? "seqaijvksolve" : MATSEQAIJ, KSPPREONLY, "vksolve"));
        PetscCall(KSPSetOptionsPrefix(s.ksp, "once_"));
        PetscCall(KSPSetFromOptions(s.ksp));
        PetscCall(expect(&s, KSP_CONVERGED_ITS));
        PetscCall(MatScale(s.M, 2));
        PetscCall(VecScale(s.b, 2));
        PetscCall(expect(&s, KSP_CONVERGED_ITS));
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

/* PETSc remembers norms until the state of a Vec changes. */
static PetscErrorCode a_pc_changes_the_norm_of_its_vector(void)
{
    struct system s;
    PetscReal norm[2];
    PetscFunctionBeginUser;
    PetscCall(make_system(&s, "seqaijvksolve", KSPCG, "vksolve"));
    PetscCall(PCSetUp(s.pc));
    for (int k = 0; k < 2; k++) {
        PetscCall(PCApply(s.pc, s.b, s.x));
        PetscCall(VecNorm(s.x, NORM_2, &norm[k]));
        PetscCall(VecScale(s.b, 2));
    }
    CHECK(norm[0] > 0 && norm[1] == 2 * norm[0]);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* A null space by a vector: two paths with free ends, each with its own constants. */
static PetscErrorCode a_null_space_of_vectors_is_taken_over(void)
{
    struct system s;
    MatNullSpace space;
    Vec v[2];
    PetscInt its;
    PetscFunctionBeginUser;
    PetscCall(make_system(&s, MATSEQAIJ, "vksolve", PCJACOBI));
    PetscCall(MatShift(s.M, -0.5));
    for (PetscInt end = 0; end < 2; end++) {
        PetscInt at[] = {0, N / 2 - 1, N / 2, N - 1};
        PetscCall(MatSetValue(s.M, at[2 * end], at[2 * end], 1, INSERT_VALUES));
        PetscCall(MatSetValue(s.M, at[2 * end + 1], at[2 * end + 1], 1, INSERT_VALUES));
        PetscCall(MatSetValue(s.M, at[1 + end], at[2 - end], 0, INSERT_VALUES));
        PetscCall(VecDuplicate(s.x, &v[end]));
        for (PetscInt i = 0; i < N / 2; i++)
            PetscCall(VecSetValue(v[end], end * N / 2 + i, 1 / PetscSqrtReal(N / 2), INSERT_VALUES));
        PetscCall(VecAssemblyBegin(v[end]));
        PetscCall(VecAssemblyEnd(v[end]));
    }
    PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_FALSE, 2, v, &space));
    PetscCall(MatSetNullSpace(s.M, space));
    for (PetscInt i = 0; i < N; i++)
        PetscCall(VecSetValue(s.ones, i, i - N / 2 * (i / (N / 2)) - (N / 2 - 1) / 2.0, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(s.ones));
    PetscCall(VecAssemblyEnd(s.ones));
    PetscCall(MatMult(s.M, s.ones, s.b));
    PetscCall(VecShift(s.b, 0.25)); /* outside the range of M */
    PetscCall(expect(&s, KSP_CONVERGED_RTOL));
    PetscCall(KSPGetIterationNumber(s.ksp, &its));
    CHECK(its > 0);
    for (int k = 0; k < 2; k++)
        PetscCall(VecDestroy(&v[k]));
    PetscCall(MatNullSpaceDestroy(&space));
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* What vksolve does not support gives an error message of PETSc, and no crash. After an error a KSP cannot be
 * used again. */
static PetscErrorCode what_cannot_be_is_refused(void)
{
    PetscFunctionBeginUser;
    for (int which = 0; which < 3; which++) {
        struct system s;
        Mat dense = NULL;
        PetscErrorCode code;
        PetscCall(make_system(&s, MATSEQAIJ, "vksolve", which ? PCJACOBI : PCSOR));
        if (which == 2) {
            PetscCall(MatConvert(s.M, MATSEQDENSE, MAT_INITIAL_MATRIX, &dense));
            PetscCall(KSPSetOperators(s.ksp, dense, dense));
        }
        PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
        code = which == 1 ? KSPSolveTranspose(s.ksp, s.b, s.x) : KSPSolve(s.ksp, s.b, s.x);
        PetscCall(PetscPopErrorHandler());
        CHECK(code == PETSC_ERR_SUP);
        PetscCall(MatDestroy(&dense));
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

/* Solves with a matrix of an unsupported type in place of M: an error within the setup. */
static PetscErrorCode fail_to_set_up(struct system *s)
{
    Mat dense;
    PetscErrorCode code;
    PetscFunctionBeginUser;
    PetscCall(MatConvert(s->M, MATSEQDENSE, MAT_INITIAL_MATRIX, &dense));
    PetscCall(KSPSetOperators(s->ksp, dense, dense));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    code = KSPSolve(s->ksp, s->b, s->x);
    PetscCall(PetscPopErrorHandler());
    CHECK(code == PETSC_ERR_SUP);
    PetscCall(MatDestroy(&dense));
    PetscFunctionReturn(0);
}

static PetscErrorCode a_stage_of_the_program_goes_on_after_a_solve_and_after_a_failure(void)
{
    const char *names[] = {"vksolve: set-up", "vksolve: solves"};
    struct system s;
    PetscFunctionBeginUser;
    PetscCall(PetscLogDefaultBegin()); /* without it later versions count no stages */
    for (int fails = 0; fails < 2; fails++) {
        PetscLogStage stage, ours;
        int now;
        char name[32];
        PetscCall(PetscSNPrintf(name, sizeof name, "of the program %d", fails));
        PetscCall(PetscLogStageRegister(name, &stage));
        PetscCall(make_system(&s, MATSEQAIJ, "vksolve", PCJACOBI));
        PetscCall(PetscLogStagePush(stage));
        PetscCall(fails ? fail_to_set_up(&s) : expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(current_stage(&now));
        CHECK(now == stage);
        PetscCall(PetscLogStagePop());
        PetscCall(destroy_system(&s));
        for (int k = 0; k < 2; k++) {
            PetscCall(PetscLogStageGetId(names[k], &ours));
            PetscCall(check_used(ours));
        }
    }
    PetscFunctionReturn(0);
}

const struct check solver_checks[] = {
    {"all_types_of_matrices_and_pcs_are_solved", all_types_of_matrices_and_pcs_are_solved},
    {"a_pc_can_be_changed_between_solves", a_pc_can_be_changed_between_solves},
    {"a_matrix_can_change_between_solves", a_matrix_can_change_between_solves},
    {"a_guess_and_limits_count", a_guess_and_limits_count},
    {"failures_have_reasons", failures_have_reasons},
    {"least_squares_are_no_solution", least_squares_are_no_solution},
    {"a_ksp_takes_a_smaller_system_after_a_reset_of_its_pc",
     a_ksp_takes_a_smaller_system_after_a_reset_of_its_pc},
    {"a_pc_that_does_not_suit_says_so", a_pc_that_does_not_suit_says_so},
    {"preonly_applies_the_pc_once", preonly_applies_the_pc_once},
    {"a_pc_changes_the_norm_of_its_vector", a_pc_changes_the_norm_of_its_vector},
    {"a_null_space_of_vectors_is_taken_over", a_null_space_of_vectors_is_taken_over},
    {"what_cannot_be_is_refused", what_cannot_be_is_refused},
    {"a_stage_of_the_program_goes_on_after_a_solve_and_after_a_failure",
     a_stage_of_the_program_goes_on_after_a_solve_and_after_a_failure},
    {0}};
