/* Adaptive FSAI: M^-1 is a product of sparse triangular factors, each computed row by row from small dense
 * systems. L. Kolotilina, A. Yeremin, "Factorized sparse approximate inverse preconditionings I"
 * (1993); C. Janna, M. Ferronato, "Adaptive pattern research for block FSAI preconditioning" (2011).
 *
 *   for CG       G^T G, where the rows of G A G^T have a diagonal of ones
 *   for MINRES   the same with the roots of |d_i|, d_i = g_i A g_i
 *   for others   U L, where L has the rows l_i / d_i, U the columns u_i, d_i = l_i A u_i; u_i are rows for
 * A^T
 *
 * An application is two products: the bytes of both factors, and 4n of vectors. */
#include "primitive/pack_verbs.h"
#include "solvers/precond/fsai_input.h"
#include "solvers/system/f32_copy.h"
#include "sparse/algebra.h"

enum { DEFAULT_STEPS = 8, DEFAULT_ADD = 2 };
/* Factors with fewer entries stay CSR. */
static const uint32_t few_entries = 1 << 19;

/* The rows of a factor, as they are computed, and their transpose. */
struct factor {
    vks_matrix *rows;
    struct transposed columns;
};

struct fsai {
    struct factor factor[2]; /* the second only for PRECOND_FOR_ANY */
    uint32_t sides;
    uint32_t steps, add;
    struct vec between; /* of the two products */
    uint32_t layouts;   /* M->layout before the factors were made */
};

static uint32_t stride_of(const struct fsai *own)
{
    return own->steps * own->add;
}

/* The factor that is applied first; the one that is applied second. */
static const vks_matrix *first_of(const struct fsai *own)
{
    return own->factor[0].rows;
}

static const vks_matrix *second_of(const struct fsai *own)
{
    return own->factor[own->sides - 1].columns.T;
}

/* Rows of a factor before packing: own->steps * own->add slots each. */
struct growth {
    struct memory ended, col, val;
};

/* Runs all steps, and counts the entries of the rows, unless f is cancelled. */
static vks_status grow(const struct fsai_input *w, const struct fsai_side *side, const struct growth *g,
                       struct diagnosis *f, vks_matrix *F)
{
    const struct fsai *own = w->M->own;
    const struct csr *A = &side->A;
    struct rec r = rec_once(w->M->device, w->precision);
    fill_words(&r, F->csr.row, 1, 0, A->n + 1, 1);
    fill_words(&r, words_of(&g->ended), 0, 0, A->n, 1);
    vks_status s = rec_run(&r);
    rec_clear(&r);
    run(&r, fsai_grow, groups_rows(A->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .weight = vec_reals(side->weight), .size = vec_reals(side->size), .count = F->csr.row,
        .ended = words_of(&g->ended), .s_col = words_of(&g->col), .s_val = (reals)(uintptr_t)g->val.address,
        .n = A->n, .stride = stride_of(own), .add = own->add, .positive = fsai_is_positive(w->M));
    bill(&r, csr_bytes(&r, A) + (uint64_t)A->n * stride_of(own) * (4 + real_bytes(w->M->precision)));
    for (uint32_t i = 0; i < own->steps && !s && !diagnosis_cancels(f); i++)
        s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

/* Finds the pattern of a factor, unless f is cancelled. */
static vks_status find_pattern(const struct fsai_input *w, const struct fsai_side *side, struct diagnosis *f,
                               vks_matrix **F)
{
    struct precond *M = w->M;
    uint32_t n = side->A.n, stride = stride_of(M->own), entries;
    struct growth g;
    struct room room = {.device = M->device};
    struct rec r = rec_once(M->device, M->precision);
    vks_status s = matrix_begin(M->A->context, public_precision(M->precision), n, n, F);
    g.ended = room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)n, "rows that have ended");
    g.col = room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)n * stride, "columns of a factor");
    g.val = room_memory(&room, MEMORY_DEVICE, (uint64_t)n * stride * real_bytes(M->precision),
                        "values of a factor");
    IF_OK(s, room.status);
    IF_OK(s, grow(w, side, &g, f, *F));
    bool goes_on = !diagnosis_refuses(f);
    if (!s && goes_on)
        s = offsets_from_counts(M->device, (*F)->csr.row, n, "a factor", &entries);
    if (!s && goes_on)
        s = matrix_room(*F, entries);
    if (!s && goes_on) {
        run(&r, fsai_rows, groups_rows(n, 32), .row = (*F)->csr.row, .col = (*F)->csr.col,
            .s_col = words_of(&g.col), .n = n, .stride = stride);
        bill(&r, 8 * (uint64_t)entries);
        s = rec_run(&r);
    }
    rec_destroy(&r);
    room_close(&room);
    return s;
}

static void record_values(struct rec *r, const struct fsai_input *w, uint32_t at)
{
    const struct fsai *own = w->M->own;
    const struct csr *A = &w->side[at].A, *F = &own->factor[at].rows->csr;
    run(r, fsai_values, groups_rows(A->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .size = vec_reals(w->side[at].size), .f_row = F->row, .f_col = F->col, .f_val = (reals)F->val,
        .n = A->n, .most = stride_of(own), .positive = fsai_is_positive(w->M));
    bill(r, csr_bytes(r, A) + (uint64_t)F->entries * (4 + real_bytes(r->precision)));
}

/* Computes the values of the factors on their patterns, unless f is cancelled; f may refuse them. */
static vks_status compute(const struct fsai_input *w, struct diagnosis *f)
{
    const struct fsai *own = w->M->own;
    const struct csr *A = &w->side[0].A, *L = &own->factor[0].rows->csr,
                     *U = &own->factor[own->sides - 1].rows->csr;
    struct rec r = rec_once(w->M->device, w->precision);
    vks_status s = VKS_OK;
    for (uint32_t i = 0; i < own->sides && !s && !diagnosis_cancels(f); i++) {
        record_values(&r, w, i);
        s = rec_run(&r);
        rec_clear(&r);
    }
    run(&r, fsai_scale, groups_rows(A->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .size = vec_reals(w->side[0].size), .l_row = L->row, .l_col = L->col, .l_val = (reals)L->val,
        .u_row = U->row, .u_col = U->col, .u_val = (reals)U->val, .n = A->n, .flags = words_of(&w->flags),
        .positive = fsai_is_positive(w->M), .root = own->sides == 1);
    bill(&r, csr_bytes(&r, A) + ((uint64_t)L->entries + U->entries) * (4 + real_bytes(w->M->precision)));
    bool goes_on = !s && !diagnosis_refuses(f);
    if (goes_on)
        s = rec_run(&r);
    rec_destroy(&r);
    return goes_on && !s ? fsai_diagnose(w, f) : s;
}

/* Keeps CSR on the host, where no format is faster, and if products take little longer than their launch. */
static vks_status give_format(const struct precond *M, vks_matrix **F)
{
    bool csr = M->device->info.kind == DEVICE_HOST || (*F)->csr.entries < few_entries;
    vks_format_options o = {.format = csr ? VKS_FORMAT_CSR : VKS_FORMAT_AUTO, .coding = VKS_CODED_NEVER};
    return matrix_end_as(*F, VKS_OK, &o, F);
}

static vks_status finish(struct precond *M)
{
    struct fsai *own = M->own;
    struct transposed *last = &own->factor[own->sides - 1].columns;
    TRY(transposed_create(own->factor[own->sides - 1].rows, true, last));
    TRY(give_format(M, &own->factor[0].rows));
    return give_format(M, &last->T);
}

static uint64_t plain_bytes(const vks_matrix *F)
{
    return F->row.bytes + F->col.bytes + F->val.bytes;
}

static void take_facts(struct precond *M)
{
    const struct fsai *own = M->own;
    const vks_matrix *first = first_of(own), *second = second_of(own);
    M->bytes = f32_copy_bytes(first) + f32_copy_bytes(second) +
               own->factor[own->sides - 1].columns.place.bytes +
               (own->sides > 1 ? plain_bytes(own->factor[1].rows) : 0);
    M->entries = (uint64_t)first->csr.entries + second->csr.entries;
    M->layout = own->layouts + first->layout + second->layout;
}

static void drop_factors(struct precond *M)
{
    struct fsai *own = M->own;
    for (uint32_t i = 0; i < own->sides; i++) {
        vks_matrix_destroy(own->factor[i].rows);
        transposed_release(&own->factor[i].columns, M->device);
        own->factor[i].rows = NULL;
    }
}

/* Makes the factors, or none after a failure or a cancellation. */
static vks_status make_factors(struct fsai_input *w, struct diagnosis *f)
{
    struct fsai *own = w->M->own;
    vks_status s = VKS_OK;
    for (uint32_t i = 0; i < own->sides && !s && !diagnosis_refuses(f); i++)
        s = find_pattern(w, &w->side[i], f, &own->factor[i].rows);
    if (!s && !diagnosis_refuses(f))
        s = compute(w, f);
    if (!s && !diagnosis_refuses(f))
        s = finish(w->M);
    if (s || diagnosis_refuses(f)) {
        drop_factors(w->M);
        return s;
    }
    own->layouts = w->M->layout + 1;
    take_facts(w->M);
    return VKS_OK;
}

static vks_status update_values(struct fsai_input *w, struct diagnosis *f)
{
    struct fsai *own = w->M->own;
    struct factor *last = &own->factor[own->sides - 1];
    vks_status s = compute(w, f);
    if (s || diagnosis_refuses(f))
        return s;
    struct rec r = rec_once(w->M->device, w->M->precision);
    transposed_refresh(&r, last->rows, &last->columns);
    s = rec_run_once(&r, s);
    IF_OK(s, format_refresh(own->factor[0].rows));
    IF_OK(s, format_refresh(last->columns.T));
    if (!s)
        take_facts(w->M);
    return s;
}

static vks_status refresh(struct precond *M, struct diagnosis *f)
{
    const struct fsai *own = M->own;
    struct fsai_input w;
    vks_status s = fsai_input_open(M, own->sides, &w, f);
    if (!s && !diagnosis_refuses(f))
        s = second_of(own) ? update_values(&w, f) : make_factors(&w, f);
    fsai_input_close(&w);
    return s;
}

static vks_status check(struct message *m, const vks_matrix *A, const vks_precond_options *o)
{
    uint32_t steps = o->steps ? o->steps : DEFAULT_STEPS, add = o->add ? o->add : DEFAULT_ADD;
    uint64_t entries = ((uint64_t)steps * add + 1) * A->csr.n;
    if ((uint64_t)steps * add > VKS_LARGEST_PATTERN)
        return fail(m, VKS_INVALID_ARGUMENT, "fsai: %u steps that add %u entries each; a row has %u at most",
                    steps, add, VKS_LARGEST_PATTERN);
    if (entries > VKS_LARGEST_INDEX)
        return fail(m, VKS_LIMIT, "fsai: factors of up to %llu entries; the most is %u",
                    (unsigned long long)entries, VKS_LARGEST_INDEX);
    return VKS_OK;
}

static vks_status setup(struct precond *M, const vks_precond_options *o, struct diagnosis *f)
{
    struct fsai *own = M->own = room_host(&M->room, sizeof *own, "the factors of fsai");
    if (!own)
        return M->room.status;
    own->sides = M->use == PRECOND_FOR_ANY ? 2 : 1;
    own->steps = o->steps ? o->steps : DEFAULT_STEPS;
    own->add = o->add ? o->add : DEFAULT_ADD;
    own->between = room_vec(&M->room, M->A->csr.n, M->precision, "a vector of fsai");
    return M->room.status ? M->room.status : refresh(M, f);
}

static void apply(struct rec *r, const struct precond *M, struct vec in, struct vec out)
{
    const struct fsai *own = M->own;
    if (!first_of(own)) /* A is refused */
        return;
    spmv(r, first_of(own), in, own->between);
    spmv(r, second_of(own), own->between, out);
}

static void release(struct precond *M)
{
    if (M->own)
        drop_factors(M);
}

const struct precond_ops precond_fsai = {.options = OPTION_STEPS | OPTION_ADD,
                                         .needs_entries = true,
                                         .check = check,
                                         .setup = setup,
                                         .refresh = refresh,
                                         .apply = apply,
                                         .release = release};
