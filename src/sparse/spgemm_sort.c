/* Rows of a sparse product that fit in no table. Their products are listed as keys of row and column, the
 * keys are sorted, and duplicates are removed. Rows are processed in batches, so that the list has a bounded
 * size. */
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "primitive/sort.h"
#include "sparse/bits.h"
#include "sparse/spgemm.h"

/* Most rows of a batch, even if the columns leave key bits for more. */
enum { MOST_ROWS = 1 << 20 };

/* Columns are the low bits of a key. */
static uint32_t shift_of(const struct spgemm *g)
{
    return bits_below(g->B->cols);
}

static uint32_t mask_of(const struct spgemm *g)
{
    return (uint32_t)(((uint64_t)1 << shift_of(g)) - 1);
}

/* The rows to sort: their indices and numbers of products, on the host. */
struct rows_to_sort {
    struct room room;
    uint32_t count;
    uint32_t *row, *products;
    struct memory before; /* number of products before each entry of A, modulo 2^32 */
};

static vks_status read_rows_to_sort(const struct spgemm *g, struct rows_to_sort *l)
{
    uint64_t bytes = 4 * (uint64_t)l->count;
    struct room room = {.device = g->d};
    struct rec r = rec_once(g->d, PRECISION_F32);
    struct memory products = room_memory(&room, MEMORY_DEVICE, bytes, "numbers of products");
    struct scan_space w = room_scan(&room, g->A->entries, 4, false);
    u32s before = words_in(&l->before, 0);
    gather_words(&r, words_in(&g->bound, 0), words_in(&g->list, g->first[SPGEMM_SORT]),
                 words_in(&products, 0), l->count);
    run(&r, spgemm_lengths, groups_each(g->A->entries), .a_col = g->A->col, .b_row = g->B->row,
        .length = before, .n = g->A->entries);
    bill(&r, 16 * (uint64_t)g->A->entries);
    scan_u32(&r, &w, before, before, false, true);
    vks_status s = rec_run_once(&r, room.status);
    IF_OK(s, device_read(g->d, &products, 0, l->products, bytes));
    IF_OK(s, device_read(g->d, &g->list, 4 * (uint64_t)g->first[SPGEMM_SORT], l->row, bytes));
    room_close(&room);
    return s;
}

static vks_status rows_to_sort_create(const struct spgemm *g, struct rows_to_sort *l)
{
    uint32_t count = g->rows[SPGEMM_SORT];
    *l = (struct rows_to_sort){.count = count};
    room_open(&l->room, g->d);
    l->row = room_host(&l->room, 8 * (uint64_t)count, "the rows to be sorted");
    l->before = room_memory(&l->room, MEMORY_DEVICE, 4 * (uint64_t)g->A->entries, "places of products");
    TRY(l->room.status);
    l->products = l->row + count;
    return read_rows_to_sort(g, l);
}

/* The number of rows in the next batch, which begins at `first`; *products = the number of their products. */
static uint32_t next_batch(const struct spgemm *g, const struct rows_to_sort *l, uint32_t first,
                           uint64_t *products)
{
    uint32_t rows = 0, shift = shift_of(g);
    uint64_t most = (uint64_t)1 << (32 - shift);
    most = most < MOST_ROWS ? most : MOST_ROWS;
    for (*products = 0; rows < most && first + (uint64_t)rows < l->count; rows++) {
        uint32_t more = l->products[first + rows];
        if (rows && *products + more > g->o->batch)
            break;
        *products += more;
    }
    return rows;
}

/* A batch in progress. */
struct batch {
    struct room room;
    uint32_t products;
    struct memory start, key, position;
    struct radix radix;
    struct scan_space scan;
};

static struct memory room_starts(struct room *w, const struct kept *k, const struct rows_to_sort *l)
{
    uint64_t bytes = 4 * ((uint64_t)k->rows + 1);
    uint32_t *v = room_host(w, bytes, "starts of rows");
    for (uint32_t s = 0; v && s < k->rows; s++)
        v[s + 1] = v[s] + l->products[k->first + s];
    return room_copy(w, v, bytes, "starts of rows");
}

static struct sorted keys_of(const struct batch *b)
{
    return (struct sorted){.keys = words_in(&b->key, 0), .n = b->products, .words = 1};
}

static void batch_create(struct device *d, const struct kept *k, const struct rows_to_sort *l,
                         uint32_t products, struct batch *b)
{
    *b = (struct batch){.products = products};
    uint64_t bytes = 4 * (uint64_t)products;
    room_open(&b->room, d);
    b->start = room_starts(&b->room, k, l);
    b->key = room_memory(&b->room, MEMORY_DEVICE, bytes, "keys of products");
    b->position = room_memory(&b->room, MEMORY_DEVICE, bytes + 4, "places of keys");
    struct sorted keys = keys_of(b);
    b->radix = room_radix(&b->room, &keys, RADIX_MOST_BLOCKS);
    b->scan = room_scan(&b->room, products + 1, 4, false);
}

/* Lists and sorts the keys, flags the first of each, and counts the distinct ones. */
static vks_status sort_products(const struct spgemm *g, const struct kept *k, const struct rows_to_sort *l,
                                struct batch *b, uint32_t *entries)
{
    const struct csr *A = g->A, *B = g->B;
    struct sorted keys = keys_of(b);
    u32s position = words_in(&b->position, 0);
    struct rec r = rec_once(g->d, PRECISION_F32);
    run(&r, spgemm_expand, groups_each(b->products),
        .list = words_in(&g->list, g->first[SPGEMM_SORT] + (uint64_t)k->first),
        .start = words_in(&b->start, 0), .before = words_in(&l->before, 0), .a_row = A->row, .a_col = A->col,
        .b_row = B->row, .b_col = B->col, .key = keys.keys, .rows = k->rows, .products = b->products,
        .shift = shift_of(g));
    bill(&r, 8 * (uint64_t)b->products);
    radix_sort(&r, &b->radix, &keys, shift_of(g) + bits_below(k->rows));
    mark_firsts(&r, keys.keys, keys.keys, position, b->products);
    scan_u32(&r, &b->scan, position, position, false, true);
    TRY(rec_run_once(&r, b->room.status));
    return device_read(g->d, &b->position, 4 * (uint64_t)b->products, entries, 4);
}

/* Removes duplicate keys, finds the offset of each row, and counts its entries. */
static vks_status keep(struct spgemm *g, struct kept *k, const struct batch *b, u32s entries)
{
    struct rec r = rec_once(g->d, PRECISION_F32);
    k->keys = room_memory(&g->room, MEMORY_DEVICE, 4 * (uint64_t)k->entries, "sorted columns");
    k->bound = room_memory(&g->room, MEMORY_DEVICE, 4 * ((uint64_t)k->rows + 1), "bounds of rows");
    u32s keys = words_in(&k->keys, 0), bound = words_in(&k->bound, 0);
    pack_words(&r, words_in(&b->key, 0), words_in(&b->position, 0), keys, b->products, UINT32_MAX);
    lower_bounds(&r, keys, k->entries, bound, k->rows + 1, shift_of(g));
    run(&r, spgemm_kept_counts, groups_each(k->rows),
        .list = words_in(&g->list, g->first[SPGEMM_SORT] + (uint64_t)k->first), .bound = bound,
        .entries = entries, .rows = k->rows, .parts = 1);
    bill(&r, 12 * (uint64_t)k->rows);
    return rec_run_once(&r, g->room.status);
}

static vks_status sort_batch(struct spgemm *g, struct kept *k, const struct rows_to_sort *l,
                             uint64_t products, u32s entries)
{
    struct batch b;
    batch_create(g->d, k, l, (uint32_t)products, &b);
    vks_status s = sort_products(g, k, l, &b, &k->entries);
    IF_OK(s, keep(g, k, &b, entries));
    room_close(&b.room);
    return s;
}

vks_status spgemm_sort(struct spgemm *g, u32s entries)
{
    struct rows_to_sort l;
    uint64_t products;
    vks_status s = rows_to_sort_create(g, &l);
    uint32_t batches = 0;
    for (uint32_t first = 0; !s && first < l.count; batches++)
        first += next_batch(g, &l, first, &products);
    g->kept = room_host(&g->room, batches * sizeof *g->kept, "batches of rows");
    IF_OK(s, g->room.status);
    for (uint32_t first = 0; !s && first < l.count;) {
        struct kept *k = &g->kept[g->kept_count++];
        *k = (struct kept){.first = first, .rows = next_batch(g, &l, first, &products)};
        first += k->rows;
        s = sort_batch(g, k, &l, products, entries);
    }
    room_close(&l.room);
    return s;
}

void spgemm_sorted_columns(struct rec *r, const struct spgemm *g, const struct csr *C)
{
    for (uint32_t b = 0; b < g->kept_count; b++) {
        const struct kept *k = &g->kept[b];
        run(r, spgemm_kept_columns, groups_each(k->entries),
            .list = words_in(&g->list, g->first[SPGEMM_SORT] + (uint64_t)k->first),
            .key = words_in(&k->keys, 0), .bound = words_in(&k->bound, 0), .c_row = C->row, .c_col = C->col,
            .n = k->entries, .shift = shift_of(g), .mask = mask_of(g));
        bill(r, 8 * (uint64_t)k->entries);
    }
}
