/* Converts statistics of a matrix for the public call. */
#include "sparse/report_statistics.h"
#include "abi/abi.h"
#include "sparse/bsr.h"

#include <math.h>

__extension__ typedef __int128 wide;

/* The value of `count` words, lowest first; two's complement if `is_signed`. */
static wide words_value(const uint32_t *w, int count, bool is_signed)
{
    wide v = 0;
    for (int k = 0; k < count; k++)
        v |= (wide)w[k] << 32 * k;
    return is_signed && w[count - 1] >> 31 ? v - ((wide)1 << 32 * count) : v;
}

/* Converts moments about middle_length, an integer below the mean by `off` < 1, to central moments. The
 * second moment is exact until it is divided. */
static void report_moments(const struct csr *A, const struct statistics *s, vks_statistics *out)
{
    wide first = (wide)A->entries - (wide)middle_length(A) * A->n;
    wide second = words_value(s->word + ROWS_SQUARES, 2, false);
    double n = A->n, off = (double)first / n, cubes = (double)words_value(s->word + ROWS_CUBES, 3, true);
    double variance = (double)((wide)A->n * second - first * first) / (n * n);
    double third = cubes / n - 3 * off * ((double)second / n) + 2 * off * off * off;
    out->mean_length = A->entries / n;
    out->deviation = sqrt(variance);
    out->skew = variance > 0 ? third / (variance * out->deviation) : 0;
}

static void report_lengths(const struct csr *A, const struct statistics *s, vks_statistics *out)
{
    out->shortest = ~s->word[ROWS_NOT_SHORTEST];
    out->longest = s->word[ROWS_LONGEST];
    for (uint32_t k = 0; k < VKS_LENGTH_CLASSES; k++)
        out->lengths[k] = s->word[ROWS_OF_CLASS + k];
    out->long_rows = s->word[ROWS_LONG];
    out->long_entries = s->word[ROWS_LONG_ENTRIES];
    report_moments(A, s, out);
}

static void report_blocks(const struct csr *A, const struct statistics *s, vks_statistics *out)
{
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++) {
        struct blocks_seen b = blocks_seen(s, size);
        uint32_t rows = bsr_block_rows(A->n, size), step = rows / BLOCK_ROWS_SAMPLED + 1;
        out->block[size] = (vks_block_statistics){
            .block_rows = rows,
            .looked = rows / step + (rows % step != 0),
            .blocks = b.blocks,
            .entries = b.entries,
            .fill = b.entries ? (double)b.blocks * size * size / b.entries : 0,
            .full = !b.partial,
        };
    }
}

static void report_all(const struct csr *A, const vks_format_options *o, const struct statistics *s,
                       vks_statistics *out)
{
    uint32_t entries = A->entries - s->word[ROWS_LONG_ENTRIES];
    *out = (vks_statistics){
        .rows = A->n,
        .cols = A->cols,
        .entries = A->entries,
        .lower_bandwidth = s->word[LOWER_BANDWIDTH],
        .upper_bandwidth = s->word[UPPER_BANDWIDTH],
        .diagonals = s->word[DIAGONALS],
        .slice_height = o->slice_height,
        .sigma = o->sigma,
        .slice_entries = slices_padded(s),
        .slice_growth = entries ? (double)slices_padded(s) / entries : 0,
        .slice_apart = s->word[SLICES_APART],
        .entry_kinds = s->word[ENTRY_KINDS],
    };
    if (A->n)
        report_lengths(A, s, out);
    report_blocks(A, s, out);
}

vks_status statistics_of(const vks_matrix *A, struct statistics *known, vks_statistics *out)
{
    *out = (vks_statistics){0};
    *known = (struct statistics){0};
    context_begin(A->context);
    vks_status s = csr_acquire(A);
    IF_OK(s, statistics_gather(A, KNOW_LENGTHS | KNOW_SLICES | KNOW_BLOCKS | KNOW_SHAPE | KNOW_KINDS, known));
    csr_release(A);
    if (!s)
        report_all(&A->csr, &A->storage, known, out);
    statistics_release(A->context->device, known);
    return s;
}

vks_status vks_matrix_statistics_as(uint32_t header, const vks_matrix *A, vks_statistics *statistics)
{
    struct statistics known;
    vks_statistics found = {0};
    vks_status s = context_begin_as(A->context, header);
    IF_OK(s, statistics_of(A, &known, &found));
    vks_statistics_out(header, &found, statistics);
    return s;
}
