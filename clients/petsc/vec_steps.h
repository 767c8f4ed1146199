/* Operations in one pass with a deferred step. */
#ifndef VKS_PETSC_VEC_STEPS_H
#define VKS_PETSC_VEC_STEPS_H

#include "petsc/vec_arrays.h"

/* Defers y = y + alpha x, for two Vecs that may change. */
PetscErrorCode vec_put_off(Vec y, PetscScalar alpha, Vec x);

/* w = d x, or x = z + beta x, in a pass with the step of x, or with the one that depends on x. *done is false
 * if none fits; the caller then writes w or x, and the old values of w may be lost. */
PetscErrorCode vec_multiply_with_step(Vec w, Vec d, Vec x, PetscBool *done);
PetscErrorCode vec_aypx_with_step(Vec x, PetscScalar beta, Vec z, PetscBool *done);

/* x . y, if a pass has computed it. */
PetscBool vec_knows_dot(Vec x, Vec y, PetscScalar *result);

#endif
