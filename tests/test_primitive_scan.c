/* Prefix sums by public calls. */
#include "tests/support/arrays.h"
#include "tests/support/cases/scan.h"
#include "tests/support/large.h"

static const uint32_t sizes[] = {0,   1,   31,   32,   33,   127,  128,  129,  255,  256,
                                 257, 511, 1000, 4095, 4096, 4097, 8192, 8193, 70001};
enum { SIZES = sizeof sizes / sizeof *sizes };

static uint32_t *some_words(uint32_t n, uint32_t limit)
{
    uint32_t *x = room(n, 4);
    uint64_t seed = n;
    for (uint32_t i = 0; i < n; i++)
        x[i] = limit ? random_below(&seed, limit) : (uint32_t)random_bits(&seed);
    return x;
}

/* head may be NULL: a flag for each element. */
static void must_be_sums(const uint32_t *x, const uint8_t *head, uint32_t n, vks_scan_kind kind,
                         const uint32_t *got, const char *what)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        sum = head && head[i] ? 0 : sum;
        uint32_t want = kind == VKS_SCAN_EXCLUSIVE ? sum : sum + x[i];
        cr_assert_eq(got[i], want, "%s: sum %u of %u is %u instead of %u", what, i, n, got[i], want);
        sum += x[i];
    }
}

static void expect_word_sums(vks_context *c, uint32_t n)
{
    OWNED(uint32_t) *values = some_words(n, 0);
    OWNED(vks_array) *x = words(c, values, n), *y = new_array(c, VKS_TYPE_U32, n);
    for (int k = 0; k < VKS_SCAN_COUNT_; k++) {
        must_work(c, vks_scan(x, (vks_scan_kind)k, y));
        OWNED(uint32_t) *got = read_array_words(c, y);
        must_be_sums(values, NULL, n, (vks_scan_kind)k, got, "into another array");
    }
    must_work(c, vks_scan(x, VKS_SCAN_INCLUSIVE, x));
    OWNED(uint32_t) *got = read_array_words(c, x);
    must_be_sums(values, NULL, n, VKS_SCAN_INCLUSIVE, got, "in place");
}

Test(primitive_scan, of_words_is_exact_at_every_size)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        for (int i = 0; i < SIZES; i++)
            expect_word_sums(c, sizes[i]);
    }
}

/* More than 8,192 tiles. */
Test(primitive_scan, of_34_million_words_is_exact_on_the_host, LARGE_RUN)
{
    OWNED(vks_context) *c = open_host();
    expect_word_sums(c, 2 * 4096 * 4096 + 12345);
}

/* The bits must be the same on the host and on lavapipe, in two levels of tiles. */
static void must_agree(enum precision p, uint32_t n)
{
    double *values = random_vector(p, n, 8, n), *y[2];
    uint32_t *offsets = some_words(n / 50, n);
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        OWNED(vks_array) *x = floats(c, p, values, n), *heads = words(c, offsets, n / 50),
                         *to = new_array(c, vks_array_type(x), n);
        must_work(c, vks_scan(x, VKS_SCAN_EXCLUSIVE, to));
        must_work(c, vks_scan_segments(x, heads, VKS_SCAN_INCLUSIVE, x));
        y[device] = room(2 * (size_t)n, 8);
        OWNED(double) *first = read_floats(c, to), *second = read_floats(c, x);
        memcpy(y[device], first, n * sizeof *first);
        memcpy(y[device] + n, second, n * sizeof *second);
    }
    must_equal(y[1], y[0], 2 * (size_t)n, "lavapipe beside the host");
    free(values);
    free(offsets);
    free(y[0]);
    free(y[1]);
}

Test(primitive_scan, of_floats_has_the_same_bits_on_the_host_and_on_lavapipe)
{
    must_agree(PRECISION_F64, 200001);
    must_agree(PRECISION_F32, 99999);
}

/* One pass and, in place, three steps on the host must agree. */
static void must_not_depend_on_the_way(enum precision p, uint32_t n, vks_scan_kind kind)
{
    OWNED(vks_context) *c = open_host();
    OWNED(double) *values = random_vector(p, n, 20, n);
    OWNED(vks_array) *x = floats(c, p, values, n), *y = new_array(c, vks_array_type(x), n);
    must_work(c, vks_scan(x, kind, y));
    must_work(c, vks_scan(x, kind, x));
    OWNED(double) *once = read_floats(c, y), *in_steps = read_floats(c, x);
    must_equal(once, in_steps, n, "one pass beside three steps");
}

Test(primitive_scan, of_floats_has_the_same_bits_in_one_pass_and_in_three_steps)
{
    must_not_depend_on_the_way(PRECISION_F64, 300001, VKS_SCAN_INCLUSIVE);
    must_not_depend_on_the_way(PRECISION_F32, 131073, VKS_SCAN_EXCLUSIVE);
}

/* The bound of the header, for input on which a loop would be a hundred thousand times worse: equal signs, a
 * little more than 128 groups of tiles. */
static void must_be_near(bool in_place)
{
    OWNED(vks_context) *c = open_host();
    uint32_t n = 4096 * 4096 + 9999;
    OWNED(double) *values = room(n, 8);
    uint64_t seed = 3;
    for (uint32_t i = 0; i < n; i++)
        values[i] = rounded(PRECISION_F32, 1 + (double)random_below(&seed, 1 << 20) / (1 << 20));
    vks_array *x = floats(c, PRECISION_F32, values, n), *y = in_place ? x : new_array(c, VKS_TYPE_F32, n);
    must_work(c, vks_scan(x, VKS_SCAN_INCLUSIVE, y));
    double *got = read_floats(c, y), exact = 0;
    for (uint32_t i = 0; i < n; i++) {
        exact += values[i];
        cr_assert_leq(fabs(got[i] - exact), (double)scan_bound(PRECISION_F32, i) * exact, "prefix sum %u", i);
    }
    vks_array_destroy(x);
    if (!in_place)
        vks_array_destroy(y);
    free(got);
}

Test(primitive_scan, of_17_million_floats_is_as_near_as_promised, LARGE_RUN)
{
    must_be_near(true);
    must_be_near(false);
}

TestEverywhere(primitive_scan, an_infinity_or_nan_stays_in_its_segment)
{
    enum { N = 5000, AT = 4200 };
    double values[N] = {0};
    values[0] = -0.0;
    values[AT] = INFINITY;
    values[N - 1] = -INFINITY;
    uint32_t begin = AT + 1;
    OWNED(vks_array) *x = floats(c, p, values, N), *heads = words(c, &begin, 1),
                     *y = new_array(c, vks_array_type(x), N);
    must_work(c, vks_scan(x, VKS_SCAN_INCLUSIVE, y));
    OWNED(double) *got = read_floats(c, y);
    cr_expect(same_bits(got[0], 0.0), "zero is added to the first");
    cr_expect_eq(got[AT - 1], 0);
    cr_expect_eq(got[AT], INFINITY);
    cr_expect_eq(got[N - 2], INFINITY);
    cr_expect(isnan(got[N - 1]));
    free(got);
    must_work(c, vks_scan_segments(x, heads, VKS_SCAN_INCLUSIVE, y));
    got = read_floats(c, y);
    cr_expect_eq(got[AT], INFINITY);
    cr_expect_eq(got[AT + 1], 0, "an infinity of one segment reached the next");
    cr_expect_eq(got[N - 1], -INFINITY);
}

/* Row offsets with empty rows: at the start, in the middle, and at the end. */
static void expect_rows(vks_context *c, uint32_t longest, uint32_t rows)
{
    OWNED(uint32_t) *lengths = some_words(rows, longest + 1), *offsets = room(rows + (size_t)1, 4);
    lengths[0] = lengths[rows - 1] = 0;
    for (uint32_t r = 0; r < rows; r++)
        offsets[r + 1] = offsets[r] + lengths[r];
    uint32_t n = offsets[rows], *values = some_words(n, 0);
    OWNED(uint8_t) *head = room(n, 1);
    for (uint32_t r = 0; r <= rows; r++)
        if (offsets[r] < n)
            head[offsets[r]] = 1;
    OWNED(vks_array) *x = words(c, values, n), *heads = words(c, offsets, rows + 1),
                     *y = new_array(c, VKS_TYPE_U32, n);
    for (int k = 0; k < VKS_SCAN_COUNT_; k++) {
        must_work(c, vks_scan_segments(x, heads, (vks_scan_kind)k, y));
        OWNED(uint32_t) *got = read_array_words(c, y);
        must_be_sums(values, head, n, (vks_scan_kind)k, got, "rows");
    }
    free(values);
}

Test(primitive_scan, of_segments_starts_again_in_each_row)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        expect_rows(c, 1, 9000);
        expect_rows(c, 3, 5000);
        expect_rows(c, 40, 700);
        expect_rows(c, 30000, 9);
    }
}

/* As for rows of a matrix: the exclusive sums of the lengths and of a zero after them. */
TestOnHost(primitive_scan, exclusive_sums_of_lengths_are_row_offsets)
{
    static const uint32_t lengths[] = {3, 0, 2, 5, 0}, want[] = {0, 3, 3, 5, 10};
    OWNED(vks_array) *x = words(c, lengths, 5);
    must_work(c, vks_scan(x, VKS_SCAN_EXCLUSIVE, x));
    OWNED(uint32_t) *got = read_array_words(c, x);
    cr_expect_arr_eq(got, want, sizeof want);
}

Test(primitive_scan, and_all_other_primitives_on_words_and_f32_need_no_64_bit_floats)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    static const uint32_t numbers[] = {3, 1, 2, 1}, sums[] = {0, 3, 4, 6}, counts[] = {0, 2, 1, 1};
    static const double values[] = {0.5, -2, 8, 1};
    OWNED(vks_array) *x = words(c, numbers, 4), *y = new_array(c, VKS_TYPE_U32, 4),
                     *z = floats(c, PRECISION_F32, values, 4);
    must_work(c, vks_scan(x, VKS_SCAN_EXCLUSIVE, y));
    uint32_t *got = read_array_words(c, y), sum = 0;
    cr_expect_arr_eq(got, sums, sizeof sums);
    free(got);
    must_work(c, vks_histogram(x, NULL, y, NULL));
    got = read_array_words(c, y);
    cr_expect_arr_eq(got, counts, sizeof counts);
    free(got);
    must_work(c, vks_reduce(x, VKS_REDUCE_SUM, VKS_PAIRING_HALVING, &sum));
    cr_expect_eq(sum, 7);
    cr_expect_eq(reduced(c, z, VKS_REDUCE_PRODUCT, VKS_PAIRING_NEIGHBOURS), -8);
    cr_expect_eq(find(c, z).least_at, 1);
    must_work(c, vks_scan_segments(z, x, VKS_SCAN_INCLUSIVE, z));
}

Test(primitive_scan, refuses_what_does_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_array) *x = new_array(c, VKS_TYPE_U32, 5), *y = new_array(c, VKS_TYPE_U32, 6),
                     *real = new_array(c, VKS_TYPE_F32, 5), *wide = new_array(c, VKS_TYPE_U64, 5),
                     *foreign = new_array(other, VKS_TYPE_U32, 5);
    must_refuse(c, vks_scan(x, VKS_SCAN_INCLUSIVE, y), VKS_INVALID_ARGUMENT, "6 elements instead of 5");
    must_refuse(c, vks_scan(x, VKS_SCAN_INCLUSIVE, real), VKS_INVALID_ARGUMENT, "F32");
    must_refuse(c, vks_scan(wide, VKS_SCAN_INCLUSIVE, wide), VKS_INVALID_ARGUMENT, "U64");
    must_refuse(c, vks_scan(x, VKS_SCAN_INCLUSIVE, foreign), VKS_INVALID_ARGUMENT, "different context");
    must_refuse(c, vks_scan(x, (vks_scan_kind)2, x), VKS_INVALID_ARGUMENT, "2 is not a vks_scan_kind");
    must_refuse(c, vks_scan_segments(x, real, VKS_SCAN_INCLUSIVE, x), VKS_INVALID_ARGUMENT, "offsets");
    must_refuse(c, vks_scan_segments(x, foreign, VKS_SCAN_INCLUSIVE, x), VKS_INVALID_ARGUMENT, "different");
}
