/* Nodes with several unknowns: rows of blocks. The norm of a block gives the strength of a connection. The
 * prolongator represents near-null vectors: each aggregate has an orthonormal basis of them. */
#include "primitive/pack_verbs.h"
#include "solvers/multigrid/coarsen.h"
#include "solvers/multigrid/tentative.h"

#include <stdlib.h>

/* Sets the values of the graph to the norms of the blocks. */
static vks_status take_norms(struct coarsening *c)
{
    uint32_t n = c->graph.n, entries = c->graph.entries;
    struct vec norms = room_vec(&c->room, entries, c->precision, "norms of blocks");
    struct memory rows = room_memory(&c->room, MEMORY_DEVICE, 4 * (uint64_t)entries, "rows of blocks");
    c->of_nodes = room_vec(&c->room, n, c->precision, "an inverse diagonal of nodes");
    struct rec r = rec_once(c->device, c->precision);
    entry_rows(&r, &c->graph, words_of(&rows));
    run(&r, block_norms, groups_each(entries), .col = c->graph.col, .val = blocks_reals(c->blocks),
        .rows = words_of(&rows), .norm = vec_reals(norms), .inverse = vec_reals(c->of_nodes),
        .entries = entries, .size = c->blocks->br);
    bill(&r, blocks_bytes(c->blocks) + vec_bytes(norms) + vec_bytes(c->of_nodes));
    vks_status s = rec_leave_once(&r, c->room.status);
    c->graph.val = (values)(uintptr_t)norms.at;
    return s;
}

/* Longest row on a software device, where longer loops are cut short. */
enum { SOFTWARE_ROW = 20000 };

static vks_status check_software(const struct coarsening *c, const struct memory *row)
{
    uint32_t n = c->graph.n;
    uint64_t bytes = 4 * ((uint64_t)n + 1);
    if (c->device->info.kind != DEVICE_SOFTWARE)
        return VKS_OK;
    uint32_t *at = malloc(bytes);
    vks_status s = at ? device_read(c->device, row, 0, at, bytes)
                      : fail_memory(c->device->message, "the row offsets of a level", bytes);
    for (uint32_t i = 0; i < n && !s; i++)
        if (at[i + 1] - at[i] > SOFTWARE_ROW)
            s = fail(
                c->device->message, VKS_LIMIT,
                "amg: row %u of a level has %u entries; on %s the most is %d, because its loops end early",
                i + 1, at[i + 1] - at[i], c->device->info.name, SOFTWARE_ROW);
    free(at);
    return s;
}

vks_status coarsen_nodes(struct coarsening *c)
{
    c->graph = c->blocks ? c->blocks->csr : c->A->csr;
    c->of_nodes = c->inverse;
    TRY(check_software(c, c->blocks ? &c->blocks->row : &c->A->row));
    if (c->transpose)
        TRY(coarsen_symmetric_part(c));
    return c->blocks ? take_norms(c) : VKS_OK;
}

static void record_smoother(struct rec *r, const struct coarsening *c, struct vec inverse)
{
    const struct blocks *A = c->blocks, *S = &c->smoother;
    copy_words(r, c->S->csr.row, S->csr.row, S->csr.n + 1);
    copy_words(r, c->S->csr.col, S->csr.col, S->csr.entries);
    widen(r, c->inverse, inverse);
    run(r, smoother_blocks, groups_each(S->csr.entries), .row = A->csr.row, .col = A->csr.col,
        .val = blocks_reals(A), .to_row = S->csr.row, .to_col = S->csr.col, .to_val = blocks_reals(S),
        .inverse = vec_reals(inverse), .w = (number)(uintptr_t)c->weight.address, .n = A->csr.n,
        .entries = S->csr.entries, .size = A->br);
    bill(r, blocks_bytes(A) + blocks_bytes(S) + vec_bytes(inverse));
}

vks_status coarsen_smoother(struct coarsening *c)
{
    const struct blocks *A = c->blocks;
    struct vec inverse = room_vec(&c->room, A->csr.n * A->br, c->precision, "an inverse diagonal");
    TRY(c->room.status);
    TRY(blocks_begin(A->context, c->precision, A->csr.n, A->csr.n, A->br, A->br, &c->smoother));
    TRY(blocks_room(&c->smoother, c->S->csr.entries));
    struct rec r = rec_once(c->device, c->precision);
    record_smoother(&r, c, inverse);
    return rec_leave_once(&r, VKS_OK);
}

struct bases {
    struct room room;
    struct members members;
    struct memory aggregate; /* of each node */
    struct vec T;            /* the blocks of all nodes */
};

/* Records the aggregate number of each node or, if `fill`, T from the blocks of nodes. */
static void record_blocks(struct rec *r, const struct coarsening *c, const struct bases *b, u32s before,
                          bool fill)
{
    const struct blocks *T = &c->tentative;
    run(r, tentative_blocks, groups_each(T->csr.n), .owner = c->owner, .before = before, .row = T->csr.row,
        .col = T->csr.col, .aggregate = words_of(&b->aggregate), .block = vec_reals(b->T),
        .val = fill ? blocks_reals(T) : NULL, .n = T->csr.n, .elements = T->br * T->bc);
    bill(r, 16 * (uint64_t)T->csr.n + (fill ? 2 * vec_bytes(b->T) : 0));
}

static void record_tentative(struct rec *r, const struct coarsening *c, const struct bases *b, u32s before)
{
    const struct blocks *T = &c->tentative;
    copy_words(r, c->T->csr.row, T->csr.row, T->csr.n + 1);
    record_blocks(r, c, b, before, false);
    members_list(r, &b->members, words_of(&b->aggregate));
    orthogonalise(r, &(struct tentative){.of = &b->members,
                                         .size = T->br,
                                         .columns = T->bc,
                                         .B = c->modes,
                                         .T = vec_reals(b->T),
                                         .coarse = (reals)(uintptr_t)c->next_modes.address});
    record_blocks(r, c, b, before, true);
}

vks_status coarsen_tentative(struct coarsening *c, u32s before)
{
    const struct blocks *A = c->blocks;
    uint32_t n = A->csr.n, columns = c->columns;
    uint64_t modes = (uint64_t)c->aggregates * columns * columns;
    struct bases b = {0};
    room_open(&b.room, c->device);
    b.members = members_room(&b.room, &b.room, n, c->aggregates);
    b.aggregate = room_memory(&b.room, MEMORY_DEVICE, 4 * (uint64_t)n, "aggregates of nodes");
    b.T = room_vec(&b.room, n * A->br * columns, c->precision, "a tentative prolongator");
    vks_status s = b.room.status;
    IF_OK(s, blocks_begin(A->context, c->precision, n, c->aggregates, A->br, columns, &c->tentative));
    IF_OK(s, blocks_room(&c->tentative, c->T->csr.entries));
    IF_OK(s, device_allocate(c->device, MEMORY_DEVICE, modes * real_bytes(c->precision),
                             "near-null vectors of a level", &c->next_modes));
    struct rec r = rec_once(c->device, c->precision);
    if (!s) /* record_tentative checks sizes, and fails with its own message */
        record_tentative(&r, c, &b, before);
    s = rec_leave_once(&r, s);
    room_close(&b.room);
    return s;
}
