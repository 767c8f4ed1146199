/* A block diagonal for saddle points: rows whose diagonal entry is zero or missing are the second block.
 *
 *   A = (F B; B^T C)    M = (F~; diag(B^T D^-1 B)),   D = the diagonal of F
 *
 * F~ is another preconditioner of F, multigrid by default; C is ignored. M is symmetric and positive
 * definite if F~ is, so MINRES accepts it: M. F. Murphy, G. H. Golub, A. J. Wathen, "A note on
 * preconditioning for indefinite linear systems" (2000). If all diagonal entries are nonzero, M is F~ of A.
 *
 * The host splits A, once for each set of values. An application gathers r by blocks, and z in A's order:
 * 7n values and 2n words besides F~. */
#include "primitive/pack_verbs.h"
#include "solvers/precond.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct saddle {
    vks_precond_options inner;
    vks_matrix *F;
    struct precond *M;        /* of F */
    struct memory from, back; /* row of A at each position, by blocks; position of each row */
    struct vec in, out;       /* by blocks */
    struct memory d;          /* 1 / diag(B^T D^-1 B), at the positions after F */
    uint32_t first;           /* rows of F */
};

/* A on the host, and its parts. Each array is large enough for all of A. */
struct parting {
    uint32_t n, first;
    uint32_t *row, *col, *from, *back;
    double *val, *diagonal, *d;
    uint32_t *f_row, *f_col;
    double *f_val;
    uint32_t *order; /* the caller's number of each row of F */
    uint32_t bad;    /* first row whose second-block element is 0 or not finite; UINT32_MAX: none */
};

static void parting_free(struct parting *p)
{
    free(p->row), free(p->col), free(p->val);
    free(p->from), free(p->back), free(p->diagonal), free(p->d);
    free(p->f_row), free(p->f_col), free(p->f_val), free(p->order);
}

static vks_status parting_room(struct message *m, const struct csr *A, struct parting *p)
{
    size_t n = (size_t)A->n + 1, entries = (size_t)A->entries + 1;
    *p = (struct parting){.n = A->n,
                          .bad = UINT32_MAX,
                          .row = malloc(4 * n),
                          .col = malloc(4 * entries),
                          .val = malloc(8 * entries),
                          .from = malloc(4 * n),
                          .back = malloc(4 * n),
                          .diagonal = calloc(n, 8),
                          .d = calloc(n, 8),
                          .f_row = malloc(4 * n),
                          .f_col = malloc(4 * entries),
                          .f_val = malloc(8 * entries),
                          .order = malloc(4 * n)};
    bool all = p->row && p->col && p->val && p->from && p->back && p->diagonal && p->d && p->f_row &&
               p->f_col && p->f_val && p->order;
    return all ? VKS_OK : fail_memory(m, "the parts of a saddle point", 44 * n + 24 * entries);
}

static vks_status read_matrix(struct device *device, const vks_matrix *A, struct parting *p)
{
    vks_precision stored = public_precision(values_precision(A));
    TRY(device_read(device, &A->row, 0, p->row, 4 * ((uint64_t)A->csr.n + 1)));
    TRY(device_read(device, &A->col, 0, p->col, 4 * (uint64_t)A->csr.entries));
    return download_values(device, &A->val, stored, 0, A->csr.entries, VKS_F64, p->val);
}

/* Orders rows with a nonzero diagonal entry first; each block keeps the order of A. */
static void order_rows(struct parting *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        for (uint32_t k = p->row[i]; k < p->row[i + 1]; k++)
            if (p->col[k] == i)
                p->diagonal[i] = p->val[k];
    for (uint32_t i = 0; i < p->n; i++)
        if (p->diagonal[i] != 0)
            p->from[p->first++] = i;
    for (uint32_t i = 0, at = p->first; i < p->n; i++)
        if (p->diagonal[i] == 0)
            p->from[at++] = i;
    for (uint32_t at = 0; at < p->n; at++)
        p->back[p->from[at]] = at;
}

/* 1 / sum, or 1 if the row has no entry in B. */
static double inverse_of(double sum, bool has_entries, enum precision p)
{
    return scalar_round(p, has_entries ? 1 / sum : 1);
}

/* 1 / diag(B^T D^-1 B). */
static void invert_second(struct parting *p, enum precision precision)
{
    for (uint32_t at = p->first; at < p->n; at++) {
        uint32_t i = p->from[at];
        bool has_entries = false;
        double sum = 0;
        for (uint32_t k = p->row[i]; k < p->row[i + 1]; k++)
            if (p->diagonal[p->col[k]] != 0 && p->val[k] != 0) {
                sum += p->val[k] * p->val[k] / p->diagonal[p->col[k]];
                has_entries = true;
            }
        double d = p->d[at - p->first] = inverse_of(sum, has_entries, precision);
        if (p->bad == UINT32_MAX && (!isfinite(d) || d == 0))
            p->bad = i;
    }
}

static void part(struct parting *p, enum precision precision)
{
    uint32_t entries = 0;
    for (uint32_t at = 0; at < p->first; at++) {
        uint32_t i = p->from[at];
        p->f_row[at] = entries;
        for (uint32_t k = p->row[i]; k < p->row[i + 1]; k++)
            if (p->diagonal[p->col[k]] != 0) {
                p->f_col[entries] = p->back[p->col[k]];
                p->f_val[entries++] = p->val[k];
            }
    }
    p->f_row[p->first] = entries;
    invert_second(p, precision);
}

/* Makes the preconditioner of F. Its diagnosis is translated to rows of A. */
static vks_status make_inner(struct precond *M, const struct parting *p, struct diagnosis *f)
{
    struct saddle *own = M->own;
    vks_matrix_options o = {.precision = M->A->precision};
    for (uint32_t at = 0; at < p->first; at++)
        p->order[at] = diagnosis_row(f, p->from[at]);
    struct diagnosis of_f = {.order = p->order};
    diagnosis_clear(&of_f);
    diagnosis_inherit(&of_f, f);
    TRY(vks_matrix_from_csr(M->A->context, p->first, p->first, p->f_row, p->f_col, p->f_val, &o, &own->F));
    TRY(csr_acquire(own->F));
    TRY(precond_check(own->F, &own->inner));
    TRY(precond_create(own->F, M->precision, M->use == PRECOND_FOR_ANY ? M->use : PRECOND_FOR_POSITIVE,
                       &own->inner, &of_f, &own->M));
    f->reason = of_f.reason;
    f->row = of_f.row;
    memcpy(f->detail, of_f.detail, sizeof f->detail);
    memcpy(f->warning, of_f.warning, sizeof f->warning);
    precond_take_facts(M, own->M);
    if (M->hierarchy) /* a cycle has four products per level */
        M->entries = (uint64_t)(4 * M->hierarchy->operator_complexity * own->F->csr.entries);
    M->bytes = precond_bytes(own->M) + own->F->row.bytes + own->F->col.bytes + own->F->val.bytes;
    return VKS_OK;
}

static void forget_inner(struct precond *M)
{
    struct saddle *own = M->own;
    M->hierarchy = NULL;
    precond_destroy(own->M);
    if (own->F)
        csr_release(own->F);
    vks_matrix_destroy(own->F);
    own->M = NULL;
    own->F = NULL;
}

static vks_status upload(struct precond *M, const struct parting *p)
{
    struct saddle *own = M->own;
    TRY(device_write(M->device, &own->from, 0, p->from, 4 * (uint64_t)p->n));
    TRY(device_write(M->device, &own->back, 0, p->back, 4 * (uint64_t)p->n));
    if (p->n > p->first)
        TRY(upload_values(M->device, &own->d, public_precision(M->precision), 0, p->n - p->first, VKS_F64,
                          p->d));
    return VKS_OK;
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    struct saddle *own = M->own;
    struct parting p;
    forget_inner(M);
    M->layout++;
    vks_status s = parting_room(M->message, &M->A->csr, &p);
    IF_OK(s, read_matrix(M->device, M->A, &p));
    if (!s) {
        order_rows(&p);
        part(&p, M->precision);
        own->first = p.first;
        s = upload(M, &p);
    }
    if (!s && p.bad != UINT32_MAX)
        diagnosis_refuse(f, VKS_REASON_NOT_FINITE, diagnosis_row(f, p.bad),
                         "saddle: the sum of b_ij^2 / a_jj of row %u of the second block is beyond the range",
                         diagnosis_row(f, p.bad) + 1);
    else if (!s && p.first)
        s = make_inner(M, &p, f);
    else if (!s && p.n)
        diagnosis_refuse(f, VKS_REASON_ZERO_DIAGONAL, diagnosis_row(f, 0),
                         "saddle: every diagonal entry of A is zero");
    parting_free(&p);
    return s;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct room *w = &M->room;
    uint32_t n = M->A->csr.n;
    struct saddle *own = M->own = room_host(w, sizeof *own, "a saddle point");
    if (!own)
        return w->status;
    own->inner = o->inner ? *o->inner : (vks_precond_options){.kind = VKS_PRECOND_AMG};
    own->from = room_memory(w, MEMORY_DEVICE, 4 * (uint64_t)n, "rows by blocks");
    own->back = room_memory(w, MEMORY_DEVICE, 4 * (uint64_t)n, "places of rows");
    own->d = room_memory(w, MEMORY_DEVICE, n * (uint64_t)real_bytes(M->precision), "a diagonal");
    own->in = room_vec(w, n, M->precision, "a residual by blocks");
    own->out = room_vec(w, n, M->precision, "a preconditioned residual by blocks");
    return w->status ? w->status : refresh(M, f);
}

/* `count` elements, starting at number `first`. */
static struct vec section(struct vec v, uint32_t first, uint32_t count)
{
    v.at += first * (uint64_t)real_bytes(v.precision);
    v.n = count;
    return v;
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct saddle *own = M->own;
    uint32_t n = in.n, rest = n - own->first;
    if (!own->M) /* A is refused */
        return;
    gather_reals(r, vec_reals(in), words_of(&own->from), vec_reals(own->in), n);
    precond_apply(r, own->M, section(own->in, 0, own->first), section(own->out, 0, own->first));
    if (rest)
        multiply_each(r, vec_in(&own->d, rest, M->precision), section(own->in, own->first, rest),
                      section(own->out, own->first, rest));
    gather_reals(r, vec_reals(own->out), words_of(&own->back), vec_reals(out), n);
}

static void release(struct precond *M)
{
    if (M->own)
        forget_inner(M);
}

/* Refuses arrays in inner options: F has only some rows of A, and new values may change which. */
static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    (void)A;
    for (const vks_precond_options *p = o->inner; p; p = p->inner)
        if (precond_has_arrays(p))
            return fail(m, VKS_INVALID_ARGUMENT,
                        "amg within saddle takes no coordinates and no near-null vectors: it sees only some "
                        "rows of A");
    return VKS_OK;
}

const struct precond_ops precond_saddle = {.options = OPTION_INNER,
                                           .check = check,
                                           .needs_entries = true,
                                           .setup = setup,
                                           .refresh = refresh,
                                           .apply = apply,
                                           .release = release};
