/* What a KSP of this type keeps: ksp.c runs solves, ksp_options.c says which. */
#ifndef VKS_PETSC_KSP_H
#define VKS_PETSC_KSP_H

#include "petsc/partners.h"
#include "petsc/solvers.h"

/* A null space on the device. */
struct null_space {
    PetscObjectId id; /* of PETSc's object; 0: there is none */
    uint32_t count;   /* of vectors; 0: the constants */
    vks_vector *vectors[VKS_LARGEST_NULL_SPACE];
};

struct ksp {
    struct spec spec;
    vks_solve_options o; /* method, f32 ... as options gave them; the rest for the solver that is kept */
    PetscBool by_option; /* -ksp_vksolve_precond names the preconditioner, whatever the PC */
    PetscBool automatic; /* nobody has chosen one */
    uint32_t block_size; /* as an option gave it; 0: that of the matrix */
    PetscBool telling;   /* monitors are told of iterations that are over */
    PetscBool stale;     /* another one was chosen since the solver was made */
    struct partners partners;
    struct local own;    /* of a matrix that is not on the device by itself */
    vks_solver *solver;  /* NULL: to be made */
    uint64_t made;       /* for which structure of the matrix */
    vks_precond *shared; /* and which preconditioner of a PC */
    struct null_space null;
    vks_vector *b, *x;
    vks_solve_report report;
};

/* Whether the tolerances count: not without norms, and not where PETSc's test is to be skipped. */
static inline PetscBool ksp_tests(KSP ksp)
{
    return ksp->normtype != KSP_NORM_NONE && ksp->converged != KSPConvergedSkip ? PETSC_TRUE : PETSC_FALSE;
}

PetscErrorCode ksp_set_from_options(KSP ksp, PetscOptionItems *PetscOptionsObject);

/* Looks which preconditioner the PC asks for. The one that PETSc takes by default is not made. */
PetscErrorCode ksp_take_pc(KSP ksp);

/* Makes the solver, unless the one that is kept suits. */
PetscErrorCode ksp_make_solver(KSP ksp);
PetscErrorCode ksp_clear(struct ksp *k);

#endif
