/* MatGetOrdering of a matrix of several processes.
 *
 * PETSc orders the rows of each process by itself, but only in a matrix with the type name of PETSc's own
 * type. So each ordering is registered again, with a function that gives such a matrix that name
 * temporarily. */
#ifndef VKS_PETSC_ORDERING_H
#define VKS_PETSC_ORDERING_H

#include <petscsys.h>

PetscErrorCode ordering_register(void);
PetscErrorCode ordering_finish(void);

#endif
