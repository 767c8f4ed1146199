#include "petsc/partners.h"
#include "petsc/log.h"

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
                          p->comm);
}

static PetscErrorCode take_ranges(struct partners *p, Mat M)
{
    const PetscInt *range = M->rmap->range;
    PetscFunctionBegin;
    PetscCall(PetscFree3(p->first, p->counts, p->places));
    PetscCall(PetscMalloc3(p->processes + 1, &p->first, p->processes, &p->counts, p->processes, &p->places));
    for (PetscMPIInt q = 0; q <= p->processes; q++) {
        p->first[q] = (uint64_t)range[q];
        PetscCheck(range[q] == M->rmap->N || p->first[q] % VKS_CHUNK == 0, p->comm, PETSC_ERR_SUP,
                   "-ksp_type " PLUGIN_SOLVER
                   " on several processes cuts the rows at multiples of %u, and rank %d begins at row "
                   "%" PetscInt_FMT ": give local sizes that are multiples, or take a KSP of PETSc's, "
                   "such as cg",
                   VKS_CHUNK, q, range[q]);
    }
    PetscFunctionReturn(0);
}

/* Accepts only matrices of the plug-in's type, which have a halo. */
static PetscErrorCode check_matrix(Mat M)
{
    PetscBool ours;
    PetscFunctionBegin;
    PetscCall(PetscObjectTypeCompare((PetscObject)M, PLUGIN_MAT_MPI, &ours));
    PetscCheck(ours, PetscObjectComm((PetscObject)M), PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER " on several processes takes -mat_type " PLUGIN_MAT
               ". It takes a matrix of another type only below bjacobi (-sub_ksp_type) or telescope");
    PetscCall(mat_complete(M));
    PetscCheck(M->assembled, PetscObjectComm((PetscObject)M), PETSC_ERR_ARG_WRONGSTATE,
               "the matrix is not assembled");
    PetscCheck(M->rmap->N == M->cmap->N && M->rmap->n == M->cmap->n, PetscObjectComm((PetscObject)M),
               PETSC_ERR_SUP, "-ksp_type " PLUGIN_SOLVER " on several processes takes a square matrix");
    PetscFunctionReturn(0);
}

/* The rows of the blocks on the diagonal; the last block may be shorter. */
struct blocks {
    uint32_t n, size;
    uint32_t *row, *col;
    PetscScalar *val;
};

static uint32_t block_end(const struct blocks *b, uint32_t first)
{
    return first + PetscMin(b->size, b->n - first);
}

/* Reads all elements of the blocks. Elements that are not entries of the matrix are left unchanged. */
static PetscErrorCode read_blocks(Mat own, struct blocks *b)
{
    const PetscInt *row, *col;
    PetscScalar *val;
    PetscMemType type;
    uint32_t at = 0;
    uint64_t elements;
    PetscFunctionBegin;
    PetscCall(plugin_word(own->rmap->n, "rows", &b->n));
    elements = (uint64_t)b->n * b->size;
    PetscCheck(elements <= VKS_LARGEST_INDEX, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "vksolve takes blocks with up to %u elements on a process, not %llu", VKS_LARGEST_INDEX,
               (unsigned long long)elements);
    PetscCall(PetscMalloc3((size_t)b->n + 1, &b->row, elements, &b->col, elements, &b->val));
    PetscCall(MatSeqAIJGetCSRAndMemType(own, &row, &col, &val, &type));
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t first = i - i % b->size, end = block_end(b, first), begin = at;
        b->row[i] = at;
        for (uint32_t j = first; j < end; j++, at++) {
            b->col[at] = j;
            b->val[at] = 0;
        }
        for (PetscInt k = row[i]; k < row[i + 1]; k++)
            if (col[k] >= (PetscInt)first && col[k] < (PetscInt)end)
                b->val[begin + (uint32_t)col[k] - first] = val[k];
    }
    b->row[b->n] = at;
    PetscFunctionReturn(0);
}

/* Makes the blocks and the preconditioner, or updates the values of both. */
static vks_status take_blocks(struct partners *p, const struct blocks *b)
{
    const vks_precond_options o = {.kind = p->kind,
                                   .block_size = p->kind == VKS_PRECOND_BLOCK_JACOBI ? b->size : 0};
    vks_status status;
    if (p->M) {
        status = vks_matrix_set_values(p->blocks, VKS_F64, b->val);
        return status ? status : vks_precond_update(p->M);
    }
    vks_matrix_destroy(p->blocks);
    p->blocks = NULL;
    status = vks_matrix_from_csr(plugin_context, b->n, b->n, b->row, b->col, b->val, NULL, &p->blocks);
    return status ? status : vks_precond_create(p->blocks, &o, &p->M);
}

/* The first negative entry of the diagonal, ignoring entries whose reciprocal is not finite, which are
 * rejected as such. */
static uint32_t first_negative(const struct blocks *b)
{
    for (uint32_t i = 0; i < b->n && b->size == 1; i++)
        if (b->val[i] < 0 && isfinite(b->val[i]) && isfinite(1 / b->val[i]))
            return i;
    return UINT32_MAX;
}

/* Updates the preconditioner of the rows of this process. Not collective: values may have changed on one
 * process alone. */
static PetscErrorCode follow_blocks(struct partners *p, Mat M)
{
    const struct local *local = &mat_aij(M)->local;
    struct blocks b = {.size = p->block_size};
    vks_status status;
    Mat own;
    PetscFunctionBegin;
    if (p->M && p->valued == local->valued)
        PetscFunctionReturn(0);
    PetscCall(MatMPIAIJGetSeqAIJ(M, &own, NULL, NULL));
    PetscCall(read_blocks(own, &b));
    status = take_blocks(p, &b);
    p->negative = p->kind == VKS_PRECOND_JACOBI ? first_negative(&b) : UINT32_MAX;
    PetscCall(PetscFree3(b.row, b.col, b.val));
    PetscCallVks(status);
    p->valued = local->valued;
    p->made = local->made;
    PetscFunctionReturn(0);
}

static void clear_blocks(struct partners *p)
{
    vks_precond_destroy(p->M);
    vks_matrix_destroy(p->blocks);
    p->M = NULL;
    p->blocks = NULL;
}

static PetscErrorCode follow(struct partners *p, Mat M, struct local **local)
{
    struct aij *a;
    uint32_t ghosts;
    PetscMPIInt rank;
    PetscFunctionBegin;
    PetscCall(mat_follow_structure(M));
    PetscCall(mat_follow_values(M));
    a = mat_aij(M);
    p->halo = &a->halo;
    PetscCall(plugin_word(a->halo.ghosts.count, "columns", &ghosts));
    PetscCall(take_ranges(p, M));
    PetscCallMPI(MPI_Comm_rank(p->comm, &rank));
    p->with = (vks_partners){.processes = (uint32_t)p->processes,
                             .process = (uint32_t)rank,
                             .first = p->first,
                             .before = (uint32_t)a->low,
                             .after = ghosts - (uint32_t)a->low,
                             .sent = a->halo.index,
                             .user = p,
                             .exchange = exchange,
                             .exchanged = exchanged,
                             .gather = gather};
    *local = &a->local;
    if (p->M && p->made == a->local.made) /* else it is rebuilt with the solver */
        PetscCall(follow_blocks(p, M));
    PetscFunctionReturn(0);
}

PetscErrorCode partners_follow(struct partners *p, Mat M, struct local *own, struct local **local)
{
    PetscFunctionBegin;
    p->comm = PetscObjectComm((PetscObject)M);
    PetscCallMPI(MPI_Comm_size(p->comm, &p->processes));
    if (p->processes == 1) {
        PetscCall(mat_local(M, own, local));
        PetscFunctionReturn(0);
    }
    PetscCall(check_matrix(M));
    PetscCall(partners_agree(p, follow(p, M, local)));
    PetscFunctionReturn(0);
}

/* The blocks equal those of one process if none spans two processes. */
static PetscErrorCode check_cuts(const struct partners *p)
{
    PetscFunctionBegin;
    PetscCheck(p->block_size, p->comm, PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER
               " on several processes takes block Jacobi with a block size, by MatSetBlockSize or "
               "-ksp_vksolve_block_size, of 2 to 32");
    for (PetscMPIInt q = 0; q < p->processes; q++)
        PetscCheck(p->first[q] == p->first[p->processes] || p->first[q] % p->block_size == 0, p->comm,
                   PETSC_ERR_SUP,
                   "-ksp_type " PLUGIN_SOLVER
                   " on several processes with blocks of %u rows cuts the rows at multiples of %u, and rank "
                   "%d begins at row %llu",
                   p->block_size, p->block_size, q, (unsigned long long)p->first[q]);
    PetscFunctionReturn(0);
}

PetscErrorCode partners_set_options(struct partners *p, Mat M, const vks_precond_options *wanted,
                                    vks_solve_options *o)
{
    vks_precond_kind kind = wanted && wanted->kind ? wanted->kind : VKS_PRECOND_JACOBI;
    bool has_blocks = kind == VKS_PRECOND_BLOCK_JACOBI;
    bool takes = kind == VKS_PRECOND_NONE || kind == VKS_PRECOND_JACOBI || has_blocks;
    bool plain = !wanted || (!wanted->in_f32 && !wanted->inner && (has_blocks || !wanted->block_size));
    PetscFunctionBegin;
    if (p->processes == 1)
        PetscFunctionReturn(0);
    PetscCheck(!o->shared_precond && takes && plain, p->comm, PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER " on several processes takes -pc_type none, jacobi or pbjacobi, as "
               "they are. With a KSP of PETSc's, such as "
               "fcg, -pc_type " PLUGIN_SOLVER " takes any on the rows of each process");
    PetscCheck(!o->singular, p->comm, PETSC_ERR_SUP,
               "-ksp_type " PLUGIN_SOLVER " on several processes takes no null space: take a KSP of PETSc's, "
               "such as cg");
    clear_blocks(p);
    p->kind = kind;
    p->block_size = has_blocks ? wanted->block_size : 1;
    PetscCall(check_cuts(p));
    if (kind != VKS_PRECOND_NONE)
        PetscCall(follow_blocks(p, M));
    o->precond_options = NULL;
    o->shared_precond = p->M;
    o->partners = &p->with;
    PetscFunctionReturn(0);
}

/* A global row and a reason as one number, which is smaller for earlier rows. */
static PetscInt64 reason_code(const struct partners *p, uint32_t row, vks_reason reason)
{
    uint64_t all = p->first[p->with.process] + (row == UINT32_MAX ? 0 : row);
    return (PetscInt64)(all * VKS_REASON_COUNT_ + (uint64_t)reason);
}

static PetscErrorCode find_reason(const struct partners *p, PetscInt64 *found)
{
    vks_precond_facts facts;
    PetscFunctionBegin;
    PetscCallVks(vks_precond_report(p->M, &facts));
    if (facts.reason != VKS_REASON_NOT_RUN) {
        *found = reason_code(p, facts.row, facts.reason);
        PetscCall(PetscInfo(NULL, "vksolve: %s: %s\n", vks_reason_name(facts.reason), facts.detail));
    }
    if (p->negative != UINT32_MAX)
        *found = PetscMin(*found, reason_code(p, p->negative, VKS_REASON_NOT_POSITIVE_DEFINITE));
    PetscFunctionReturn(0);
}

PetscErrorCode partners_suit(const struct partners *p, vks_reason *reason)
{
    const PetscInt64 nothing = INT64_MAX, failed = -1;
    PetscInt64 found = nothing, first = nothing;
    PetscErrorCode code;
    PetscFunctionBegin;
    *reason = VKS_REASON_NOT_RUN;
    if (p->processes == 1 || p->kind == VKS_PRECOND_NONE)
        PetscFunctionReturn(0);
    code = find_reason(p, &found);
    found = code ? failed : found;
    PetscCallMPI(MPI_Allreduce(&found, &first, 1, MPIU_INT64, MPI_MIN, p->comm));
    PetscCall(code);
    PetscCheck(first != failed, PETSC_COMM_SELF, PETSC_ERR_LIB, "vksolve failed on another process");
    if (first != nothing)
        *reason = (vks_reason)(first % VKS_REASON_COUNT_);
    PetscFunctionReturn(0);
}

PetscErrorCode partners_agree(const struct partners *p, PetscErrorCode code)
{
    return p->processes > 1 ? plugin_agree(p->comm, code) : code;
}

PetscErrorCode partners_clear(struct partners *p)
{
    PetscFunctionBegin;
    clear_blocks(p);
    PetscCall(PetscFree3(p->first, p->counts, p->places));
    *p = (struct partners){0};
    PetscFunctionReturn(0);
}
