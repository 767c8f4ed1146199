/* A solve of several processes: what the library asks for, by MPI. The processes share the rows as PETSc
 * cuts them, and the solve has the bits of one process (vksolve/partners.h). */
#ifndef VKS_PETSC_PARTNERS_H
#define VKS_PETSC_PARTNERS_H

#include "petsc/mat.h"
#include "petsc/spec.h"

struct partners {
    PetscMPIInt processes; /* 1, or 0: nobody shares anything */
    struct halo *halo;     /* of the matrix */
    vks_partners with;
    uint64_t *first;
    PetscMPIInt *counts, *places; /* of the numbers that are gathered */
    vks_precond_kind kind;
    uint32_t block_size;   /* 1: the diagonal */
    vks_matrix *blocks;    /* the blocks on the diagonal of these rows; NULL: they are not wanted */
    vks_precond *M;        /* made of them */
    uint64_t made, valued; /* the structure and the values of the matrix that it has */
};

/* The rows of this process, brought up to date, and what the others have to know of them. On several
 * processes collective. *own takes the rows of a matrix that is not on the device by itself. */
PetscErrorCode partners_follow(struct partners *p, Mat M, struct local *own, struct local **local);

/* Puts them into the options of a solve, with the preconditioner that is wanted: blocks on the diagonal,
 * none, or the diagonal, also where `wanted` is NULL. Collective. */
PetscErrorCode partners_tell(struct partners *p, Mat M, const vks_precond_options *wanted,
                             vks_solve_options *o);

/* Whether the rows of all processes suit the preconditioner. Collective. */
PetscErrorCode partners_suit(const struct partners *p, PetscBool *suits);

/* The same failure on all processes, where one has failed. Collective. */
PetscErrorCode partners_agree(const struct partners *p, vks_status status);

PetscErrorCode partners_clear(struct partners *p);

#endif
