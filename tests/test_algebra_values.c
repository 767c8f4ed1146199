/* Scaling a matrix and dropping its entries, on the host and on lavapipe, compared bit by bit with the
 * definition. */
#include "sparse/matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/drop_oracle.h"
#include "vksolve/algebra.h"

/* Rows, columns, and the most entries of a row. */
static const uint32_t sizes[][3] = {{700, 700, 12}, {3000, 7, 6}, {9, 5000, 900},
                                    {0, 5, 0},      {300, 0, 0},  {257, 300, 0}};
enum { SIZES = sizeof sizes / sizeof *sizes, SHAPES };

/* The last one has a dense row among short ones. */
static struct host_csr of_shape(int i, enum precision p)
{
    if (i < SIZES)
        return random_csr(p, sizes[i][0], sizes[i][1], sizes[i][2], (uint64_t)i + 1);
    uint32_t lengths[40];
    for (uint32_t row = 0; row < 40; row++)
        lengths[row] = row == 20 ? 100000 : row % 3;
    return csr_of_lengths(p, 40, 100000, lengths, 6);
}

static void scale_naively(enum precision p, struct host_csr *a, const double *left, const double *right)
{
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++) {
            double v = left ? rounded(p, left[i] * a->val[k]) : a->val[k];
            a->val[k] = right ? rounded(p, v * right[a->col[k]]) : v;
        }
}

/* By the left vector if bit 0 of turn is set, by the right one if bit 1 is. */
static void expect_scaling(vks_context *c, enum precision p, struct host_csr a, int turn, vks_format format)
{
    OWNED(double) *left = random_vector(p, a.rows, 9, 1), *right = random_vector(p, a.cols, 9, 2);
    OWNED(vks_matrix) *A = put_on(c, &a, p, format);
    OWNED(vks_vector) *l = put_vector(c, left, a.rows, p), *r = put_vector(c, right, a.cols, p);
    scale_naively(p, &a, turn & 1 ? left : NULL, turn & 2 ? right : NULL);
    must_work(c, vks_matrix_scale(A, turn & 1 ? l : NULL, turn & 2 ? r : NULL));
    must_be(c, A, &a, precision_name(p));
    if (format == VKS_FORMAT_SELL)
        must_multiply_as_csr(c, A, p);
    host_csr_free(&a);
}

TestOnBoth(algebra_values, scaling_has_the_defined_bits)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (int i = 0; i < SHAPES; i++)
            expect_scaling(c, p, of_shape(i, p), i ? 3 : 1 + (int)p, VKS_FORMAT_CSR);
    expect_scaling(c, PRECISION_F64, of_shape(0, PRECISION_F64), 0, VKS_FORMAT_CSR);
}

TestOnBoth(algebra_values, slices_have_the_values_of_a_scaled_matrix)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        expect_scaling(c, p, random_csr(p, 300, 290, 9, 8), 3, VKS_FORMAT_SELL);
}

/* One vector for both sides; values that are not finite propagate. */
TestOnBoth(algebra_values, one_vector_scales_both_sides)
{
    double v[3] = {INFINITY, 0, -2};
    OWNED_STRUCT(host_csr) a = small_csr(3, 3, (uint32_t[]){3, 2, 1}, (uint32_t[]){0, 1, 2, 1, 2, 0},
                                         (double[]){1, 1, 1, -3, NAN, 0}),
                           want = small_csr(3, 3, (uint32_t[]){3, 2, 1}, (uint32_t[]){0, 1, 2, 1, 2, 0},
                                            (double[]){INFINITY, NAN, -INFINITY, -0.0, NAN, NAN});
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F32, VKS_FORMAT_CSR);
    OWNED(vks_vector) *x = put_vector(c, v, 3, PRECISION_F32);
    must_work(c, vks_matrix_scale(A, x, x));
    must_be(c, A, &want, "D A D");
}

Test(algebra_values, scaling_is_refused_by_vectors_that_do_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F32, 20, 30, 3, 1);
    double ones[30] = {0};
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    vks_vector *rows = put_vector(c, ones, 20, PRECISION_F64), *cols = put_vector(c, ones, 30, PRECISION_F64),
               *narrow = put_vector(c, ones, 20, PRECISION_F32),
               *far = put_vector(other, ones, 30, PRECISION_F64);
    vks_status bad = VKS_INVALID_ARGUMENT;
    must_refuse(c, vks_matrix_scale(A, cols, NULL), bad, "A is 20 x 30, left has 30 elements");
    must_refuse(c, vks_matrix_scale(A, rows, rows), bad, "A is 20 x 30, right has 20 elements");
    must_refuse(c, vks_matrix_scale(A, narrow, cols), bad, "the matrix and left differ in precision");
    must_refuse(c, vks_matrix_scale(A, rows, far), bad, "the matrix and right belong to different contexts");
    must_be(c, A, &a, "what was refused");
    vks_matrix_destroy(A);
    vks_vector *all[] = {rows, cols, narrow, far};
    for (int i = 0; i < 4; i++)
        vks_vector_destroy(all[i]);
}

static void expect_drop(vks_context *c, enum precision p, const struct host_csr *a, double below,
                        vks_format format)
{
    char what[80];
    snprintf(what, sizeof what, "%u x %u without what is below %g, %s", a->rows, a->cols, below,
             precision_name(p));
    OWNED_STRUCT(host_csr) want = drop_oracle(p, a, below);
    OWNED(vks_matrix) *A = put_on(c, a, p, VKS_FORMAT_CSR), *B = A;
    must_work(c, vks_matrix_drop(A, below, format, &B));
    must_be(c, B, &want, what);
    must_be(c, A, a, "the operand");
    if (format == VKS_FORMAT_SELL)
        must_multiply_as_csr(c, B, p);
}

/* Some values underflow to zeros of either sign. */
TestOnBoth(algebra_values, dropping_leaves_the_defined_entries)
{
    static const double below[] = {0, 0.1, 0.5, 1};
    uint64_t seed = 3;
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (int i = 0; i < SHAPES; i++) {
            OWNED_STRUCT(host_csr) a = of_shape(i, p);
            for (size_t k = 0; k < host_csr_entries(&a); k++)
                a.val[k] = random_below(&seed, 4) ? a.val[k] : k % 2 ? 0 : -0.0;
            for (int b = i % 2; b < 4; b += 2)
                expect_drop(c, p, &a, below[b], VKS_FORMAT_AUTO);
        }
}

/* Each row and the expected rest of it, below 0.5: entries equal to the threshold; zeros only on the
 * diagonal; NaN, which never counts as the largest; nothing finite in rows with an infinity; denormals. */
TestOnBoth(algebra_values, dropping_keeps_ties_nans_and_the_diagonal)
{
    double nan = NAN, inf = INFINITY, tiny = 0x1p-140;
    struct host_csr a = small_csr(
                        6, 6, (uint32_t[]){4, 3, 3, 3, 3, 3},
                        (uint32_t[]){0, 1, 2, 3, 0, 1, 2, 0, 1, 5, 0, 1, 2, 1, 3, 4, 0, 1, 2},
                        (double[]){1, 2, -2, 4, 0, -0.0, 0, nan, 1, 2, 0, 3, -inf, 8, 3, 1, tiny, -tiny, 0}),
                    half = small_csr(6, 6, (uint32_t[]){4, 1, 3, 1, 2, 2},
                                     (uint32_t[]){0, 1, 2, 3, 1, 0, 1, 5, 2, 1, 4, 0, 1},
                                     (double[]){1, 2, -2, 4, -0.0, nan, 1, 2, -inf, 8, 1, tiny, -tiny}),
                    none = small_csr(6, 6, (uint32_t[]){4, 1, 3, 2, 3, 2},
                                     (uint32_t[]){0, 1, 2, 3, 1, 0, 1, 5, 1, 2, 1, 3, 4, 0, 1},
                                     (double[]){1, 2, -2, 4, -0.0, nan, 1, 2, 3, -inf, 8, 3, 1, tiny, -tiny});
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        vks_matrix *A = put_on(c, &a, p, VKS_FORMAT_CSR), *B, *C, *D;
        must_work(c, vks_matrix_drop(A, 0.5, VKS_FORMAT_CSR, &B));
        must_be(c, B, &half, "below a half");
        must_work(c, vks_matrix_drop(A, 0, VKS_FORMAT_CSR, &C));
        must_be(c, C, &none, "zeros");
        must_work(c, vks_matrix_drop(A, -0.0, VKS_FORMAT_CSR, &D));
        must_be(c, D, &none, "zeros, again");
        vks_matrix *all[] = {A, B, C, D};
        for (int i = 0; i < 4; i++)
            vks_matrix_destroy(all[i]);
    }
    struct host_csr *all[] = {&a, &half, &none};
    for (int i = 0; i < 3; i++)
        host_csr_free(all[i]);
}

/* 0.1 times 10 rounds to 1 in either precision, where 0.1 is above a tenth; the next value below 1 is
 * dropped. */
TestOnBoth(algebra_values, the_threshold_is_rounded_to_the_precision_of_the_matrix)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        double less = p == PRECISION_F64 ? nextafter(1, 0) : (double)nextafterf(1, 0);
        OWNED_STRUCT(host_csr) a = small_csr(1, 5, (uint32_t[]){4}, (uint32_t[]){1, 2, 3, 4},
                                             (double[]){10, 1, less, -1}),
                               want = small_csr(1, 5, (uint32_t[]){3}, (uint32_t[]){1, 2, 4},
                                                (double[]){10, 1, -1});
        OWNED(vks_matrix) *A = put_on(c, &a, p, VKS_FORMAT_CSR), *B;
        must_work(c, vks_matrix_drop(A, 0.1, VKS_FORMAT_CSR, &B));
        must_be(c, B, &want, "beside the threshold");
    }
}

TestOnBoth(algebra_values, shipped_matrices_are_left_in_slices_without_what_is_small)
{
    static const char *const names[] = {"bcsstk14", "sherman5", "ash219"};
    for (int i = 0; i < 3; i++) {
        OWNED(vks_matrix) *A = read_shipped(c, names[i]);
        OWNED_STRUCT(host_csr) a = read_back(c, A);
        expect_drop(c, PRECISION_F64, &a, i * 1e-3, i == 2 ? VKS_FORMAT_AUTO : VKS_FORMAT_SELL);
    }
}

TestOnHost(algebra_values, dropping_is_refused_below_what_is_no_share_and_into_no_format)
{
    static const double bad[] = {-0x1p-1074, -1, 1 + 0x1p-52, INFINITY, -INFINITY, NAN};
    uint32_t lengths[320] = {0};
    lengths[0] = 250;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 320, 1000, lengths, 4);
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR), *B = A;
    for (int i = 0; i < 6; i++, B = A) {
        must_refuse(c, vks_matrix_drop(A, bad[i], VKS_FORMAT_CSR, &B), VKS_INVALID_ARGUMENT, "0 to 1");
        cr_expect_null(B);
    }
    must_refuse(c, vks_matrix_drop(A, 0, VKS_FORMAT_COUNT_, &B), VKS_INVALID_ARGUMENT, "not a vks_format");
    cr_expect_null(B);
    B = A;
    must_refuse(c, vks_matrix_drop(A, 0, VKS_FORMAT_SELL, &B), VKS_LIMIT, "SELL would store 8000 entries");
    cr_expect_null(B);
    vks_matrix_destroy(A);
}
