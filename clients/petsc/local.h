/* The rows of this process on the device: a vksolve matrix that follows PETSc's on the host.
 *
 * PETSc keeps the entries of an AIJ matrix in host memory, where all of its own operations (scale, shift,
 * assembly ...) find and change them. The copy on the device updates its values when it is needed next. */
#ifndef VKS_PETSC_LOCAL_H
#define VKS_PETSC_LOCAL_H

#include "petsc/plugin.h"

#include <petscmat.h>

/* Identifies a block of entries and its state. */
struct block_state {
    PetscObjectId id;
    PetscObjectState values, nonzeros;
};

struct local {
    vks_matrix *A; /* NULL: not made yet */
    struct block_state own, ghosts;
    uint64_t made;         /* a number of its structure, unique in this process */
    uint64_t valued;       /* how many times its values were set */
    struct holder *holder; /* the holder that needs A with its present values; NULL for none */
};

/* Rows for an owner that needs them in an earlier state, such as a preconditioner that does not follow the
 * matrix. It shares the rows of a matrix until these change; it then owns the old ones. */
struct holder {
    struct local own;
    struct local *of; /* the owner of the shared rows; NULL if it shares none */
};

/* Updates l->A to the entries of `own`, a matrix of the type seqaij or a type derived from it, and of
 * `ghosts`, which has as many rows and may be NULL. The columns of l->A are the first `low` columns of
 * `ghosts`, the columns of `own`, and the other columns of `ghosts`. In a distributed matrix that is the
 * order of their global numbers, so each row is summed as on one process. `lanes` is as in
 * vks_matrix_options. */
PetscErrorCode local_follow(struct local *l, Mat own, Mat ghosts, PetscInt low, uint32_t lanes);

void local_clear(struct local *l);

/* Share the rows of l, which must have no other holder; end the sharing. */
void local_hold(struct local *l, struct holder *h);
void local_let_go(struct holder *h);

/* Whether l has the present entries of `own`. */
PetscErrorCode local_is_current(const struct local *l, Mat own, PetscBool *is);

#endif
