/* Rows of a sparse product whose columns are marked, window by window: on a device rows of many products, on
 * the host all rows if B has more columns than spgemm_host takes. */
#include "sparse/bits.h"
#include "sparse/spgemm.h"

static uint32_t windows_of(uint32_t cols, uint32_t shift)
{
    return (uint32_t)(((uint64_t)cols + ((uint64_t)1 << shift) - 1) >> shift);
}

void spgemm_choose_windows(struct spgemm *g, uint32_t most_bits)
{
    uint32_t bits = bits_below(g->B->cols);
    g->windows.shift = bits < most_bits ? bits : most_bits;
    g->windows.count = windows_of(g->B->cols, g->windows.shift);
}

vks_status spgemm_windows(struct spgemm *g)
{
    struct windows *w = &g->windows;
    uint32_t rows = g->rows[SPGEMM_WINDOW], parts = rows * w->count;
    if ((uint64_t)rows * w->count >= VKS_MAX_ENTRIES)
        return fail(g->d->message, VKS_LIMIT,
                    "%u rows of the product are long, and each has %u windows of columns: more than %u parts",
                    rows, w->count, VKS_MAX_ENTRIES - 1);
    uint64_t takers = (rows + (uint64_t)SPGEMM_HOST_ROWS - 1) / SPGEMM_HOST_ROWS;
    w->rooms = takers < g->d->info.threads ? (uint32_t)takers : g->d->info.threads;
    w->begin = room_memory(&g->room, MEMORY_DEVICE, 4 * ((uint64_t)parts + 1), "columns in windows");
    w->room =
        room_memory(&g->room, MEMORY_DEVICE, w->rooms * SPGEMM_ROOM_BYTES(w->shift), "marks of columns");
    w->scan = room_scan(&g->room, parts + 1, 4, false);
    return g->room.status;
}

static void walk_windows(struct rec *r, const struct spgemm *g, const struct csr *C, bool fill)
{
    const struct windows *w = &g->windows;
    const struct csr *A = g->A, *B = g->B;
    uint32_t rows = g->rows[SPGEMM_WINDOW];
    run(r, spgemm_window_rows, (uint64_t)rows * w->count, .list = words_in(&g->list, g->first[SPGEMM_WINDOW]),
        .a_row = A->row, .a_col = A->col, .b_row = B->row, .b_col = B->col, .begin = words_in(&w->begin, 0),
        .c_row = C->row, .c_col = C->col, .room = words_in(&w->room, 0), .rooms = w->rooms, .rows = rows,
        .windows = w->count, .shift = w->shift, .fill = fill);
    bill(r, 12 * ((uint64_t)A->n + A->entries) + 4 * ((uint64_t)B->entries + (fill ? C->entries : 0)));
}

void spgemm_count_windows(struct rec *r, const struct spgemm *g, const struct csr *C)
{
    u32s begin = words_in(&g->windows.begin, 0);
    uint32_t rows = g->rows[SPGEMM_WINDOW];
    walk_windows(r, g, C, false);
    scan_u32(r, &g->windows.scan, begin, begin, false, true);
    run(r, spgemm_kept_counts, groups_each(rows), .list = words_in(&g->list, g->first[SPGEMM_WINDOW]),
        .bound = begin, .entries = C->row, .rows = rows, .parts = g->windows.count);
    bill(r, 12 * (uint64_t)rows);
}

void spgemm_window_columns(struct rec *r, const struct spgemm *g, const struct csr *C)
{
    if (g->rows[SPGEMM_WINDOW])
        walk_windows(r, g, C, true);
}
