/* Dot products with the bits of one process: chunk sums are gathered, and every process adds them in their
 * order. */
#ifndef VKS_PETSC_VEC_CHUNKS_H
#define VKS_PETSC_VEC_CHUNKS_H

#include "petsc/plugin.h"

#include <petscvec.h>

/* Whether all dot products use this (-vks_reproducible). */
extern PetscBool vec_reproducible;

/* a . b of two device arrays that are distributed as x is. Collective. */
PetscErrorCode vec_chunk_dot(Vec x, const vks_vector *a, const vks_vector *b, PetscScalar *result);

#endif
