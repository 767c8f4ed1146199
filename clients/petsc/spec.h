/* A preconditioner of vksolve in PETSc's options.
 *
 * One option names the kind, such as -pc_vksolve_type amg or amg/f32; others are the members of
 * vks_precond_options, such as -pc_vksolve_degree 3. -pc_vksolve_inner names the nested one; its members are
 * -pc_vksolve_inner_degree and so on. */
#ifndef VKS_PETSC_SPEC_H
#define VKS_PETSC_SPEC_H

#include "petsc/plugin.h"

#include <petscmat.h>

struct spec {
    vks_precond_options o[VKS_LARGEST_NESTING]; /* the outermost first; each points to the next */
    /* Set by spec_fill_amg: the options that it changed, their previous block size, and memory. */
    vks_amg_options *filled;
    uint32_t block;
    PetscReal *near_null;
};

/* Reads the options. `kind` is the option that names the kind, "-pc_vksolve_type"; `stem` begins the others,
 * "-pc_vksolve_"; `of_method` names the method of the kind inner, "-pc_vksolve_method". *given becomes true
 * if the kind is named. */
PetscErrorCode spec_read(struct spec *s, PetscOptionItems *PetscOptionsObject, const char *kind,
                         const char *stem, const char *of_method, PetscBool *given);

/* Sets the kind, for a program that chooses it without options. */
void spec_set(struct spec *s, vks_precond_kind kind, uint32_t block_size);

/* Coordinates of nodes, as in PCSetCoordinates; `values` is NULL for none. */
struct coordinates {
    PetscInt dimensions, nodes;
    PetscReal *values;
};

/* Gives multigrid PETSc's data of M: coordinates, else the near-null space, else the block size. A block size
 * from an option takes precedence. Until spec_forget the members point to memory that spec and `c` own. */
PetscErrorCode spec_fill_amg(struct spec *s, Mat M, const struct coordinates *c);
PetscErrorCode spec_forget(struct spec *s);

/* The names of methods, for PetscOptionsEList: "auto" and the names of VKS_METHODS. */
extern const char *const spec_methods[VKS_METHOD_COUNT_];

#endif
