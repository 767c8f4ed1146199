/* Hot columns: found if many entries are in few columns; x then has a copy of those elements, which changes
 * no bit. */
#include "sparse/hot.h"
#include "tests/support/mixed.h"

enum { ROWS = 1500, COLS = 70000, LENGTH = 100, FEW = 1000 };

/* So many entries of each row are in the first columns, and the others anywhere. */
static struct host_csr matrix_with(uint32_t among_few)
{
    uint32_t lengths[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        lengths[i] = i == 7 ? 1500 : LENGTH;
    struct host_csr a = csr_of_lengths(PRECISION_F64, ROWS, COLS, lengths, 1);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t k = 0; k < among_few; k++)
            a.col[a.row[i] + k] = k * (FEW / LENGTH) + i % (FEW / LENGTH);
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t k = among_few; k < lengths[i]; k++) {
            uint32_t share = (COLS - FEW) / lengths[i];
            a.col[a.row[i] + k] = FEW + k * share + i * 31u % share;
        }
    return a;
}

static uint32_t hot_count(vks_context *c, const struct host_csr *a)
{
    OWNED(vks_matrix) *A = put_on(c, a, PRECISION_F64, VKS_FORMAT_CSR);
    struct hot_columns hot;
    must_work(c, hot_columns_find(A, &hot));
    uint32_t count = hot.count;
    hot_columns_destroy(c->device, &hot);
    return count;
}

TestOnGpu(hot, columns_are_found_where_half_of_the_entries_meet_few_of_them)
{
    OWNED_STRUCT(host_csr) skewed = matrix_with(LENGTH / 2), even = matrix_with(0);
    cr_assert_eq(hot_count(c, &skewed), 8192);
    cr_assert_eq(hot_count(c, &even), 0);
}

Test(hot, columns_are_not_looked_for_on_the_host)
{
    OWNED(vks_context) *c = open_context("host", (struct device_options){0});
    OWNED_STRUCT(host_csr) skewed = matrix_with(LENGTH / 2);
    cr_assert_eq(hot_count(c, &skewed), 0);
}

static void product(vks_context *c, const vks_matrix *A, const vks_vector *x, double y[ROWS])
{
    OWNED(vks_vector) *v = vector_of(c, PRECISION_F64, NULL, ROWS);
    must_work(c, vks_spmv(A, x, v));
    must_work(c, vks_vector_read(v, 0, ROWS, VKS_F64, y));
}

/* In f64, or with values stored in f32, whose x is still in f64, until new ones widen them. */
static void compare_with_csr(vks_precision p)
{
    OWNED(vks_context) *c = open_gpu();
    OWNED_STRUCT(host_csr) a = matrix_with(LENGTH / 2);
    double *values = random_vector(PRECISION_F64, COLS, 3, 5), csr[ROWS], balanced[ROWS];
    for (uint32_t k = 0; k < a.row[ROWS]; k++)
        a.val[k] = (float)a.val[k];
    OWNED(vks_matrix) *A = put_stored(c, &a, VKS_F64, (vks_format_options){.format = VKS_FORMAT_CSR}),
                      *B = put_stored(c, &a, p, (vks_format_options){.format = VKS_FORMAT_BALANCED});
    OWNED(vks_vector) *x = put_vector(c, values, COLS, PRECISION_F64);
    for (int turn = 0; turn < 2; turn++) {
        cr_assert_eq(vks_matrix_value_bytes(B), p == VKS_MIXED && turn == 0 ? 4 : 8);
        product(c, A, x, csr);
        product(c, B, x, balanced);
        must_equal(csr, balanced, ROWS, turn ? "with new values" : "y = A x");
        for (uint32_t k = 0; k < a.row[ROWS]; k++)
            a.val[k] = 1.0 / (k + 3);
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        must_work(c, vks_matrix_set_values(B, VKS_F64, a.val));
    }
    free(values);
}

Test(hot, columns_change_no_bit_of_a_product_also_after_new_values)
{
    compare_with_csr(VKS_F64);
}

Test(hot, columns_change_no_bit_of_a_product_with_values_in_f32_and_when_these_are_widened)
{
    compare_with_csr(VKS_MIXED);
}
