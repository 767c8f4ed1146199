/* The automatic format of a matrix: the one with the cheapest product (cost.h). ELL and COO are not
 * considered: in all measurements they cost at least as much as SELL and as CSR or balanced CSR. */
#include "sparse/choose.h"
#include "sparse/sell.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Iterations of conjugate gradients on systems of up to ROWS_TOGETHER rows share a dispatch in CSR with one
 * lane a row and in slices of 32 (solvers/method/cg_fused.c). Otherwise an iteration takes apart_turns more
 * turns. */
enum { ROWS_TOGETHER = 1 << 18 };
static const double apart_turns = 10;

/* Below this many entries a product takes about as long as its launch. */
enum { FEW = 1 << 14 };

/* Slices are faster even for few entries if iterations would not share a dispatch in CSR: an iteration with
 * bcsstk06 takes 8 us on an H200 instead of 19. */
static bool does_not_matter(const struct csr *A, bool host)
{
    return A->entries < FEW && (host || A->lanes == 1 || A->n != A->cols);
}

unsigned choice_wants(const struct csr *A, bool host)
{
    if (does_not_matter(A, host))
        return 0;
    return host ? KNOW_FEW_KINDS : KNOW_SLICES | KNOW_KINDS | KNOW_FULL_BLOCKS;
}

/* Writes "slices" and their non-default properties. */
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

/* The costs of the candidates; `bsr` with blocks of `size`. */
struct costs {
    struct cost csr, balanced, sell, bsr;
    uint32_t size;
};

static void take_bsr(const struct costs *w, struct choice *c)
{
    c->block_size = w->size;
    take(c, VKS_FORMAT_BSR, "blocks of %u x %u are full: %.1f bytes an entry instead of %.1f", w->size,
         w->size, w->bsr.bytes_each, w->csr.bytes_each);
}

static void take_sell(const struct question *q, const struct costs *w, struct choice *c)
{
    char slices[64];
    describe_slices(q->storage, slices, sizeof slices);
    take(c, VKS_FORMAT_SELL, "%s store %.2f times the entries: %.1f bytes an entry instead of %.1f", slices,
         cost_growth(q), w->sell.bytes_each, w->csr.bytes_each);
}

static void take_balanced(const struct question *q, const struct costs *w, struct choice *c)
{
    char slices[64];
    describe_slices(q->storage, slices, sizeof slices);
    if (cost_is_uneven(q))
        take(c, VKS_FORMAT_BALANCED, "rows of very different lengths: %s would store %.2f times the entries",
             slices, cost_growth(q));
    else
        take(c, VKS_FORMAT_BALANCED, "rows are few: the longest waits for memory %.0f times, in CSR %.0f",
             w->balanced.turns, w->csr.turns);
}

static void take_csr(const struct question *q, const struct costs *w, struct choice *c)
{
    double mean = (double)q->A->entries / q->A->n, growth = cost_growth(q);
    char slices[64];
    describe_slices(q->storage, slices, sizeof slices);
    if (q->A->lanes > SELL_FEW_LANES)
        take(c, VKS_FORMAT_CSR, "rows are long enough for many lanes each: %.1f entries on average", mean);
    else if (w->sell.bytes_each < INFINITY && w->sell.turns * q->turn_bytes >= w->csr.total)
        take(c, VKS_FORMAT_CSR, "rows are few: the longest waits for memory %.0f times, in slices %.0f",
             w->csr.turns, w->sell.turns);
    else if (w->sell.bytes_each == INFINITY || growth > 1.125)
        take(c, VKS_FORMAT_CSR, "rows of uneven length: %s would store %.2f times the entries", slices,
             growth);
    else
        take(c, VKS_FORMAT_CSR, "rows are short: %.1f entries on average", mean);
}

static bool sell_shares(const struct question *q)
{
    const struct csr *A = q->A;
    return q->co_resident && A->n == A->cols && A->n <= ROWS_TOGETHER && !A->longs &&
           q->storage->slice_height == SELL_SLICE && q->storage->sigma <= SELL_SLICE;
}

/* Takes SELL if it costs more than `least`, but less than separate iterations cost. */
static bool take_shared(const struct question *q, const struct costs *w, double least, struct choice *c)
{
    bool csr_shares = q->A->lanes == 1 && w->csr.total == least;
    if (!sell_shares(q) || csr_shares || w->sell.total == least ||
        w->sell.total > least + apart_turns * q->turn_bytes)
        return false;
    take(c, VKS_FORMAT_SELL,
         "rows are few, and in slices iterations share a dispatch: %.1f bytes an entry instead of %.1f",
         w->sell.bytes_each, w->csr.bytes_each);
    return true;
}

static void choose_by_costs(const struct question *q, struct choice *c)
{
    uint32_t size = c->block_size ? c->block_size : blocks_best_size(q->known);
    struct costs w = {csr_cost(q), balanced_cost(q), sell_cost(q), bsr_cost(q, size), size};
    double least = fmin(w.csr.total, fmin(w.balanced.total, fmin(w.sell.total, w.bsr.total)));
    if (take_shared(q, &w, least, c))
        return;
    if (w.csr.total == least)
        take_csr(q, &w, c);
    else if (w.bsr.total == least)
        take_bsr(&w, c);
    else if (w.sell.total == least)
        take_sell(q, &w, c);
    else
        take_balanced(q, &w, c);
}

/* On the host no format was faster than CSR by more than the measurement noise, and CSR costs no set-up.
 * Coded slices are the exception if most rows of a slice have the same codes, as when the kinds fit into a
 * byte. */
static void choose_on_host(const struct question *q, struct choice *c)
{
    uint32_t kinds = q->known->word[ENTRY_KINDS];
    struct cost csr = csr_cost(q), sell = kinds && kinds <= KINDS_OF_A_BYTE ? sell_cost(q) : csr;
    if (2 * sell.bytes_each < csr.bytes_each)
        take(c, VKS_FORMAT_SELL, "entries are of %u kinds: %.1f bytes an entry instead of %.1f", kinds,
             sell.bytes_each, csr.bytes_each);
    else
        take(c, VKS_FORMAT_CSR, "rows are contiguous for a processor");
}

void choose_format(const struct question *q, struct choice *c)
{
    c->block_size = q->storage->block_size;
    if (q->A->entries < FEW && q->host)
        take(c, VKS_FORMAT_CSR, "rows are contiguous for a processor");
    else if (does_not_matter(q->A, false))
        take(c, VKS_FORMAT_CSR, "%u entries are too few for it to matter", q->A->entries);
    else if (short_entries(q->A) == 0)
        take(c, VKS_FORMAT_CSR, "all rows are long enough for many lanes each");
    else if (q->host)
        choose_on_host(q, c);
    else
        choose_by_costs(q, c);
}
