/* One recording measures a matrix. The host reads its words in shared memory, so that only the recording
 * needs a wait. */
#include "sparse/statistics.h"
#include "primitive/scan_verbs.h"
#include "sparse/bsr.h"
#include "sparse/coded.h"

#include <math.h>
#include <string.h>

/* Memory needed while the recording runs. */
struct workspace {
    struct memory words; /* of the statistics, followed by the sums of a scan over the slices */
    struct memory bits;  /* of upper diagonals, with one word more than needed, then of lower ones */
    struct memory out;   /* a copy of the words, visible to the host */
    struct room room;    /* owns the three */
};

static uint32_t bit_words(uint32_t n)
{
    return n / 32 + 1;
}

static uint32_t few_kinds(const vks_matrix *A)
{
    uint32_t limit = kinds_limit(&A->csr);
    return limit < KINDS_OF_A_BYTE ? limit : KINDS_OF_A_BYTE;
}

static vks_status allocate(const vks_matrix *A, struct statistics *s, struct workspace *w)
{
    struct device *d = A->context->device;
    struct room *room = &w->room;
    bool slices = s->what & KNOW_SLICES;
    uint64_t count = slices ? sell_slices(A->csr.n, A->storage.slice_height) + (uint64_t)1 : 0;
    uint64_t sums = slices ? scan_tiles((uint32_t)count) : 0;
    uint64_t bits = s->what & KNOW_SHAPE ? (uint64_t)bit_words(A->csr.cols) + bit_words(A->csr.n) : 0;
    room_open(room, d);
    w->words = room_memory(room, MEMORY_DEVICE, 4 * (scan_aligned(STATISTICS_WORDS) + sums), "statistics");
    w->out = room_memory(room, MEMORY_SHARED, 4 * STATISTICS_WORDS, "statistics to be read");
    if (bits)
        w->bits = room_memory(room, MEMORY_DEVICE, 4 * bits, "bits of diagonals");
    TRY(room->status);
    if (slices)
        TRY(device_allocate(d, MEMORY_DEVICE, 4 * count, "slice offsets", &s->slice));
    if (s->what & KNOW_KINDS)
        TRY(kinds_create(d, s->what & KNOW_FEW_KINDS ? few_kinds(A) : kinds_limit(&A->csr), &s->kinds));
    return VKS_OK;
}

/* Computes the slice offsets, and the range of the columns at each place in a slice. */
static void record_slices(struct rec *r, const vks_matrix *A, const struct statistics *s,
                          const struct workspace *w)
{
    struct sell B = {.n = A->csr.n,
                     .height = A->storage.slice_height,
                     .slice = words_in(&s->slice, 0),
                     .order = words_in(&s->order, 0)};
    struct scan_space space = {.sums = {.address = w->words.address + 4 * scan_aligned(STATISTICS_WORDS)},
                               .n = sell_slices(B.n, B.height) + 1};
    scan_u32(r, &space, B.slice, B.slice, false, true);
    sell_bases(r, &A->csr, &B, words_in(&w->words, SLICES_APART));
}

static void record_shape(struct rec *r, const struct csr *A, const struct workspace *w)
{
    uint32_t above = bit_words(A->cols), below = bit_words(A->n);
    u32s upper = words_in(&w->bits, 0), lower = words_in(&w->bits, above);
    u32s count = words_in(&w->words, DIAGONALS);
    fill_words(r, upper, 0, 0, above, 1);
    fill_words(r, lower, 0, 0, below, 1);
    mark_diagonals(r, A, upper, lower);
    bits_extent(r, upper, count, words_in(&w->words, UPPER_BANDWIDTH), above);
    bits_extent(r, lower, count, words_in(&w->words, LOWER_BANDWIDTH), below);
}

static vks_status measure_all(const vks_matrix *A, struct statistics *s, const struct workspace *w)
{
    u32s words = words_in(&w->words, 0);
    uint32_t height = s->what & KNOW_SLICES ? A->storage.slice_height : SELL_SLICE;
    struct rec r = rec_once(A->context->device, PRECISION_F32);
    fill_words(&r, words, 0, 0, STATISTICS_WORDS, 1);
    row_lengths(&r, &A->csr, height, words_in(&s->order, 0), words_in(&s->slice, 0), words);
    if (s->what & KNOW_SLICES)
        record_slices(&r, A, s, w);
    if (s->what & (KNOW_BLOCKS | KNOW_FULL_BLOCKS))
        bsr_sample(&r, &A->csr, BLOCK_ROWS_SAMPLED, s->what & KNOW_BLOCKS ? 0 : BLOCKS_SAMPLED, words);
    if (s->what & KNOW_SHAPE)
        record_shape(&r, &A->csr, w);
    if (s->what & KNOW_KINDS)
        kinds_search(&r, &s->kinds, &A->csr, values_precision(A), words_in(&w->words, ENTRY_KINDS));
    copy_words(&r, words, words_in(&w->out, 0), STATISTICS_WORDS);
    vks_status status = rec_run_once(&r, VKS_OK);
    if (!status)
        memcpy(s->word, w->out.mapped, sizeof s->word);
    s->word[ENTRY_KINDS] = kinds_reported(&s->kinds, s->word[ENTRY_KINDS]);
    return status;
}

static vks_status gather(const vks_matrix *A, unsigned what, struct statistics *out)
{
    struct workspace w = {0};
    *out = (struct statistics){.what = what};
    vks_status s = what & KNOW_SLICES ? sell_sort(A, &out->order) : VKS_OK;
    IF_OK(s, allocate(A, out, &w));
    IF_OK(s, measure_all(A, out, &w));
    room_close(&w.room);
    return s;
}

/* If kinds are few, measures them again together with the slices: the savings from codes soon repay the extra
 * passes. */
vks_status statistics_gather(const vks_matrix *A, unsigned what, struct statistics *out)
{
    if (!sell_may_be_coded(&A->storage, &A->csr))
        what &= ~(unsigned)(KNOW_KINDS | KNOW_FEW_KINDS);
    *out = (struct statistics){.what = what};
    if (!what)
        return VKS_OK;
    vks_status s = gather(A, what & KNOW_FEW_KINDS ? what | KNOW_KINDS : what, out);
    if (s || !(what & KNOW_FEW_KINDS) || !out->word[ENTRY_KINDS])
        return s;
    statistics_release(A->context->device, out);
    return gather(A, (what & ~(unsigned)KNOW_FEW_KINDS) | KNOW_KINDS | KNOW_SLICES, out);
}

void statistics_release(struct device *d, struct statistics *s)
{
    device_release(d, &s->slice);
    device_release(d, &s->order);
    kinds_release(d, &s->kinds);
}

uint32_t blocks_best_size(const struct statistics *s)
{
    uint32_t best = BSR_MOST;
    double fewest = INFINITY;
    bool partial = true;
    for (uint32_t size = BSR_MOST; size >= BSR_LEAST && partial; size--) {
        struct blocks_seen b = blocks_seen(s, size);
        double words = b.entries ? (double)b.blocks / b.entries * bsr_block_words(size, b.partial) : 0;
        partial = b.partial;
        if (!partial || words < fewest) {
            best = size;
            fewest = words;
        }
    }
    return best;
}
