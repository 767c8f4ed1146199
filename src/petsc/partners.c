#include "petsc/partners.h"

static int exchange(void *user, const void *sent, void *received)
{
    struct partners *p = user;
    plugin_crossed(PLUGIN_HALOS_DOWN, (size_t)p->halo->boundary.count * sizeof(double));
    plugin_crossed(PLUGIN_HALOS_UP, (size_t)p->halo->ghosts.count * sizeof(double));
    return halo_exchange(p->halo, sent, received);
}

static int exchanged(void *user)
{
    return halo_wait(((struct partners *)user)->halo);
}

static uint64_t chunks_of(const struct partners *p, PetscMPIInt q)
{
    return (p->first[q + 1] - p->first[q] + VKS_CHUNK - 1) / VKS_CHUNK;
}

static int gather(void *user, const double *own, size_t count, double *all)
{
    struct partners *p = user;
    for (PetscMPIInt q = 0, at = 0; q < p->processes; at += p->counts[q++]) {
        p->counts[q] = (PetscMPIInt)(1 + 2 * chunks_of(p, q));
        p->places[q] = at;
    }
    return MPI_Allgatherv(own, (PetscMPIInt)count, MPI_DOUBLE, all, p->counts, p->places, MPI_DOUBLE,
                          p->halo->comm);
}

static PetscErrorCode take_ranges(struct partners *p, Mat M)
{
    const PetscInt *range = M->rmap->range;
    PetscFunctionBegin;
    PetscCall(PetscFree3(p->first, p->counts, p->places));
    PetscCall(PetscMalloc3(p->processes + 1, &p->first, p->processes, &p->counts, p->processes, &p->places));
    for (PetscMPIInt q = 0; q <= p->processes; q++) {
        p->first[q] = (uint64_t)range[q];
        PetscCheck(range[q] == M->rmap->N || p->first[q] % VKS_CHUNK == 0, p->halo->comm, PETSC_ERR_SUP,
                   "-ksp_type " PLUGIN_SOLVER
                   " on several processes cuts the rows at multiples of %u, and rank %d begins at row "
                   "%" PetscInt_FMT ": give local sizes that are multiples, or take a KSP of PETSc's, "
                   "such as cg",
                   VKS_CHUNK, q, range[q]);
    }
    PetscFunctionReturn(0);
}

/* Of matrices of our own type, which have a halo. */
static PetscErrorCode check_matrix(Mat M)
{
    PetscBool ours;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)M, PLUGIN_MAT_MPI, &ours));
    PetscCheck(ours, PetscObjectComm((PetscObject)M), PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER " on several processes takes -mat_type " PLUGIN_MAT
               ". A matrix of another type it solves with below bjacobi (-sub_ksp_type) or telescope");
    PetscCheck(M->assembled, PetscObjectComm((PetscObject)M), PETSC_ERR_ARG_WRONGSTATE,
               "the matrix is not assembled");
    PetscCheck(M->rmap->N == M->cmap->N && M->rmap->n == M->cmap->n, PetscObjectComm((PetscObject)M),
               PETSC_ERR_SUP, "-ksp_type " PLUGIN_SOLVER " on several processes takes a square matrix");
    PetscFunctionReturn(0);
}

static PetscErrorCode make_diagonal(struct partners *p, uint32_t n, const PetscScalar *values)
{
    const vks_precond_options jacobi = {.kind = VKS_PRECOND_JACOBI};
    uint32_t *index;
    vks_status status;
    PetscFunctionBegin;
    PetscCall(PetscMalloc1(n + 1, &index));
    for (uint32_t i = 0; i <= n; i++)
        index[i] = i;
    status = vks_matrix_from_csr(plugin_context, n, n, index, index, values, NULL, &p->diagonal);
    PetscCall(PetscFree(index));
    PetscCallVks(status);
    PetscCallVks(vks_precond_create(p->diagonal, &jacobi, &p->jacobi));
    PetscFunctionReturn(0);
}

/* The diagonal of the rows of this process as a matrix, and jacobi made of it. Not collective: values may
 * have changed on one process alone. */
static PetscErrorCode follow_diagonal(struct partners *p, Mat M)
{
    uint64_t valued = mat_aij(M)->local.valued;
    const PetscScalar *values;
    uint32_t n;
    Mat own;
    Vec d;
    PetscFunctionBegin;
    if (p->jacobi && p->valued == valued)
        PetscFunctionReturn(0);
    PetscCall(plugin_word(M->rmap->n, "rows", &n));
    PetscCall(MatMPIAIJGetSeqAIJ(M, &own, NULL, NULL));
    PetscCall(VecCreateSeq(PETSC_COMM_SELF, M->rmap->n, &d));
    PetscCall(MatGetDiagonal(own, d));
    PetscCall(VecGetArrayRead(d, &values));
    if (!p->jacobi)
        PetscCall(make_diagonal(p, n, values));
    else {
        PetscCallVks(vks_matrix_set_values(p->diagonal, VKS_F64, values));
        PetscCallVks(vks_precond_update(p->jacobi));
    }
    PetscCall(VecRestoreArrayRead(d, &values));
    PetscCall(VecDestroy(&d));
    p->valued = valued;
    PetscFunctionReturn(0);
}

static void clear_diagonal(struct partners *p)
{
    vks_precond_destroy(p->jacobi);
    vks_matrix_destroy(p->diagonal);
    p->jacobi = NULL;
    p->diagonal = NULL;
}

PetscErrorCode partners_follow(struct partners *p, Mat M, struct local *own, struct local **local)
{
    struct aij *a;
    uint32_t ghosts;
    PetscFunctionBegin;
    PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)M), &p->processes));
    if (p->processes == 1) {
        PetscCall(mat_local(M, own, local));
        PetscFunctionReturn(0);
    }
    PetscCall(check_matrix(M));
    PetscCall(mat_follow(M));
    a = mat_aij(M);
    p->halo = &a->halo;
    PetscCall(plugin_word(a->halo.ghosts.count, "columns", &ghosts));
    PetscCall(take_ranges(p, M));
    p->with = (vks_partners){.processes = (uint32_t)p->processes,
                             .first = p->first,
                             .before = (uint32_t)a->low,
                             .after = ghosts - (uint32_t)a->low,
                             .sent = a->halo.index,
                             .user = p,
                             .exchange = exchange,
                             .exchanged = exchanged,
                             .gather = gather};
    PetscMPIInt rank;
    PetscCallMPI(MPI_Comm_rank(p->halo->comm, &rank));
    p->with.process = (uint32_t)rank;
    *local = &a->local;
    if (p->jacobi)
        PetscCall(follow_diagonal(p, M));
    PetscFunctionReturn(0);
}

PetscErrorCode partners_tell(struct partners *p, Mat M, const vks_precond_options *wanted,
                             vks_solve_options *o)
{
    vks_precond_kind kind = wanted ? wanted->kind : VKS_PRECOND_JACOBI;
    bool plain = !wanted || (!wanted->in_f32 && !wanted->block_size && !wanted->inner);
    PetscFunctionBegin;
    if (p->processes == 1)
        PetscFunctionReturn(0);
    PetscCheck(
        !o->shared_precond && kind <= VKS_PRECOND_JACOBI && plain, p->halo->comm, PETSC_ERR_SUP,
        "-ksp_type " PLUGIN_SOLVER
        " on several processes takes -pc_type none or jacobi, as they are. With a KSP of PETSc's, such as "
        "fcg, -pc_type " PLUGIN_SOLVER " takes any on the rows of each process");
    clear_diagonal(p);
    if (kind != VKS_PRECOND_NONE)
        PetscCall(follow_diagonal(p, M));
    o->precond_options = NULL;
    o->shared_precond = p->jacobi;
    o->partners = &p->with;
    PetscFunctionReturn(0);
}

PetscErrorCode partners_suit(const struct partners *p, PetscBool *suits)
{
    int refused = 0, any = 0;
    vks_precond_facts facts;
    PetscFunctionBegin;
    if (p->processes > 1 && p->jacobi) {
        PetscCallVks(vks_precond_report(p->jacobi, &facts));
        refused = facts.reason != VKS_REASON_NOT_RUN;
        PetscCallMPI(MPI_Allreduce(&refused, &any, 1, MPI_INT, MPI_MAX, p->halo->comm));
    }
    if (refused)
        PetscCall(PetscInfo(NULL, "vksolve: %s: %s\n", vks_reason_name(facts.reason), facts.detail));
    *suits = any ? PETSC_FALSE : PETSC_TRUE;
    PetscFunctionReturn(0);
}

PetscErrorCode partners_agree(const struct partners *p, vks_status status)
{
    int failed = status != VKS_OK, any = failed;
    PetscFunctionBegin;
    if (p->processes > 1)
        PetscCallMPI(MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, p->halo->comm));
    PetscCallVks(status);
    PetscCheck(!any, PETSC_COMM_SELF, PETSC_ERR_LIB, "vksolve could not set up on another process");
    PetscFunctionReturn(0);
}

PetscErrorCode partners_clear(struct partners *p)
{
    PetscFunctionBegin;
    clear_diagonal(p);
    PetscCall(PetscFree3(p->first, p->counts, p->places));
    *p = (struct partners){0};
    PetscFunctionReturn(0);
}
