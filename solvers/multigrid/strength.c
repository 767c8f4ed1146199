/* Strong connections. An entry is strong if its strength |a_ij| / sqrt(a_ii a_jj) is not much less than the
 * largest in row i or in row j: "scaled, of the smaller maximum". So a row with off-diagonal entries has a
 * strong one, and the graph is symmetric. On the finest level of an operator with few positive entries,
 * positive entries are never strong.
 *
 *   sums of positive entries and of all          matrix        finest level only
 *   largest strengths                            matrix
 *   strong entries of each row                   matrix
 *   S                                            matrix + S */
#include "shaders/multigrid/strength.h"
#include "primitive/pack_verbs.h"
#include "solvers/multigrid/coarsen.h"

#include <string.h>

/* Least strength of a strong entry, relative to the smaller of the maxima of its row and column. */
static const float threshold = 0.25F, threshold_of_blocks = 0.1F;
/* Weight of the prolongator's smoother, times the bound. */
static const double prolongator_weight = 1.5;

struct work {
    struct coarsening *c;
    struct vec root, filtered;
    struct memory most, signs;
    struct vec positive, other; /* on the finest level */
    struct reduction sums;
    uint32_t least; /* bits of the threshold */
};

static void take_room(struct work *w)
{
    struct room *room = &w->c->room;
    uint32_t n = w->c->graph.n;
    enum precision p = w->c->precision;
    w->root = room_vec(room, n, p, "roots of the diagonal");
    w->filtered = room_vec(room, n, p, "a filtered diagonal");
    w->most = room_memory(room, MEMORY_DEVICE, 4 * (uint64_t)n, "the largest strengths");
    w->c->weight = room_memory(room, MEMORY_DEVICE, real_bytes(p), "a weight");
    if (!w->c->finest || w->c->blocks)
        return;
    w->signs = room_memory(room, MEMORY_DEVICE, 2 * (uint64_t)real_bytes(p), "sums of entries");
    w->positive = room_vec(room, n, p, "sums of positive entries");
    w->other = room_vec(room, n, p, "sums of entries");
    w->sums = room_reduction(room, n, 1);
}

static void record_signs(struct rec *r, const struct work *w)
{
    const struct csr *A = &w->c->graph;
    run(r, strength_sums, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col,
        .val = reals_of(r, A->val), .positive = vec_reals(w->positive), .other = vec_reals(w->other),
        .n = A->n, .lanes = A->lanes);
    bill(r, csr_bytes(r, A) + 2 * vector_bytes(r, A->n));
    sum(r, &w->sums, w->positive, (number)(uintptr_t)w->signs.address);
    sum(r, &w->sums, w->other, (number)(uintptr_t)(w->signs.address + real_bytes(w->c->precision)));
}

static void record_count(struct rec *r, const struct work *w)
{
    const struct csr *A = &w->c->graph;
    reals signs = (reals)(uintptr_t)w->signs.address, root = vec_reals(w->root);
    widen(r, w->c->of_nodes, w->filtered);
    run(r, square_roots, groups_each(A->n), .x = vec_reals(w->filtered), .y = root, .n = A->n);
    bill(r, 2 * vector_bytes(r, A->n));
    if (w->signs.address)
        record_signs(r, w);
    run(r, strength_maxima, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col,
        .val = reals_of(r, A->val), .root = root, .signs = signs, .most = words_of(&w->most), .n = A->n,
        .lanes = A->lanes);
    bill(r, csr_bytes(r, A) + vector_bytes(r, A->n) + 4 * (uint64_t)A->n);
    run(r, strength_count, groups_rows(A->n, A->lanes), .row = A->row, .col = A->col,
        .val = reals_of(r, A->val), .root = root, .signs = signs, .most = words_of(&w->most),
        .count = w->c->S->csr.row, .filtered = vec_reals(w->filtered), .n = A->n, .threshold = w->least,
        .lanes = A->lanes);
    bill(r, csr_bytes(r, A) + 2 * vector_bytes(r, A->n) + 8 * (uint64_t)A->n);
}

static void record_fill(struct rec *r, const struct work *w)
{
    const struct csr *A = &w->c->graph, *S = &w->c->S->csr;
    uint32_t lanes = csr_whole_lanes(A); /* neighbouring lanes write adjacent elements */
    run(r, strength_fill, groups_rows(A->n, lanes), .row = A->row, .col = A->col, .val = reals_of(r, A->val),
        .root = vec_reals(w->root), .signs = (reals)(uintptr_t)w->signs.address, .most = words_of(&w->most),
        .filtered = vec_reals(w->filtered), .to_row = S->row, .to_col = S->col, .strength = w->c->strength,
        .to_val = reals_of(r, S->val), .w = (number)(uintptr_t)w->c->weight.address, .n = A->n,
        .threshold = w->least, .lanes = lanes);
    bill(r, csr_bytes(r, A) + csr_bytes(r, S) + 2 * vector_bytes(r, A->n) + 4 * (uint64_t)A->n +
                4 * (uint64_t)S->entries);
}

static vks_status fill_in(struct rec *r, struct work *w)
{
    struct coarsening *c = w->c;
    double weight = prolongator_weight / c->bound;
    struct memory strength =
        room_memory(&c->room, MEMORY_DEVICE, 4 * (uint64_t)c->S->csr.entries, "strengths of entries");
    c->strength = words_of(&strength);
    TRY(c->room.status);
    TRY(upload_values(c->device, &c->weight, public_precision(c->precision), 0, 1, VKS_F64, &weight));
    record_fill(r, w);
    return rec_leave(r);
}

vks_status coarsen_strength(struct coarsening *c)
{
    struct work w = {.c = c};
    uint32_t entries = 0, n = c->graph.n;
    memcpy(&w.least, c->blocks ? &threshold_of_blocks : &threshold, sizeof w.least);
    take_room(&w);
    struct rec r = rec_once(c->device, c->precision);
    vks_status s = c->room.status ? c->room.status : coarsen_begin(c, n, n, &c->S);
    if (!s) {
        record_count(&r, &w);
        s = offsets_after(&r, &(struct counts){c->S->csr.row, n, "the graph of strong entries", &entries}, 1);
    }
    IF_OK(s, matrix_room(c->S, entries));
    IF_OK(s, fill_in(&r, &w));
    rec_destroy(&r);
    return s;
}
