#include "petsc/vec_chunks.h"

#include <petsc/private/vecimpl.h>

PetscBool vec_reproducible;

/* The number of sums of each process, and their positions. */
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

/* The chunk sums of all processes, in their order. */
struct chunks {
    PetscMPIInt processes, rank, *counts, *places;
    PetscScalar *own, *all;
};

static PetscErrorCode add_up(Vec x, const vks_vector *a, const vks_vector *b, struct chunks *c,
                             PetscScalar *result)
{
    PetscFunctionBegin;
    PetscCall(count_chunks(x, c->processes, c->counts, c->places));
    PetscCall(PetscMalloc2(c->counts[c->rank], &c->own, c->places[c->processes], &c->all));
    PetscCallVks(vks_vector_chunk_dots(a, b, c->own));
    PetscCallMPI(MPI_Allgatherv(c->own, c->counts[c->rank], MPIU_SCALAR, c->all, c->counts, c->places,
                                MPIU_SCALAR, PetscObjectComm((PetscObject)x)));
    *result = vks_sum_of_chunks(VKS_F64, c->all, (size_t)c->places[c->processes]);
    PetscFunctionReturn(0);
}

PetscErrorCode vec_chunk_dot(Vec x, const vks_vector *a, const vks_vector *b, PetscScalar *result)
{
    struct chunks c = {0};
    PetscErrorCode code;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)x), &c.processes));
    PetscCallMPI(MPI_Comm_rank(PetscObjectComm((PetscObject)x), &c.rank));
    PetscCall(PetscMalloc2(c.processes, &c.counts, c.processes + 1, &c.places));
    code = add_up(x, a, b, &c, result);
    PetscCall(PetscFree2(c.own, c.all));
    PetscCall(PetscFree2(c.counts, c.places));
    PetscCall(code);
    PetscCall(PetscLogFlops(2.0 * x->map->n));
    PetscFunctionReturn(0);
}
