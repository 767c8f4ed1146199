/* The communication pattern of a halo, and its exchange. */
#include "petsc/halo.h"
#include "petsc/log.h"

#include <petscsf.h>

/* Copies the peers of one side of PETSc's communication graph. */
static PetscErrorCode make_parcels(struct parcels *p, PetscInt peers, const PetscMPIInt *rank,
                                   const PetscInt *at)
{
    PetscFunctionBegin;
    PetscCall(PetscMPIIntCast(peers, &p->peers));
    PetscCall(PetscMPIIntCast(peers ? at[peers] : 0, &p->count));
    PetscCall(PetscMalloc3(peers, &p->rank, peers + 1, &p->at, p->count, &p->values));
    PetscCall(PetscArraycpy(p->rank, rank, peers));
    p->at[0] = 0;
    for (PetscInt k = 0; k < peers; k++)
        p->at[k + 1] = (PetscMPIInt)at[k + 1];
    PetscFunctionReturn(0);
}

/* Makes the device arrays: the indices that the boundary is gathered by, and the gathered elements. */
static PetscErrorCode make_boundary(struct halo *h, const PetscInt *own)
{
    uint32_t n;
    PetscFunctionBegin;
    PetscCall(plugin_word(h->boundary.count, "elements at a boundary", &n));
    PetscCall(PetscMalloc1(n, &h->own));
    for (uint32_t k = 0; k < n; k++)
        h->own[k] = (uint32_t)own[k];
    PetscCallVks(vks_array_create(plugin_context, n, VKS_TYPE_U32, &h->index));
    PetscCallVks(vks_array_write(h->index, 0, n, h->own));
    PetscCallVks(vks_vector_create(plugin_context, n, VKS_F64, &h->gathered));
    PetscFunctionReturn(0);
}

#if PETSC_VERSION_LT(3, 22, 0)
typedef PetscInt peer_count;
#else
typedef PetscMPIInt peer_count;
#endif

/* Reads PETSc's communication graph. Collective. */
static PetscErrorCode take_graph(struct halo *h, PetscSF graph, PetscLayout layout, PetscInt ghosts,
                                 const PetscInt *ghost)
{
    peer_count owners, wanting;
    const PetscMPIInt *owner, *wants;
    const PetscInt *from_at, *to_at, *mine, *theirs, *own;
    PetscFunctionBegin;
    PetscCall(PetscSFSetGraphLayout(graph, layout, ghosts, NULL, PETSC_USE_POINTER, ghost));
    PetscCall(PetscSFSetUp(graph));
    PetscCall(PetscSFGetRootRanks(graph, &owners, &owner, &from_at, &mine, &theirs));
    PetscCall(PetscSFGetLeafRanks(graph, &wanting, &wants, &to_at, &own));
    for (PetscInt k = 0; mine && k < ghosts; k++)
        PetscCheck(mine[k] == k, PETSC_COMM_SELF, PETSC_ERR_PLIB, "ghosts are not in ascending order");
    PetscCall(make_parcels(&h->ghosts, owners, owner, from_at));
    PetscCall(make_parcels(&h->boundary, wanting, wants, to_at));
    PetscCall(PetscMalloc1(h->ghosts.peers + h->boundary.peers, &h->requests));
    for (PetscMPIInt k = 0; k < h->ghosts.peers + h->boundary.peers; k++)
        h->requests[k] = MPI_REQUEST_NULL;
    PetscCall(make_boundary(h, own));
    PetscFunctionReturn(0);
}

PetscErrorCode halo_make(struct halo *h, PetscObject matrix, PetscLayout layout, PetscInt ghosts,
                         const PetscInt *ghost)
{
    PetscSF graph;
    PetscErrorCode code;
    PetscFunctionBegin;
    halo_clear(h);
    h->comm = PetscObjectComm(matrix);
    PetscCall(plugin_word(layout->n, "rows", &h->length));
    PetscCall(PetscObjectGetNewTag(matrix, &h->tag));
    PetscCall(PetscSFCreate(h->comm, &graph));
    code = take_graph(h, graph, layout, ghosts, ghost);
    PetscCall(PetscSFDestroy(&graph));
    PetscCall(code);
    PetscFunctionReturn(0);
}

static void clear_parcels(struct parcels *p)
{
    (void)PetscFree3(p->rank, p->at, p->values);
}

void halo_clear(struct halo *h)
{
    clear_parcels(&h->ghosts);
    clear_parcels(&h->boundary);
    (void)PetscFree(h->requests);
    (void)PetscFree(h->own);
    vks_array_destroy(h->index);
    vks_vector_destroy(h->gathered);
    vks_vector_destroy(h->spread);
    vks_matrix_destroy(h->gather);
    *h = (struct halo){0};
}

static int receive(struct halo *h, const struct parcels *p, PetscScalar *values, MPI_Request *requests)
{
    int error = MPI_SUCCESS;
    for (PetscMPIInt k = 0; k < p->peers && !error; k++)
        error = MPI_Irecv(values + p->at[k], p->at[k + 1] - p->at[k], MPIU_SCALAR, p->rank[k], h->tag,
                          h->comm, &requests[k]);
    return error;
}

static int send(struct halo *h, const struct parcels *p, const PetscScalar *values, MPI_Request *requests)
{
    int error = MPI_SUCCESS;
    for (PetscMPIInt k = 0; k < p->peers && !error; k++)
        error = MPI_Isend(values + p->at[k], p->at[k + 1] - p->at[k], MPIU_SCALAR, p->rank[k], h->tag,
                          h->comm, &requests[k]);
    return error;
}

int halo_exchange(struct halo *h, const PetscScalar *boundary, PetscScalar *ghosts)
{
    int error = receive(h, &h->ghosts, ghosts, h->requests);
    return error ? error : send(h, &h->boundary, boundary, h->requests + h->ghosts.peers);
}

int halo_wait(struct halo *h)
{
    return MPI_Waitall(h->ghosts.peers + h->boundary.peers, h->requests, MPI_STATUSES_IGNORE);
}

/* Replaces values that a process could not compute by NaN, and sends these, so that the others do not
 * hang. */
static void spoil(const struct parcels *p)
{
    for (PetscMPIInt k = 0; k < p->count; k++)
        p->values[k] = NAN;
}

static PetscErrorCode gather(struct halo *h, const vks_vector *x)
{
    uint32_t n = vks_vector_length(h->gathered);
    PetscFunctionBegin;
    if (!n)
        PetscFunctionReturn(0);
    PetscCallVks(vks_vector_gather(x, h->index, h->gathered));
    PetscCallVks(vks_vector_read(h->gathered, 0, n, VKS_F64, h->boundary.values));
    plugin_crossed(PLUGIN_HALOS_DOWN, n * sizeof(double));
    PetscFunctionReturn(0);
}

PetscErrorCode halo_begin(struct halo *h, const vks_vector *x)
{
    PetscErrorCode code = 0;
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_HALO));
    if (x)
        code = gather(h, x);
    if (!x || code)
        spoil(&h->boundary);
    PetscCallMPI(halo_exchange(h, h->boundary.values, h->ghosts.values));
    PetscCall(plugin_end(PLUGIN_EVENT_HALO));
    PetscCall(code);
    PetscFunctionReturn(0);
}

PetscErrorCode halo_end(struct halo *h)
{
    PetscFunctionBegin;
    PetscCallMPI(halo_wait(h));
    plugin_crossed(PLUGIN_HALOS_UP, (size_t)h->ghosts.count * sizeof(double));
    PetscFunctionReturn(0);
}

/* Several processes may need the same element, which then receives a partial sum from each. A product with
 * the transpose of the gathering adds them in a fixed order. */
static PetscErrorCode make_gather(struct halo *h)
{
    uint32_t n = vks_vector_length(h->gathered), *row;
    double *ones;
    vks_status status;
    PetscFunctionBegin;
    if (!h->spread)
        PetscCallVks(vks_vector_create(plugin_context, h->length, VKS_F64, &h->spread));
    PetscCall(PetscMalloc2(n + 1, &row, n, &ones));
    for (uint32_t k = 0; k <= n; k++)
        row[k] = k;
    for (uint32_t k = 0; k < n; k++)
        ones[k] = 1;
    status = vks_matrix_from_csr(plugin_context, n, h->length, row, h->own, ones, NULL, &h->gather);
    PetscCall(PetscFree2(row, ones));
    PetscCallVks(status);
    PetscFunctionReturn(0);
}

/* Adds the received sums to y. */
static PetscErrorCode add(struct halo *h, vks_vector *y)
{
    uint32_t n = vks_vector_length(h->gathered);
    PetscFunctionBegin;
    if (!n)
        PetscFunctionReturn(0);
    if (!h->gather)
        PetscCall(make_gather(h));
    PetscCallVks(vks_vector_write(h->gathered, 0, n, VKS_F64, h->boundary.values));
    plugin_crossed(PLUGIN_HALOS_UP, n * sizeof(double));
    PetscCallVks(vks_spmv_transpose(h->gather, h->gathered, h->spread));
    PetscCallVks(vks_vector_axpy(1, h->spread, y));
    PetscFunctionReturn(0);
}

PetscErrorCode halo_add_back(struct halo *h, vks_vector *y)
{
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_HALO));
    if (!y)
        spoil(&h->ghosts);
    PetscCallMPI(receive(h, &h->boundary, h->boundary.values, h->requests));
    PetscCallMPI(send(h, &h->ghosts, h->ghosts.values, h->requests + h->boundary.peers));
    PetscCallMPI(halo_wait(h));
    if (y)
        PetscCall(add(h, y));
    PetscCall(plugin_end(PLUGIN_EVENT_HALO));
    PetscFunctionReturn(0);
}
