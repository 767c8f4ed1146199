/* Checks of who determines what a KSP "vksolve" does: options, the program, the PC, the matrix. */
#include "check.h"

#define N SYSTEM_ROWS

/* A system whose diagonal varies widely, so that it takes more iterations without a preconditioner. */
static PetscErrorCode make_uneven(struct system *s, const char *prefix)
{
    PetscFunctionBeginUser;
    PetscCall(make_system(s, "seqaijvksolve", "vksolve", NULL));
    for (PetscInt i = 0; i < N; i++)
        PetscCall(VecSetValue(s->x, i, 1 + i % 7, INSERT_VALUES));
    PetscCall(VecAssemblyBegin(s->x));
    PetscCall(VecAssemblyEnd(s->x));
    PetscCall(MatDiagonalScale(s->M, s->x, s->x));
    PetscCall(MatMult(s->M, s->ones, s->b));
    PetscCall(KSPSetOptionsPrefix(s->ksp, prefix));
    PetscFunctionReturn(0);
}

/* The iterations of a solve that begins at 0. */
static PetscErrorCode solve(struct system *s, PetscInt *its)
{
    PetscFunctionBeginUser;
    PetscCall(VecSet(s->x, 0));
    PetscCall(expect(s, KSP_CONVERGED_RTOL));
    PetscCall(KSPGetIterationNumber(s->ksp, its));
    PetscFunctionReturn(0);
}

static PetscErrorCode none_by_the_program_is_none(void)
{
    struct system s;
    PetscInt by_default, none;
    PetscFunctionBeginUser;
    PetscCall(make_uneven(&s, "none_"));
    PetscCall(KSPSetFromOptions(s.ksp));
    PetscCall(solve(&s, &by_default));
    PetscCall(PCSetType(s.pc, PCNONE));
    PetscCall(solve(&s, &none));
    CHECK(none > by_default);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* A PC that left the choice to the KSP makes one itself when a KSP of PETSc's applies it. */
static PetscErrorCode a_ksp_can_be_changed_between_solves(void)
{
    const KSPType types[] = {KSPCG, "vksolve", KSPGMRES, "vksolve"};
    struct system s;
    PetscInt its;
    PetscFunctionBeginUser;
    PetscCall(make_uneven(&s, "changed_"));
    PetscCall(KSPSetFromOptions(s.ksp));
    PetscCall(solve(&s, &its));
    for (int k = 0; k < 4; k++) {
        PetscCall(KSPSetType(s.ksp, types[k]));
        PetscCall(KSPSetTolerances(s.ksp, 1e-11, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
        PetscCall(solve(&s, &its));
    }
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

static PetscErrorCode a_block_size_by_an_option_counts_beside_pbjacobi(void)
{
    const char *sizes[] = {"1", "25"};
    PetscInt its[2];
    PetscFunctionBeginUser;
    for (int k = 0; k < 2; k++) {
        struct system s;
        PetscCall(PetscOptionsSetValue(NULL, "-blocks_ksp_vksolve_block_size", sizes[k]));
        PetscCall(make_uneven(&s, "blocks_"));
        PetscCall(PCSetType(s.pc, PCPBJACOBI));
        PetscCall(KSPSetFromOptions(s.ksp));
        PetscCall(solve(&s, &its[k]));
        PetscCall(destroy_system(&s));
    }
    CHECK(its[1] <= 4 && its[0] > 4); /* two blocks of 25 rows, which one entry connects */
    PetscFunctionReturn(0);
}

/* An empty null space counts as none; one by a function is not supported. */
static PetscErrorCode remove_nothing(MatNullSpace space, Vec v, void *context)
{
    (void)space, (void)v, (void)context;
    return 0;
}

static PetscErrorCode null_spaces_without_vectors_are_none_or_refused(void)
{
    struct system s;
    MatNullSpace space;
    PetscErrorCode code;
    PetscInt its;
    PetscFunctionBeginUser;
    PetscCall(make_uneven(&s, "space_"));
    PetscCall(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_FALSE, 0, NULL, &space));
    PetscCall(MatSetNullSpace(s.M, space));
    PetscCall(solve(&s, &its));
    PetscCall(MatNullSpaceSetFunction(space, remove_nothing, NULL));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    code = KSPSolve(s.ksp, s.b, s.x);
    PetscCall(PetscPopErrorHandler());
    CHECK(code == PETSC_ERR_SUP);
    PetscCall(MatNullSpaceDestroy(&space));
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* PETSc accepts any length. */
static PetscErrorCode vectors_of_null_spaces_have_the_length_of_rows(void)
{
    Vec v;
    MatNullSpace space;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-short_pc_vksolve_type", "amg"));
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, 10, &v));
    PetscCall(VecSet(v, 1));
    PetscCall(VecNormalize(v, NULL));
    PetscCall(MatNullSpaceCreate(PETSC_COMM_SELF, PETSC_FALSE, 1, &v, &space));
    for (int near = 0; near < 2; near++) {
        struct system s;
        PetscErrorCode code;
        PetscCall(make_system(&s, MATSEQAIJ, near ? KSPCG : "vksolve", near ? "vksolve" : PCJACOBI));
        PetscCall(KSPSetOptionsPrefix(s.ksp, "short_"));
        PetscCall(KSPSetFromOptions(s.ksp));
        PetscCall(near ? MatSetNearNullSpace(s.M, space) : MatSetNullSpace(s.M, space));
        PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
        code = KSPSolve(s.ksp, s.b, s.x);
        PetscCall(PetscPopErrorHandler());
        CHECK(code == PETSC_ERR_ARG_SIZ);
        PetscCall(destroy_system(&s));
    }
    PetscCall(MatNullSpaceDestroy(&space));
    PetscCall(VecDestroy(&v));
    PetscFunctionReturn(0);
}

/* The matrix has no block size. */
static PetscErrorCode coordinates_go_with_a_block_size_by_an_option(void)
{
    PetscReal places[N];
    PetscFunctionBeginUser;
    for (PetscInt i = 0; i < N; i++)
        places[i] = i * i % 17;
    PetscCall(PetscOptionsSetValue(NULL, "-nodes_pc_vksolve_type", "amg"));
    PetscCall(PetscOptionsSetValue(NULL, "-nodes_pc_vksolve_amg_block", "2"));
    for (PetscInt missing = 0; missing < 2; missing++) {
        struct system s;
        PetscErrorCode code;
        PetscCall(make_system(&s, "seqaijvksolve", KSPCG, "vksolve"));
        PetscCall(KSPSetOptionsPrefix(s.ksp, "nodes_"));
        PetscCall(KSPSetFromOptions(s.ksp));
        PetscCall(PCSetCoordinates(s.pc, 2, N / 2 - missing, places));
        PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
        code = PCSetUp(s.pc);
        PetscCall(PetscPopErrorHandler());
        CHECK(code == (missing ? PETSC_ERR_ARG_SIZ : 0));
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

/* Monitors; the second one reads x. */
static PetscErrorCode count(KSP ksp, PetscInt it, PetscReal norm, void *calls)
{
    (void)ksp, (void)it, (void)norm;
    ++*(PetscInt *)calls;
    return 0;
}

static PetscErrorCode look(KSP ksp, PetscInt it, PetscReal norm, void *context)
{
    Vec x;
    (void)it, (void)norm, (void)context;
    return KSPBuildSolution(ksp, NULL, &x);
}

static PetscErrorCode monitors_get_norms_and_no_solution_that_is_gone(void)
{
    struct system s;
    PetscInt its, calls = 0;
    PetscErrorCode code;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-monitors_ksp_vksolve_method", "idr"));
    PetscCall(make_uneven(&s, "monitors_"));
    PetscCall(KSPSetFromOptions(s.ksp));
    PetscCall(KSPMonitorSet(s.ksp, count, &calls, NULL));
    PetscCall(solve(&s, &its));
    CHECK(calls == its + 1);
    PetscCall(KSPMonitorSet(s.ksp, look, NULL, NULL));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    code = KSPSolve(s.ksp, s.b, s.x);
    PetscCall(PetscPopErrorHandler());
    CHECK(code == PETSC_ERR_SUP);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* The square of its norm is beyond the range of doubles. */
static PetscErrorCode a_huge_right_side_has_a_finite_residual(void)
{
    struct system s;
    PetscReal residual;
    PetscInt its;
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-huge_ksp_vksolve_method", "idr"));
    PetscCall(make_uneven(&s, "huge_"));
    PetscCall(KSPSetFromOptions(s.ksp));
    PetscCall(VecScale(s.b, 1e160));
    PetscCall(VecScale(s.ones, 1e160));
    PetscCall(KSPSolve(s.ksp, s.b, s.x));
    PetscCall(KSPGetIterationNumber(s.ksp, &its));
    PetscCall(KSPGetResidualNorm(s.ksp, &residual));
    CHECK(its > 0 && residual > 1e140 && residual < 1e155);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

static PetscErrorCode never(KSP ksp, PetscInt it, PetscReal norm, KSPConvergedReason *reason, void *context)
{
    (void)ksp, (void)it, (void)norm, (void)context;
    *reason = KSP_CONVERGED_ITERATING;
    return 0;
}

static PetscErrorCode tests_of_programs_are_refused_and_skipped_ones_are_skipped(void)
{
    struct system s;
    KSPConvergedReason reason;
    PetscErrorCode code;
    PetscInt its;
    PetscFunctionBeginUser;
    PetscCall(make_uneven(&s, "skip_"));
    PetscCall(PCSetType(s.pc, PCJACOBI));
    PetscCall(KSPSetTolerances(s.ksp, 0.5, PETSC_DEFAULT, PETSC_DEFAULT, 5));
    PetscCall(KSPSetConvergenceTest(s.ksp, KSPConvergedSkip, NULL, NULL));
    PetscCall(KSPSolve(s.ksp, s.b, s.x));
    PetscCall(KSPGetConvergedReason(s.ksp, &reason));
    PetscCall(KSPGetIterationNumber(s.ksp, &its));
    CHECK(reason == KSP_CONVERGED_ITS && its == 5);
    PetscCall(KSPSetConvergenceTest(s.ksp, never, NULL, NULL));
    PetscCall(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
    code = KSPSolve(s.ksp, s.b, s.x);
    PetscCall(PetscPopErrorHandler());
    CHECK(code == PETSC_ERR_SUP);
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

const struct check choice_checks[] = {
    {"none_by_the_program_is_none", none_by_the_program_is_none},
    {"a_ksp_can_be_changed_between_solves", a_ksp_can_be_changed_between_solves},
    {"a_block_size_by_an_option_counts_beside_pbjacobi", a_block_size_by_an_option_counts_beside_pbjacobi},
    {"null_spaces_without_vectors_are_none_or_refused", null_spaces_without_vectors_are_none_or_refused},
    {"vectors_of_null_spaces_have_the_length_of_rows", vectors_of_null_spaces_have_the_length_of_rows},
    {"coordinates_go_with_a_block_size_by_an_option", coordinates_go_with_a_block_size_by_an_option},
    {"monitors_get_norms_and_no_solution_that_is_gone", monitors_get_norms_and_no_solution_that_is_gone},
    {"tests_of_programs_are_refused_and_skipped_ones_are_skipped",
     tests_of_programs_are_refused_and_skipped_ones_are_skipped},
    {"a_huge_right_side_has_a_finite_residual", a_huge_right_side_has_a_finite_residual},
    {0}};
