/* Aggregates: each root with its strong neighbours; then each row in between joins the neighbouring aggregate
 * to which its connections are strongest. The set of roots is maximal, so every row with strong neighbours
 * finds one. Aggregates are numbered in the order of their roots, which keeps neighbours close in memory. */
#include "primitive/pack_verbs.h"
#include "shaders/multigrid/strength.h"
#include "solvers/multigrid/coarsen.h"

struct work {
    u32s owner, size, before;
};

static void record_joins(struct rec *r, const struct coarsening *c, const struct work *w)
{
    const struct csr *S = &c->S->csr;
    uint64_t groups = groups_rows(S->n, S->lanes), graph = 4 * ((uint64_t)S->entries + 3 * (uint64_t)S->n);
    fill_words(r, w->size, 0, 0, S->n, 1);
    run(r, join_root, groups, .row = S->row, .col = S->col, .state = c->state, .owner = w->owner,
        .size = w->size, .n = S->n, .lanes = S->lanes);
    run(r, join_strongest, groups, .row = S->row, .col = S->col, .strength = c->strength, .owner = w->owner,
        .size = w->size, .joined = c->owner, .n = S->n, .lanes = S->lanes);
    run(r, aggregate_flags, groups_each(S->n), .owner = c->owner, .root = w->before, .member = c->T->csr.row,
        .n = S->n);
    bill(r, 3 * graph);
}

/* Fills in T, whose row offsets are set. */
static vks_status fill_in(const struct coarsening *c, const struct work *w)
{
    const struct csr *T = &c->T->csr;
    struct rec r = rec_once(c->device, c->precision);
    run(&r, tentative_ones, groups_each(T->n), .owner = c->owner, .before = w->before, .row = T->row,
        .col = T->col, .val = reals_of(&r, T->val), .n = T->n);
    bill(&r, 12 * (uint64_t)T->n + vector_bytes(&r, T->n));
    return rec_leave_once(&r, VKS_OK);
}

/* Joins rows to roots, and counts the aggregates and their members. */
static vks_status join(struct coarsening *c, const struct work *w, uint32_t *members)
{
    uint32_t n = c->S->csr.n;
    struct counts lists[] = {{w->before, n, "the next level", &c->aggregates},
                             {c->T->csr.row, n, "the tentative prolongator", members}};
    struct rec r = rec_once(c->device, PRECISION_F32);
    record_joins(&r, c, w);
    vks_status s = offsets_after(&r, lists, 2);
    rec_destroy(&r);
    return s;
}

vks_status coarsen_aggregates(struct coarsening *c)
{
    uint32_t n = c->S->csr.n, members = 0;
    uint64_t words = 4 * ((uint64_t)n + 1);
    struct memory owner = room_memory(&c->room, MEMORY_DEVICE, words, "neighbours of roots");
    struct memory joined = room_memory(&c->room, MEMORY_DEVICE, words, "aggregates of rows");
    struct memory size = room_memory(&c->room, MEMORY_DEVICE, words, "sizes of aggregates");
    struct memory before = room_memory(&c->room, MEMORY_DEVICE, words, "numbers of aggregates");
    struct work w = {words_of(&owner), words_of(&size), words_of(&before)};
    c->owner = words_of(&joined);
    TRY(c->room.status);
    TRY(coarsen_begin(c, n, 0, &c->T));
    TRY(join(c, &w, &members));
    TRY(matrix_room(c->T, members));
    c->T->csr.cols = c->aggregates;
    return c->blocks ? coarsen_tentative(c, w.before) : fill_in(c, &w);
}
