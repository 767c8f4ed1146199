/* Reductions by public calls: sums, products, minimum, maximum, and products of matrices. */
#include "tests/support/arrays.h"
#include "tests/support/large.h"
#include "tests/support/primitive_oracle.h"

static const uint32_t sizes[] = {0, 1, 31, 32, 33, 127, 128, 129, 255, 256, 257, 1000, 70001};
enum { SIZES = sizeof sizes / sizeof *sizes };

TestEverywhere(primitive_reduce, sums_of_floats_have_the_bits_of_the_vectors_sum_or_of_neighbours)
{
    for (int i = 0; i < SIZES; i++) {
        uint32_t n = sizes[i];
        double *x = random_vector(p, n, 10, n), *copy = room(n, 8), got = 7, of_vector = 8;
        OWNED(vks_vector) *v = NULL;
        must_work(c, vks_vector_create(c, n, public_precision(p), &v));
        must_work(c, vks_vector_write(v, 0, n, VKS_F64, x));
        const vks_array *a = vks_vector_array(v);
        got = reduced(c, a, VKS_REDUCE_SUM, VKS_PAIRING_HALVING);
        must_work(c, vks_vector_sum(v, &of_vector));
        cr_expect(same_bits(got, of_vector), "the sum of %u is not that of vks_vector_sum", n);
        memcpy(copy, x, n * sizeof *x);
        got = reduced(c, a, VKS_REDUCE_SUM, VKS_PAIRING_NEIGHBOURS);
        cr_expect(same_bits(got, neighbour_fold(p, copy, n, false)), "the sum of %u by neighbours", n);
        free(x);
        free(copy);
    }
}

/* Zero pads a tile of 256, and nothing is added to a last element without a neighbour. */
TestEverywhere(primitive_reduce, negative_zeros_show_what_is_added_at_the_end)
{
    double zeros[600];
    for (int i = 0; i < 600; i++)
        zeros[i] = -0.0;
    for (uint32_t n = 1; n <= 600; n += n < 20 ? 1 : 59) {
        OWNED(vks_array) *a = floats(c, p, zeros, n);
        double halving = reduced(c, a, VKS_REDUCE_SUM, VKS_PAIRING_HALVING);
        double neighbours = reduced(c, a, VKS_REDUCE_SUM, VKS_PAIRING_NEIGHBOURS);
        cr_expect(same_bits(halving, n == 256 ? -0.0 : 0.0), "%u negative zeros by halving", n);
        cr_expect(same_bits(neighbours, -0.0), "%u negative zeros by neighbours", n);
    }
}

TestEverywhere(primitive_reduce, the_least_and_the_largest_stand_where_they_stand_first)
{
    enum { N = 6000 };
    static const char *const shapes[] = {"all equal", "ascending", "descending", "alternating"};
    for (int shape = 0; shape < 4; shape++) {
        double x[N];
        for (int i = 0; i < N; i++)
            x[i] = shape == 0 ? 3 : shape == 1 ? i : shape == 2 ? N - i : i % 2 ? -1 : 1;
        static const uint32_t least_at[] = {0, 0, N - 1, 1}, largest_at[] = {0, N - 1, 0, 0};
        OWNED(vks_array) *a = floats(c, p, x, N);
        struct found f = find(c, a);
        cr_expect_eq(f.least, x[least_at[shape]], "%s", shapes[shape]);
        cr_expect_eq(f.largest, x[largest_at[shape]], "%s", shapes[shape]);
        cr_expect_eq(f.least_at, least_at[shape], "%s: the least at %u", shapes[shape], f.least_at);
        cr_expect_eq(f.largest_at, largest_at[shape], "%s: the largest at %u", shapes[shape], f.largest_at);
    }
}

/* The documented order of floats, in a tile, over tiles, and in both orders of appearance. */
TestInBothPrecisions(primitive_reduce, floats_are_ordered_with_zeros_apart_and_nan_at_the_end)
{
    const double in_order[] = {-INFINITY,
                               -0x1p100,
                               -1,
                               p == PRECISION_F64 ? -0x1p-1074 : -0x1p-149,
                               -0.0,
                               0.0,
                               p == PRECISION_F64 ? 0x1p-1074 : 0x1p-149,
                               2,
                               0x1p100,
                               INFINITY,
                               NAN};
    enum { KINDS = sizeof in_order / sizeof *in_order, FAR = 700 };
    for (int low = 0; low < KINDS; low++)
        for (int high = low; high < KINDS; high++)
            for (int apart = 1; apart <= FAR; apart += FAR - 1) {
                double x[FAR + 1];
                for (int i = 0; i <= apart; i++)
                    x[i] = in_order[low];
                x[low % 2 ? 0 : apart] = in_order[high];
                OWNED(vks_array) *a = floats(c, p, x, (uint32_t)apart + 1);
                struct found f = find(c, a);
                cr_expect(same_bits(f.least, (double)x[low % 2 ? apart : 0]), "%g of %g and %g", f.least,
                          in_order[low], in_order[high]);
                cr_expect(same_bits(f.largest, in_order[high]), "%g of %g and %g", f.largest, in_order[low],
                          in_order[high]);
                cr_expect(same_bits(f.least, reduced(c, a, VKS_REDUCE_MIN, VKS_PAIRING_HALVING)));
                cr_expect(same_bits(f.largest, reduced(c, a, VKS_REDUCE_MAX, VKS_PAIRING_NEIGHBOURS)));
            }
}

TestOnGpu(primitive_reduce, floats_are_ordered_so_on_lavapipe_too)
{
    double x[] = {0.0, -0.0, NAN, 0x1p-149, -0x1p-149, 0.0};
    OWNED(vks_array) *a = floats(c, PRECISION_F32, x, 6);
    struct found f = find(c, a);
    cr_expect_eq(f.least, -0x1p-149);
    cr_expect_eq(f.least_at, 4);
    cr_expect(isnan(f.largest));
    cr_expect_eq(f.largest_at, 2);
    vks_array_destroy(a);
    a = floats(c, PRECISION_F64, x, 2);
    f = find(c, a);
    cr_expect(same_bits(f.least, -0.0) && f.least_at == 1);
    cr_expect(same_bits(f.largest, 0.0) && f.largest_at == 0);
}

static void expect_words(vks_context *c, uint32_t n)
{
    uint32_t *x = room(n, 4), sum = 0, product = 1, least = UINT32_MAX, largest = 0, got = 0;
    uint64_t seed = n;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = (uint32_t)random_bits(&seed) | 1;
        sum += x[i];
        product *= x[i];
        least = x[i] < least ? x[i] : least;
        largest = x[i] > largest ? x[i] : largest;
    }
    OWNED(vks_array) *a = words(c, x, n);
    const uint32_t want[] = {sum, product, least, largest};
    for (int r = 0; r < VKS_REDUCTION_COUNT_; r++)
        for (int pairing = 0; pairing < VKS_PAIRING_COUNT_; pairing++) {
            must_work(c, vks_reduce(a, (vks_reduction)r, (vks_pairing)pairing, &got));
            cr_expect_eq(got, want[r], "the %s of %u words is %u", vks_reduction_text((vks_reduction)r), n,
                         got);
        }
    free(x);
}

Test(primitive_reduce, of_words_wraps_round_and_ends_at_every_size)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        for (int i = 1; i < SIZES; i++)
            expect_words(c, sizes[i]);
    }
}

/* More than 65,535 tiles, and three levels of them. */
Test(primitive_reduce, of_17_million_words_is_right_on_the_host, LARGE_RUN)
{
    OWNED(vks_context) *c = open_host();
    expect_words(c, 17000003);
}

TestOnHost(primitive_reduce, refuses_what_does_not_fit)
{
    double result[4] = {0};
    OWNED(vks_array) *none = NULL, *wide = NULL, *odd = NULL;
    must_work(c, vks_array_create(c, 0, VKS_TYPE_F32, &none));
    must_work(c, vks_array_create(c, 8, VKS_TYPE_U64, &wide));
    must_work(c, vks_array_create(c, 7, VKS_TYPE_F64, &odd));
    must_refuse(c, vks_reduce(none, VKS_REDUCE_MIN, VKS_PAIRING_HALVING, result), VKS_INVALID_ARGUMENT,
                "no minimum");
    must_refuse(c, vks_min_max(none, NULL, NULL, NULL, NULL), VKS_INVALID_ARGUMENT, "no minimum");
    must_refuse(c, vks_reduce(wide, VKS_REDUCE_SUM, VKS_PAIRING_HALVING, result), VKS_INVALID_ARGUMENT,
                "U64");
    must_refuse(c, vks_min_max(wide, NULL, NULL, NULL, NULL), VKS_INVALID_ARGUMENT, "U64");
    must_refuse(c, vks_reduce(odd, (vks_reduction)4, VKS_PAIRING_HALVING, result), VKS_INVALID_ARGUMENT,
                "4 is not a vks_reduction");
    must_refuse(c, vks_reduce(odd, VKS_REDUCE_SUM, (vks_pairing)2, result), VKS_INVALID_ARGUMENT,
                "2 is not a vks_pairing");
    must_work(c, vks_min_max(odd, NULL, NULL, NULL, NULL));
    cr_expect_str_eq(vks_reduction_text((vks_reduction)9), "?");
}
