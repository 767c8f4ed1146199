#include "sparse/cost.h"
#include "sparse/balanced.h"
#include "sparse/bsr.h"
#include "sparse/coded.h"

#include <math.h>

/* Weights of a byte; 1 for CSR with a lane for each row. */
static const double csr_of_lanes = 1.08, csr_of_uneven_rows = 1.5, balanced = 1.2;
/* SELL with a lane for each row: with whole columns, and with compact columns by the precision of values. It
 * reads eight entries of a row at a time; the last group may be partial. */
static const double sell_of_one_lane = 0.95, sell_compact_of_one_lane[REAL_PRECISIONS] = {1.2, 1.13};
/* The cost of looking up kinds in addition to the bytes, in reals for each entry and each row: look-ups
 * occupy load units, not memory. */
static const double coded_entry = 0.3, coded_row = 0.5;
/* BSR by the precision of values. */
static const double bsr_of_full_blocks[REAL_PRECISIONS] = {1.2, 1.05};
/* Balanced CSR is stored in addition to CSR, so it must be better by this factor. */
static const double twofold = 1.1;
/* Rows are uneven if padding multiplies the stored entries by more than this. */
static const double uneven = 2;
/* Turns in addition to the turns of the longest row: another dispatch; reading a slice offset; reading the
 * order of rows and the hot columns. */
static const double dispatch_turns = 1, slice_turns = 1, order_turns = 2;
/* Up to BALANCED_FEW entries, rows of balanced CSR have enough threads to take at most this many turns. */
static const double balanced_turns = 8;

static double value(const struct question *q)
{
    return value_bytes(q->precision);
}

double cost_growth(const struct question *q)
{
    return (double)slices_padded(q->known) / short_entries(q->A);
}

/* Turns of the longest row that is not long, with `at_a_time` entries in each. */
static double turns_of(const struct question *q, uint32_t at_a_time)
{
    return ceil((double)q->known->word[SLICES_LONGEST] / at_a_time);
}

bool cost_is_uneven(const struct question *q)
{
    return cost_growth(q) > uneven && turns_of(q, 4 * q->A->lanes) > 1;
}

/* Vector bytes for each entry: the same in every format. */
static double vectors_each(const struct question *q)
{
    return real_bytes(q->precision) * ((double)q->A->n + q->A->cols) / short_entries(q->A);
}

static double short_bytes(const struct question *q, double bytes_each)
{
    return (bytes_each + vectors_each(q)) * short_entries(q->A);
}

static double long_bytes_of(const struct question *q)
{
    return (value(q) + 4) * (q->A->entries - (double)short_entries(q->A));
}

/* Turns of a piece of a long row: 32 lanes with four entries each. */
static double long_turns(const struct question *q)
{
    uint32_t longest = q->known->word[ROWS_LONGEST];
    return q->A->longs ? ceil((longest < LONG_PIECE ? longest : LONG_PIECE) / 128.0) : 0;
}

/* The cost of a kernel, and of the kernel for long rows that precedes it. */
static struct cost cost(const struct question *q, double bytes_each, double weight, double turns)
{
    double total = fmax(short_bytes(q, bytes_each) * weight, turns * q->turn_bytes);
    if (q->A->longs)
        total += fmax(long_bytes_of(q), (dispatch_turns + long_turns(q)) * q->turn_bytes);
    return (struct cost){bytes_each, turns, total};
}

struct cost csr_cost(const struct question *q)
{
    double bytes = value(q) + 4 + 4.0 * q->A->n / short_entries(q->A);
    double weight = (q->A->lanes > 1 ? csr_of_lanes : 1) * (cost_is_uneven(q) ? csr_of_uneven_rows : 1);
    return cost(q, bytes, weight, turns_of(q, 4 * q->A->lanes));
}

/* One kernel computes all rows. CSR is kept as well, so lean matrices cannot use this format. */
struct cost balanced_cost(const struct question *q)
{
    struct cost c = {.bytes_each = INFINITY, .total = INFINITY};
    if (q->storage->lean)
        return c;
    c.bytes_each = value(q) + 4 + 8.0 * q->A->n / short_entries(q->A);
    c.turns = turns_of(q, 4 * q->A->lanes);
    if (q->A->entries <= BALANCED_FEW)
        c.turns = fmin(c.turns, balanced_turns);
    c.turns = order_turns + fmax(c.turns, long_turns(q));
    c.total =
        twofold * fmax(short_bytes(q, c.bytes_each) * balanced + long_bytes_of(q), c.turns * q->turn_bytes);
    return c;
}

struct cost sell_cost(const struct question *q)
{
    const vks_format_options *o = q->storage;
    uint64_t padded = slices_padded(q->known);
    struct sell B = {.n = q->A->n,
                     .height = o->slice_height,
                     .padded = (uint32_t)padded,
                     .fours = q->known->word[SLICES_FOURS]};
    double turns = turns_of(q, 8) + slice_turns, growth = cost_growth(q);
    if (q->A->lanes > SELL_FEW_LANES || padded > VKS_MAX_ENTRIES || growth > o->padding)
        return cost(q, INFINITY, 1, turns);
    bool compact = sell_is_compact(&B, q->known);
    uint32_t kinds = q->known->word[ENTRY_KINDS];
    double entries = short_entries(q->A), n = q->A->n, one_lane = sell_of_one_lane;
    double rows = (4 / (double)o->slice_height + 4 * (o->sigma > 1)) * n / entries;
    if (coded_pays(o, q->A, &B, compact, q->precision, kinds)) {
        double each = coded_traffic(B.fours, kinds) / entries + rows;
        double lookups = (coded_entry * entries + coded_row * n) * real_bytes(q->precision);
        return cost(q, each, 1 + lookups / short_bytes(q, each), turns);
    }
    if (compact)
        one_lane = sell_compact_of_one_lane[magnitude_precision(stored_precision(q->precision))];
    double each = growth * value(q) + sell_column_traffic(&B, compact) / entries + rows;
    return cost(q, each, q->A->lanes > 1 ? 1 : one_lane, turns);
}

/* All blocks must be full, because decoding masks costs more than they save. The turns were observed for
 * blocks of 3 x 3. */
struct cost bsr_cost(const struct question *q, uint32_t size)
{
    struct blocks_seen b = blocks_seen(q->known, size);
    double growth = cost_growth(q), turns = turns_of(q, 8 * size) + slice_turns;
    if (b.partial || !b.entries || growth > q->storage->padding)
        return cost(q, INFINITY, 1, turns);
    double columns = 4.0 * b.blocks / b.entries;
    return cost(q, growth * value(q) + columns + 4.0 * q->A->n / short_entries(q->A),
                bsr_of_full_blocks[magnitude_precision(stored_precision(q->precision))], turns);
}

/* (If compact columns are smaller, their words are fewer than the entries, so 32 bits suffice.) */
bool sell_is_compact(const struct sell *A, const struct statistics *known)
{
    return known->word[SLICES_APART] <= SELL_MOST_ABOVE &&
           sell_column_bytes(A, true) + sell_base_bytes(A) < sell_column_bytes(A, false);
}

bool coded_pays(const vks_format_options *o, const struct csr *A, const struct sell *B, bool compact,
                enum precision p, uint32_t kinds)
{
    if (!sell_may_be_coded(o, A) || kinds == 0 ||
        !coded_reaches(sell_units(B->n, B->height, B->padded), kinds > KINDS_OF_A_BYTE))
        return false;
    return o->coding == VKS_CODED_ALWAYS ||
           coded_traffic(B->fours, kinds) <
               (uint64_t)B->padded * value_bytes(p) + sell_column_traffic(B, compact);
}
