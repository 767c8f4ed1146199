/* BSR as a format: the block size, the slices, and masks if some blocks are partial. */
#include "primitive/pack_verbs.h"
#include "primitive/scan_verbs.h"
#include "sparse/bsr.h"
#include "sparse/narrow.h"
#include "sparse/statistics.h"

#include <stdlib.h>

enum { SMALL = 4096 /* this many padding entries are always allowed */ };

/* The type of A->stored. */
struct kept {
    struct bsr bsr;        /* first: bsr_of */
    struct memory offsets; /* of the slices, then of their blocks */
    struct memory blocks;  /* first columns of the blocks, then masks if any */
    struct memory val;
};

/* Measurements of blocks before they are made; `stored` and `places` include padding. */
struct measure {
    uint32_t blocks, partial;
    uint64_t stored, places;
};

/* Words for slices + 1 offsets, at least two; aligned for scans, since other offsets may follow. */
static uint64_t offset_count(uint32_t slices)
{
    return scan_aligned(slices ? slices + (uint64_t)1 : 2);
}

/* Words of the workspace of measure_slices: the members of struct measure, then the sums of two scans. */
enum { BLOCKS_TOTAL = 0, STORED_TOTAL = 2, PLACES_TOTAL = 4, TOTALS = 8 };

static struct scan_space scan_behind(const struct memory *space, uint64_t from, uint32_t n)
{
    return (struct scan_space){.sums = {.address = space->address + 4 * from}, .n = n};
}

/* Turns the sizes of the slices into offsets, and reads their totals. */
static vks_status run_measure(const vks_matrix *A, const struct bsr *B, const struct memory *space,
                              const struct memory *out)
{
    uint32_t slices = bsr_slices(B->n), of_blocks = bsr_block_slices(B->n, B->size);
    u32s totals = words_in(space, 0);
    struct scan_space w = scan_behind(space, TOTALS, slices + 1),
                      v = scan_behind(space, TOTALS + scan_aligned(scan_tiles(slices + 1)), of_blocks + 1);
    struct rec r = rec_once(A->context->device, PRECISION_F32);
    fill_words(&r, totals, 0, 0, TOTALS, 1);
    fill_words(&r, B->slice, 0, 0, (uint32_t)(offset_count(slices) + offset_count(of_blocks)), 1);
    bsr_measure(&r, &A->csr, B->size, B->slice, B->block, totals);
    total_words(&r, B->slice, words_in(space, STORED_TOTAL), slices);
    total_words(&r, B->block, words_in(space, PLACES_TOTAL), of_blocks);
    scan_u32(&r, &w, B->slice, B->slice, false, true);
    scan_u32(&r, &v, B->block, B->block, false, true);
    copy_words(&r, totals, words_in(out, 0), TOTALS);
    return rec_run_once(&r, VKS_OK);
}

static vks_status measure_slices(const vks_matrix *A, const struct bsr *B, struct measure *m)
{
    struct device *d = A->context->device;
    uint64_t sums =
        scan_aligned(scan_tiles(bsr_slices(B->n) + 1)) + scan_tiles(bsr_block_slices(B->n, B->size) + 1);
    struct memory space, out = {0};
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * (TOTALS + sums), "sums of blocks", &space);
    IF_OK(s, device_allocate(d, MEMORY_SHARED, 4 * TOTALS, "totals of blocks", &out));
    IF_OK(s, run_measure(A, B, &space, &out));
    if (!s) {
        const uint32_t *w = out.mapped;
        *m = (struct measure){w[BLOCKS_TOTAL], w[BLOCKS_TOTAL + 1],
                              (uint64_t)w[STORED_TOTAL + 1] << 32 | w[STORED_TOTAL],
                              (uint64_t)w[PLACES_TOTAL + 1] << 32 | w[PLACES_TOTAL]};
    }
    device_release(d, &out);
    device_release(d, &space);
    return s;
}

/* Checks the limits. A block may have a mask of two words. */
static vks_status check(const vks_matrix *A, const struct measure *m)
{
    struct message *message = &A->context->message;
    uint32_t size = A->storage.block_size, entries = short_entries(&A->csr);
    double most = A->storage.padding * entries + SMALL;
    if ((double)m->stored > most || (double)m->places > most || m->stored > VKS_MAX_ENTRIES ||
        2 * m->places > VKS_MAX_ENTRIES)
        return fail(
            message, VKS_LIMIT,
            "BSR with blocks of %u x %u would store %llu entries and %llu blocks for %u; the most is %g "
            "times as many (CSR takes any)",
            size, size, (unsigned long long)m->stored, (unsigned long long)m->places, entries,
            A->storage.padding);
    if (m->partial && A->known->only_full_blocks)
        return fail(message, VKS_LIMIT, "some blocks of %u x %u are partial", size, size);
    return VKS_OK;
}

static vks_status bsr_values_room(vks_matrix *A)
{
    struct kept *k = A->stored;
    vks_status s = values_room(A, k->bsr.stored, "values of blocks", &k->val);
    k->bsr.val = (values)(uintptr_t)k->val.address;
    return s;
}

/* Allocates the blocks and values, once the slices are known. */
static vks_status make_room(vks_matrix *A, struct kept *k, const struct measure *m)
{
    struct device *d = A->context->device;
    uint64_t words = bsr_block_words(k->bsr.size, m->partial);
    TRY(device_allocate(d, MEMORY_DEVICE, 4 * words * m->places, "columns and masks of blocks", &k->blocks));
    k->bsr.first = words_in(&k->blocks, 0);
    k->bsr.mask = m->partial ? words_in(&k->blocks, m->places) : NULL;
    return bsr_values_room(A);
}

static vks_status fill_blocks(const vks_matrix *A, const struct bsr *B)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    bsr_blocks(&r, &A->csr, B);
    csr_to_bsr(&r, &A->csr, B);
    return rec_leave_once(&r, VKS_OK);
}

/* Allocates the slice offsets; only their contents are still unknown. */
static vks_status begin(vks_matrix *A, struct kept *k)
{
    uint32_t n = A->csr.n;
    uint64_t slices = offset_count(bsr_slices(n));
    if (!A->storage.block_size)
        A->storage.block_size = blocks_best_size(A->known);
    uint32_t size = A->storage.block_size;
    uint64_t words = slices + offset_count(bsr_block_slices(n, size));
    vks_status s =
        device_allocate(A->context->device, MEMORY_DEVICE, 4 * words, "slice offsets", &k->offsets);
    k->bsr = (struct bsr){.n = n,
                          .cols = A->csr.cols,
                          .entries = short_entries(&A->csr),
                          .size = size,
                          .lanes = A->csr.lanes,
                          .row = A->csr.row,
                          .slice = words_in(&k->offsets, 0),
                          .block = words_in(&k->offsets, slices)};
    return s;
}

static vks_status create(vks_matrix *A)
{
    struct measure m = {0};
    struct kept *k = A->stored = calloc(1, sizeof *k);
    if (!k)
        return fail_memory(&A->context->message, "blocks", sizeof *k);
    TRY(begin(A, k));
    TRY(measure_slices(A, &k->bsr, &m));
    TRY(check(A, &m));
    k->bsr.blocks = m.blocks;
    k->bsr.stored = (uint32_t)m.stored;
    TRY(make_room(A, k, &m));
    return fill_blocks(A, &k->bsr);
}

static void refresh(struct rec *r, const vks_matrix *A)
{
    csr_to_bsr(r, &A->csr, bsr_of(A));
}

static vks_status to_csr(const vks_matrix *A)
{
    struct rec r = rec_once(A->context->device, values_precision(A));
    bsr_to_csr(&r, bsr_of(A), &A->csr);
    return rec_run_once(&r, VKS_OK);
}

static void product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y)
{
    spmv_bsr(r, bsr_of(A), x, y);
}

/* Fused only for up to two parts a row: a workgroup takes one turn per part, so more parts would leave too
 * few workgroups. */
static bool product_and_dot(struct rec *r, const vks_matrix *A, struct vec x, struct vec own, struct vec y,
                            sums s)
{
    if (bsr_parts(bsr_of(A)->lanes) > 2)
        return false;
    spmv_bsr_dot(r, bsr_of(A), x, own, y, s);
    return true;
}

static void product_then(struct rec *r, const vks_matrix *A, const struct product_then *t)
{
    spmv_bsr_then(r, bsr_of(A), t);
}

static uint64_t bytes(const vks_matrix *A)
{
    const struct kept *k = A->stored;
    return k->offsets.bytes + k->blocks.bytes + k->val.bytes;
}

static void release(vks_matrix *A)
{
    struct device *d = A->context->device;
    struct kept *k = A->stored;
    if (!k)
        return;
    device_release(d, &k->offsets);
    device_release(d, &k->blocks);
    device_release(d, &k->val);
    free(k);
}

const struct format_ops format_bsr = {.wants = KNOW_BLOCKS,
                                      .create = create,
                                      .refresh = refresh,
                                      .values_room = bsr_values_room,
                                      .spmv = product,
                                      .spmv_dot = product_and_dot,
                                      .spmv_then = product_then,
                                      .to_csr = to_csr,
                                      .bytes = bytes,
                                      .release = release};
