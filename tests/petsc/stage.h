/* The stage of PETSc's log that a program is in. */
#ifndef VKS_TESTS_PETSC_STAGE_H
#define VKS_TESTS_PETSC_STAGE_H

#include <petscsys.h>

/* Whether the program has been in a stage. */
static inline PetscErrorCode check_used(PetscLogStage stage)
{
    PetscBool used;
    PetscFunctionBegin;
    PetscCheck(stage >= 0, PETSC_COMM_SELF, PETSC_ERR_PLIB, "there is no such stage");
#if PETSC_VERSION_LT(3, 20, 0)
    PetscStageLog log;
    PetscCall(PetscLogGetStageLog(&log));
    used = log->stageInfo[stage].used;
#else
    PetscEventPerfInfo info;
    PetscCall(PetscLogStageGetPerfInfo(stage, &info));
    used = info.count > 0 ? PETSC_TRUE : PETSC_FALSE;
#endif
    PetscCheck(used, PETSC_COMM_SELF, PETSC_ERR_PLIB, "the program has not been in stage %d", stage);
    PetscFunctionReturn(0);
}

static inline PetscErrorCode current_stage(PetscLogStage *stage)
{
#if PETSC_VERSION_LT(3, 20, 0)
    PetscStageLog log;
    PetscFunctionBegin;
    PetscCall(PetscLogGetStageLog(&log));
    PetscCall(PetscStageLogGetCurrent(log, stage));
#else
    PetscLogState log;
    PetscFunctionBegin;
    PetscCall(PetscLogGetState(&log));
    PetscCall(PetscLogStateGetCurrentStage(log, stage));
#endif
    PetscFunctionReturn(0);
}

#endif
