/* A solve on several processes: MPI versions of the operations that the library requests. The processes own
 * the rows as PETSc distributes them, and the solve has the bits of one process (vksolve/partners.h). */
#ifndef VKS_PETSC_PARTNERS_H
#define VKS_PETSC_PARTNERS_H

#include "petsc/mat.h"
#include "petsc/spec.h"

struct partners {
    PetscMPIInt processes; /* 1 or 0: not distributed */
    MPI_Comm comm;
    struct halo *halo; /* of the matrix */
    vks_partners with;
    uint64_t *first;
    PetscMPIInt *counts, *places; /* of the gathered numbers */
    vks_precond_kind kind;
    uint32_t block_size;   /* 1 for the diagonal */
    vks_matrix *blocks;    /* the diagonal blocks of these rows; NULL if not requested */
    vks_precond *M;        /* made from the blocks */
    uint64_t made, valued; /* of the matrix that it was made from: structure and values */
    uint32_t negative;     /* for the diagonal: the first row with a negative entry; UINT32_MAX for none */
};

/* Updates the rows of this process, and the data that the other processes need of them. Collective: if one
 * process fails, all do. *own receives the rows of a matrix that does not keep them on the device. */
PetscErrorCode partners_follow(struct partners *p, Mat M, struct local *own, struct local **local);

/* Sets the partners in the options of a solve, with the requested preconditioner: blocks on the diagonal,
 * none, or the diagonal, which is also used if `wanted` is NULL or AUTO. */
PetscErrorCode partners_set_options(struct partners *p, Mat M, const vks_precond_options *wanted,
                                    vks_solve_options *o);

/* Why the rows do not suit the preconditioner; NOT_RUN if the rows of all processes do. The first such row of
 * the whole matrix decides, as on one process. Collective. */
PetscErrorCode partners_suit(const struct partners *p, vks_reason *reason);

/* Fails on all processes if `code` is an error on any of them. Collective. */
PetscErrorCode partners_agree(const struct partners *p, PetscErrorCode code);

PetscErrorCode partners_clear(struct partners *p);

#endif
