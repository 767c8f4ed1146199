/* Histograms by public calls. */
#include "tests/support/arrays.h"
#include "tests/support/large.h"

static const uint32_t sizes[] = {0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 70001};
static const uint32_t bin_counts[] = {0, 1, 2, 64, 65, 2048, 2049, 100000};
enum { SIZES = sizeof sizes / sizeof *sizes, BIN_COUNTS = sizeof bin_counts / sizeof *bin_counts };

/* Values of kind k: random ones, all equal, ascending, descending. */
static uint32_t *some_values(uint32_t n, uint32_t bins, int k)
{
    uint32_t *v = room(n, 4);
    uint64_t seed = n + bins;
    for (uint32_t i = 0; i < n; i++)
        v[i] = k == 0 ? random_below(&seed, bins + bins / 16 + 1) : k == 1 ? bins / 2 : k == 2 ? i : n - i;
    if (n > 2)
        v[n / 2] = UINT32_MAX;
    return v;
}

static void expect_counts(vks_context *c, uint32_t n, uint32_t bins, int kind)
{
    uint32_t *v = some_values(n, bins, kind), *want = room(bins, 4), beyond = 0, outside = 77;
    for (uint32_t i = 0; i < n; i++)
        ++*(v[i] < bins ? want + v[i] : &beyond);
    OWNED(vks_array) *values = words(c, v, n), *counts = new_array(c, VKS_TYPE_U32, bins);
    must_work(c, vks_array_fill(counts, &outside));
    must_work(c, vks_histogram(values, NULL, counts, &outside));
    OWNED(uint32_t) *got = read_array_words(c, counts);
    cr_expect(!memcmp(got, want, 4 * (size_t)bins), "%u values of kind %d in %u bins", n, kind, bins);
    cr_expect_eq(outside, beyond, "%u values outside %u bins instead of %u", outside, bins, beyond);
    must_work(c, vks_histogram(values, NULL, counts, NULL));
    free(v);
    free(want);
}

Test(primitive_histogram, counts_every_value_once_at_every_size)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        for (int i = 0; i < SIZES; i++)
            for (int b = 0; b < BIN_COUNTS; b += device + 1)
                expect_counts(c, sizes[i], bin_counts[b], 0);
        for (int kind = 1; kind < 4; kind++)
            for (int b = 0; b < BIN_COUNTS; b++)
                expect_counts(c, 9999, bin_counts[b], kind);
    }
}

Test(primitive_histogram, counts_17_million_values_on_the_host, LARGE_RUN)
{
    OWNED(vks_context) *c = open_host();
    expect_counts(c, 17000003, 1000, 0);
    expect_counts(c, 17000003, 1000000, 0);
}

Test(primitive_histogram, adds_up_weights_that_are_words_modulo_2_to_the_32)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        static const uint32_t v[] = {1, 0, 1, 9, 1, 9}, w[] = {0x80000000u, 5, 0x80000001u, 3, 4, 8};
        OWNED(vks_array) *values = words(c, v, 6), *weights = words(c, w, 6),
                         *bins = new_array(c, VKS_TYPE_U32, 3);
        uint32_t outside = 0;
        must_work(c, vks_histogram(values, weights, bins, &outside));
        OWNED(uint32_t) *got = read_array_words(c, bins);
        cr_expect(got[0] == 5 && got[1] == 5 && got[2] == 0 && outside == 11);
    }
}

/* Exact if the weights are small integers; a NaN affects only its bin. */
TestEverywhere(primitive_histogram, adds_up_weights_that_are_floats)
{
    enum { N = 30000, BINS = 260 };
    OWNED(uint32_t) *v = some_values(N, BINS, 0);
    double *w = room(N, 8), want[BINS + 1] = {0}, outside = 0;
    uint64_t seed = 8;
    for (uint32_t i = 0; i < N; i++) {
        w[i] = (double)random_below(&seed, 200) - 100;
        if (i == 17)
            w[i] = NAN;
        want[v[i] < BINS ? v[i] : BINS] += w[i];
    }
    OWNED(vks_array) *values = words(c, v, N), *weights = floats(c, p, w, N),
                     *bins = new_array(c, vks_array_type(weights), BINS);
    must_work(c, vks_histogram(values, weights, bins, &outside));
    OWNED(double) *got = read_floats(c, bins);
    must_equal(got, want, BINS, "sums of weights");
    cr_expect_eq(float_at(bins, &outside, 0), want[BINS]);
    must_work(c, vks_histogram(values, weights, bins, NULL));
    free(w);
}

Test(primitive_histogram, counts_the_lengths_of_rows)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        static const uint32_t offsets[] = {0, 3, 3, 5, 10, 10, 13, 100}, want[] = {2, 0, 1, 2, 0, 1};
        OWNED(vks_array) *row = words(c, offsets, 8), *none = words(c, offsets, 1),
                         *empty = words(c, offsets, 0), *bins = new_array(c, VKS_TYPE_U32, 6);
        uint32_t outside = 0;
        must_work(c, vks_histogram_lengths(row, bins, &outside));
        uint32_t *got = read_array_words(c, bins);
        cr_expect_arr_eq(got, want, sizeof want);
        cr_expect_eq(outside, 1);
        free(got);
        must_work(c, vks_histogram_lengths(none, bins, &outside));
        cr_expect_eq(outside, 0);
        must_work(c, vks_histogram_lengths(empty, bins, NULL));
    }
}

Test(primitive_histogram, refuses_what_does_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    vks_array *v = new_array(c, VKS_TYPE_U32, 5), *w = new_array(c, VKS_TYPE_F64, 5),
              *short_w = new_array(c, VKS_TYPE_F64, 4), *wide = new_array(c, VKS_TYPE_U64, 5),
              *foreign = new_array(other, VKS_TYPE_U32, 5), *many = new_array(c, VKS_TYPE_F64, 65537);
    must_refuse(c, vks_histogram(w, NULL, v, NULL), VKS_INVALID_ARGUMENT, "F64");
    must_refuse(c, vks_histogram(v, NULL, w, NULL), VKS_INVALID_ARGUMENT, "bins cannot be");
    must_refuse(c, vks_histogram(v, w, v, NULL), VKS_INVALID_ARGUMENT, "bins cannot be");
    must_refuse(c, vks_histogram(v, wide, v, NULL), VKS_INVALID_ARGUMENT, "weights cannot be");
    must_refuse(c, vks_histogram(v, short_w, w, NULL), VKS_INVALID_ARGUMENT, "4 elements instead of 5");
    must_refuse(c, vks_histogram(v, NULL, foreign, NULL), VKS_INVALID_ARGUMENT, "different context");
    must_refuse(c, vks_histogram(v, foreign, v, NULL), VKS_INVALID_ARGUMENT, "different context");
    must_refuse(c, vks_histogram(v, w, many, NULL), VKS_LIMIT, "the most is 65536");
    must_refuse(c, vks_histogram_lengths(w, v, NULL), VKS_INVALID_ARGUMENT, "offsets cannot be");
    must_refuse(c, vks_histogram_lengths(v, w, NULL), VKS_INVALID_ARGUMENT, "bins cannot be");
    must_refuse(c, vks_histogram(v, NULL, v, NULL), VKS_INVALID_ARGUMENT, "also the array");
    must_refuse(c, vks_histogram(v, w, w, NULL), VKS_INVALID_ARGUMENT, "also the array");
    must_refuse(c, vks_histogram_lengths(v, v, NULL), VKS_INVALID_ARGUMENT, "also the array");
    vks_array *all[] = {v, w, short_w, wide, foreign, many};
    for (int i = 0; i < 6; i++)
        vks_array_destroy(all[i]);
}
