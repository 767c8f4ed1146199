/* The small system for checks of KSPs and PCs. */
#include "check.h"

PetscErrorCode make_system(struct system *s, MatType mat, KSPType ksp, PCType pc)
{
    PetscFunctionBeginUser;
    PetscCall(make_path(mat, SYSTEM_ROWS, 0.5, &s->M));
    PetscCall(MatCreateVecs(s->M, &s->x, &s->b));
    PetscCall(VecDuplicate(s->x, &s->ones));
    PetscCall(VecSet(s->ones, 1));
    PetscCall(MatMult(s->M, s->ones, s->b));
    PetscCall(KSPCreate(PETSC_COMM_SELF, &s->ksp));
    PetscCall(KSPSetOperators(s->ksp, s->M, s->M));
    PetscCall(KSPSetTolerances(s->ksp, 1e-10, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    PetscCall(KSPSetType(s->ksp, ksp));
    PetscCall(KSPGetPC(s->ksp, &s->pc));
    if (pc)
        PetscCall(PCSetType(s->pc, pc));
    PetscFunctionReturn(0);
}

PetscErrorCode destroy_system(struct system *s)
{
    PetscFunctionBeginUser;
    PetscCall(KSPDestroy(&s->ksp));
    PetscCall(VecDestroy(&s->x));
    PetscCall(VecDestroy(&s->b));
    PetscCall(VecDestroy(&s->ones));
    PetscCall(MatDestroy(&s->M));
    PetscFunctionReturn(0);
}

PetscErrorCode expect(struct system *s, KSPConvergedReason wanted)
{
    KSPConvergedReason reason;
    PetscFunctionBeginUser;
    PetscCall(KSPSolve(s->ksp, s->b, s->x));
    PetscCall(KSPGetConvergedReason(s->ksp, &reason));
    PetscCheck(reason == wanted, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the reason is %s, not %s",
               KSPConvergedReasons[reason], KSPConvergedReasons[wanted]);
    if (wanted > 0)
        PetscCall(check_equal(s->x, s->ones, 1e-8));
    PetscFunctionReturn(0);
}
