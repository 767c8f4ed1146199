/* What the calls on matrices refuse. */
#include "sparse/matrix.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"

#include <errno.h>
#include <unistd.h>

/* [[2, 1], [0, 3], [4, 0]] */
static const uint32_t good_row[] = {0, 2, 3, 4}, good_col[] = {0, 1, 1, 0};
static const double good_val[] = {2, 1, 3, 4};

static vks_matrix *good_matrix(vks_context *c, vks_precision p)
{
    vks_matrix *m = NULL;
    vks_matrix_options o = {.precision = p};
    must_work(c, vks_matrix_from_csr(c, 3, 2, good_row, good_col, good_val, &o, &m));
    return m;
}

static void must_refuse_csr(uint32_t rows, uint32_t cols, const uint32_t *row, const uint32_t *col,
                            vks_status expected, const char *part)
{
    OWNED(vks_context) *c = open_host();
    vks_matrix *m = (vks_matrix *)(uintptr_t)c;
    must_refuse(c, vks_matrix_from_csr(c, rows, cols, row, col, good_val, NULL, &m), expected, part);
    cr_expect_null(m);
}

Test(matrix_refuse, offsets_that_do_not_begin_at_zero_or_fall)
{
    must_refuse_csr(3, 2, (uint32_t[]){1, 2, 3, 4}, good_col, VKS_INVALID_ARGUMENT, "1");
    must_refuse_csr(3, 2, (uint32_t[]){0, 3, 2, 4}, good_col, VKS_INVALID_ARGUMENT, "row 1");
}

Test(matrix_refuse, columns_that_are_outside_or_do_not_ascend)
{
    must_refuse_csr(3, 2, good_row, (uint32_t[]){0, 1, 2, 0}, VKS_INVALID_ARGUMENT,
                    "row 1: column 2 is outside 0..1");
    must_refuse_csr(3, 2, good_row, (uint32_t[]){0, UINT32_MAX, 1, 0}, VKS_INVALID_ARGUMENT, "row 0");
    must_refuse_csr(3, 2, good_row, (uint32_t[]){1, 0, 1, 0}, VKS_INVALID_ARGUMENT, "row 0");
    must_refuse_csr(3, 2, good_row, (uint32_t[]){1, 1, 1, 0}, VKS_INVALID_ARGUMENT, "row 0");
}

Test(matrix_refuse, more_rows_or_columns_than_the_largest_index)
{
    must_refuse_csr(VKS_LARGEST_INDEX + 1, 2, good_row, good_col, VKS_LIMIT, "4278190080");
    must_refuse_csr(3, VKS_LARGEST_INDEX + 1, good_row, good_col, VKS_LIMIT, "4278190080");
}

TestOnHost(matrix_refuse, triplets_outside_the_matrix_by_their_number)
{
    static const uint32_t row[] = {0, 2, 1}, col[] = {0, 1, 1};
    vks_matrix *m = NULL;
    must_refuse(c, vks_matrix_from_coo(c, 2, 2, 3, row, col, good_val, NULL, &m), VKS_INVALID_ARGUMENT,
                "entry 1");
    must_refuse(c, vks_matrix_from_coo(c, 3, 1, 3, row, col, good_val, NULL, &m), VKS_INVALID_ARGUMENT,
                "column 1");
    must_refuse(c, vks_matrix_from_coo(c, 3, 2, (size_t)VKS_LARGEST_INDEX + 1, row, col, good_val, NULL, &m),
                VKS_LIMIT, "4278190080");
    cr_expect_null(m);
}

TestOnHost(matrix_refuse, values_that_are_no_precision)
{
    OWNED(vks_matrix) *m = NULL;
    double back[4];
    vks_matrix_options o = {.precision = (vks_precision)9};
    must_refuse(c, vks_matrix_from_csr(c, 3, 2, good_row, good_col, good_val, &o, &m), VKS_INVALID_ARGUMENT,
                "9 is not a vks_");
    must_refuse(c, vks_matrix_from_coo(c, 3, 2, 4, good_col, good_col, good_val, &o, &m),
                VKS_INVALID_ARGUMENT, "9 is not a vks_");
    must_refuse(c, vks_matrix_read(c, "/nonexistent", &o, &m), VKS_INVALID_ARGUMENT, "9 is not a vks_");
    o = (vks_matrix_options){.of_values = VKS_MIXED};
    must_refuse(c, vks_matrix_from_csr(c, 3, 2, good_row, good_col, good_val, &o, &m), VKS_INVALID_ARGUMENT,
                "2 is not a vks_precision of values in host memory");
    m = good_matrix(c, VKS_F64);
    must_refuse(c, vks_matrix_set_values(m, (vks_precision)4, good_val), VKS_INVALID_ARGUMENT,
                "4 is not a vks_");
    must_refuse(c, vks_matrix_to_csr(m, NULL, NULL, (vks_precision)5, back), VKS_INVALID_ARGUMENT,
                "5 is not a vks_");
}

TestOnHost(matrix_refuse, products_whose_shapes_do_not_fit)
{
    OWNED(vks_matrix) *A = good_matrix(c, VKS_F64);
    OWNED(vks_vector) *two = vector_of(c, PRECISION_F64, NULL, 2);
    OWNED(vks_vector) *three = vector_of(c, PRECISION_F64, NULL, 3);
    OWNED(vks_vector) *third = vector_of(c, PRECISION_F64, NULL, 3);
    must_work(c, vks_spmv(A, two, three));
    must_refuse(c, vks_spmv(A, three, two), VKS_INVALID_ARGUMENT, "A is 3 x 2, x has 3 elements and y has 2");
    must_refuse(c, vks_spmv(A, third, three), VKS_INVALID_ARGUMENT, "A is 3 x 2");
    must_refuse(c, vks_spmv(A, two, two), VKS_INVALID_ARGUMENT, "A is 3 x 2");
}

TestOnHost(matrix_refuse, products_onto_their_own_vector)
{
    OWNED(vks_matrix) *A = NULL;
    static const uint32_t row[] = {0, 1, 2}, col[] = {0, 1};
    must_work(c, vks_matrix_from_csr(c, 2, 2, row, col, good_val, NULL, &A));
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, 2);
    must_refuse(c, vks_spmv(A, x, x), VKS_INVALID_ARGUMENT, "same vector");
}

Test(matrix_refuse, products_across_contexts_or_precisions)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_matrix) *A = good_matrix(c, VKS_F64);
    OWNED(vks_vector) *x = vector_of(c, PRECISION_F64, NULL, 2);
    OWNED(vks_vector) *y = vector_of(c, PRECISION_F64, NULL, 3);
    OWNED(vks_vector) *narrow_x = vector_of(c, PRECISION_F32, NULL, 2);
    OWNED(vks_vector) *narrow_y = vector_of(c, PRECISION_F32, NULL, 3);
    OWNED(vks_vector) *foreign = vector_of(other, PRECISION_F64, NULL, 3);
    must_refuse(c, vks_spmv(A, narrow_x, y), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_spmv(A, x, narrow_y), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_spmv(A, x, foreign), VKS_INVALID_ARGUMENT, "different contexts");
    must_refuse(c, vks_spmv(A, foreign, y), VKS_INVALID_ARGUMENT, "different contexts");
}

Test(matrix_refuse, arrays_above_the_limit_with_it_named)
{
    OWNED(vks_context) *c = open_context(
        "host", (struct device_options){.largest_array = 8000, .unasked = true}); /* a trial needs more */
    vks_matrix *m = NULL;
    OWNED(uint32_t) *row = room(2001, 4), *col = room(2001, 4);
    OWNED(double) *val = room(2001, 8);
    row[1] = 1001;
    for (uint32_t k = 0; k < 2001; k++)
        col[k] = k;
    must_refuse(c, vks_matrix_from_csr(c, 1, 2001, row, col, val, NULL, &m), VKS_DEVICE_MEMORY,
                "8008 bytes for matrix values are too many");
    cr_expect(strstr(vks_context_message(c), "is 8000"));
    row[1] = 2001;
    must_refuse(c, vks_matrix_from_csr(c, 1, 2001, row, col, val, NULL, &m), VKS_DEVICE_MEMORY,
                "8004 bytes for column indices are too many");
    memset(row, 0, 2001 * 4);
    must_refuse(c, vks_matrix_from_csr(c, 2000, 1, row, NULL, NULL, NULL, &m), VKS_DEVICE_MEMORY,
                "8004 bytes for row offsets are too many");
    cr_expect_null(m);
}

/* Every call clears the previous errno, and only VKS_FILE sets one. */
TestOnHost(matrix_refuse, files_that_are_not_there_or_cannot_be_written_with_their_errno)
{
    vks_matrix *m = NULL, *good = good_matrix(c, VKS_F64);
    must_refuse(c, vks_matrix_read(c, "/nonexistent/a.mtx", NULL, &m), VKS_FILE, "/nonexistent/a.mtx");
    cr_expect_null(m);
    cr_expect_eq(vks_context_errno(c), ENOENT);
    must_refuse(c, vks_matrix_write(good, "/nonexistent/a.mtx"), VKS_FILE, "/nonexistent/a.mtx");
    double seconds;
    must_refuse(c, vks_context_kernel_seconds(c, &seconds), VKS_UNSUPPORTED, "without timestamps");
    cr_expect_eq(vks_context_errno(c), 0);
    struct message message = {0};
    errno = ENOMEM;
    cr_expect_eq(fail_file(&message, "a.mtx", "read"), VKS_OUT_OF_MEMORY);
    cr_expect_eq(message.error, 0);
    vks_matrix_destroy(good);
}

static void outlive(const char *device)
{
    vks_context *c = open_context(device, (struct device_options){0});
    uint32_t before = destroyed_devices, back[4];
    vks_matrix *A = good_matrix(c, VKS_F64);
    vks_vector *x = vector_of(c, PRECISION_F64, NULL, 2);
    vks_context_destroy(c);
    vks_vector_destroy(x);
    cr_expect_eq(vks_matrix_to_csr(A, NULL, back, VKS_F64, NULL), VKS_OK);
    cr_expect_eq(memcmp(back, good_col, sizeof back), 0);
    cr_expect_eq(destroyed_devices, before, "the device went before its last matrix");
    vks_matrix_destroy(A);
    cr_expect_eq(destroyed_devices, before + 1, "the device outlives its last matrix");
}

Test(matrix_refuse, to_close_the_device_before_the_last_matrix_is_gone)
{
    vks_matrix_destroy(NULL);
    outlive("host");
    outlive(gpu_name());
}
