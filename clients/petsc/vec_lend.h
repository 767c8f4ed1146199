/* Vecs of any type as device arrays. */
#ifndef VKS_PETSC_VEC_LEND_H
#define VKS_PETSC_VEC_LEND_H

#include "petsc/plugin.h"

#include <petscvec.h>

/* The Vec's own array, or *scratch, which is made when first needed, is as long as the Vec, and belongs to
 * the caller. vec_lend_read uploads the values; vec_lend_write leaves them undefined until they are written;
 * vec_take_back copies them into the Vec. */
PetscErrorCode vec_lend_read(Vec v, vks_vector **scratch, vks_vector **device);
PetscErrorCode vec_lend_write(Vec v, vks_vector **scratch, vks_vector **device);
PetscErrorCode vec_take_back(Vec v, vks_vector *device);

/* Rejects a vector of `space` whose length differs from the rows of this process. PETSc does not check. */
PetscErrorCode vec_check_length(Vec v, PetscInt rows, const char *space);

#endif
