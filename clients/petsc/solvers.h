/* KSP "vksolve", a whole solve on the device of a process, and PC "vksolve", a preconditioner there. */
#ifndef VKS_PETSC_SOLVERS_H
#define VKS_PETSC_SOLVERS_H

#include "petsc/mat.h"
#include "petsc/spec.h"

#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

/* With the signatures for KSPRegister and PCRegister. */
PetscErrorCode ksp_create(KSP ksp);
PetscErrorCode pc_create(PC pc);

/* The preconditioner of a PC of this type that is set up; the PC owns it. NULL for others. */
vks_precond *pc_precond(PC pc);

/* *local = the present rows of M on the device, for a solver that keeps M; NULL if the PC has none. */
PetscErrorCode pc_local(PC pc, Mat M, struct local **local);

/* Makes it a PC of this type that leaves the choice to its KSP. It is set up only if another KSP applies
 * it. */
PetscErrorCode pc_defer(PC pc);
PetscBool pc_is_deferred(PC pc);

/* Whether it is of this type and makes its own choice. */
PetscBool pc_is_chosen(PC pc);

#endif
