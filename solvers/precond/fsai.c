/* Adaptive FSAI: M^-1 is a product of sparse triangular factors, each of which is found row by row, from
 * small dense systems. L. Kolotilina, A. Yeremin, "Factorized sparse approximate inverse preconditionings I"
 * (1993); C. Janna, M. Ferronato, "Adaptive pattern research for block FSAI preconditioning" (2011).
 *
 *   for CG       G^T G, where the rows of G A G^T have a diagonal of ones
 *   for MINRES   the same with the roots of |d_i|, d_i = g_i A g_i
 *   for others   U L, where L has the rows l_i / d_i, U the columns u_i, d_i = l_i A u_i; u_i are rows for
 * A^T
 *
 * An application is two products: the bytes of both factors, and 4n of vectors. */
#include "primitive/pack_verbs.h"
#include "solvers/precond.h"
#include "solvers/rounded.h"
#include "sparse/algebra.h"

enum { DEFAULT_STEPS = 8, DEFAULT_ADD = 2 };
/* Factors with fewer entries stay CSR. */
static const uint32_t few_entries = 1 << 19;

/* The rows of a factor, as they are found, and their transpose. */
struct factor {
    vks_matrix *rows;
    struct transposed columns;
};

struct fsai {
    struct factor factor[2]; /* the second where M is for ANY */
    uint32_t sides;
    uint32_t steps, add;
    struct vec between; /* of the two products */
};

/* What factors are computed from: A, and for the second one its transpose. */
struct side {
    struct csr A;
    struct vec weight, size;
    struct memory most;
};
struct work {
    struct precond *M;
    enum precision precision; /* of recordings with the values of A */
    struct side side[2];
    struct transposed of_A;
    struct memory flags;
    struct room room;
};
enum { ZERO, NEGATIVE, INFINITE, FLAGS };

static bool is_positive(const struct precond *M)
{
    return M->use == PRECOND_FOR_POSITIVE;
}

static uint32_t stride_of(const struct fsai *own)
{
    return own->steps * own->add;
}

/* Applied first, and then. */
static const vks_matrix *first_of(const struct fsai *own)
{
    return own->factor[0].rows;
}

static const vks_matrix *second_of(const struct fsai *own)
{
    return own->factor[own->sides - 1].columns.T;
}

static void record_look(struct rec *r, const struct work *w, uint32_t at)
{
    const struct side *s = &w->side[at];
    const struct csr *A = &s->A;
    u32s flags = words_in(&w->flags, (uint64_t)at * FLAGS);
    values most = (values)(uintptr_t)s->most.address;
    enum precision before = rec_precision(r, stored_precision(w->precision));
    csr_row_maxima(r, A, (reals)most);
    rec_precision(r, before);
    run(r, fsai_finite, groups_each(A->entries), .row = A->row, .val = A->val, .flags = flags, .n = A->n,
        .entries = A->entries);
    run(r, fsai_weights, groups_each(A->n), .row = A->row, .col = A->col, .val = A->val, .most = most,
        .weight = vec_reals(s->weight), .size = vec_reals(s->size), .flags = flags, .n = A->n,
        .positive = is_positive(w->M));
    bill(r, 2 * csr_bytes(r, A) + 3 * vector_bytes(r, A->n));
}

/* Names the first row, or column where `transposed`, that FSAI cannot take. */
static void judge(const uint32_t *flags, bool positive, bool transposed, struct finding *f)
{
    static const struct {
        vks_reason reason;
        const char *text;
    } faults[FLAGS] = {{VKS_REASON_SINGULAR, "is all zero"},
                       {VKS_REASON_NOT_POSITIVE_DEFINITE, "has a negative diagonal entry"},
                       {VKS_REASON_NOT_FINITE, "has an entry that is not finite"}};
    int found = -1;
    for (int i = 0; i < FLAGS; i++)
        if (flags[i] != UINT32_MAX && (found < 0 || flags[i] < flags[found]))
            found = i;
    if (flags[INFINITE] != UINT32_MAX) /* it also spoils the others */
        found = INFINITE;
    if (found < 0 || finding_refuses(f))
        return;
    uint32_t row = finding_row(f, flags[found]);
    if (found == ZERO && positive)
        finding_refuse(f, VKS_REASON_ZERO_DIAGONAL, row, "row %u has a zero or missing diagonal entry",
                       row + 1);
    else
        finding_refuse(f, faults[found].reason, transposed ? UINT32_MAX : row, "%s %u %s",
                       transposed ? "column" : "row", row + 1, faults[found].text);
}

/* The sizes of rows and the weights of columns; f may refuse A. */
static vks_status look(struct work *w, struct finding *f)
{
    const struct fsai *own = w->M->own;
    uint32_t flags[2 * FLAGS];
    struct device *d = w->M->device;
    struct rec r;
    rec_create(&r, d, w->precision);
    fill_words(&r, words_of(&w->flags), UINT32_MAX, 0, 2 * FLAGS, 1);
    for (uint32_t i = 0; i < own->sides; i++)
        record_look(&r, w, i);
    vks_status s = rec_run(&r);
    if (!s)
        s = device_read(d, &w->flags, 0, flags, sizeof flags);
    rec_destroy(&r);
    for (uint32_t i = 0; i < own->sides && !s; i++)
        judge(flags + (size_t)i * FLAGS, is_positive(w->M), i, f);
    return s;
}

/* What a set-up, or new values, begin with. After a failure, too, to be closed. */
static vks_status work_open(struct precond *M, struct work *w, struct finding *f)
{
    const struct fsai *own = M->own;
    const struct csr *A = &M->A->csr;
    enum precision p = product_precision(M->A, M->precision);
    *w = (struct work){.M = M, .precision = p, .side = {{.A = *A}}};
    room_open(&w->room, M->device);
    vks_status s = own->sides > 1 ? transposed_create(M->A, true, &w->of_A) : VKS_OK;
    if (s)
        return s;
    if (own->sides > 1)
        w->side[1].A = w->of_A.T->csr;
    for (uint32_t i = 0; i < own->sides; i++) {
        w->side[i].weight = room_vec(&w->room, A->n, M->precision, "weights of columns");
        w->side[i].size = room_vec(&w->room, A->n, M->precision, "sizes of rows");
        w->side[i].most = room_memory(&w->room, MEMORY_DEVICE, (uint64_t)A->n * value_bytes(p), "row maxima");
    }
    w->flags = room_memory(&w->room, MEMORY_DEVICE, 2 * FLAGS * sizeof(uint32_t), "row flags");
    return w->room.status ? w->room.status : look(w, f);
}

static void work_close(struct work *w)
{
    transposed_release(&w->of_A, w->M->device);
    room_close(&w->room);
}

/* The rows of a factor before they are packed: own->steps * own->add places each. */
struct growth {
    struct memory ended, col, val;
};

/* All steps, and how many entries the rows have then. */
static vks_status grow(const struct work *w, const struct side *side, const struct growth *g, vks_matrix *F)
{
    const struct fsai *own = w->M->own;
    const struct csr *A = &side->A;
    struct rec r;
    rec_create(&r, w->M->device, w->precision);
    fill_words(&r, F->csr.row, 1, 0, A->n + 1, 1);
    fill_words(&r, words_of(&g->ended), 0, 0, A->n, 1);
    for (uint32_t i = 0; i < own->steps; i++) {
        run(&r, fsai_grow, groups_rows(A->n, 32), .row = A->row, .col = A->col, .val = A->val,
            .weight = vec_reals(side->weight), .size = vec_reals(side->size), .count = F->csr.row,
            .ended = words_of(&g->ended), .s_col = words_of(&g->col),
            .s_val = (reals)(uintptr_t)g->val.address, .n = A->n, .stride = stride_of(own), .add = own->add,
            .positive = is_positive(w->M));
        bill(&r, csr_bytes(&r, A) + (uint64_t)A->n * stride_of(own) * (4 + real_bytes(w->M->precision)));
    }
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

/* Finds the pattern of a factor. */
static vks_status find_pattern(const struct work *w, const struct side *side, vks_matrix **F)
{
    struct precond *M = w->M;
    uint32_t n = side->A.n, stride = stride_of(M->own), entries;
    struct growth g;
    struct room room;
    struct rec r;
    room_open(&room, M->device);
    rec_create(&r, M->device, M->precision);
    vks_status s = matrix_begin(M->A->context, public_precision(M->precision), n, n, F);
    g.ended = room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)n, "rows that have ended");
    g.col = room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)n * stride, "columns of a factor");
    g.val = room_memory(&room, MEMORY_DEVICE, (uint64_t)n * stride * real_bytes(M->precision),
                        "values of a factor");
    if (!s)
        s = room.status;
    if (!s)
        s = grow(w, side, &g, *F);
    if (!s)
        s = offsets_from_counts(M->device, (*F)->csr.row, n, "a factor", &entries);
    if (!s)
        s = matrix_room(*F, entries);
    if (!s) {
        run(&r, fsai_rows, groups_rows(n, 32), .row = (*F)->csr.row, .col = (*F)->csr.col,
            .s_col = words_of(&g.col), .n = n, .stride = stride);
        bill(&r, 8 * (uint64_t)entries);
        s = rec_run(&r);
    }
    rec_destroy(&r);
    room_close(&room);
    return s;
}

static void record_values(struct rec *r, const struct work *w, uint32_t at)
{
    const struct fsai *own = w->M->own;
    const struct csr *A = &w->side[at].A, *F = &own->factor[at].rows->csr;
    run(r, fsai_values, groups_rows(A->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .size = vec_reals(w->side[at].size), .f_row = F->row, .f_col = F->col, .f_val = (reals)F->val,
        .n = A->n, .most = stride_of(own), .positive = is_positive(w->M));
    bill(r, csr_bytes(r, A) + (uint64_t)F->entries * (4 + real_bytes(r->precision)));
}

/* The values of the factors on their patterns. */
static vks_status compute(const struct work *w)
{
    const struct fsai *own = w->M->own;
    const struct csr *A = &w->side[0].A, *L = &own->factor[0].rows->csr,
                     *U = &own->factor[own->sides - 1].rows->csr;
    struct rec r;
    rec_create(&r, w->M->device, w->precision);
    for (uint32_t i = 0; i < own->sides; i++)
        record_values(&r, w, i);
    run(&r, fsai_scale, groups_rows(A->n, 32), .row = A->row, .col = A->col, .val = A->val,
        .size = vec_reals(w->side[0].size), .l_row = L->row, .l_col = L->col, .l_val = (reals)L->val,
        .u_row = U->row, .u_col = U->col, .u_val = (reals)U->val, .n = A->n, .positive = is_positive(w->M),
        .root = own->sides == 1);
    bill(&r, csr_bytes(&r, A) + ((uint64_t)L->entries + U->entries) * (4 + real_bytes(w->M->precision)));
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

/* On the host nothing is faster than CSR, nor where products take little longer than starting them. */
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
    vks_status s = transposed_create(own->factor[own->sides - 1].rows, true, last);
    if (!s)
        s = give_format(M, &own->factor[0].rows);
    return s ? s : give_format(M, &last->T);
}

static uint64_t plain_bytes(const vks_matrix *F)
{
    return F->row.bytes + F->col.bytes + F->val.bytes;
}

static void take_facts(struct precond *M)
{
    const struct fsai *own = M->own;
    const vks_matrix *first = first_of(own), *second = second_of(own);
    M->bytes = rounded_bytes(first) + rounded_bytes(second) +
               own->factor[own->sides - 1].columns.place.bytes +
               (own->sides > 1 ? plain_bytes(own->factor[1].rows) : 0);
    M->entries = (uint64_t)first->csr.entries + second->csr.entries;
    M->layout = first->layout + second->layout;
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

/* A failure leaves none. */
static vks_status make_factors(struct work *w)
{
    struct fsai *own = w->M->own;
    vks_status s = VKS_OK;
    for (uint32_t i = 0; i < own->sides && !s; i++)
        s = find_pattern(w, &w->side[i], &own->factor[i].rows);
    if (!s)
        s = compute(w);
    if (!s)
        s = finish(w->M);
    if (s)
        drop_factors(w->M);
    else
        take_facts(w->M);
    return s;
}

static vks_status take_values(struct work *w)
{
    struct fsai *own = w->M->own;
    struct factor *last = &own->factor[own->sides - 1];
    struct rec r;
    vks_status s = compute(w);
    rec_create(&r, w->M->device, w->M->precision);
    transposed_refresh(&r, last->rows, &last->columns);
    if (!s)
        s = rec_run(&r);
    rec_destroy(&r);
    if (!s)
        s = format_refresh(own->factor[0].rows);
    if (!s)
        s = format_refresh(last->columns.T);
    if (!s)
        take_facts(w->M);
    return s;
}

static vks_status refresh(struct precond *M, struct finding *f)
{
    const struct fsai *own = M->own;
    struct work w;
    vks_status s = work_open(M, &w, f);
    if (!s && !finding_refuses(f))
        s = second_of(own) ? take_values(&w) : make_factors(&w);
    work_close(&w);
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

static vks_status setup(struct precond *M, const vks_precond_options *o, struct finding *f)
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
