/* The halo of a distributed matrix: vector elements that are sent from their owners to the processes whose
 * rows need them, and partial sums that are sent in the reverse direction.
 *
 * Elements are gathered on the device, so that only they leave it. MPI sends them from host memory. */
#ifndef VKS_PETSC_HALO_H
#define VKS_PETSC_HALO_H

#include "petsc/plugin.h"

#include <petscis.h>

/* Data sent to or received from a list of processes: values[at[k]] .. values[at[k + 1] - 1] for the k-th. */
struct parcels {
    PetscMPIInt peers, count, *rank, *at;
    PetscScalar *values;
};

struct halo {
    MPI_Comm comm; /* of the matrix, which outlives the halo */
    PetscMPIInt tag;
    struct parcels ghosts, boundary; /* others' elements for these rows; own elements for others */
    MPI_Request *requests;
    vks_array *index;     /* indices of the boundary's elements */
    vks_vector *gathered; /* the boundary on the device */
    vks_matrix *gather; /* a row with a 1 for each of its elements; made by the first reverse exchange, as is
                           spread */
    uint32_t *own;      /* the same indices, for `gather` */
    vks_vector *spread;
    uint32_t length; /* of the part of the vector on this process */
};

/* Finds which process needs which elements; collective. `ghost` holds the ascending global numbers of the
 * elements that this process needs from others; `layout` gives their owners. */
PetscErrorCode halo_make(struct halo *h, PetscObject matrix, PetscLayout layout, PetscInt ghosts,
                         const PetscInt *ghost);
void halo_clear(struct halo *h);

/* Sends the boundary of x, and receives into h->ghosts.values, which are valid after halo_end. x NULL: this
 * process has already failed. It then sends NaN, as it does if gathering fails, so that no process hangs.
 * halo_end is required in any case. */
PetscErrorCode halo_begin(struct halo *h, const vks_vector *x);
PetscErrorCode halo_end(struct halo *h);

/* The same with the caller's arrays, which remain in use until halo_wait. Returns an MPI error code. */
int halo_exchange(struct halo *h, const PetscScalar *boundary, PetscScalar *ghosts);
int halo_wait(struct halo *h);

/* The reverse exchange: sends h->ghosts.values to their owners, and adds the received sums to y. y NULL: this
 * process has already failed, and sends NaN. */
PetscErrorCode halo_add_back(struct halo *h, vks_vector *y);

#endif
