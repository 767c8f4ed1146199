/* A solve of several processes: what the library asks for, by MPI. The processes share the rows as PETSc
 * cuts them, and the solve has the bits of one process (vksolve/partners.h). */
#ifndef VKS_PETSC_PARTNERS_H
#define VKS_PETSC_PARTNERS_H

#include "petsc/mat.h"
#include "petsc/spec.h"

struct partners {
    PetscMPIInt processes; /* 1, or 0: nobody shares anything */
    MPI_Comm comm;
    struct halo *halo; /* of the matrix */
    vks_partners with;
    uint64_t *first;
    PetscMPIInt *counts, *places; /* of the numbers that are gathered */
    vks_precond_kind kind;
    uint32_t block_size;   /* 1: the diagonal */
    vks_matrix *blocks;    /* the blocks on the diagonal of these rows; NULL: they are not wanted */
    vks_precond *M;        /* made of them */
    uint64_t made, valued; /* the structure and the values of the matrix that it has */
    uint32_t negative;     /* the first row whose diagonal entry is below 0, of the diagonal; UINT32_MAX: none
                            */
};

/* The rows of this process, brought up to date, and what the others have to know of them. Collective: where
 * one process fails, all do. *own takes the rows of a matrix that is not on the device by itself. */
PetscErrorCode partners_follow(struct partners *p, Mat M, struct local *own, struct local **local);

/* Puts them into the options of a solve, with the preconditioner that is wanted: blocks on the diagonal,
 * none, or the diagonal, also where `wanted` is NULL or AUTO. */
PetscErrorCode partners_tell(struct partners *p, Mat M, const vks_precond_options *wanted,
                             vks_solve_options *o);

/* Why the rows do not suit the preconditioner; NOT_RUN: those of all processes do. The first such row of the
 * whole decides, as on one process. Collective. */
PetscErrorCode partners_suit(const struct partners *p, vks_reason *reason);

/* An error on all processes where `code` is one on any of them. Collective. */
PetscErrorCode partners_agree(const struct partners *p, PetscErrorCode code);

PetscErrorCode partners_clear(struct partners *p);

#endif
