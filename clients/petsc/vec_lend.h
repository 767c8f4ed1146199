/* Vecs of any type as arrays of the device. */
#ifndef VKS_PETSC_VEC_LEND_H
#define VKS_PETSC_VEC_LEND_H

#include "petsc/plugin.h"

#include <petscvec.h>

/* The Vec's own array, or *scratch, which is made when it is first needed, is as long as the Vec, and belongs
 * to the caller. vec_lend_read copies the values up; vec_lend_write leaves them undefined until they are
 * written; vec_take_back brings them into the Vec. */
PetscErrorCode vec_lend_read(Vec v, vks_vector **scratch, vks_vector **device);
PetscErrorCode vec_lend_write(Vec v, vks_vector **scratch, vks_vector **device);
PetscErrorCode vec_take_back(Vec v, vks_vector *device);

/* Refuses a vector of `space` that is not as long as the rows of this process. PETSc does not. */
PetscErrorCode vec_check_length(Vec v, PetscInt rows, const char *space);

#endif
