/* Puts device operations into the table of a Vec. */
#ifndef VKS_PETSC_VEC_OPERATIONS_H
#define VKS_PETSC_VEC_OPERATIONS_H

#include <petsc/private/vecimpl.h>

void vec_set_algebra(VecOps ops); /* vec_algebra.c */
void vec_set_sums(VecOps ops);    /* vec_sums.c */

#endif
