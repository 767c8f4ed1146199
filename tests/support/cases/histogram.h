/* The cases of the kernels of histograms, through their verbs. */
#ifndef VKS_TESTS_HISTOGRAM_CASES_H
#define VKS_TESTS_HISTOGRAM_CASES_H

#include "primitive/histogram_verbs.h"
#include "tests/support/job.h"

/* One bin; bins with copies in a workgroup; without copies; more than a workgroup holds. */
static const uint32_t bin_counts[] = {1, 33, 1500, 5000};
enum { BIN_COUNTS = sizeof bin_counts / sizeof *bin_counts, KINDS = 3 };

/* Values that may exceed the bins slightly; as differences, they are lengths, and `values` then holds begins
 * and ends. */
static inline uint32_t *values_for(const struct job *j, uint32_t bins, bool lengths)
{
    uint32_t *v = room(j->n + (size_t)1, 4), at = 0;
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t value = j->words[i] % (bins + bins / 8 + 2);
        v[i] = lengths ? at : value;
        at += value;
    }
    v[j->n] = at;
    return v;
}

static inline void record_histogram(struct job *j)
{
    const struct memory *weights = put_words(j, j->words, j->n, "weights");
    for (int b = 0; b < BIN_COUNTS; b++)
        for (uint32_t kind = 0; kind < (b == 1 ? KINDS : 1); kind++) {
            uint32_t *v = values_for(j, bin_counts[b], kind == LENGTHS);
            const struct memory *values = put_words(j, v, j->n + (uint64_t)1, "values");
            const struct memory *bins = new_bytes(j, 4 * (uint64_t)bin_counts[b], "bins");
            const struct memory *outside = new_bytes(j, 4, "outside");
            free(v);
            compared_words(j, bins, bin_counts[b]);
            compared_words(j, outside, 1);
            histogram(&j->r, words_at(values), words_at(weights), words_at(bins), words_at(outside), j->n,
                      bin_counts[b], kind);
        }
}

static inline void expect_histogram(const struct job *j, double *want)
{
    for (int b = 0; b < BIN_COUNTS; b++)
        for (uint32_t kind = 0; kind < (b == 1 ? KINDS : 1); kind++) {
            uint32_t *v = values_for(j, bin_counts[b], false), *sums = room(bin_counts[b] + (size_t)1, 4);
            for (uint32_t i = 0; i < j->n; i++)
                sums[v[i] < bin_counts[b] ? v[i] : bin_counts[b]] += kind == WEIGHTS ? j->words[i] : 1;
            for (uint32_t k = 0; k <= bin_counts[b]; k++)
                *want++ = sums[k];
            free(v);
            free(sums);
        }
}

/* The second exceeds the invocations of a workgroup; it is slow, so only for short arrays. */
static const uint32_t weighted_bins[] = {7, 300};

static inline int weighted_counts(const struct job *j)
{
    return j->n < 3000 ? 2 : 1;
}

static inline void record_histogram_real(struct job *j)
{
    const struct memory *weights = put(j, j->x, j->n, "weights");
    for (int b = 0; b < weighted_counts(j); b++) {
        uint32_t count = weighted_bins[b], *v = values_for(j, count, false);
        const struct memory *values = put_words(j, v, j->n, "values");
        const struct memory *space = new_reals(j, histogram_pieces(j->n) * ((uint64_t)count + 1), "sums");
        const struct memory *bins = compared(j, new_reals(j, count, "bins"), j->p, count);
        const struct memory *outside = compared(j, new_reals(j, 1, "outside"), j->p, 1);
        free(v);
        histogram_real(&j->r, words_at(values), reals_at(weights), reals_at(space), reals_at(bins),
                       number_at(outside), j->n, count);
    }
}

/* Adds to `all` the `count` + 1 sums of a piece, tiles first .. end - 1. */
static inline void add_piece(const struct job *j, const uint32_t *v, uint32_t count, uint32_t first,
                             uint32_t end, double *all)
{
    double *sums = room(count + (size_t)1, 8), *own = room(count + (size_t)1, 8);
    for (uint32_t t = first; t < end; t++) {
        memset(own, 0, (count + (size_t)1) * 8);
        for (uint32_t i = 256 * t; i < 256 * t + 256 && i < j->n; i++) {
            double *bin = own + (v[i] < count ? v[i] : count);
            *bin = rounded(j->p, *bin + j->x[i]);
        }
        for (uint32_t bin = 0; bin <= count; bin++)
            sums[bin] = rounded(j->p, sums[bin] + own[bin]);
    }
    for (uint32_t bin = 0; bin <= count; bin++)
        all[bin] = rounded(j->p, all[bin] + sums[bin]);
    free(sums);
    free(own);
}

/* From zero: the elements of a tile of 256 one after the other, then the tiles of a piece, then the pieces:
 * 256 if that divides the tiles evenly. */
static inline void expect_histogram_real(const struct job *j, double *want)
{
    uint32_t tiles = (j->n + 255) / 256, span = (tiles + 255) / 256;
    for (int b = 0; b < weighted_counts(j); b++) {
        uint32_t count = weighted_bins[b], *v = values_for(j, count, false);
        memset(want, 0, (count + (size_t)1) * sizeof *want);
        for (uint32_t t = 0; t < tiles; t += span)
            add_piece(j, v, count, t, t + span < tiles ? t + span : tiles, want);
        want += count + 1;
        free(v);
    }
}

/* X(verb, further members) */
#define HISTOGRAM_CASES(X)      \
    X(histogram, .words = true) \
    X(histogram_real, .sizes = &sizes_of_slow, .once = false)

#endif
