/* BSR as a format: the size of blocks, their slices, and masks where some are partial. */
#include "primitive/pack_verbs.h"
#include "sparse/bsr.h"
#include "sparse/narrow.h"

#include <stdlib.h>

enum {
    SMALL = 4096,  /* entries that may be padding in any case */
    LOOKED = 16384 /* block rows that are looked at for each size where none is asked for */
};

/* What A->stored is. */
struct kept {
    struct bsr bsr; /* first: bsr_of */
    struct memory slice, block, first, mask, val;
};

static u32s words_of(const struct memory *m, uint32_t from)
{
    return (u32s)(uintptr_t)(m->address + 4 * (uint64_t)from);
}

/* Two words for each size: blocks in what was looked at, and whether some are partial. */
static vks_status look_at_sizes(const vks_matrix *A, uint32_t seen[BSR_MOST + 1][2])
{
    struct device *d = A->context->device;
    uint32_t words = 2 * (BSR_MOST + 1);
    struct memory totals;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * words, "sums of blocks", &totals);
    fill_words(&r, words_of(&totals, 0), 0, 0, words, 1);
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++) {
        uint32_t rows = bsr_block_rows(A->csr.n, size), step = rows / LOOKED + 1;
        bsr_look(&r, &A->csr, size, rows / step + (rows % step != 0), step, words_of(&totals, 2 * size));
    }
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &totals, 0, seen, 4 * words);
    rec_destroy(&r);
    device_release(d, &totals);
    return s;
}

/* The largest size whose blocks are all full, as far as was looked; where there is none, that which takes the
 * fewest words for columns and masks. */
static vks_status choose_size(const vks_matrix *A, uint32_t *chosen)
{
    uint32_t seen[BSR_MOST + 1][2] = {0};
    double fewest = 0;
    bool partial = true;
    vks_status s = look_at_sizes(A, seen);
    for (uint32_t size = BSR_MOST; !s && size >= BSR_LEAST && partial; size--) {
        uint32_t rows = bsr_block_rows(A->csr.n, size), step = rows / LOOKED + 1;
        partial = seen[size][1];
        double words = (double)seen[size][0] * step * bsr_block_words(size, partial);
        if (!partial || size == BSR_MOST || words < fewest) {
            *chosen = size;
            fewest = words;
        }
    }
    return s;
}

/* What is known of blocks before they are made; what fills the slices is counted in `stored` and `places`. */
struct measure {
    uint32_t blocks, partial, stored, places;
};

static vks_status measure_slices(const vks_matrix *A, const struct kept *k, struct measure *out)
{
    struct device *d = A->context->device;
    uint32_t words[2] = {0}, size = A->storage.block_size;
    u32s slice = words_of(&k->slice, 0), block = words_of(&k->block, 0);
    struct memory totals;
    struct rec r;
    rec_create(&r, d, PRECISION_F32);
    vks_status s = device_allocate(d, MEMORY_DEVICE, sizeof words, "sums of blocks", &totals);
    fill_words(&r, words_of(&totals, 0), 0, 0, 2, 1);
    fill_words(&r, slice, 0, 0, (uint32_t)(k->slice.bytes / 4), 1);
    fill_words(&r, block, 0, 0, (uint32_t)(k->block.bytes / 4), 1);
    bsr_measure(&r, &A->csr, size, slice, block, words_of(&totals, 0));
    if (!s)
        s = rec_run(&r);
    if (!s)
        s = device_read(d, &totals, 0, words, sizeof words);
    rec_destroy(&r);
    device_release(d, &totals);
    *out = (struct measure){.blocks = words[0], .partial = words[1]};
    if (!s)
        s = offsets_from_counts(d, slice, bsr_slices(A->csr.n), "BSR", &out->stored);
    return s ? s : offsets_from_counts(d, block, bsr_block_slices(A->csr.n, size), "BSR", &out->places);
}

/* Masks may have two words for each block. */
static vks_status check_padding(const vks_matrix *A, const struct measure *m)
{
    uint32_t size = A->storage.block_size, entries = short_entries(&A->csr);
    double most = A->storage.padding * entries + SMALL;
    if (m->stored > most || m->places > most || 2 * (uint64_t)m->places > VKS_MAX_ENTRIES)
        return fail(
            &A->context->message, VKS_LIMIT,
            "BSR with blocks of %u x %u would store %u entries and %u blocks for %u; the most is %g times as "
            "many (CSR takes any)",
            size, size, m->stored, m->places, entries, A->storage.padding);
    return VKS_OK;
}

static vks_status bsr_values_room(vks_matrix *A)
{
    struct kept *k = A->stored;
    vks_status s = values_room(A, k->bsr.stored, "values of blocks", &k->val);
    k->bsr.val = (values)(uintptr_t)k->val.address;
    return s;
}

/* Room for the blocks and values, once the slices are known. */
static vks_status make_room(vks_matrix *A, struct kept *k, const struct measure *m)
{
    struct device *d = A->context->device;
    uint64_t masks = m->partial ? bsr_block_words(k->bsr.size, true) - 1 : 0;
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)m->places, "columns of blocks", &k->first);
    if (!s && m->partial)
        s = device_allocate(d, MEMORY_DEVICE, 4 * masks * m->places, "masks of blocks", &k->mask);
    if (!s)
        s = bsr_values_room(A);
    k->bsr.first = words_of(&k->first, 0);
    k->bsr.mask = words_of(&k->mask, 0);
    return s;
}

static vks_status fill_blocks(const vks_matrix *A, const struct bsr *B)
{
    struct rec r;
    rec_create(&r, A->context->device, values_precision(A));
    bsr_blocks(&r, &A->csr, B);
    csr_to_bsr(&r, &A->csr, B);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

/* One more than there are, and at least two. */
static uint64_t offset_bytes(uint32_t slices)
{
    return 4 * (slices ? (uint64_t)slices + 1 : 2);
}

/* The offsets of the slices, and what they tell. */
static vks_status make_slices(vks_matrix *A, struct kept *k, struct measure *m)
{
    struct device *d = A->context->device;
    vks_status s = VKS_OK;
    if (!A->storage.block_size)
        s = choose_size(A, &A->storage.block_size);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, offset_bytes(bsr_slices(A->csr.n)), "slice offsets", &k->slice);
    if (!s)
        s = device_allocate(d, MEMORY_DEVICE, offset_bytes(bsr_block_slices(A->csr.n, A->storage.block_size)),
                            "block offsets", &k->block);
    return s ? s : measure_slices(A, k, m);
}

static vks_status create(vks_matrix *A)
{
    struct measure m = {0};
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "blocks", sizeof *k);
    vks_status s = make_slices(A, k, &m);
    if (!s)
        s = check_padding(A, &m);
    if (s)
        return s;
    k->bsr = (struct bsr){.n = A->csr.n,
                          .cols = A->csr.cols,
                          .entries = short_entries(&A->csr),
                          .size = A->storage.block_size,
                          .lanes = A->csr.lanes,
                          .blocks = m.blocks,
                          .stored = m.stored,
                          .row = A->csr.row,
                          .slice = words_of(&k->slice, 0),
                          .block = words_of(&k->block, 0)};
    s = make_room(A, k, &m);
    return s ? s : fill_blocks(A, &k->bsr);
}

static void refresh(struct rec *r, const vks_matrix *A)
{
    csr_to_bsr(r, &A->csr, bsr_of(A));
}

static vks_status to_csr(const vks_matrix *A)
{
    struct rec r;
    rec_create(&r, A->context->device, values_precision(A));
    bsr_to_csr(&r, bsr_of(A), &A->csr);
    vks_status s = rec_run(&r);
    rec_destroy(&r);
    return s;
}

static void product(struct rec *r, control c, const vks_matrix *A, reals x, reals y)
{
    spmv_bsr(r, c, bsr_of(A), x, y);
}

/* A workgroup takes as many turns for a tile as rows have parts: with more than two, too few are left. */
static bool product_and_dot(struct rec *r, control c, const vks_matrix *A, reals x, reals y, sums s)
{
    if (bsr_parts(bsr_of(A)->lanes) > 2)
        return false;
    spmv_bsr_dot(r, c, bsr_of(A), x, y, s);
    return true;
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return k->slice.bytes + k->block.bytes + k->first.bytes + k->mask.bytes + k->val.bytes;
}

static void release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    device_release(d, &k->slice);
    device_release(d, &k->block);
    device_release(d, &k->first);
    device_release(d, &k->mask);
    device_release(d, &k->val);
    free(k);
}

const struct format_ops format_bsr = {.create = create,
                                      .refresh = refresh,
                                      .values_room = bsr_values_room,
                                      .spmv = product,
                                      .spmv_dot = product_and_dot,
                                      .to_csr = to_csr,
                                      .bytes = bytes,
                                      .release = release};
