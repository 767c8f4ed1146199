/* State of a KSP of this type: ksp.c runs solves; ksp_options.c reads the options that choose them. */
#ifndef VKS_PETSC_KSP_H
#define VKS_PETSC_KSP_H

#include "petsc/partners.h"
#include "petsc/solvers.h"

/* A null space on the device. */
struct null_space {
    PetscObjectId id; /* of PETSc's object; 0 for none */
    uint32_t count;   /* number of vectors; 0: the constants */
    vks_vector *vectors[VKS_LARGEST_NULL_SPACE];
};

struct ksp {
    struct spec spec;
    vks_solve_options o; /* method, f32 ... are set from PETSc's options, the others for the kept solver */
    PetscBool by_option; /* -ksp_vksolve_precond names the preconditioner, regardless of the PC */
    PetscBool automatic; /* no type was chosen */
    uint32_t block_size; /* set by an option; 0: the matrix's block size */
    PetscBool is_monitoring; /* iterations that have ended are being reported to monitors */
    PetscBool stale;         /* the choice has changed since the solver was made */
    struct partners partners;
    struct local own;    /* rows of a matrix that does not keep them on the device */
    vks_solver *solver;  /* NULL until it is made */
    uint64_t made;       /* the structure of the matrix that it was made for */
    vks_precond *shared; /* a PC's preconditioner that it was made with */
    struct null_space null;
    vks_vector *b, *x;
    vks_solve_report report;
};

/* Whether the tolerances apply. They do not if there are no norms, or if PETSc's convergence test is
 * skipped. */
static inline PetscBool ksp_tests(KSP ksp)
{
    return ksp->normtype != KSP_NORM_NONE && ksp->converged != KSPConvergedSkip ? PETSC_TRUE : PETSC_FALSE;
}

PetscErrorCode ksp_set_from_options(KSP ksp, PetscOptionItems *PetscOptionsObject);

/* Finds the preconditioner that the PC requests. PETSc's default preconditioner is not made. */
PetscErrorCode ksp_take_pc(KSP ksp);

/* Makes the solver, unless the kept one is still valid. */
PetscErrorCode ksp_make_solver(KSP ksp);
PetscErrorCode ksp_clear(struct ksp *k);

#endif
