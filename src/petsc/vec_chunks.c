/* Dot products with the bits of one process: the sums of chunks are gathered, and every process adds them up
 * in their order. */
#include "petsc/vec.h"

PetscBool plugin_reproducible;

/* How many numbers each process brings, and where they stand. */
static PetscErrorCode count_chunks(Vec x, PetscMPIInt processes, PetscMPIInt *counts, PetscMPIInt *places)
{
    const PetscInt *range = x->map->range;
    PetscInt all = 0;
    PetscFunctionBegin;
    for (PetscMPIInt q = 0; q < processes; q++) {
        PetscInt chunks = (range[q + 1] - range[q] + (PetscInt)VKS_CHUNK - 1) / (PetscInt)VKS_CHUNK;
        PetscCheck(range[q] == x->map->N || range[q] % VKS_CHUNK == 0, PetscObjectComm((PetscObject)x),
                   PETSC_ERR_SUP,
                   "-vks_reproducible cuts vectors at multiples of %u elements, and rank %d begins at "
                   "%" PetscInt_FMT,
                   VKS_CHUNK, q, range[q]);
        PetscCall(PetscMPIIntCast(chunks, &counts[q]));
        PetscCall(PetscMPIIntCast(all, &places[q]));
        all += chunks;
    }
    places[processes] = (PetscMPIInt)all;
    PetscFunctionReturn(0);
}

PetscErrorCode vec_chunk_dot(Vec x, const vks_vector *a, const vks_vector *b, PetscScalar *result)
{
    MPI_Comm comm = PetscObjectComm((PetscObject)x);
    PetscMPIInt processes, rank, *counts, *places;
    PetscScalar *own, *all;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(comm, &processes));
    PetscCallMPI(MPI_Comm_rank(comm, &rank));
    PetscCall(PetscMalloc2(processes, &counts, processes + 1, &places));
    PetscCall(count_chunks(x, processes, counts, places));
    PetscCall(PetscMalloc2(counts[rank], &own, places[processes], &all));
    PetscCallVks(vks_vector_chunk_dots(a, b, own));
    PetscCallMPI(MPI_Allgatherv(own, counts[rank], MPIU_SCALAR, all, counts, places, MPIU_SCALAR, comm));
    *result = vks_sum_of_chunks(VKS_F64, all, (size_t)places[processes]);
    PetscCall(PetscFree2(own, all));
    PetscCall(PetscFree2(counts, places));
    PetscCall(PetscLogFlops(2.0 * x->map->n));
    PetscFunctionReturn(0);
}
