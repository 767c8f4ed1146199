/* The search for hot columns: a sample of the entries is counted by column, and the columns are sorted by
 * their counts. */
#include "sparse/hot.h"
#include "primitive/sort.h"
#include "sparse/bits.h"

enum {
    BYTES = 65536,     /* of x at hot columns; more did not fit beside the other data of a multiprocessor */
    SAMPLED = 1 << 20, /* most entries to count */
    MANY = 8,          /* least ratio of all columns to hot ones: otherwise x is small anyway */
    OFTEN = 16,        /* least counted entries per hot column: otherwise there is too little to count */
    SHARE = 4          /* a quarter of the entries must be in hot columns */
};

/* Counts and sorts the columns. *hits = how many of `sampled` entries are in the last `hot` columns. */
static vks_status order_columns(const vks_matrix *A, uint32_t hot, uint32_t sampled, uint32_t step,
                                struct memory *count, const struct memory *order, uint32_t *hits)
{
    struct device *d = A->context->device;
    uint32_t cols = A->csr.cols, words[2] = {0};
    struct sorted a = {.keys = words_of(count), .payload = words_of(order), .n = cols, .words = 1};
    struct room room = {.device = d};
    struct rec r = rec_once(d, PRECISION_F32);
    struct memory total = room_memory(&room, MEMORY_DEVICE, sizeof words, "a sum");
    struct radix w = room_radix(&room, &a, RADIX_MOST_BLOCKS);
    fill_words(&r, a.keys, 0, 0, cols, 1);
    count_columns(&r, A->csr.col, a.keys, sampled, step);
    iota_words(&r, a.payload, cols);
    radix_sort(&r, &w, &a, bits_below(SAMPLED + 1));
    total_words(&r, words_in(count, cols - hot), words_of(&total), hot);
    vks_status s = rec_run_once(&r, room.status);
    IF_OK(s, device_read(d, &total, 0, words, sizeof words));
    *hits = words[0];
    room_close(&room);
    return s;
}

/* Keeps the last `hot` columns of the order, and the names of all columns. */
static vks_status keep(struct device *d, enum precision p, uint32_t cols, uint32_t hot,
                       const struct memory *order, struct hot_columns *out)
{
    struct rec r = rec_once(d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)hot, "hot columns", &out->list);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)cols, "names of columns", &out->name));
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, (uint64_t)hot * real_bytes(p), "x of hot columns", &out->x));
    out->count = hot;
    copy_words(&r, words_in(order, cols - hot), words_of(&out->list), hot);
    hot_names(&r, out, cols);
    return rec_run_once(&r, s);
}

vks_status hot_columns_find(const vks_matrix *A, struct hot_columns *out)
{
    struct device *d = A->context->device;
    enum precision p = precision_of(A->precision);
    uint32_t cols = A->csr.cols, hot = BYTES / real_bytes(p), hits = 0, step = A->csr.entries / SAMPLED + 1,
             sampled = A->csr.entries / step;
    struct memory count, order = {0};
    *out = (struct hot_columns){0};
    if (d->info.kind == DEVICE_HOST || cols / MANY < hot || cols > VKS_LARGEST_INDEX - hot ||
        sampled / OFTEN < hot)
        return VKS_OK;
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)cols, "entries of columns", &count);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)cols, "columns by entries", &order));
    IF_OK(s, order_columns(A, hot, sampled, step, &count, &order, &hits));
    if (!s && hits >= sampled / SHARE)
        s = keep(d, p, cols, hot, &order, out);
    device_release(d, &count);
    device_release(d, &order);
    return s;
}

void hot_columns_destroy(struct device *d, struct hot_columns *w)
{
    device_release(d, &w->list);
    device_release(d, &w->name);
    device_release(d, &w->x);
}
