/* Functions that PETSc looks up by type name, composed with matrices, such as MatConvert_mpiaij_hypre_C. They
 * serve a matrix of these types as they serve the type that it is derived from. */
#ifndef VKS_PETSC_MAT_NAMES_H
#define VKS_PETSC_MAT_NAMES_H

#include "petsc/mat.h"

/* The type of M among these; NULL for any other. */
PetscErrorCode mat_type_of(Mat M, const struct mat_type **type);

/* Composes the functions of PETSc's type also under the name of this one; and removes these. */
PetscErrorCode mat_names_add(Mat M, const struct mat_type *type);
PetscErrorCode mat_names_remove(Mat M, const struct mat_type *type);

#endif
