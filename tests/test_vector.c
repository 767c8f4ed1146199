/* The public calls on vectors: results and refusals. */
#include "tests/support/vectors.h"

enum { PIECE = 16384 /* values that are converted at a time */ };

static vks_vector *new_vector(vks_context *c, enum precision p, const double *values, uint32_t n)
{
    vks_vector *v = NULL;
    must_work(c, vks_vector_create(c, n, public_precision(p), &v));
    if (values)
        must_work(c, vks_vector_write(v, 0, n, VKS_F64, values));
    return v;
}

static void expect_zeros(vks_context *c, enum precision p)
{
    static const uint32_t sizes[] = {0, 1, 255, 256, 257, 5000};
    for (int i = 0; i < 6; i++) {
        vks_vector *v = new_vector(c, p, NULL, sizes[i]);
        double *zeros = room(sizes[i], 8);
        cr_expect_eq(vks_vector_length(v), sizes[i]);
        cr_expect_eq(vks_vector_precision(v), public_precision(p));
        must_hold(v, zeros, "a new vector");
        vks_vector_destroy(v);
        free(zeros);
    }
}

Test(vector, a_new_vector_is_all_zero)
{
    everywhere(expect_zeros);
}

static void expect_round_trip(vks_context *c, enum precision p)
{
    static const uint32_t sizes[] = {1, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 3};
    for (int i = 0; i < 5; i++) {
        uint32_t n = sizes[i];
        double *values = random_vector(PRECISION_F32, n, 100, i), *back = room(n, 8);
        float *narrow_values = room(n, 4), *narrow_back = room(n, 4);
        vks_vector *v = new_vector(c, p, values, n);
        must_hold(v, values, "values written and read as f64");
        must_work(c, vks_vector_read(v, 0, n, VKS_F32, narrow_back));
        for (uint32_t k = 0; k < n; k++) {
            cr_assert_eq((double)narrow_back[k], values[k], "value %u of %u read as f32", k, n);
            narrow_values[k] = -narrow_back[k];
            back[k] = -values[k];
        }
        must_work(c, vks_vector_write(v, 0, n, VKS_F32, narrow_values));
        must_hold(v, back, "values written as f32");
        vks_vector_destroy(v);
        free(values);
        free(back);
        free(narrow_values);
        free(narrow_back);
    }
}

Test(vector, values_come_back_bit_for_bit_at_every_size_around_a_piece)
{
    everywhere(expect_round_trip);
}

static void expect_range_writes(vks_context *c, enum precision p)
{
    enum { N = PIECE + 500 };
    double *all = random_vector(PRECISION_F32, N, 10, 1), *part = random_vector(PRECISION_F32, N, 10, 2);
    vks_vector *v = new_vector(c, p, all, N);
    must_work(c, vks_vector_write(v, 100, PIECE + 300, VKS_F64, part));
    memcpy(all + 100, part, (PIECE + 300) * 8);
    must_hold(v, all, "after a write into the middle");
    must_work(c, vks_vector_write(v, N, 0, VKS_F64, part));
    must_work(c, vks_vector_write(v, N - 1, 1, VKS_F64, part));
    all[N - 1] = part[0];
    must_hold(v, all, "after a write of the last value");
    must_work(c, vks_vector_read(v, 77, PIECE + 1, VKS_F64, part));
    must_equal(part, all + 77, PIECE + 1, "a range that was read");
    vks_vector_destroy(v);
    free(all);
    free(part);
}

Test(vector, a_range_is_written_and_read_where_it_lies)
{
    everywhere(expect_range_writes);
}

Test(vector, values_are_rounded_to_the_nearest_even_when_they_become_f32)
{
    static const double given[] = {1 + 0x1p-24, 1 + 0x3p-24, 1 + 0x1.000002p-24,    -0.0, 1e300,     -1e300,
                                   0x1p-149,    0x1p-151,    0x1.fffffefffffffp127, NAN,  -INFINITY, 1.0 / 3};
    enum { N = sizeof given / sizeof *given };
    double want[N];
    for (int i = 0; i < N; i++)
        want[i] = (float)given[i];
    cr_expect_eq(want[0], 1);
    cr_expect_eq(want[1], 1 + 0x4p-24);
    vks_context *c = open_host();
    vks_vector *v = new_vector(c, PRECISION_F32, given, N);
    must_hold(v, want, "rounded values");
    vks_vector_destroy(v);
    close_context(c);
}

static void expect_operations(vks_context *c, enum precision p)
{
    enum { N = 3001 };
    double *x = random_vector(p, N, 10, 1), *y = random_vector(p, N, 10, 2), alpha = rounded(p, -1.7), result;
    vks_vector *vx = new_vector(c, p, x, N), *vy = new_vector(c, p, y, N);
    must_work(c, vks_vector_dot(vx, vy, &result));
    cr_expect(same_bits(result, canonical_dot(p, x, y, N)), "dot");
    must_work(c, vks_vector_dot(vx, vx, &result));
    cr_expect(same_bits(result, canonical_dot(p, x, x, N)), "dot with itself");
    must_work(c, vks_vector_norm2(vx, &result));
    cr_expect(same_bits(result, rounded(p, sqrt(canonical_dot(p, x, x, N)))), "norm2");
    must_work(c, vks_vector_axpy(-1.7, vx, vy));
    for (int i = 0; i < N; i++)
        y[i] = rounded(p, y[i] + rounded(p, alpha * x[i]));
    must_hold(vy, y, "axpy");
    must_work(c, vks_vector_copy(vy, vx));
    must_hold(vx, y, "copy");
    must_work(c, vks_vector_fill(vx, 1.0 / 3));
    for (int i = 0; i < N; i++)
        x[i] = rounded(p, 1.0 / 3);
    must_hold(vx, x, "fill");
    must_work(c, vks_vector_sum(vy, &result));
    cr_expect(same_bits(result, canonical_sum(p, y, N)), "sum");
    vks_vector_destroy(vx);
    vks_vector_destroy(vy);
    free(x);
    free(y);
}

Test(vector, each_operation_gives_the_defined_bits)
{
    everywhere(expect_operations);
}

static void expect_aliases(vks_context *c, enum precision p)
{
    double x[300], twice[300];
    for (int i = 0; i < 300; i++) {
        x[i] = i - 150;
        twice[i] = 3 * x[i];
    }
    vks_vector *v = new_vector(c, p, x, 300);
    must_work(c, vks_vector_copy(v, v));
    must_hold(v, x, "a copy onto itself");
    must_work(c, vks_vector_axpy(2, v, v));
    must_hold(v, twice, "x + 2 x");
    vks_vector_destroy(v);
}

Test(vector, copy_and_axpy_take_the_same_vector_twice)
{
    everywhere(expect_aliases);
}

static void expect_empty(vks_context *c, enum precision p)
{
    vks_vector *x = new_vector(c, p, NULL, 0), *y = new_vector(c, p, NULL, 0);
    double result = 7;
    must_work(c, vks_vector_dot(x, y, &result));
    cr_expect_eq(result, 0);
    result = 7;
    must_work(c, vks_vector_norm2(x, &result));
    cr_expect_eq(result, 0);
    result = 7;
    must_work(c, vks_vector_sum(x, &result));
    cr_expect_eq(result, 0);
    must_work(c, vks_vector_fill(x, 1));
    must_work(c, vks_vector_axpy(2, x, y));
    must_work(c, vks_vector_copy(x, y));
    must_work(c, vks_vector_read(x, 0, 0, VKS_F64, NULL));
    must_work(c, vks_vector_write(x, 0, 0, VKS_F32, NULL));
    vks_vector_destroy(x);
    vks_vector_destroy(y);
}

Test(vector, operations_on_no_elements_give_zero)
{
    everywhere(expect_empty);
}

Test(vector, a_norm_is_infinite_where_the_sum_of_squares_overflows)
{
    vks_context *c = open_host();
    double result, big[2] = {1e200, 1e200};
    vks_vector *v = new_vector(c, PRECISION_F64, big, 2);
    must_work(c, vks_vector_norm2(v, &result));
    cr_expect(isinf(result));
    vks_vector_destroy(v);
    close_context(c);
}
