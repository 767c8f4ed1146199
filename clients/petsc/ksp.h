/* State of a KSP of this type: ksp.c runs solves, ksp_options.c reads which. */
#ifndef VKS_PETSC_KSP_H
#define VKS_PETSC_KSP_H

#include "petsc/partners.h"
#include "petsc/solvers.h"

/* A null space on the device. */
struct null_space {
    PetscObjectId id; /* of PETSc's object; 0 for none */
    uint32_t count;   /* of vectors; 0: the constants */
    vks_vector *vectors[VKS_LARGEST_NULL_SPACE];
};

struct ksp {
    struct spec spec;
    vks_solve_options o; /* method, f32 ... from options; the rest for the kept solver */
    PetscBool by_option; /* -ksp_vksolve_precond names the preconditioner, whatever the PC */
    PetscBool automatic; /* no type was chosen */
    uint32_t block_size; /* from an option; 0: that of the matrix */
    PetscBool telling;   /* iterations that have ended are being reported to monitors */
    PetscBool stale;     /* the choice has changed since the solver was made */
    struct partners partners;
    struct local own;    /* rows of a matrix that does not keep them on the device */
    vks_solver *solver;  /* NULL: not made yet */
    uint64_t made;       /* for this structure of the matrix */
    vks_precond *shared; /* and this preconditioner of a PC */
    struct null_space null;
    vks_vector *b, *x;
    vks_solve_report report;
};

/* Whether the tolerances apply: not without norms, nor if PETSc's test is skipped. */
static inline PetscBool ksp_tests(KSP ksp)
{
    return ksp->normtype != KSP_NORM_NONE && ksp->converged != KSPConvergedSkip ? PETSC_TRUE : PETSC_FALSE;
}

PetscErrorCode ksp_set_from_options(KSP ksp, PetscOptionItems *PetscOptionsObject);

/* Finds which preconditioner the PC asks for. PETSc's default preconditioner is not made. */
PetscErrorCode ksp_take_pc(KSP ksp);

/* Makes the solver, unless the kept one is still valid. */
PetscErrorCode ksp_make_solver(KSP ksp);
PetscErrorCode ksp_clear(struct ksp *k);

#endif
