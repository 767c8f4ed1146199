/* Vec "vksolve": its array is on the device (vec_arrays.h). */
#ifndef VKS_PETSC_VEC_H
#define VKS_PETSC_VEC_H

#include <petscvec.h>

/* Make Vecs of these types, with the signature for VecRegister. */
PetscErrorCode vec_create(Vec v);
PetscErrorCode vec_create_seq(Vec v);
PetscErrorCode vec_create_mpi(Vec v);

#endif
