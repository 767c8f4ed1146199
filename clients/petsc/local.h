/* The rows of this process on the device: a matrix of vksolve, which follows what PETSc has on the host.
 *
 * PETSc keeps the entries of an AIJ matrix in host memory, where all of its own operations (scale, shift,
 * assembly ...) find and change them. The copy on the device takes new values when it is wanted next. */
#ifndef VKS_PETSC_LOCAL_H
#define VKS_PETSC_LOCAL_H

#include "petsc/plugin.h"

#include <petscmat.h>

/* Which block of entries it was, and in what state. */
struct block_state {
    PetscObjectId id;
    PetscObjectState values, nonzeros;
};

struct local {
    vks_matrix *A; /* NULL: not made yet */
    struct block_state own, ghosts;
    uint64_t made;         /* a number of its structure, unique in this process */
    uint64_t valued;       /* how often it has taken values */
    struct holder *holder; /* who needs A with the values that it has now; NULL: nobody */
};

/* Rows for one who needs them as they were, such as a preconditioner that is not to follow the matrix. It
 * shares those of a matrix until these change. Then the old ones become its own. */
struct holder {
    struct local own;
    struct local *of; /* whose rows it shares; NULL: it shares none */
};

/* Brings l->A up to date with the entries of `own`, a matrix of the type seqaij or of one made of it, and of
 * `ghosts`, which has as many rows and may be NULL. The columns of l->A are the first `low` columns of
 * `ghosts`, those of `own`, and the other ones of `ghosts`: in a distributed matrix that is the order of
 * their global numbers, so each row is summed as on one process. `lanes` is as in vks_matrix_options. */
PetscErrorCode local_follow(struct local *l, Mat own, Mat ghosts, PetscInt low, uint32_t lanes);

void local_clear(struct local *l);

/* Shares the rows of l, which nobody else may hold; and ends that. */
void local_hold(struct local *l, struct holder *h);
void local_let_go(struct holder *h);

/* Whether l has the entries of `own` as they are now. */
PetscErrorCode local_is_current(const struct local *l, Mat own, PetscBool *is);

#endif
