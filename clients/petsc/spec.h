/* A preconditioner of vksolve in the words of PETSc's options.
 *
 * One option names the kind, such as -pc_vksolve_type amg or amg/f32; others are the members of
 * vks_precond_options, such as -pc_vksolve_degree 3. The one inside is named by -pc_vksolve_inner, and its
 * members by -pc_vksolve_inner_degree and so on. */
#ifndef VKS_PETSC_SPEC_H
#define VKS_PETSC_SPEC_H

#include "petsc/plugin.h"

#include <petscmat.h>

struct spec {
    vks_precond_options o[VKS_LARGEST_NESTING]; /* the outermost first; each has the next one inside */
    /* Of spec_tell_amg: whom it told, the block size that options gave, and memory. */
    vks_amg_options *told;
    uint32_t block;
    PetscReal *near_null;
};

/* Reads the options. `kind` is the option that names the kind, "-pc_vksolve_type"; `stem` begins the others,
 * "-pc_vksolve_"; `of_method` names the method of the kind inner, "-pc_vksolve_method". *given becomes true
 * where the kind is named. */
PetscErrorCode spec_read(struct spec *s, PetscOptionItems *PetscOptionsObject, const char *kind,
                         const char *stem, const char *of_method, PetscBool *given);

/* The kind, where it is named by the program instead. */
void spec_set(struct spec *s, vks_precond_kind kind, uint32_t block_size);

/* Coordinates of nodes, as PCSetCoordinates has them; `values` NULL: none. */
struct coordinates {
    PetscInt dimensions, nodes;
    PetscReal *values;
};

/* Tells multigrid what PETSc knows of M: coordinates, else the near-null space, else the block size. A
 * block size that is given counts more. Until spec_forget the members point to memory that spec and `c` own.
 */
PetscErrorCode spec_tell_amg(struct spec *s, Mat M, const struct coordinates *c);
PetscErrorCode spec_forget(struct spec *s);

/* The names of methods, for PetscOptionsEList: "auto" and those of VKS_METHODS. */
extern const char *const spec_methods[VKS_METHOD_COUNT_];

#endif
