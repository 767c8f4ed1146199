/* Checks of preconditioners that are kept while the matrix changes (KSPSetReusePreconditioner). */
#include "check.h"

#include <stdlib.h>

/* The kinds that multiply by the matrix when they are applied, and one that does not. */
static const char *const kinds[] = {"amg", "chebyshev", "inner", "fsai"};
enum { KINDS = 4 };

/* A system for cg with a preconditioner of the kind, solved once. */
static PetscErrorCode begin(struct system *s, MatType mat, const char *kind, PetscInt *its)
{
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-kept_pc_vksolve_type", kind));
    PetscCall(make_system(s, mat, KSPCG, "vksolve"));
    PetscCall(KSPSetOptionsPrefix(s->ksp, "kept_"));
    PetscCall(KSPSetFromOptions(s->ksp));
    PetscCall(expect(s, KSP_CONVERGED_RTOL));
    PetscCall(KSPGetIterationNumber(s->ksp, its));
    PetscFunctionReturn(0);
}

/* Solves again, with the same number of iterations: the old preconditioner is a multiple of a new one. */
static PetscErrorCode solve_alike(struct system *s, PetscInt its)
{
    PetscInt now;
    PetscFunctionBeginUser;
    PetscCall(VecSet(s->x, 0));
    PetscCall(expect(s, KSP_CONVERGED_RTOL));
    PetscCall(KSPGetIterationNumber(s->ksp, &now));
    PetscCheck(PetscAbsInt(now - its) <= 1, PETSC_COMM_SELF, PETSC_ERR_PLIB,
               "%" PetscInt_FMT " iterations, not %" PetscInt_FMT, now, its);
    PetscFunctionReturn(0);
}

static PetscErrorCode times(struct system *s, PetscReal factor)
{
    PetscFunctionBeginUser;
    PetscCall(MatScale(s->M, factor));
    PetscCall(MatMult(s->M, s->ones, s->b));
    PetscFunctionReturn(0);
}

static PetscErrorCode a_kept_pc_stays_what_it_was(void)
{
    PetscFunctionBeginUser;
    for (int k = 0; k < KINDS; k++)
        for (int ours = 0; ours < 2; ours++) {
            struct system s;
            PetscInt its;
            PetscCall(begin(&s, ours ? "seqaijvksolve" : MATSEQAIJ, kinds[k], &its));
            PetscCall(KSPSetReusePreconditioner(s.ksp, PETSC_TRUE));
            for (int step = 0; step < 3; step++) {
                PetscCall(times(&s, 5));
                PetscCall(solve_alike(&s, its));
            }
            PetscCall(KSPSetReusePreconditioner(s.ksp, PETSC_FALSE));
            PetscCall(times(&s, 5));
            PetscCall(solve_alike(&s, its));
            PetscCall(KSPSetReusePreconditioner(s.ksp, PETSC_TRUE));
            PetscCall(times(&s, 5));
            PetscCall(solve_alike(&s, its));
            PetscCall(destroy_system(&s));
        }
    PetscFunctionReturn(0);
}

/* The matrix that it was made from is destroyed, or has another structure, or is of another type. */
static PetscErrorCode a_kept_pc_outlives_its_matrix(void)
{
    PetscFunctionBeginUser;
    for (int k = 0; k < KINDS; k++)
        for (int how = 0; how < 3; how++) {
            struct system s;
            PetscInt its;
            Mat other;
            PetscCall(begin(&s, "seqaijvksolve", kinds[k], &its));
            PetscCall(KSPSetReusePreconditioner(s.ksp, PETSC_TRUE));
            if (how == 0) {
                PetscCall(make_path("seqaijvksolve", SYSTEM_ROWS, 0.5, &other));
                PetscCall(KSPSetOperators(s.ksp, other, other));
                PetscCall(MatDestroy(&s.M));
                s.M = other;
            } else if (how == 1) {
                PetscCall(MatSetOption(s.M, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
                PetscCall(MatSetValue(s.M, 0, 9, 0, INSERT_VALUES));
                PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
                PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
            } else
                PetscCall(MatConvert(s.M, MATSEQAIJ, MAT_INPLACE_MATRIX, &s.M));
            PetscCall(times(&s, 5));
            PetscCall(solve_alike(&s, its));
            PetscCall(destroy_system(&s));
        }
    PetscFunctionReturn(0);
}

/* The second of two KSPs keeps its preconditioner, the first one does not. */
static PetscErrorCode two_pcs_of_a_matrix_go_their_own_ways(void)
{
    struct system s;
    PetscInt its;
    KSP first, second;
    PetscFunctionBeginUser;
    PetscCall(begin(&s, "seqaijvksolve", "amg", &its));
    first = s.ksp;
    PetscCall(KSPCreate(PETSC_COMM_SELF, &second));
    PetscCall(KSPSetOptionsPrefix(second, "kept_"));
    PetscCall(KSPSetOperators(second, s.M, s.M));
    PetscCall(KSPSetType(second, KSPCG));
    PetscCall(KSPSetTolerances(second, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(PetscOptionsSetValue(NULL, "-kept_pc_type", "vksolve"));
    PetscCall(KSPSetFromOptions(second));
    PetscCall(PetscOptionsClearValue(NULL, "-kept_pc_type"));
    s.ksp = second;
    PetscCall(solve_alike(&s, its));
    PetscCall(KSPSetReusePreconditioner(second, PETSC_TRUE));
    for (int step = 0; step < 4; step++) {
        PetscCall(times(&s, 5));
        s.ksp = step % 2 ? first : second;
        PetscCall(solve_alike(&s, its));
    }
    s.ksp = first;
    PetscCall(KSPDestroy(&second));
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

/* With the KSP of this plug-in, which applies no PC of PETSc's, and without KSPSetOperators in between. */
static PetscErrorCode a_pc_of_the_ksp_takes_new_values(void)
{
    PetscFunctionBeginUser;
    PetscCall(PetscOptionsSetValue(NULL, "-new_pc_vksolve_type", "dense"));
    for (int ours = 0; ours < 2; ours++) {
        struct system s;
        PetscCall(make_system(&s, ours ? "seqaijvksolve" : MATSEQAIJ, "vksolve", "vksolve"));
        PetscCall(KSPSetOptionsPrefix(s.ksp, "new_"));
        PetscCall(KSPSetFromOptions(s.ksp));
        for (PetscInt step = 0; step < 3; step++) {
            PetscInt its;
            PetscCall(VecSet(s.x, 0));
            PetscCall(expect(&s, KSP_CONVERGED_RTOL));
            PetscCall(KSPGetIterationNumber(s.ksp, &its));
            CHECK(its <= 2); /* the inverse of the present matrix */
            for (PetscInt i = step; i < SYSTEM_ROWS; i += 3)
                PetscCall(MatSetValue(s.M, i, i, 30 + i, INSERT_VALUES));
            PetscCall(MatAssemblyBegin(s.M, MAT_FINAL_ASSEMBLY));
            PetscCall(MatAssemblyEnd(s.M, MAT_FINAL_ASSEMBLY));
            PetscCall(MatMult(s.M, s.ones, s.b));
        }
        PetscCall(destroy_system(&s));
    }
    PetscFunctionReturn(0);
}

/* The matrix is indefinite with a positive diagonal: without UMFPACK, conjugate gradients fail, and MINRES
 * follows. Later solves begin with MINRES, also with new values. */
static PetscErrorCode a_ksp_begins_with_what_it_has_learned(void)
{
    struct system s;
    PetscInt first = 0, its;
    PetscFunctionBeginUser;
    PetscCall(make_system(&s, "seqaijvksolve", "vksolve", NULL));
    PetscCheck(!setenv("VKSOLVE_UMFPACK", "/nonexistent", 1), PETSC_COMM_SELF, PETSC_ERR_SYS, "no setenv");
    PetscCall(MatShift(s.M, -0.6));
    PetscCall(MatMult(s.M, s.ones, s.b));
    for (int step = 0; step < 4; step++) {
        if (step > 1)
            PetscCall(times(&s, 1.05));
        PetscCall(VecSet(s.x, 0));
        PetscCall(expect(&s, KSP_CONVERGED_RTOL));
        PetscCall(KSPGetIterationNumber(s.ksp, &its));
        first = step ? first : its;
        PetscCheck(!step || its < first, PETSC_COMM_SELF, PETSC_ERR_PLIB,
                   "%" PetscInt_FMT " iterations in step %d, and %" PetscInt_FMT " at first", its, step,
                   first);
    }
    unsetenv("VKSOLVE_UMFPACK");
    PetscCall(destroy_system(&s));
    PetscFunctionReturn(0);
}

const struct check kept_checks[] = {
    {"a_kept_pc_stays_what_it_was", a_kept_pc_stays_what_it_was},
    {"a_kept_pc_outlives_its_matrix", a_kept_pc_outlives_its_matrix},
    {"two_pcs_of_a_matrix_go_their_own_ways", two_pcs_of_a_matrix_go_their_own_ways},
    {"a_pc_of_the_ksp_takes_new_values", a_pc_of_the_ksp_takes_new_values},
    {"a_ksp_begins_with_what_it_has_learned", a_ksp_begins_with_what_it_has_learned},
    {0}};
