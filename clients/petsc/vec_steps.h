/* Operations in one pass with a step that was put off. */
#ifndef VKS_PETSC_VEC_STEPS_H
#define VKS_PETSC_VEC_STEPS_H

#include "petsc/vec_arrays.h"

/* Puts off y = y + alpha x, of two Vecs that may change. */
PetscErrorCode vec_put_off(Vec y, PetscScalar alpha, Vec x);

/* w = d x, or x = z + beta x, by a pass with the step of x, or with the one that waits for x. *done is false
 * if none fits; the caller then writes w or x, and the old values of w may be gone. */
PetscErrorCode vec_multiply_with_step(Vec w, Vec d, Vec x, PetscBool *done);
PetscErrorCode vec_aypx_with_step(Vec x, PetscScalar beta, Vec z, PetscBool *done);

/* x . y, if a pass has left it. */
PetscBool vec_knows_dot(Vec x, Vec y, PetscScalar *result);

#endif
