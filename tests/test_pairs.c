/* f64 on devices without 64-bit floats: vectors and matrices in pairs of 32-bit ones keep 48 bits, report
 * values that they cannot hold, and refuse operations that would compute with them. */
#include "device/pair.h"
#include "tests/support/device_matrix.h"
#include "tests/support/oracle.h"
#include "vksolve/algebra.h"
#include "vksolve/dense.h"
#include "vksolve/multiply.h"
#include "vksolve/primitive.h"
#include "vksolve/solver.h"
#include "vksolve/sort.h"
#include "vksolve/statistics.h"
#include "vksolve/transfer.h"

#include <float.h>
#include <unistd.h>

/* Runs the test on the host, and on lavapipe, both as if they had no 64-bit floats. */
static void without_f64(void (*test)(vks_context *))
{
    const char *devices[] = {"host", gpu_name()};
    for (int i = 0; i < 2; i++) {
        OWNED(vks_context) *c = open_context(devices[i], (struct device_options){.without_f64 = true});
        test(c);
    }
}

TEST_BY(without_f64, pairs, vectors_keep_49_bits_and_all_of_f32, vks_context *c)
{
    enum { N = 40000, FIRST = 7, COUNT = N - 20 }; /* more than two pieces of a conversion */
    OWNED(double) *v = random_vector(PRECISION_F64, COUNT, 20, 1), *got = room(N, 8);
    OWNED(float) *narrow = room(COUNT, 4);
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, N);
    cr_expect_eq(vks_vector_precision(x), VKS_F64);
    must_work(c, vks_vector_write(x, FIRST, COUNT, VKS_F64, v));
    must_work(c, vks_vector_read(x, 0, N, VKS_F64, got));
    must_work(c, vks_vector_read(x, FIRST, COUNT, VKS_F32, narrow));
    for (int i = 0; i < N; i++) {
        double want = i < FIRST || i >= FIRST + COUNT ? 0 : v[i - FIRST];
        cr_assert_leq(fabs(got[i] - want), 0x1p-49 * fabs(want), "element %d: %.17g and %.17g", i, got[i],
                      want);
    }
    for (int i = 0; i < COUNT; i++)
        cr_assert_eq(narrow[i], (float)v[i]);
    must_work(c, vks_vector_write(x, 0, COUNT, VKS_F32, narrow));
    must_work(c, vks_vector_read(x, 0, COUNT, VKS_F64, got));
    for (int i = 0; i < COUNT; i++)
        cr_assert_eq(got[i], narrow[i]);
}

TEST_BY(without_f64, pairs, vectors_are_filled_and_copied_and_keep_special_values, vks_context *c)
{
    const double v[] = {0.0,     -0.0,     INFINITY, -INFINITY, NAN,
                        FLT_MAX, -FLT_MAX, FLT_MIN,  0x1p-149,  1 + 0x1p-40};
    enum { N = sizeof v / sizeof *v };
    double got[N];
    OWNED(vks_vector) *x = put_vector(c, v, N, PRECISION_F64), *y = put_vector(c, v, N, PRECISION_F64);
    must_work(c, vks_vector_read(x, 0, N, VKS_F64, got));
    must_equal(got, v, N, "written");
    must_work(c, vks_vector_fill(y, 1.0 / 3));
    must_work(c, vks_vector_read(y, 0, N, VKS_F64, got));
    for (int i = 0; i < N; i++)
        cr_expect_eq(got[i], pair_value(pair_of(1.0 / 3)), "%.17g", got[i]);
    must_work(c, vks_vector_copy(x, y));
    must_work(c, vks_vector_read(y, 0, N, VKS_F64, got));
    must_equal(got, v, N, "copied");
}

TEST_BY(without_f64, pairs, what_a_vector_cannot_hold_is_named_and_nothing_is_written, vks_context *c)
{
    const double good[] = {1, 2, 3}, large[] = {1, 2, 3.5e38}, small[] = {1, -1e-46, 3};
    double got[3];
    OWNED(vks_vector) *x = put_vector(c, good, 3, PRECISION_F64);
    must_refuse(c, vks_vector_write(x, 0, 3, VKS_F64, large), VKS_LIMIT, "element 2, 3.5e+38, is outside");
    must_refuse(c, vks_vector_write(x, 1, 2, VKS_F64, small + 1), VKS_LIMIT, "element 1, -1e-46, is outside");
    must_refuse(c, vks_vector_fill(x, -1e300), VKS_LIMIT, "the value, -1e+300, is outside");
    cr_expect(strstr(vks_context_message(c), c->device->info.name));
    must_work(c, vks_vector_read(x, 0, 3, VKS_F64, got));
    must_equal(got, good, 3, "after refusals");
}

/* [[2, 1], [0, 3], [4, 0]] */
static const uint32_t row[] = {0, 2, 3, 4}, col[] = {0, 1, 1, 0};
static const double val[] = {2, 1, 3, 4}, beyond[] = {2, 1, 3, 1e39};

TEST_BY(without_f64, pairs, what_a_matrix_cannot_hold_is_named_by_row_and_column, vks_context *c)
{
    static const char *const text =
        "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 1 -1e-60\n";
    const char *part = "row 3, column 1, counted from 1, 1e+39, is outside the range of 32-bit floats";
    char path[] = "/tmp/vksolve-pairs-XXXXXX";
    uint32_t rows[] = {0, 2};
    double back[4], twice[] = {1, 1e-46};
    OWNED(vks_matrix) *A = NULL;
    for (vks_precision p = VKS_F64; p <= VKS_MIXED; p += VKS_MIXED) {
        vks_matrix_options o = {.precision = p};
        must_refuse(c, vks_matrix_from_csr(c, 3, 2, row, col, beyond, &o, &A), VKS_LIMIT, part);
        cr_expect_null(A);
    }
    must_refuse(c, vks_matrix_from_coo(c, 3, 3, 2, rows, rows, twice, NULL, &A), VKS_LIMIT,
                "row 3, column 3");
    int file = mkstemp(path);
    cr_assert(write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    must_refuse(c, vks_matrix_read(c, path, NULL, &A), VKS_LIMIT, "row 2, column 1, counted from 1, -1e-60");
    unlink(path);
    must_work(c, vks_matrix_from_csr(c, 3, 2, row, col, val, NULL, &A));
    must_refuse(c, vks_matrix_set_values(A, VKS_F64, beyond), VKS_LIMIT, part);
    must_work(c, vks_matrix_to_csr(A, NULL, NULL, VKS_F64, back));
    must_equal(back, val, 4, "after a refusal");
}

/* A matrix with long rows, in a format that does not exist in pairs. */
TEST_BY(without_f64, pairs, matrices_come_back_bit_for_bit_and_have_the_format_of_their_copy, vks_context *c)
{
    OWNED_STRUCT(host_csr) a = csr_of_long_rows(PRECISION_F64, 40, 3);
    uint32_t entries = (uint32_t)host_csr_entries(&a);
    for (uint32_t k = 0; k < entries; k++)
        a.val[k] = pair_value(pair_of(a.val[k]));
    for (vks_precision p = VKS_F64; p <= VKS_MIXED; p += VKS_MIXED) {
        vks_matrix_options o = {.precision = p, .storage = {.format = VKS_FORMAT_BALANCED}};
        OWNED(vks_matrix) *A = matrix_from(c, &a, &o);
        cr_expect_eq(vks_matrix_precision(A), p);
        cr_expect_eq(vks_matrix_format(A), VKS_FORMAT_BALANCED);
        cr_expect_str_eq(vks_matrix_format_reason(A), "as asked");
        cr_expect_eq(vks_matrix_value_bytes(A), 8);
        must_be(c, A, &a, "as written");
        for (uint32_t k = 0; k < entries; k++)
            a.val[k] = -a.val[k];
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        must_be(c, A, &a, "new values");
    }
}

TEST_BY(without_f64, pairs, vectors_and_their_arrays_refuse_what_would_compute, vks_context *c)
{
    const char *why = "has no 64-bit floats";
    const double v[] = {3, 1, 2};
    double number = 0;
    uint32_t place;
    vks_transfer *t = NULL;
    OWNED(vks_vector) *x = put_vector(c, v, 3, PRECISION_F64), *y = put_vector(c, v, 3, PRECISION_F64);
    must_refuse(c, vks_vector_axpy(2, x, y), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_vector_dot(x, y, &number), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_vector_norm2(x, &number), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_vector_sum(x, &number), VKS_UNSUPPORTED, why);
    vks_array *a = vks_vector_array(x);
    must_refuse(c, vks_array_read(a, 0, 1, &number), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_array_write(a, 0, 1, v), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_array_fill(a, v), VKS_UNSUPPORTED, why);
    must_work(c, vks_transfer_create(c, 64, &t));
    must_refuse(c, vks_transfer_read(t, 0, x, 0, 1), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_transfer_write(t, 0, x, 0, 1), VKS_UNSUPPORTED, why);
    vks_transfer_destroy(t);
    must_refuse(c, vks_sort(a, NULL), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_reduce(a, VKS_REDUCE_SUM, VKS_PAIRING_HALVING, &number), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_scan(a, VKS_SCAN_INCLUSIVE, a), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_min_max(a, &number, &place, NULL, NULL), VKS_UNSUPPORTED, why);
    cr_expect_eq(number, 0);
}

TEST_BY(without_f64, pairs, matrices_refuse_what_would_compute, vks_context *c)
{
    const char *why = "has no 64-bit floats";
    const double v[] = {1, 2, 3};
    static const uint32_t square_row[] = {0, 1, 2, 3}, diagonal[] = {0, 1, 2};
    vks_matrix *A = NULL, *B = NULL;
    vks_dense *D = NULL;
    vks_statistics statistics;
    must_work(c, vks_matrix_from_csr(c, 3, 3, square_row, diagonal, v, NULL, &A));
    vks_vector *x = put_vector(c, v, 3, PRECISION_F64), *y = put_vector(c, v, 3, PRECISION_F64);
    must_refuse(c, vks_spmv(A, x, y), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_spmv_add(A, x, y), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_spmv_rows(A, 0, 1, x, y), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_spmv_transpose(A, x, y), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_convert(A, NULL, &B), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_transpose(A, VKS_FORMAT_CSR, &B), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_add(1, A, 1, A, VKS_FORMAT_CSR, &B), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_drop(A, 1, VKS_FORMAT_CSR, &B), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_scale(A, x, NULL), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_multiply(A, A, NULL, &B), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_matrix_statistics(A, &statistics), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_dense_from_matrix(A, &D), VKS_UNSUPPORTED, why);
    must_refuse(c, vks_dense_create(c, 3, 3, 0, VKS_F64, &D), VKS_UNSUPPORTED, "use VKS_F32");
    must_refuse(c, vks_jacobi_solve(A, x, y, NULL, NULL), VKS_UNSUPPORTED, "jacobi does not");
    must_refuse(c, vks_fixed_point_solve(A, x, y, NULL, NULL), VKS_UNSUPPORTED, "jacobi does not");
    must_refuse(c, vks_solve(A, x, y, &(vks_solve_options){.method = VKS_METHOD_GAUSS_JORDAN}, NULL),
                VKS_UNSUPPORTED, "gauss-jordan does not");
    cr_expect(!B && !D);
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    vks_matrix_destroy(A);
}
