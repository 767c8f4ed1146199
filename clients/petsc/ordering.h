/* MatGetOrdering of a matrix of several processes.
 *
 * PETSc orders the rows of each process by itself, but only in a matrix whose type has the name of its own.
 * So each ordering is registered again, by a function that gives such a matrix that name meanwhile. */
#ifndef VKS_PETSC_ORDERING_H
#define VKS_PETSC_ORDERING_H

#include <petscsys.h>

PetscErrorCode ordering_register(void);
PetscErrorCode ordering_finish(void);

#endif
