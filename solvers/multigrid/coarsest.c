/* The inverse of the coarsest matrix, by sweeps of its pivots in the precision of the set-up. Pivots that
 * vanish are dropped, so a singular matrix has a generalised inverse. */
#include "dense/verbs.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/multigrid.h"

struct work {
    const vks_matrix *A;
    struct memory dense[2];
    reals reference;
};

static struct block block_in(const struct work *w, uint32_t i)
{
    uint32_t n = w->A->csr.n;
    return (struct block){.address = w->dense[i].address, .rows = n, .cols = n, .ld = n};
}

/* Returns the number of the array that holds the result. */
static uint32_t record(struct rec *r, const struct multigrid *g, const struct work *w)
{
    const struct csr *A = &w->A->csr;
    uint32_t n = A->n;
    fill_words(r, words_of(&w->dense[0]), 0, 0, n * n * (real_bytes(g->wide) / 4), 1);
    dense_from_csr(r, A->row, A->col, A->val, A->entries, block_in(w, 0));
    for (uint32_t k = 0; k < n; k++) {
        run(r, sweep_pivot, groups_each((uint64_t)n * n), .from = block_reals(block_in(w, k % 2)),
            .to = block_reals(block_in(w, (k + 1) % 2)), .reference = w->reference, .n = n, .k = k);
        bill(r, 2 * (uint64_t)n * n * real_bytes(g->wide));
    }
    return n % 2;
}

static void take_room(struct multigrid *g, uint32_t n)
{
    static const double one = 1;
    struct room *w = &g->room;
    struct coarsest *c = &g->coarsest;
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

vks_status multigrid_invert(struct multigrid *g, const vks_matrix *A, reals reference)
{
    uint32_t n = A->csr.n;
    uint64_t bytes = (uint64_t)n * n * real_bytes(g->wide);
    struct room room;
    struct rec r;
    room_open(&room, g->device);
    struct work w = {.A = A,
                     .dense = {room_memory(&room, MEMORY_DEVICE, bytes, "the coarsest matrix"),
                               room_memory(&room, MEMORY_DEVICE, bytes, "the coarsest matrix")},
                     .reference = reference};
    take_room(g, n);
    vks_status s = room.status ? room.status : g->room.status;
    rec_create(&r, g->device, g->wide);
    if (!s) {
        uint32_t last = record(&r, g, &w);
        copy(&r, vec_at(block_reals(block_in(&w, last)), n * n, g->wide), g->coarsest.inverse);
        s = rec_run(&r);
    }
    rec_destroy(&r);
    room_close(&room);
    return s;
}

void multigrid_solve_coarsest(struct rec *r, const struct multigrid *g, struct vec b, struct vec x)
{
    const struct coarsest *c = &g->coarsest;
    struct block inverse = {.address = c->inverse.at, .rows = x.n, .cols = x.n, .ld = x.n};
    bool narrows = g->precision != g->wide;
    if (narrows)
        widen_floats(r, b, c->b);
    enum precision before = rec_precision(r, g->wide);
    gemv(r, vks_gemv_choice(x.n, x.n), inverse, vec_reals(narrows ? c->b : b), NULL,
         vec_reals(narrows ? c->x : x), c->strips);
    rec_precision(r, before);
    if (narrows)
        narrow(r, c->one, c->x, x);
}
