/* The halo of a distributed matrix: elements of a vector that go from the processes that own them to those
 * whose rows want them, and partial sums that go the other way.
 *
 * Elements are gathered on the device, so that nothing else leaves it. MPI moves them from host memory. */
#ifndef VKS_PETSC_HALO_H
#define VKS_PETSC_HALO_H

#include "petsc/plugin.h"

#include <petscis.h>

/* What goes to or comes from one process after the other: words at[k] .. at[k + 1] - 1 of `values`. */
struct parcels {
    PetscMPIInt peers, count, *rank, *at;
    PetscScalar *values;
};

struct halo {
    MPI_Comm comm; /* of the matrix, which outlives the halo */
    PetscMPIInt tag;
    struct parcels ghosts, boundary; /* elements of others that these rows want; own ones that others want */
    MPI_Request *requests;
    vks_array *index;     /* which elements the boundary has */
    vks_vector *gathered; /* the boundary on the device */
    vks_matrix *gather;   /* a row with a one for each of them; made when sums are wanted: spread */
    uint32_t *own;        /* the same indices, for that */
    vks_vector *spread;
    uint32_t length; /* of the part of the vector that this process has */
};

/* Finds who wants what: collective. `ghost` has the ascending global numbers of the elements that this
 * process wants of others; `layout` tells who owns which. */
PetscErrorCode halo_make(struct halo *h, PetscObject matrix, PetscLayout layout, PetscInt ghosts,
                         const PetscInt *ghost);
void halo_clear(struct halo *h);

/* Sends the boundary of x, and receives into h->ghosts.values, which are valid after halo_end. x NULL: this
 * process has failed before. Then, or where gathering fails, it sends NaN, so that no process waits for ever:
 * halo_end is to be called in any case. */
PetscErrorCode halo_begin(struct halo *h, const vks_vector *x);
PetscErrorCode halo_end(struct halo *h);

/* The same with arrays of the caller, from one call to the other. Returns an error of MPI. */
int halo_exchange(struct halo *h, const PetscScalar *boundary, PetscScalar *ghosts);
int halo_wait(struct halo *h);

/* The other way: sends h->ghosts.values to their owners, and adds what comes to y. y NULL: this process has
 * failed before, and sends NaN. */
PetscErrorCode halo_add_back(struct halo *h, vks_vector *y);

#endif
