/* The format of a matrix for which none is asked: that whose product moves the fewest bytes, each weighed by
 * what it costs. Weights were measured (docs/performance.md); CSR with a lane for each row is 1. ELL and COO
 * cost what SELL and CSR do, or more, on all that was measured: they are not asked. */
#include "sparse/choose.h"
#include "sparse/bsr.h"
#include "sparse/sell.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* On a GPU: a byte of CSR with several lanes for each row; and of SELL with one lane, by the precision of
 * values, since of the eight entries of a row that it takes at a time the last ones may not be there. */
static const double csr_of_lanes = 1.08, sell_of_one_lane[REAL_PRECISIONS] = {1.2, 1.13};
/* Slices with more padding, which then cost more than CSR, mean rows of very different lengths, and this is
 * the format for them. */
static const double uneven = 2;
static const vks_format for_uneven = VKS_FORMAT_BALANCED;
/* Below so many entries a product takes about as long as starting it. */
enum { FEW = 1 << 14 };

unsigned choice_wants(const struct csr *A, bool host)
{
    return host || A->entries < FEW ? 0 : KNOW_SLICES | KNOW_BLOCKS;
}

static double value(const struct question *q)
{
    return value_bytes(q->precision);
}

/* Entries that slices store for one that is there. */
static double growth(const struct question *q)
{
    return (double)slices_padded(q->known) / short_entries(q->A);
}

/* Bytes for each entry of the matrix in a format, long rows aside, an infinity where it is out of question.
 */
static double csr_bytes_each(const struct question *q)
{
    return value(q) + 4 + 4.0 * q->A->n / short_entries(q->A);
}

static double sell_bytes_each(const struct question *q)
{
    const vks_format_options *o = q->storage;
    uint64_t padded = slices_padded(q->known);
    struct sell B = {.n = q->A->n, .height = o->slice_height, .padded = (uint32_t)padded};
    if (q->A->lanes > SELL_FEW_LANES || padded > VKS_MAX_ENTRIES || growth(q) > o->padding)
        return INFINITY;
    double entries = short_entries(q->A), n = q->A->n;
    double columns = sell_is_compact(&B, q->known)
                         ? (8.0 * o->slice_height + 16) * q->known->word[SLICES_FOURS] / entries
                         : 4 * growth(q);
    return growth(q) * value(q) + columns + (4 / (double)o->slice_height + 4 * (o->sigma > 1)) * n / entries;
}

/* Walking through masks costs more than they save: all blocks have to be full. */
static double bsr_bytes_each(const struct question *q, uint32_t size)
{
    struct blocks_seen b = blocks_seen(q->known, size);
    if (b.partial || !b.entries || growth(q) > q->storage->padding)
        return INFINITY;
    return growth(q) * value(q) + 4.0 * b.blocks / b.entries + 4.0 * q->A->n / short_entries(q->A);
}

/* The vectors for each entry: they count as much in every format. */
static double vectors_each(const struct question *q)
{
    return real_bytes(q->precision) * ((double)q->A->n + q->A->cols) / short_entries(q->A);
}

/* "slices", and what is unusual about them. */
static void describe_slices(const vks_format_options *o, char *text, size_t size)
{
    int used = snprintf(text, size, "slices");
    if (o->slice_height != SELL_SLICE)
        used += snprintf(text + used, size - (size_t)used, " of %u rows", o->slice_height);
    if (o->sigma > 1)
        snprintf(text + used, size - (size_t)used, ", sorted within %u rows,", o->sigma);
}

__attribute__((format(printf, 3, 4))) static void take(struct choice *c, vks_format format, const char *why,
                                                       ...)
{
    va_list args;
    va_start(args, why);
    vsnprintf(c->reason, sizeof c->reason, why, args);
    va_end(args);
    c->format = format;
}

static void take_bsr(const struct question *q, uint32_t size, struct choice *c)
{
    c->block_size = size;
    take(c, VKS_FORMAT_BSR, "blocks of %u x %u are full: %.1f bytes an entry instead of %.1f", size, size,
         bsr_bytes_each(q, size), csr_bytes_each(q));
}

static void take_sell(const struct question *q, struct choice *c)
{
    char slices[64];
    describe_slices(q->storage, slices, sizeof slices);
    take(c, VKS_FORMAT_SELL, "%s store %.2f times the entries: %.1f bytes an entry instead of %.1f", slices,
         growth(q), sell_bytes_each(q), csr_bytes_each(q));
}

/* Why it is CSR on a GPU, or what is for uneven rows. */
static void take_rows(const struct question *q, double sell, struct choice *c)
{
    double mean = (double)q->A->entries / q->A->n;
    char slices[64];
    describe_slices(q->storage, slices, sizeof slices);
    if (growth(q) > uneven && !q->storage->lean) /* it keeps CSR */
        take(c, for_uneven, "rows of very different lengths: %s would store %.2f times the entries", slices,
             growth(q));
    else if (q->A->lanes > SELL_FEW_LANES)
        take(c, VKS_FORMAT_CSR, "rows are long enough for many lanes each: %.1f entries on average", mean);
    else if (sell == INFINITY || growth(q) > 1.125)
        take(c, VKS_FORMAT_CSR, "rows of uneven length: %s would store %.2f times the entries", slices,
             growth(q));
    else
        take(c, VKS_FORMAT_CSR, "rows are short: %.1f entries on average", mean);
}

static void choose_by_bills(const struct question *q, struct choice *c)
{
    uint32_t size = c->block_size ? c->block_size : blocks_best_size(q->known);
    double vectors = vectors_each(q), sell = sell_bytes_each(q);
    double csr_cost = (csr_bytes_each(q) + vectors) * (q->A->lanes > 1 ? csr_of_lanes : 1);
    double sell_cost =
        (sell + vectors) * (q->A->lanes > 1 ? 1 : sell_of_one_lane[stored_precision(q->precision)]);
    double bsr_cost = bsr_bytes_each(q, size) + vectors;
    if (bsr_cost < csr_cost && bsr_cost <= sell_cost)
        take_bsr(q, size, c);
    else if (sell_cost < csr_cost)
        take_sell(q, c);
    else
        take_rows(q, sell, c);
}

/* On the host nothing was faster than CSR by more than the measurements swing, and it costs no set-up. */
void choose_format(const struct question *q, struct choice *c)
{
    c->block_size = q->storage->block_size;
    if (q->host)
        take(c, VKS_FORMAT_CSR, "rows are contiguous for a processor");
    else if (q->A->entries < FEW)
        take(c, VKS_FORMAT_CSR, "%u entries are too few for it to matter", q->A->entries);
    else if (short_entries(q->A) == 0)
        take(c, VKS_FORMAT_CSR, "all rows are long enough for many lanes each");
    else
        choose_by_bills(q, c);
}
