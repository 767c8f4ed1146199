/* Copies the blocks of PETSc's AIJ to a matrix on the device. */
#include "petsc/local.h"
#include "petsc/context.h"
#include "petsc/log.h"

#include <petsc/private/matimpl.h>

/* The arrays of a block, as stored by PETSc. */
struct csr {
    PetscInt rows, cols;
    const PetscInt *row, *col;
    PetscScalar *val;
};

/* Rows that are joined on the host: sorted, low ghosts first. */
struct joined {
    uint32_t rows, cols;
    PetscInt *row, *col;
    PetscScalar *val;
};

static PetscErrorCode read_block(Mat M, struct csr *c)
{
    PetscMemType type;
    PetscFunctionBegin;
    PetscCall(MatSeqAIJGetCSRAndMemType(M, &c->row, &c->col, &c->val, &type));
    c->rows = M->rmap->n;
    c->cols = M->cmap->n;
    PetscFunctionReturn(0);
}

static PetscErrorCode state_of(Mat M, struct block_state *s)
{
    PetscFunctionBegin;
    *s = (struct block_state){0};
    if (!M)
        PetscFunctionReturn(0);
    PetscCall(PetscObjectGetId((PetscObject)M, &s->id));
    PetscCall(PetscObjectStateGet((PetscObject)M, &s->values));
    s->nonzeros = M->nonzerostate;
    PetscFunctionReturn(0);
}

static PetscBool same_structure(const struct block_state *a, const struct block_state *b)
{
    return a->id == b->id && a->nonzeros == b->nonzeros ? PETSC_TRUE : PETSC_FALSE;
}

static PetscBool ascends(const PetscInt *col, PetscInt count)
{
    for (PetscInt k = 1; k < count; k++)
        if (col[k - 1] >= col[k])
            return PETSC_FALSE;
    return PETSC_TRUE;
}

/* Appends row i of both blocks to j. */
static PetscErrorCode join_row(const struct csr *own, const struct csr *ghosts, PetscInt low, PetscInt i,
                               struct joined *j)
{
    PetscInt first = j->row[i], at = first;
    PetscInt k = ghosts->row ? ghosts->row[i] : 0, end = ghosts->row ? ghosts->row[i + 1] : 0;
    PetscFunctionBegin;
    for (; k < end && ghosts->col[k] < low; k++, at++) {
        j->col[at] = ghosts->col[k];
        j->val[at] = ghosts->val[k];
    }
    for (PetscInt e = own->row[i]; e < own->row[i + 1]; e++, at++) {
        j->col[at] = low + own->col[e];
        j->val[at] = own->val[e];
    }
    for (; k < end; k++, at++) {
        j->col[at] = ghosts->col[k] + (ghosts->col[k] < low ? 0 : own->cols);
        j->val[at] = ghosts->val[k];
    }
    j->row[i + 1] = at;
    if (!ascends(j->col + first, at - first)) /* unsorted, as MatCreateSeqAIJWithArrays permits */
        PetscCall(PetscSortIntWithScalarArray(at - first, j->col + first, j->val + first));
    PetscFunctionReturn(0);
}

/* A sum that fits PetscInt and vksolve's counts. */
static PetscErrorCode add(PetscInt a, PetscInt b, const char *what, PetscInt *sum)
{
    uint32_t word;
    PetscFunctionBegin;
    PetscCheck(a <= PETSC_MAX_INT - b, PETSC_COMM_SELF, PETSC_ERR_SUP,
               "%" PetscInt_FMT " and %" PetscInt_FMT " %s are more than PetscInt has room for", a, b, what);
    *sum = a + b;
    PetscCall(plugin_word(*sum, what, &word));
    PetscFunctionReturn(0);
}

static PetscErrorCode join(const struct csr *own, const struct csr *ghosts, PetscInt low, struct joined *j)
{
    PetscInt cols = 0, entries = 0;
    PetscFunctionBegin;
    PetscCall(plugin_word(own->rows, "rows", &j->rows));
    PetscCall(add(own->cols, ghosts->cols, "columns", &cols));
    PetscCall(add(own->row[own->rows], ghosts->row ? ghosts->row[ghosts->rows] : 0, "entries", &entries));
    j->cols = (uint32_t)cols;
    PetscCall(PetscMalloc3(own->rows + 1, &j->row, entries, &j->col, entries, &j->val));
    j->row[0] = 0;
    for (PetscInt i = 0; i < own->rows; i++)
        PetscCall(join_row(own, ghosts, low, i, j));
    PetscFunctionReturn(0);
}

/* Indices in vksolve's type. Non-negative ones of 32 bits are the same words; wider ones are narrowed in
 * place, which join has checked to be possible. */
static uint32_t *words(PetscInt *index, PetscInt count)
{
#if defined(PETSC_USE_64BIT_INDICES)
    char *to = (char *)index;
    for (PetscInt k = 0; k < count; k++) {
        uint32_t word = (uint32_t)index[k];
        memcpy(to + (size_t)k * sizeof word, &word, sizeof word);
    }
#else
    (void)count;
#endif
    return (uint32_t *)(void *)index;
}

static PetscErrorCode make(struct local *l, struct joined *j, uint32_t lanes)
{
    const vks_matrix_options o = {.lanes = lanes};
    static uint64_t made;
    PetscInt entries = j->row[j->rows];
    PetscFunctionBegin;
    local_clear(l);
    PetscCallVks(vks_matrix_from_csr(plugin_context, j->rows, j->cols, words(j->row, (PetscInt)j->rows + 1),
                                     words(j->col, entries), j->val, &o, &l->A));
    l->made = ++made;
    PetscFunctionReturn(0);
}

/* Uploads rows, into the existing matrix if it has the same structure. */
static PetscErrorCode put(struct local *l, struct joined *j, uint32_t lanes, PetscBool same)
{
    PetscFunctionBegin;
    if (same)
        PetscCallVks(vks_matrix_set_values(l->A, VKS_F64, j->val));
    else
        PetscCall(make(l, j, lanes));
    plugin_crossed(PLUGIN_MATRICES_UP, (same ? 8 : 12) * (size_t)vks_matrix_entries(l->A));
    PetscFunctionReturn(0);
}

static PetscErrorCode upload(struct local *l, Mat own, Mat ghosts, PetscInt low, uint32_t lanes,
                             PetscBool same)
{
    struct csr a, b = {0};
    struct joined j = {0};
    PetscErrorCode code;
    PetscFunctionBegin;
    PetscCall(plugin_begin(PLUGIN_EVENT_MATRIX));
    PetscCall(read_block(own, &a));
    if (ghosts)
        PetscCall(read_block(ghosts, &b));
    PetscCall(join(&a, &b, low, &j));
    code = put(l, &j, lanes, same);
    PetscCall(PetscFree3(j.row, j.col, j.val));
    PetscCall(code);
    PetscCall(plugin_end(PLUGIN_EVENT_MATRIX));
    PetscFunctionReturn(0);
}

/* Hands the rows over to their holder. */
static void hand_over(struct local *l)
{
    struct holder *h = l->holder;
    if (!h)
        return;
    l->holder = NULL;
    h->own = *l;
    h->of = NULL;
    l->A = NULL;
}

PetscErrorCode local_follow(struct local *l, Mat own, Mat ghosts, PetscInt low, uint32_t lanes)
{
    struct block_state of_own, of_ghosts;
    PetscBool same;
    PetscFunctionBegin;
    PetscCall(plugin_open());
    PetscCall(state_of(own, &of_own));
    PetscCall(state_of(ghosts, &of_ghosts));
    same = l->A && same_structure(&l->own, &of_own) && same_structure(&l->ghosts, &of_ghosts) ? PETSC_TRUE
                                                                                              : PETSC_FALSE;
    if (same && l->own.values == of_own.values && l->ghosts.values == of_ghosts.values)
        PetscFunctionReturn(0);
    hand_over(l);
    same = same && l->A ? PETSC_TRUE : PETSC_FALSE;
    PetscCallStaged(PLUGIN_STAGE_SETUP, upload(l, own, ghosts, low, lanes, same));
    l->own = of_own;
    l->ghosts = of_ghosts;
    l->valued++;
    PetscFunctionReturn(0);
}

void local_clear(struct local *l)
{
    hand_over(l);
    vks_matrix_destroy(l->A);
    *l = (struct local){.valued = l->valued};
}

void local_hold(struct local *l, struct holder *h)
{
    l->holder = h;
    h->of = l;
}

void local_let_go(struct holder *h)
{
    if (h->of)
        h->of->holder = NULL;
    h->of = NULL;
}

PetscErrorCode local_is_current(const struct local *l, Mat own, PetscBool *is)
{
    struct block_state now;
    PetscFunctionBegin;
    PetscCall(state_of(own, &now));
    *is = l->A && same_structure(&l->own, &now) && l->own.values == now.values ? PETSC_TRUE : PETSC_FALSE;
    PetscFunctionReturn(0);
}
