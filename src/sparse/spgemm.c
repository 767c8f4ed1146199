/* The structure of a sparse product: classes of rows, and the tables in which most rows are gathered. */
#include "sparse/spgemm.h"
#include "primitive/histogram_verbs.h"
#include "primitive/pack_verbs.h"
#include "primitive/sort.h"
#include "sparse/spgemm_host.h"

const struct spgemm_options spgemm_defaults = {
    .batch = 1u << 25, .most = 1u << 18, .window = SPGEMM_WINDOW_BITS, .table = 1u << 26, .heavy = 1u << 18};

static void create(struct spgemm *g)
{
    uint64_t bytes = 4 * (uint64_t)g->A->n;
    room_open(&g->room, g->d);
    g->bound = room_memory(&g->room, MEMORY_DEVICE, bytes, "numbers of products");
    g->class_of = room_memory(&g->room, MEMORY_DEVICE, bytes, "classes of rows");
    g->list = room_memory(&g->room, MEMORY_DEVICE, bytes, "rows by class");
}

void spgemm_end(struct spgemm *g)
{
    room_close(&g->room);
    device_release(g->d, &g->row_columns);
}

/* Uses several lanes for each row, because a row may be long. */
void spgemm_bound(struct rec *r, const struct csr *A, const struct csr *B, u32s bound, u32s entries)
{
    uint32_t lanes = A->lanes < 8 ? 8 : A->lanes;
    run(r, spgemm_bound, groups_rows(A->n, lanes), .a_row = A->row, .a_col = A->col, .b_row = B->row,
        .bound = bound, .entries = entries, .n = A->n, .lanes = lanes);
    bill(r, 12 * (uint64_t)A->n + 12 * (uint64_t)A->entries);
}

/* Runs what has been recorded, and then divides the rows into classes. */
static vks_status classify(struct rec *r, struct spgemm *g, u32s entries, bool tried)
{
    uint32_t n = g->A->n, counts[SPGEMM_CLASSES + 1] = {0};
    u32s class_of = words_in(&g->class_of, 0);
    struct sorted rows = {.keys = class_of, .payload = words_in(&g->list, 0), .n = n, .words = 1};
    struct room room = {.device = g->d};
    struct memory sizes = room_memory(&room, MEMORY_DEVICE, sizeof counts, "sizes of classes"),
                  out = room_memory(&room, MEMORY_SHARED, sizeof counts, "sizes of classes to be read");
    struct radix w = room_radix(&room, &rows, RADIX_MOST_BLOCKS);
    run(r, spgemm_class, groups_each(n), .a_row = g->A->row, .bound = words_in(&g->bound, 0),
        .entries = entries, .class_of = class_of, .n = n, .windows = g->windows.count, .most = g->o->most,
        .tried = tried);
    bill(r, 16 * (uint64_t)n);
    histogram(r, class_of, NULL, words_in(&sizes, 0), words_in(&sizes, SPGEMM_CLASSES), n, SPGEMM_CLASSES,
              ONES);
    copy_words(r, words_of(&sizes), words_of(&out), SPGEMM_CLASSES);
    iota_words(r, rows.payload, n);
    radix_sort(r, &w, &rows, SPGEMM_CLASS_BITS);
    vks_status s = room.status;
    IF_OK(s, rec_run(r));
    IF_OK(s, device_read(g->d, &out, 0, counts, sizeof counts));
    for (uint32_t k = 0, first = 0; k < SPGEMM_CLASSES; first += counts[k++]) {
        g->first[k] = first;
        g->rows[k] = counts[k];
    }
    rec_clear(r);
    room_close(&room);
    return s;
}

/* Processes the listed rows by workgroups: writes their numbers of entries into C->row or, with `fill`, their
 * columns, once C->row has offsets. */
static void gather_by_groups(struct rec *r, const struct spgemm *g, const struct csr *C, uint32_t first,
                             uint32_t count, bool fill)
{
    const struct csr *A = g->A, *B = g->B;
    run(r, spgemm_group_rows, count, .list = words_in(&g->list, first), .a_row = A->row, .a_col = A->col,
        .b_row = B->row, .b_col = B->col, .c_row = C->row, .c_col = C->col, .count = count, .fill = fill);
}

/* Processes all rows that need no windows and no sort: by lanes, subgroup-sized lane groups or workgroups. */
static void gather_rows(struct rec *r, const struct spgemm *g, const struct csr *C, bool fill)
{
    const struct csr *A = g->A, *B = g->B;
    uint32_t least = g->rows[SPGEMM_LANE], few = g->rows[SPGEMM_SQUAD] + g->rows[SPGEMM_SQUAD_TRY];
    run(r, spgemm_lane_rows, groups_each(least), .list = words_in(&g->list, g->first[SPGEMM_LANE]),
        .a_row = A->row, .a_col = A->col, .b_row = B->row, .b_col = B->col, .c_row = C->row, .c_col = C->col,
        .count = least, .fill = fill);
    run(r, spgemm_squad_rows, (few + (uint64_t)7) / 8, .list = words_in(&g->list, g->first[SPGEMM_SQUAD]),
        .a_row = A->row, .a_col = A->col, .b_row = B->row, .b_col = B->col, .c_row = C->row, .c_col = C->col,
        .kept = words_of(&g->row_columns), .count = few, .fill = fill, .stride = g->stride);
    gather_by_groups(r, g, C, g->first[SPGEMM_GROUP], g->rows[SPGEMM_GROUP] + g->rows[SPGEMM_TRY], fill);
    bill(r, 12 * ((uint64_t)A->n + A->entries) + 4 * ((uint64_t)B->entries + (fill ? C->entries : 0)));
}

/* Allocates room for the columns that lane groups find while counting, so that they need not gather them
 * again: at most as many words as A and B have entries. Without memory, they do. */
static void keep_columns(struct spgemm *g)
{
    static const uint32_t longest = 64, least = 16;
    uint64_t rows = g->rows[SPGEMM_SQUAD] + (uint64_t)g->rows[SPGEMM_SQUAD_TRY];
    uint64_t all = (uint64_t)g->A->entries + g->B->entries, most = all < UINT32_MAX ? all : UINT32_MAX;
    for (g->stride = longest; g->stride >= least && g->stride * rows > most;)
        g->stride /= 2;
    if (!rows || g->stride < least)
        g->stride = 0;
    else if (device_allocate(g->d, MEMORY_DEVICE, 4 * g->stride * rows, "columns of rows", &g->row_columns)) {
        g->d->message->text[0] = 0;
        g->stride = 0;
    }
}

static void forget_columns(struct spgemm *g)
{
    device_release(g->d, &g->row_columns);
    g->stride = 0;
}

/* Reclassifies the rows after some were tried. Kept columns are in the order of the list, so they are dropped
 * if it changes. */
static vks_status classify_tried(struct rec *r, struct spgemm *g, u32s entries)
{
    uint32_t squads = g->rows[SPGEMM_SQUAD], tried = g->rows[SPGEMM_SQUAD_TRY];
    vks_status s = classify(r, g, entries, true);
    if (g->rows[SPGEMM_SQUAD] != squads || g->rows[SPGEMM_SQUAD_TRY] != tried)
        forget_columns(g);
    return s;
}

/* Classifies the rows, and tries rows that may overflow their tables. */
static vks_status find_classes(struct rec *r, struct spgemm *g, const struct csr *C)
{
    spgemm_choose_windows(g, g->o->window);
    spgemm_bound(r, g->A, g->B, words_in(&g->bound, 0), C->row);
    TRY(classify(r, g, C->row, false));
    TRY(spgemm_check_software(g->d, g->A, g->a_row, &g->bound, g->most_turns));
    vks_status s = VKS_OK;
    keep_columns(g);
    gather_rows(r, g, C, false);
    if (g->rows[SPGEMM_SQUAD_TRY] || g->rows[SPGEMM_TRY]) {
        s = classify_tried(r, g, C->row);
        if (g->rows[SPGEMM_TRY]) /* overflowed the table of a lane group */
            gather_by_groups(r, g, C, g->first[SPGEMM_TRY], g->rows[SPGEMM_TRY], false);
    }
    uint64_t windows = (uint64_t)g->windows.count * g->rows[SPGEMM_WINDOW];
    if (windows > g->o->table) {
        g->first[SPGEMM_SORT] = g->first[SPGEMM_WINDOW];
        g->rows[SPGEMM_SORT] += g->rows[SPGEMM_WINDOW];
        g->rows[SPGEMM_WINDOW] = 0;
    }
    return s;
}

/* Puts all rows into one class on the host, if B has more columns than spgemm_host takes. False: classes
 * would be faster, because many rows have several windows each. */
static bool take_all_rows(struct rec *r, struct spgemm *g)
{
    spgemm_choose_windows(g, SPGEMM_HOST_BITS);
    uint64_t windows = (uint64_t)g->windows.count * g->A->n;
    if (g->d->info.kind != DEVICE_HOST || g->o->host_classes ||
        (g->windows.count > 1 && windows > g->o->table))
        return false;
    g->rows[SPGEMM_WINDOW] = g->A->n;
    iota_words(r, words_in(&g->list, 0), g->A->n);
    return true;
}

/* Writes the numbers of entries of all rows into `C->row`. Some of the work may remain recorded in r. */
static vks_status count_entries(struct rec *r, struct spgemm *g, const struct csr *C)
{
    vks_status s = take_all_rows(r, g) ? VKS_OK : find_classes(r, g, C);
    if (!s && g->rows[SPGEMM_WINDOW]) {
        s = spgemm_windows(g);
        spgemm_count_windows(r, g, C);
    }
    if (s || !g->rows[SPGEMM_SORT])
        return s;
    if (r->count || r->status) { /* trying tables may have left nothing recorded */
        s = rec_run(r);
        rec_clear(r);
    }
    return s ? s : spgemm_sort(g, C->row);
}

vks_status spgemm_offsets(struct spgemm *g, const struct csr *C, const char *what, uint32_t *entries)
{
    struct rec r = rec_once(g->d, PRECISION_F32); /* words only */
    create(g);
    vks_status s = g->room.status;
    IF_OK(s, count_entries(&r, g, C));
    IF_OK(s, offsets_after(&r, &(struct counts){C->row, C->n, what, entries}, 1));
    rec_destroy(&r);
    return s;
}

void spgemm_columns(struct rec *r, const struct spgemm *g, const struct csr *C)
{
    enum precision before = rec_precision(r, PRECISION_F32); /* words only */
    gather_rows(r, g, C, true);
    spgemm_window_columns(r, g, C);
    spgemm_sorted_columns(r, g, C);
    rec_precision(r, before);
}

/* Allocates the entries of C; if that fails, drops the kept columns and retries. */
static vks_status room_for(struct spgemm *g, vks_matrix *C, uint32_t entries)
{
    vks_status s = matrix_room(C, entries);
    if (s != VKS_DEVICE_MEMORY || !g->stride)
        return s;
    g->d->message->text[0] = 0;
    forget_columns(g);
    device_release(g->d, &C->col);
    device_release(g->d, &C->val);
    return matrix_room(C, entries);
}

/* C = A B by classes of rows, structure and values. */
static vks_status multiply_by_classes(const vks_matrix *A, const vks_matrix *B,
                                      const struct spgemm_options *o, vks_matrix *C)
{
    struct spgemm g = {.d = A->context->device,
                       .o = o,
                       .A = &A->csr,
                       .B = &B->csr,
                       .a_row = &A->row,
                       .most_turns = SPGEMM_MOST_TURNS};
    uint32_t entries = 0;
    struct rec r = rec_once(g.d, precision_of(C->precision));
    vks_status s = spgemm_offsets(&g, &C->csr, "the product", &entries);
    IF_OK(s, room_for(&g, C, entries));
    if (!s) {
        spgemm_columns(&r, &g, &C->csr);
        s = spgemm_values_after(&r, &A->csr, &B->csr, C, NULL);
    }
    rec_destroy(&r);
    spgemm_end(&g);
    return s;
}

vks_status spgemm(const vks_matrix *A, const vks_matrix *B, const struct spgemm_options *o,
                  vks_matrix **matrix)
{
    bool taken = false;
    TRY(matrix_begin(A->context, joint_precision(A, B), A->csr.n, B->csr.cols, matrix));
    TRY(spgemm_host(A, B, o, *matrix, &taken));
    return taken ? VKS_OK : multiply_by_classes(A, B, o, *matrix);
}
