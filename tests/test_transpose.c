/* Transposes, compared bit by bit with their definition. */
#include "files/files.h"
#include "tests/support/device_matrix.h"
#include "tests/support/product_oracle.h"
#include "vksolve/algebra.h"

/* The transpose, and its transpose. Frees a. */
static void attempt(vks_context *c, enum precision p, struct host_csr a, vks_format format, const char *what)
{
    OWNED_STRUCT(host_csr) want = transpose_oracle(&a);
    OWNED(vks_matrix) *A = put_on(c, &a, p, format), *T = NULL, *back = NULL;
    must_work(c, vks_matrix_transpose(A, format, &T));
    must_be(c, T, &want, what);
    cr_expect_eq(vks_matrix_precision(T), public_precision(p));
    must_work(c, vks_matrix_transpose(T, format, &back));
    must_be(c, back, &a, what);
    host_csr_free(&a);
}

/* Each row has `length` entries, except one that is full. */
static struct host_csr with_dense_row(enum precision p, uint32_t rows, uint32_t cols, uint32_t length)
{
    OWNED(uint32_t) *lengths = room(rows, 4);
    for (uint32_t i = 0; i < rows; i++)
        lengths[i] = i == rows / 3 ? cols : length;
    return csr_of_lengths(p, rows, cols, lengths, 5);
}

static struct host_csr from_file(const char *path)
{
    OWNED_STRUCT(market) file;
    struct host_csr a;
    cr_assert_eq(files_read_matrix(NULL, path, &file), VKS_OK, "%s", path);
    cr_assert_eq(host_csr_assemble(NULL, &file.entries, &a), VKS_OK);
    return a;
}

static void walk(vks_context *c, enum precision p)
{
    attempt(c, p, random_csr(p, 0, 0, 0, 1), VKS_FORMAT_AUTO, "nothing");
    attempt(c, p, random_csr(p, 7, 0, 0, 1), VKS_FORMAT_AUTO, "no columns");
    attempt(c, p, random_csr(p, 0, 7, 0, 1), VKS_FORMAT_AUTO, "no rows");
    attempt(c, p, random_csr(p, 7, 5, 0, 1), VKS_FORMAT_AUTO, "no entries");
    attempt(c, p, csr_of_lengths(p, 1, 1, (uint32_t[]){1}, 1), VKS_FORMAT_AUTO, "one entry");
    attempt(c, p, random_csr(p, 1000, 1000, 20, 2), VKS_FORMAT_SELL, "square, in slices");
    attempt(c, p, random_csr(p, 5000, 90, 6, 3), VKS_FORMAT_AUTO, "tall");
    attempt(c, p, random_csr(p, 90, 70000, 300, 4), VKS_FORMAT_AUTO, "wide");
    attempt(c, p, with_dense_row(p, 500, 9000, 2), VKS_FORMAT_AUTO, "a dense row, then a dense column");
    struct host_csr dense_row = with_dense_row(p, 9000, 500, 1), dense_column = transpose_oracle(&dense_row);
    host_csr_free(&dense_row);
    attempt(c, p, dense_column, VKS_FORMAT_AUTO, "a dense column, then a dense row");
}

Test(transpose, of_every_shape_gives_the_defined_bits)
{
    everywhere(walk);
}

Test(transpose, of_every_shape_gives_the_defined_bits_by_three_workgroups_without_subgroups)
{
    OWNED(vks_context) *c =
        open_context(gpu_name(), (struct device_options){.max_groups = 3, .without_subgroups = true});
    walk(c, PRECISION_F32);
}

/* As many parts as threads, fewer if there are many columns, and a part that is one dense row. */
Test(transpose, on_the_host_gives_the_same_bits_by_any_number_of_threads)
{
    for (uint32_t threads = 1; threads <= 5; threads++) {
        OWNED(vks_context) *c = open_context("host", (struct device_options){.threads = threads});
        for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
            attempt(c, p, random_csr(p, 5000, 90, 6, 3), VKS_FORMAT_CSR, "tall");
            attempt(c, p, random_csr(p, 90, 7000, 300, 4), VKS_FORMAT_CSR, "wide");
            attempt(c, p, with_dense_row(p, 500, 9000, 2), VKS_FORMAT_CSR, "a dense row");
        }
    }
}

TestOnBoth(transpose, of_files_gives_the_defined_bits)
{
    attempt(c, PRECISION_F64, from_file(SOURCE_DIR "/matrices/ash219.mtx.gz"), VKS_FORMAT_AUTO, "ash219");
    attempt(c, PRECISION_F64, from_file(SOURCE_DIR "/matrices/orsirr_1.mtx.gz"), VKS_FORMAT_AUTO, "orsirr_1");
    attempt(c, PRECISION_F64, from_file(SOURCE_DIR "/matrices/west0067.mtx.gz"), VKS_FORMAT_CSR, "west0067");
}

TestOnHost(transpose, refuses_what_is_no_format)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 9, 9, 3, 1);
    vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_AUTO), *T = A;
    must_refuse(c, vks_matrix_transpose(A, VKS_FORMAT_COUNT_, &T), VKS_INVALID_ARGUMENT, "not a vks_format");
    cr_expect_null(T);
    vks_matrix_destroy(A);
}

/* Slices with one row that is longer than the others would consist mostly of padding. */
TestOnHost(transpose, refuses_slices_where_they_would_be_padding)
{
    uint32_t lengths[500] = {[77] = 250};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 500, 9000, lengths, 2), b = transpose_oracle(&a);
    vks_matrix *A = put_on(c, &b, PRECISION_F64, VKS_FORMAT_AUTO), *T = A;
    must_refuse(c, vks_matrix_transpose(A, VKS_FORMAT_SELL, &T), VKS_LIMIT, "SELL would store");
    cr_expect_null(T);
    vks_matrix_destroy(A);
}
