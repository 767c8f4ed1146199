/* Transposes a matrix of small dense blocks: a stable sort of the blocks by column keeps the order of rows
 * within each column. */
#include "primitive/pack_verbs.h"
#include "primitive/sort.h"
#include "sparse/bits.h"
#include "sparse/blocks.h"

/* key: the columns of the blocks of A, to be sorted; later their rows. */
struct work {
    struct memory key;
    struct radix radix;
};

static void record(struct rec *r, const struct blocks *A, const struct blocks *T, const struct work *w)
{
    u32s key = words_of(&w->key), place = words_of(&T->place);
    uint32_t n = A->csr.entries;
    struct sorted sorted = {.keys = key, .payload = place, .n = n, .words = 1};
    copy_words(r, A->csr.col, key, n);
    iota_words(r, place, n);
    if (n > 1)
        radix_sort(r, &w->radix, &sorted, bits_below(A->csr.cols));
    lower_bounds(r, key, n, T->csr.row, A->csr.cols + 1, 0);
    entry_rows(r, &A->csr, key);
    gather_words(r, key, place, T->csr.col, n);
    blocks_transposed(r, A, T);
}

static vks_status sort(const struct blocks *A, const struct blocks *T)
{
    struct device *d = A->context->device;
    struct sorted sorted = {.n = A->csr.entries, .payload = words_of(&T->place), .words = 1};
    struct room room = {.device = d};
    struct rec r = rec_once(d, A->precision);
    struct work w = {room_memory(&room, MEMORY_DEVICE, 4 * (uint64_t)A->csr.entries, "columns to be sorted"),
                     room_radix(&room, &sorted, RADIX_MOST_BLOCKS)};
    record(&r, A, T, &w);
    vks_status s = rec_leave_once(&r, room.status);
    room_close(&room);
    return s;
}

vks_status blocks_transpose(const struct blocks *A, struct blocks *T)
{
    uint64_t entries = A->csr.entries;
    vks_status s = blocks_begin(A->context, A->precision, A->csr.cols, A->csr.n, A->bc, A->br, T);
    IF_OK(s, blocks_room(T, A->csr.entries));
    IF_OK(s, device_allocate(A->context->device, MEMORY_DEVICE, 4 * entries, "places of blocks", &T->place));
    IF_OK(s, sort(A, T));
    if (s)
        blocks_destroy(T);
    return s;
}
