/* Set-up of a hierarchy, level by level: bound of the eigenvalues, next matrix, data of the cycle. */
#include "solvers/multigrid/multigrid.h"
#include "report/clock.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/system/f32_copy.h"
#include "sparse/narrow.h"
#include "sparse/transposed.h"

/* Coarsening has stalled if the next level has more than this share of the rows. */
static const double stalls = 0.8;
/* Matrices with fewer entries stay CSR. */
static const uint32_t few_entries = 1 << 19;

/* A level in full width, before it is set up. */
struct draft {
    vks_matrix *A; /* NULL: the caller's, on the finest level */
    struct blocks blocks;
    struct memory modes; /* NULL on the finest level */
    struct memory reference;
};

static void draft_close(struct draft *d, struct device *device)
{
    vks_matrix_destroy(d->A);
    blocks_destroy(&d->blocks);
    device_release(device, &d->modes);
    device_release(device, &d->reference);
    *d = (struct draft){0};
}

/* Returns the options for choosing a format. On the host no format is faster than CSR; nor do other formats
 * pay if products take little longer than their launch. Coding of the entries is not tried, since the values
 * of coarse levels mostly differ. */
static vks_format_options format_for(const struct multigrid *g, uint32_t entries)
{
    bool csr = g->device->info.kind == DEVICE_HOST || entries < few_entries;
    return (vks_format_options){.format = csr ? VKS_FORMAT_CSR : VKS_FORMAT_AUTO, .coding = VKS_CODED_NEVER};
}

static vks_status take_vectors(struct multigrid *g, struct multigrid_level *l)
{
    struct room *w = &g->room;
    uint32_t n = l->A->csr.n;
    l->weights = room_memory(w, MEMORY_DEVICE, MULTIGRID_STEPS * (uint64_t)real_bytes(g->precision),
                             "weights of a smoother");
    l->t = room_vec(w, n, g->precision, "a residual of a level");
    if (g->count) {
        l->b = room_vec(w, n, g->precision, "a right side of a level");
        l->x = room_vec(w, n, g->precision, "a solution of a level");
    }
    return w->status ? w->status : multigrid_weigh(g, l);
}

/* Converts *from, a matrix of the set-up, to one of the cycle. `keep`: *from remains, or it is *out. */
static vks_status finish(const struct multigrid *g, vks_matrix **from, bool keep, vks_matrix **out)
{
    vks_matrix *A = *from;
    bool same = g->precision == g->wide;
    if (same || !keep)
        *from = NULL;
    if (same && A->ops) { /* it already has its format */
        *out = A;
        return VKS_OK;
    }
    vks_format_options o = format_for(g, A->csr.entries);
    vks_status s = same ? matrix_end_as(A, VKS_OK, &o, out) : matrix_round(A, &o, out);
    if (!same && !keep)
        vks_matrix_destroy(A);
    return s;
}

/* Finds aggregates. If coarsening stalls, there are none or too many. */
static vks_status aggregate(struct coarsening *c)
{
    TRY(coarsen_nodes(c));
    TRY(coarsen_strength(c));
    TRY(coarsen_roots(c));
    if (c->blocks)
        TRY(coarsen_smoother(c));
    return c->rounds ? coarsen_aggregates(c) : VKS_OK;
}

/* Makes P, R and the next level; next->A stays NULL if there is none. A level without strong entries needs
 * none: the smoother is as good as an inverse there. */
static vks_status coarsen(struct multigrid *g, struct multigrid_level *l, const vks_matrix *A,
                          const vks_matrix *transpose, const struct draft *d, struct diagnosis *f,
                          struct draft *next)
{
    bool finest = g->count == 0, in_blocks = g->nodes.modes != NULL;
    struct coarsening c = {.device = g->device,
                           .A = A,
                           .transpose = transpose,
                           .blocks = in_blocks ? &d->blocks : NULL,
                           .modes = finest ? g->nodes.modes : (reals)(uintptr_t)d->modes.address,
                           .columns = in_blocks ? g->nodes.columns : 1,
                           .reference = (reals)(uintptr_t)d->reference.address,
                           .precision = g->wide,
                           .inverse = multigrid_diagonal(l)->d,
                           .bound = l->bound,
                           .finest = finest,
                           .kept = g->keeps ? &l->kept : NULL};
    room_open(&c.room, g->device);
    vks_status s = aggregate(&c);
    bool cancelled = !s && diagnosis_cancels(f);
    l->rounds = c.rounds;
    if (!s && !cancelled && c.aggregates && (double)c.aggregates * c.columns <= stalls * A->csr.n) {
        s = coarsen_products(&c);
        IF_OK(s, finish(g, &c.P, g->keeps, &l->P));
        IF_OK(s, finish(g, &c.R, g->keeps, &l->R));
        if (g->keeps) { /* P and R of the set-up, if the cycle has others */
            l->kept.P = c.P;
            l->kept.R = c.R;
            c.P = c.R = NULL;
        }
        *next = (struct draft){c.coarse, c.next, c.next_modes, c.next_reference};
        c.coarse = NULL;
        c.next = (struct blocks){0};
        c.next_modes = c.next_reference = (struct memory){0};
    } else if (!s && !cancelled && (c.aggregates || !c.rounds)) {
        g->stalled = true;
        multigrid_warn_stalled(g, g->count, f);
    }
    coarsen_close(&c);
    return s;
}

/* Coarsens with the CSR held, and with the transpose if A is not symmetric. */
static vks_status coarsen_held(struct multigrid *g, struct multigrid_level *l, const vks_matrix *A,
                               const struct draft *d, struct diagnosis *f, struct draft *next)
{
    struct transposed transposed = {0};
    vks_status s = g->symmetric ? VKS_OK : transposed_create(A, true, &transposed);
    const vks_matrix *second = transposed.T ? transposed.T : A;
    IF_OK(s, csr_acquire_wide_two(A, second));
    if (!s) {
        s = coarsen(g, l, A, transposed.T, d, f, next);
        csr_release_wide_two(A, second);
    }
    transposed_release(&transposed, g->device);
    return s;
}

static vks_status invert_held(struct multigrid *g, const vks_matrix *A, const struct draft *d,
                              struct diagnosis *f)
{
    TRY(csr_acquire_wide(A));
    vks_status s = multigrid_invert(g, A, (reals)(uintptr_t)d->reference.address, f);
    csr_release_wide(A);
    return s;
}

/* Makes the next level from the matrix in full width, or the inverse. */
static vks_status go_on(struct multigrid *g, struct multigrid_level *l, const vks_matrix *A, struct draft *d,
                        struct diagnosis *f, struct draft *next)
{
    uint32_t n = A->csr.n;
    bool coarsens = n > MULTIGRID_COARSEST && g->count + 1 < MULTIGRID_LEVELS;
    vks_status s = VKS_OK;
    if (coarsens && g->nodes.modes && !g->count)
        s = blocks_from_csr(A, g->nodes.size, &d->blocks);
    if (s)
        return s;
    if (!g->count)
        s = coarsen_begin_reference(g->device, multigrid_diagonal(l)->d, g->wide, &d->reference);
    if (s || coarsens)
        return s ? s : coarsen_held(g, l, A, d, f, next);
    return n <= MULTIGRID_COARSEST ? invert_held(g, A, d, f) : VKS_OK;
}

/* Sets up a level and takes ownership of its draft. *d becomes the draft of the next level, or empty. */
static vks_status add_level(struct multigrid *g, struct draft *d, struct diagnosis *f)
{
    struct multigrid_level *l = &g->level[g->count];
    struct draft next = {0};
    double start = clock_seconds();
    bool finest = g->count == 0;
    vks_status s = finest ? VKS_OK : finish(g, &d->A, true, &l->own);
    l->A = finest ? g->finest : l->own;
    IF_OK(s, multigrid_measure(g, g->count, f));
    if (!s && !diagnosis_refuses(f) && !diagnosis_cancels(f))
        s = take_vectors(g, l);
    if (!s && !diagnosis_refuses(f))
        s = go_on(g, l, finest ? g->A : d->A ? d->A : l->own, d, f, &next);
    if (g->keeps) {
        l->kept.A = d->A;
        l->kept.blocks = d->blocks;
        l->kept.reference = d->reference;
        *d = (struct draft){.modes = d->modes};
    }
    draft_close(d, g->device);
    *d = next;
    if (l->A)
        g->facts.level[g->count++] = (vks_level){l->A->csr.n, l->A->csr.entries, clock_seconds() - start};
    return s;
}

static void sum_up(vks_hierarchy *h, uint32_t levels)
{
    double rows = 0, entries = 0;
    h->levels = levels;
    for (uint32_t i = 0; i < levels; i++) {
        rows += h->level[i].rows;
        entries += h->level[i].entries;
    }
    h->grid_complexity = rows > 0 ? rows / h->level[0].rows : 1;
    h->operator_complexity = entries > 0 ? entries / h->level[0].entries : 1;
}

vks_status multigrid_open(const vks_matrix *A, enum precision p, const struct multigrid_nodes *nodes,
                          bool symmetric, bool keeps, struct diagnosis *f, struct multigrid *g)
{
    *g = (struct multigrid){.device = A->context->device,
                            .wide = real_precision(precision_of(A->precision)),
                            .precision = p,
                            .nodes = *nodes,
                            .symmetric = symmetric || nodes->modes,
                            .keeps = keeps,
                            .was_narrow = A->narrow,
                            .A = A,
                            .finest = A};
    room_open(&g->room, g->device);
    uint64_t before = g->device->bytes, most = device_watch(g->device);
    struct draft d = {0};
    vks_status s = g->precision == g->wide ? VKS_OK : f32_copy_open(A, false, &g->copy, &g->finest);
    do {
        IF_OK(s, add_level(g, &d, f));
    } while (!s && d.A && !diagnosis_refuses(f));
    draft_close(&d, g->device);
    bool refreshed;
    if (!s && !diagnosis_refuses(f)) /* allocates scratch memory for later updates */
        s = multigrid_refresh(g, f, &refreshed);
    sum_up(&g->facts, g->count);
    g->facts.expected_bytes = multigrid_needs(A, p, nodes->modes != NULL, g->symmetric, keeps).expected;
    g->facts.setup_bytes = device_watched(g->device, most) - before;
    return s;
}

static void kept_close(struct kept_level *k, struct device *d)
{
    vks_matrix *all[] = {k->A, k->P, k->R, k->AP};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        vks_matrix_destroy(all[i]);
    blocks_destroy(&k->blocks);
    blocks_destroy(&k->of_P);
    blocks_destroy(&k->of_R);
    blocks_destroy(&k->of_AP);
    device_release(d, &k->reference);
}

void multigrid_close(struct multigrid *g)
{
    for (uint32_t i = 0; i < MULTIGRID_LEVELS; i++) {
        precond_destroy(g->level[i].jacobi);
        vks_matrix_destroy(g->level[i].own);
        vks_matrix_destroy(g->level[i].P);
        vks_matrix_destroy(g->level[i].R);
        kept_close(&g->level[i].kept, g->device);
    }
    if (g->A)
        f32_copy_close(g->A, &g->copy, g->finest);
    room_close(&g->room);
    scratch_close(&g->scratch);
    *g = (struct multigrid){0};
}

/* Bytes of matrices without a format. */
static uint64_t kept_bytes(const struct kept_level *k)
{
    const vks_matrix *all[] = {k->A, k->P, k->R, k->AP};
    uint64_t bytes = blocks_held(&k->blocks) + blocks_held(&k->of_P) + blocks_held(&k->of_R) +
                     blocks_held(&k->of_AP) + k->reference.bytes;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        bytes += all[i] ? all[i]->row.bytes + all[i]->col.bytes + all[i]->val.bytes : 0;
    return bytes;
}

uint64_t multigrid_bytes(const struct multigrid *g)
{
    uint64_t bytes = g->room.bytes + g->scratch.bytes + f32_copy_bytes(g->copy);
    for (uint32_t i = 0; i < g->count; i++) {
        const struct multigrid_level *l = &g->level[i];
        bytes += (l->jacobi ? precond_bytes(l->jacobi) : 0) + f32_copy_bytes(l->own) + f32_copy_bytes(l->P) +
                 f32_copy_bytes(l->R) + kept_bytes(&l->kept);
    }
    return bytes;
}
