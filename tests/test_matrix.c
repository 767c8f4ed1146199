/* Matrices: upload and download, bit by bit, and the product. */
#include "sparse/matrix.h"
#include "tests/support/device_matrix.h"
#include "tests/support/oracle.h"

#include <unistd.h>

TestEverywhere(matrix, made_from_csr_it_comes_back_bit_for_bit)
{
    static const uint32_t rows[] = {1, 2, 1000, 3001};
    for (int i = 0; i < 4; i++) {
        OWNED_STRUCT(host_csr) A = random_csr(p, rows[i], 777, 20, i);
        OWNED(vks_matrix) *m = put_on(c, &A, p, VKS_FORMAT_AUTO);
        cr_expect_eq(vks_matrix_precision(m), public_precision(p));
        must_be(c, m, &A, "the matrix");
    }
}

TestOnHost(matrix, f32_values_are_taken_and_given_back_in_either_precision)
{
    OWNED_STRUCT(host_csr) A = random_csr(PRECISION_F32, 2000, 2000, 20, 1);
    uint32_t entries = (uint32_t)host_csr_entries(&A);
    OWNED(float) *val = room(entries, 4), *back = room(entries, 4);
    convert_values(VKS_F64, A.val, VKS_F32, val, entries);
    for (int narrow = 0; narrow < 2; narrow++) {
        OWNED(vks_matrix) *m = NULL;
        vks_matrix_options o = {.precision = narrow ? VKS_F32 : VKS_F64, .of_values = VKS_F32};
        must_work(c, vks_matrix_from_csr(c, 2000, 2000, A.row, A.col, val, &o, &m));
        must_be(c, m, &A, "the matrix");
        must_work(c, vks_matrix_to_csr(m, NULL, NULL, VKS_F32, back));
        cr_expect_eq(memcmp(val, back, 4 * (size_t)entries), 0);
    }
}

TestOnHost(matrix, any_of_its_three_arrays_can_be_asked_for_alone)
{
    OWNED_STRUCT(host_csr) A = random_csr(PRECISION_F64, 300, 300, 9, 3),
                           got = new_csr(300, 300, host_csr_entries(&A));
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_AUTO);
    must_work(c, vks_matrix_to_csr(m, NULL, NULL, VKS_F64, NULL));
    must_work(c, vks_matrix_to_csr(m, got.row, NULL, VKS_F64, NULL));
    cr_expect_eq(memcmp(got.row, A.row, 301 * 4), 0);
    must_work(c, vks_matrix_to_csr(m, NULL, got.col, VKS_F64, NULL));
    cr_expect_eq(memcmp(got.col, A.col, 4 * host_csr_entries(&A)), 0);
    must_work(c, vks_matrix_to_csr(m, NULL, NULL, VKS_F64, got.val));
    must_equal(got.val, A.val, host_csr_entries(&A), "values alone");
}

/* Triplets of a random matrix in random order, with each entry split in two. */
static void shuffled_triplets(const struct host_csr *A, uint32_t *row, uint32_t *col, double *val)
{
    size_t count = 0;
    uint64_t state = 5;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            for (int half = 0; half < 2; half++) {
                size_t at = random_below(&state, (uint32_t)count + 1);
                row[count] = row[at];
                col[count] = col[at];
                val[count++] = val[at];
                row[at] = i;
                col[at] = A->col[k];
                val[at] = A->val[k] / 2;
            }
}

TestOnHost(matrix, triplets_in_any_order_are_sorted_and_duplicates_summed)
{
    OWNED_STRUCT(host_csr) A = random_csr(PRECISION_F64, 500, 400, 12, 4);
    size_t count = 2 * host_csr_entries(&A);
    OWNED(uint32_t) *row = room(count, 4), *col = room(count, 4);
    OWNED(double) *val = room(count, 8);
    shuffled_triplets(&A, row, col, val);
    OWNED(vks_matrix) *m = NULL;
    must_work(c, vks_matrix_from_coo(c, 500, 400, count, row, col, val, NULL, &m));
    must_be(c, m, &A, "the matrix");
}

TestOnHost(matrix, duplicates_are_summed_in_the_order_in_which_they_stand_and_in_double)
{
    static const uint32_t zeros[4] = {0};
    static const double val[4] = {1e16, 1, 1, -1e16}; /* 0 in this order, 2 in exact arithmetic */
    static const float narrow[4] = {16777216, 1, 1, -16777216};
    double sum = 7;
    OWNED(vks_matrix) *m = NULL;
    vks_matrix_options o = {.of_values = VKS_F32};
    must_work(c, vks_matrix_from_coo(c, 1, 1, 4, zeros, zeros, val, NULL, &m));
    must_work(c, vks_matrix_to_csr(m, NULL, NULL, VKS_F64, &sum));
    cr_expect_eq(sum, 0);
    vks_matrix_destroy(m);
    must_work(c, vks_matrix_from_coo(c, 1, 1, 4, zeros, zeros, narrow, &o, &m));
    must_work(c, vks_matrix_to_csr(m, NULL, NULL, VKS_F64, &sum));
    cr_expect_eq(sum, 2);
}

static void expect_file_round_trip(vks_context *c, const char *path)
{
    OWNED_STRUCT(host_csr) A = random_csr(PRECISION_F64, 211, 300, 7, 8);
    OWNED(vks_matrix) *m = put_on(c, &A, PRECISION_F64, VKS_FORMAT_AUTO), *back = NULL;
    must_work(c, vks_matrix_write(m, path));
    must_work(c, vks_matrix_read(c, path, NULL, &back));
    must_be(c, back, &A, "the matrix");
    unlink(path);
}

TestOnHost(matrix, written_to_a_file_it_is_read_back_bit_for_bit)
{
    char folder[] = "/tmp/vksolve-test-XXXXXX", path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.mtx", folder);
    expect_file_round_trip(c, path);
    snprintf(path, sizeof path, "%s/a.mtx.gz", folder);
    expect_file_round_trip(c, path);
    rmdir(folder);
}

TestEverywhere(matrix, a_product_has_the_defined_bits_also_after_new_values)
{
    OWNED_STRUCT(host_csr) A = random_csr(p, 1001, 600, 40, 11);
    OWNED(double) *x = random_vector(p, 600, 10, 1), *want = room(1001, 8), *got = room(1001, 8);
    OWNED(vks_matrix) *m = put_on(c, &A, p, VKS_FORMAT_AUTO);
    OWNED(vks_vector) *vx = NULL, *vy = NULL;
    must_work(c, vks_vector_create(c, 600, public_precision(p), &vx));
    must_work(c, vks_vector_create(c, 1001, public_precision(p), &vy));
    must_work(c, vks_vector_write(vx, 0, 600, VKS_F64, x));
    for (int turn = 0; turn < 2; turn++) {
        must_work(c, vks_spmv(m, vx, vy));
        must_work(c, vks_vector_read(vy, 0, 1001, VKS_F64, got));
        for (uint32_t i = 0; i < 1001; i++)
            want[i] = canonical_row(p, &A, x, i, csr_lanes(1001, (uint32_t)host_csr_entries(&A)));
        must_equal(got, want, 1001, turn ? "A x with new values" : "A x");
        for (uint32_t k = 0; k < A.row[1001]; k++)
            A.val[k] = rounded(p, A.val[k] * 0.7);
        must_work(c, vks_matrix_set_values(m, VKS_F64, A.val));
    }
    must_be(c, m, &A, "the matrix");
}

TestEverywhere(matrix, without_rows_columns_or_entries_it_is_a_matrix_of_zeros)
{
    static const uint32_t zeros[6] = {0}, shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {5, 5}};
    for (int i = 0; i < 4; i++) {
        uint32_t rows = shapes[i][0], cols = shapes[i][1];
        OWNED(vks_matrix) *m = NULL, *coo = NULL;
        OWNED(vks_vector) *x = NULL, *y = NULL;
        vks_matrix_options o = {.precision = public_precision(p)};
        double one[5] = {1, 1, 1, 1, 1};
        must_work(c, vks_matrix_from_csr(c, rows, cols, zeros, NULL, NULL, &o, &m));
        must_work(c, vks_matrix_from_coo(c, rows, cols, 0, NULL, NULL, NULL, &o, &coo));
        struct host_csr A = {rows, cols, (uint32_t *)(uintptr_t)zeros, NULL, NULL};
        cr_expect_eq(vks_matrix_entries(m), 0);
        cr_expect_eq(vks_matrix_rows(coo), A.rows);
        must_work(c, vks_vector_create(c, cols, o.precision, &x));
        must_work(c, vks_vector_create(c, rows, o.precision, &y));
        must_work(c, vks_vector_write(y, 0, rows, VKS_F64, one));
        must_work(c, vks_spmv(m, x, y));
        must_work(c, vks_vector_read(y, 0, rows, VKS_F64, one));
        for (uint32_t k = 0; k < rows; k++)
            cr_expect_eq(one[k], 0);
    }
}
