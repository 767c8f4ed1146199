/* Sorts triplets and builds the structure of their matrix.
 *
 * A stable radix sort by row comes first. Then the columns in each row are sorted: short rows by counting
 * smaller ones, others by the bitonic network. Equal columns keep the order of the triplets, since their
 * places are the payload. If rows are so long that the network would move more bytes, two radix sorts replace
 * it: by column, then again by row. */
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "primitive/sort.h"
#include "sparse/assembly.h"
#include "sparse/bits.h"

/* Arrays needed until the structure is complete. `key`, `col` and `flag` each serve as the second array of a
 * sort while they hold no data. */
struct work {
    struct room sorts, rest; /* sorts: arrays that only the sorts need */
    struct memory key;       /* the row of each sorted triplet */
    struct memory col;       /* its column */
    struct memory other;     /* ranked columns; then unused */
    struct memory flag;      /* whether it begins an entry; then the number of entries that begin before it */
    struct memory bound;     /* where each row begins among the triplets */
    struct memory fault;     /* see triplet_keys.comp */
    struct memory longest;   /* see rank_columns.comp */
    struct radix radix;
    struct chunks chunks;
    struct scan_space scan;
};

/* Flags and places swap roles, so both belong to the assembly. */
static vks_status work_create(vks_assembly *a, struct work *w)
{
    uint64_t bytes = 4 * ((uint64_t)a->triplets + 1);
    struct sorted sorted = {.n = a->triplets, .words = 1};
    struct room *rest = &w->rest, *sorts = &w->sorts;
    room_open(rest, a->context->device);
    room_open(sorts, a->context->device);
    a->place = room_memory(&a->room, MEMORY_DEVICE, bytes, "places of triplets");
    w->flag = room_memory(&a->room, MEMORY_DEVICE, bytes, "entries' beginnings");
    w->col = room_memory(rest, MEMORY_DEVICE, bytes, "columns to be sorted");
    w->other = room_memory(rest, MEMORY_DEVICE, bytes, "columns in order");
    w->bound = room_memory(rest, MEMORY_DEVICE, 4 * ((uint64_t)a->rows + 1), "rows' beginnings");
    w->key = room_memory(sorts, MEMORY_DEVICE, bytes, "rows to be sorted");
    w->fault = room_memory(sorts, MEMORY_DEVICE, 4, "a triplet's number");
    w->longest = room_memory(sorts, MEMORY_DEVICE, 4, "the length of a row");
    w->radix = room_radix_with(sorts, &sorted, RADIX_MOST_BLOCKS, w->col, w->flag);
    w->chunks = room_chunks(sorts, a->triplets);
    w->scan = room_scan(sorts, a->triplets + 1, 4, false);
    TRY(a->room.status);
    return rest->status ? rest->status : sorts->status;
}

/* The keys with the places of their triplets as payload. */
static struct sorted with_places(const vks_assembly *a, const struct memory *keys)
{
    return (struct sorted){
        .keys = assembly_words(keys), .payload = assembly_words(&a->place), .n = a->triplets, .words = 1};
}

static void sort_by(struct rec *r, const vks_assembly *a, const struct work *w, const struct memory *keys,
                    const struct memory *second, uint32_t limit)
{
    struct sorted sorted = with_places(a, keys);
    struct radix between = w->radix;
    between.keys = *second;
    between.payload = w->flag;
    if (a->triplets > 1)
        radix_sort(r, &between, &sorted, bits_below(limit));
}

/* Flags the first triplet of each entry, and counts the entries. */
static void mark_entries(struct rec *r, const vks_assembly *a, const struct work *w)
{
    u32s flag = assembly_words(&w->flag);
    mark_firsts(r, assembly_words(&w->key), assembly_words(&w->col), flag, a->triplets);
    scan_u32(r, &w->scan, flag, flag, false, true);
}

static void swap(struct memory *a, struct memory *b)
{
    struct memory m = *a;
    *a = *b;
    *b = m;
}

/* Sorts the columns of short rows. Its input arrays are free for reuse afterwards. */
static void rank_rows(struct rec *r, vks_assembly *a, struct work *w)
{
    rank_columns(r, assembly_words(&w->key), assembly_words(&w->bound), assembly_words(&w->col),
                 assembly_words(&a->place), assembly_words(&w->other), assembly_words(&w->flag),
                 assembly_words(&w->longest), a->triplets);
    swap(&w->col, &w->other);
    swap(&a->place, &w->flag);
}

/* Sorts by row, ranks the columns of short rows unless a way is selected, and marks the entries. */
static void sort_rows(struct rec *r, vks_assembly *a, struct work *w, const vks_array *row,
                      const vks_array *col, enum assembly_way way)
{
    u32s key = assembly_words(&w->key), place = assembly_words(&a->place);
    triplet_keys(r, array_words(row), array_words(col), key, place, assembly_words(&w->fault), a->triplets,
                 a->rows, a->cols);
    sort_by(r, a, w, &w->key, &w->col, a->rows);
    gather_words(r, array_words(col), place, assembly_words(&w->col), a->triplets);
    lower_bounds(r, key, a->triplets, assembly_words(&w->bound), a->rows + 1, 0);
    if (way == ASSEMBLY_WAY_AUTO)
        rank_rows(r, a, w);
    mark_entries(r, a, w);
}

/* Sorts the result of sort_rows by column, which keeps the order of an entry's triplets, then by row. */
static void sort_by_radix(struct rec *r, const vks_assembly *a, const struct work *w, const vks_array *row,
                          const vks_array *col)
{
    u32s place = assembly_words(&a->place);
    sort_by(r, a, w, &w->col, &w->key, a->cols);
    gather_words(r, array_words(row), place, assembly_words(&w->key), a->triplets);
    sort_by(r, a, w, &w->key, &w->col, a->rows);
    gather_words(r, array_words(col), place, assembly_words(&w->col), a->triplets);
}

/* The results of bitonic_segments: see its shader. */
struct tally {
    uint32_t chunks, longest, wrong;
};

bool assembly_prefers_radix(const vks_assembly *a, uint32_t chunks, uint32_t longest)
{
    uint64_t steps = 1, merges = 0;
    for (uint64_t half = BITONIC_CHUNK; half < longest; half *= 2)
        steps += 2 + merges++;
    uint64_t passes = (bits_below(a->rows) + 7) / 8 + (bits_below(a->cols) + 7) / 8;
    return 16 * steps * BITONIC_CHUNK * chunks > (20 * passes + 24) * a->triplets;
}

/* Sorts segments of up to 1,024 triplets, and reports the longer ones. */
static vks_status sort_segments(struct rec *r, const vks_assembly *a, const struct work *w, struct tally *t)
{
    struct sorted columns = with_places(a, &w->col);
    rec_clear(r);
    bitonic_segments(r, &columns, assembly_words(&w->bound), a->rows, &w->chunks);
    TRY(rec_run(r));
    return device_read(r->device, &w->chunks.tally, 0, t, sizeof *t);
}

/* Sorts the remaining rows. */
static vks_status sort_long_rows(struct rec *r, const vks_assembly *a, const struct work *w,
                                 const vks_array *row, const vks_array *col, enum assembly_way way)
{
    struct tally t = {0};
    struct sorted columns = with_places(a, &w->col);
    uint32_t longest = 0;
    vks_status s = VKS_OK;
    if (way == ASSEMBLY_WAY_AUTO)
        s = device_read(r->device, &w->longest, 0, &longest, sizeof longest);
    if (s || (way == ASSEMBLY_WAY_AUTO && !longest))
        return s;
    s = sort_segments(r, a, w, &t);
    if (s)
        return s;
    rec_clear(r);
    if (way == ASSEMBLY_RADIX || (way == ASSEMBLY_WAY_AUTO && assembly_prefers_radix(a, t.chunks, t.longest)))
        sort_by_radix(r, a, w, row, col);
    else if (t.chunks)
        bitonic_listed(r, &columns, assembly_words(&w->bound), &w->chunks, t.chunks, t.longest);
    mark_entries(r, a, w);
    return rec_run(r);
}

static vks_status outside(struct message *m, uint32_t triplet, const char *what, uint32_t index,
                          uint32_t limit)
{
    if (limit == 0)
        return fail(m, VKS_INVALID_ARGUMENT, "triplet %u: %s %u, but the matrix has no %ss", triplet, what,
                    index, what);
    return fail(m, VKS_INVALID_ARGUMENT, "triplet %u: %s %u is outside 0..%u", triplet, what, index,
                limit - 1);
}

static vks_status check_range(const vks_assembly *a, const struct work *w, const vks_array *row,
                              const vks_array *col)
{
    struct device *d = a->context->device;
    uint32_t first = UINT32_MAX, i = 0, j = 0;
    TRY(device_read(d, &w->fault, 0, &first, sizeof first));
    if (first == UINT32_MAX)
        return VKS_OK;
    TRY(device_read(d, &row->memory, 4 * (uint64_t)first, &i, sizeof i));
    TRY(device_read(d, &col->memory, 4 * (uint64_t)first, &j, sizeof j));
    return i >= a->rows ? outside(d->message, first, "row", i, a->rows)
                        : outside(d->message, first, "column", j, a->cols);
}

/* Builds the entries from the sorted triplets. */
static vks_status pack_entries(struct rec *r, vks_assembly *a, struct work *w)
{
    u32s position = assembly_words(&w->flag);
    TRY(device_read(r->device, &w->flag, 4 * (uint64_t)a->triplets, &a->entries, sizeof a->entries));
    room_close(&w->sorts);
    room_drop(&w->rest, &w->other);
    a->row = room_memory(&a->room, MEMORY_DEVICE, 4 * ((uint64_t)a->rows + 1), "row offsets");
    a->col = room_memory(&a->room, MEMORY_DEVICE, 4 * (uint64_t)a->entries, "column indices");
    a->start = room_memory(&a->room, MEMORY_DEVICE, 4 * ((uint64_t)a->entries + 1), "where terms begin");
    TRY(a->room.status);
    rec_clear(r);
    pack_words(r, assembly_words(&w->col), position, assembly_words(&a->col), a->triplets, UINT32_MAX);
    pack_indices(r, position, assembly_words(&a->start), a->triplets);
    fill_words(r, (u32s)(uintptr_t)(a->start.address + 4 * (uint64_t)a->entries), a->triplets, 0, 1, 1);
    gather_words(r, position, assembly_words(&w->bound), assembly_words(&a->row), a->rows + 1);
    return rec_run(r);
}

vks_status assembly_sort(vks_assembly *a, const vks_array *row, const vks_array *col, enum assembly_way way)
{
    struct work w = {0};
    struct rec r =
        rec_once(a->context->device, PRECISION_F32); /* words only: the precision does not matter */
    a->triplets = row->n;
    vks_status s = work_create(a, &w);
    sort_rows(&r, a, &w, row, col, way);
    IF_OK(s, rec_run(&r));
    IF_OK(s, check_range(a, &w, row, col));
    IF_OK(s, sort_long_rows(&r, a, &w, row, col, way));
    IF_OK(s, pack_entries(&r, a, &w));
    rec_destroy(&r);
    room_close(&w.sorts);
    room_close(&w.rest);
    room_drop(&a->room, &w.flag);
    return s;
}
