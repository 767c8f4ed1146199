/* Inverse of the coarsest matrix, by sweeps of its pivots in the precision of the set-up. Vanishing pivots
 * are dropped, so a singular matrix has a generalised inverse. Sweeps need a symmetric matrix; others are
 * inverted by Gauss-Jordan elimination. */
#include "dense/verbs.h"
#include "shaders/multigrid/sweep.h"
#include "solvers/dense/call.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/multigrid.h"

struct work {
    struct memory panel, factors; /* columns and factors of the pivots that are swept together */
};

static struct block inverse_of(const struct multigrid *g, uint32_t n)
{
    return (struct block){.address = g->coarsest.inverse.at, .rows = n, .cols = n, .ld = n};
}

static void spread(struct rec *r, const struct csr *A, struct block to)
{
    fill_words(r, (u32s)(uintptr_t)to.address, 0, 0, A->n * A->n * (real_bytes(r->precision) / 4), 1);
    dense_from_csr(r, A->row, A->col, A->val, A->entries, to);
}

static void record(struct rec *r, const struct multigrid *g, const struct csr *A, reals reference,
                   const struct work *w)
{
    uint32_t n = A->n;
    reals inverse = vec_reals(g->coarsest.inverse), panel = (reals)(uintptr_t)w->panel.address,
          factors = (reals)(uintptr_t)w->factors.address;
    spread(r, A, inverse_of(g, n));
    for (uint32_t k = 0; k < n; k += SWEEP_PIVOTS) {
        run(r, sweep_panel, 1, .matrix = inverse, .reference = reference, .panel = panel, .factors = factors,
            .n = n, .k = k);
        run(r, sweep_apply, groups_each((uint64_t)n * n), .matrix = inverse, .panel = panel,
            .factors = factors, .n = n, .k = k);
        bill(r, 2 * (uint64_t)n * (n + SWEEP_PIVOTS) * real_bytes(g->wide));
    }
}

static void take_room(struct multigrid *g, uint32_t n)
{
    static const double one = 1;
    struct room *w = &g->room;
    struct coarsest *c = &g->coarsest;
    if (c->inverse.n)
        return;
    uint64_t strips = gemv_room((struct block){.rows = n, .cols = n, .ld = n});
    c->inverse = room_vec(w, n * n, g->wide, "the inverse of the coarsest matrix");
    struct memory m = room_memory(w, MEMORY_DEVICE, strips * real_bytes(g->wide), "sums of strips");
    c->strips = (reals)(uintptr_t)m.address;
    if (g->precision == g->wide)
        return;
    c->b = room_vec(w, n, g->wide, "a right side of the coarsest level");
    c->x = room_vec(w, n, g->wide, "a solution of the coarsest level");
    m = room_copy(w, &one, sizeof one, "a scale");
    c->one = (doubles)(uintptr_t)m.address;
}

static vks_status sweep(struct multigrid *g, const vks_matrix *A, reals reference)
{
    uint32_t n = A->csr.n;
    uint64_t real = real_bytes(g->wide);
    struct room room = {.device = g->device};
    struct work w = {
        room_memory(&room, MEMORY_DEVICE, SWEEP_PIVOTS * n * real, "columns of pivots"),
        room_memory(&room, MEMORY_DEVICE, SWEEP_PIVOTS * SWEEP_FACTORS * real, "factors of pivots")};
    vks_status s = room.status ? room.status : g->room.status;
    struct rec r = rec_once(g->device, g->wide);
    record(&r, g, &A->csr, reference, &w);
    s = rec_leave_once(&r, s);
    room_close(&room);
    return s;
}

static vks_status eliminate(struct multigrid *g, const vks_matrix *A, struct diagnosis *f)
{
    uint32_t n = A->csr.n;
    vks_gauss_jordan_report report = gauss_jordan_not_run;
    struct gauss_jordan e = {.context = A->context,
                             .options.no_condition = 1,
                             .report = &report,
                             .A = inverse_of(g, n),
                             .precision = public_precision(g->wide)};
    struct room w = {.device = g->device};
    uint64_t bytes = (uint64_t)n * n * real_bytes(g->wide);
    e.A.address = room_memory(&w, MEMORY_DEVICE, bytes, "a coarsest matrix").address;
    vks_status s = w.status ? w.status : g->room.status;
    struct rec r = rec_once(g->device, g->wide);
    spread(&r, &A->csr, e.A);
    s = rec_run_once(&r, s);
    IF_OK(s, invert_dense(&e, inverse_of(g, n)));
    if (!s && !has_solution(&report))
        diagnosis_refuse(f, report.reason, UINT32_MAX, "the coarsest level of multigrid has no inverse");
    room_close(&w);
    return s;
}

vks_status multigrid_invert(struct multigrid *g, const vks_matrix *A, reals reference, struct diagnosis *f)
{
    take_room(g, A->csr.n);
    return g->symmetric ? sweep(g, A, reference) : eliminate(g, A, f);
}

void multigrid_solve_coarsest(struct rec *r, const struct multigrid *g, struct vec b, struct vec x)
{
    const struct coarsest *c = &g->coarsest;
    bool narrows = g->precision != g->wide;
    if (narrows)
        widen_floats(r, b, c->b);
    enum precision before = rec_precision(r, g->wide);
    gemv(r, vks_gemv_choice(x.n, x.n), inverse_of(g, x.n), narrows ? c->b : b, (struct vec){0},
         narrows ? c->x : x, c->strips);
    rec_precision(r, before);
    if (narrows)
        narrow(r, c->one, c->x, x);
}
