/* Verbs of histograms. */
#ifndef VKS_PRIMITIVE_HISTOGRAM_VERBS_H
#define VKS_PRIMITIVE_HISTOGRAM_VERBS_H

#include "primitive/verbs.h"
#include "shaders/primitive/histogram.h"

/* The most pieces of an array with floats as weights; each bin has this many partial sums. */
enum { HISTOGRAM_PIECES = 256 };

/* Workgroups that count n values: few, because each adds its own bins to the result at its end. */
static inline uint64_t groups_counting(uint32_t n)
{
    uint64_t groups = ((uint64_t)n + 2047) / 2048;
    return groups < 2048 ? groups : 2048;
}

/* bins[v] = how many of the n values are v (kind ONES), their weights (WEIGHTS), or how many of the n
 * differences of neighbouring values are v (LENGTHS: n + 1 values); *outside: of values without a bin. */
static inline void histogram(struct rec *r, u32s values, u32s weights, u32s bins, u32s outside, uint32_t n,
                             uint32_t count, uint32_t kind)
{
    fill_words(r, bins, 0, 0, count, 1);
    fill_words(r, outside, 0, 0, 1, 1);
    run(r, histogram, groups_counting(n), .from = values, .weights = weights, .bins = bins,
        .outside = outside, .n = n, .count = count, .kind = kind);
    bill(r, (kind == WEIGHTS ? 8 : 4) * (uint64_t)n);
}

/* Tiles of 256 in a piece. */
static inline uint32_t histogram_span(uint32_t n)
{
    uint64_t tiles = groups_each(n);
    return (uint32_t)((tiles + HISTOGRAM_PIECES - 1) / HISTOGRAM_PIECES);
}

static inline uint32_t histogram_pieces(uint32_t n)
{
    uint32_t span = histogram_span(n);
    return span ? (uint32_t)((groups_each(n) + span - 1) / span) : 0;
}

/* histogram with floats as weights. `space` has room for histogram_pieces times (count + 1) floats. */
static inline void histogram_real(struct rec *r, u32s values, reals weights, reals space, reals bins,
                                  number outside, uint32_t n, uint32_t count)
{
    uint32_t pieces = histogram_pieces(n);
    run(r, histogram_parts_real, pieces * groups_each((uint64_t)count + 1), .from = values,
        .weights = weights, .sums = space, .n = n, .count = count, .span = histogram_span(n),
        .pieces = pieces);
    run(r, histogram_sums_real, groups_each((uint64_t)count + 1), .sums = space, .bins = bins,
        .outside = outside, .count = count, .pieces = pieces);
    bill(r, 4 * (uint64_t)n + vector_bytes(r, n));
}

#endif
