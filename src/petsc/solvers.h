/* KSP "vksolve", a whole solve on the device of a process, and PC "vksolve", a preconditioner there. */
#ifndef VKS_PETSC_SOLVERS_H
#define VKS_PETSC_SOLVERS_H

#include "petsc/mat.h"
#include "petsc/spec.h"

#include <petsc/private/kspimpl.h>
#include <petsc/private/pcimpl.h>

/* As KSPRegister and PCRegister want it. */
PetscErrorCode ksp_create(KSP ksp);
PetscErrorCode pc_create(PC pc);

/* The preconditioner of a PC of this type that is set up, to which it belongs; NULL of others. */
vks_precond *pc_precond(PC pc);

/* The rows on the device of the matrix M that it was made of, for a solver that keeps it; NULL of another. */
struct local *pc_local(PC pc, Mat M);

#endif
