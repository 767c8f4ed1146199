/* The roots of aggregates: a maximal set of rows in which no two are strong neighbours or have a common
 * strong neighbour. In each round the undecided row with the largest key within two steps becomes a root. N.
 * Bell, S. Dalton, L. Olson, "Exposing fine-grained parallelism in algebraic multigrid methods" (2012); new
 * keys in each round: B. Kelley, S. Rajamanickam, "Parallel, portable algorithms for distance-2 maximal
 * independent set" (2022). A row with a decided neighbourhood is not visited again, so late rounds cost
 * little more than a pass over the rows. */
#include "primitive/verbs.h"
#include "shaders/multigrid/strength.h"
#include "solvers/multigrid/coarsen.h"

/* Rounds per submission (4 to 11 suffice for most matrices); limit of all rounds. */
enum { ROUNDS = 12, MOST_ROUNDS = 85 * ROUNDS };

struct work {
    struct memory near, left, out; /* out: `left`, for the host */
};

static void record_rounds(struct rec *r, const struct coarsening *c, const struct work *w, uint32_t first)
{
    const struct csr *S = &c->S->csr;
    uint64_t groups = groups_rows(S->n, S->lanes),
             bytes = 4 * (2 * (uint64_t)S->entries + 4 * (uint64_t)S->n);
    u32s near = words_of(&w->near);
    fill_words(r, words_of(&w->left), 1, 0, 1, 1);
    fill_words(r, words_in(&w->left, 1), 0, 0, ROUNDS, 1);
    for (uint32_t t = 0; t < ROUNDS; t++) {
        run(r, root_near, groups, .row = S->row, .col = S->col, .state = c->state, .near = near,
            .left = words_in(&w->left, t), .n = S->n, .round = first + t, .lanes = S->lanes);
        run(r, root_decide, groups, .row = S->row, .col = S->col, .state = c->state, .near = near,
            .left = words_in(&w->left, t), .n = S->n, .round = first + t, .lanes = S->lanes);
        bill(r, bytes);
    }
    copy_words(r, words_of(&w->left), words_of(&w->out), ROUNDS + 1);
}

/* Runs rounds until no row is undecided. */
static vks_status decide(struct rec *r, struct coarsening *c, const struct work *w)
{
    for (uint32_t first = 0; first < MOST_ROUNDS; first += ROUNDS) {
        uint32_t undecided[ROUNDS + 1], round = 0;
        record_rounds(r, c, w, first);
        vks_status s = rec_run(r);
        rec_clear(r);
        IF_OK(s, device_read(c->device, &w->out, 0, undecided, sizeof undecided));
        if (s)
            return s;
        while (round < ROUNDS && undecided[round])
            round++;
        c->rounds = first + round;
        if (!undecided[ROUNDS])
            return VKS_OK;
    }
    c->rounds = 0;
    return VKS_OK;
}

vks_status coarsen_roots(struct coarsening *c)
{
    uint32_t n = c->S->csr.n;
    struct memory state = room_memory(&c->room, MEMORY_DEVICE, 4 * (uint64_t)n, "states of rows");
    struct work w = {room_memory(&c->room, MEMORY_DEVICE, 4 * (uint64_t)n, "keys of rows"),
                     room_memory(&c->room, MEMORY_DEVICE, 4 * (ROUNDS + 1), "undecided rows"),
                     room_memory(&c->room, MEMORY_SHARED, 4 * (ROUNDS + 1), "undecided rows to be read")};
    if (c->room.status)
        return c->room.status;
    struct rec r = rec_once(c->device, PRECISION_F32);
    c->state = words_of(&state);
    fill_words(&r, c->state, ROW_UNDECIDED, 0, n, 1);
    fill_words(&r, words_of(&w.near), 1, 0, n, 1);
    vks_status s = decide(&r, c, &w);
    rec_destroy(&r);
    room_drop(&c->room, &w.near);
    room_drop(&c->room, &w.left);
    room_drop(&c->room, &w.out);
    return s;
}
