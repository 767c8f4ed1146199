/* What products of matrices refuse. */
#include "primitive/pack_verbs.h"
#include "sparse/spgemm.h"
#include "tests/support/device_matrix.h"
#include "tests/support/product_oracle.h"
#include "vksolve/multiply.h"

static vks_matrix *random_matrix(vks_context *c, uint32_t rows, uint32_t cols, vks_precision p)
{
    OWNED_STRUCT(host_csr) a = random_csr(precision_of(p), rows, cols, 5, rows + 7);
    return put_on(c, &a, precision_of(p), VKS_FORMAT_AUTO);
}

static void must_refuse_product(const vks_context *c, const vks_matrix *A, const vks_matrix *B,
                                const vks_multiply_options *o, const char *part)
{
    vks_matrix *C = (vks_matrix *)(uintptr_t)A; /* anything but NULL */
    must_refuse(c, vks_matrix_multiply(A, B, o, &C), VKS_INVALID_ARGUMENT, part);
    cr_expect_null(C);
}

Test(multiply_refuse, operands_that_do_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    vks_matrix *A = random_matrix(c, 4, 5, VKS_F64), *narrow = random_matrix(c, 5, 4, VKS_F32),
               *foreign = random_matrix(other, 5, 4, VKS_F64), *C = A;
    must_refuse_product(c, A, A, NULL, "A B: A is 4 x 5 and B 4 x 5");
    must_refuse_product(c, A, narrow, NULL, "precision");
    must_refuse_product(c, A, foreign, NULL, "different contexts");
    must_refuse(c, vks_matrix_triple_product(A, A, A, NULL, &C), VKS_INVALID_ARGUMENT, "R A: R is 4 x 5");
    cr_expect_null(C);
    vks_matrix_destroy(A);
    vks_matrix_destroy(narrow);
    vks_matrix_destroy(foreign);
}

/* R is the first operand: its context gets the message, and that of A and P is unchanged. */
Test(multiply_refuse, a_triple_product_by_a_foreign_restriction)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    vks_matrix *A = random_matrix(c, 5, 5, VKS_F64), *foreign = random_matrix(other, 5, 5, VKS_F64), *C = A;
    must_refuse_product(c, A, A, &(vks_multiply_options){.format = (vks_format)99}, "99 is not a vks_format");
    must_refuse(other, vks_matrix_triple_product(foreign, A, A, NULL, &C), VKS_INVALID_ARGUMENT,
                "R and A belong to different contexts");
    cr_expect_null(C);
    cr_expect(strstr(vks_context_message(c), "99 is not a vks_format"), "\"%s\"", vks_context_message(c));
    vks_matrix_destroy(A);
    vks_matrix_destroy(foreign);
}

TestOnHost(multiply_refuse, options_that_are_none)
{
    OWNED(vks_matrix) *A = random_matrix(c, 5, 5, VKS_F64);
    must_refuse_product(c, A, A, &(vks_multiply_options){.format = (vks_format)99}, "99 is not a vks_format");
    must_refuse_product(c, A, A, &(vks_multiply_options){.drop = true, .drop_below = -1}, "entries below -1");
    must_refuse_product(c, A, A, &(vks_multiply_options){.drop = true, .drop_below = NAN}, "entries below");
    must_refuse_product(c, A, A, &(vks_multiply_options){.drop = true, .drop_below = 1.5},
                        "entries below 1.5");
}

Test(multiply_refuse, a_result_that_the_repeat_does_not_fit)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED(vks_matrix) *A = random_matrix(c, 5, 5, VKS_F64), *wrong = random_matrix(c, 5, 6, VKS_F64),
                      *narrow = random_matrix(c, 5, 5, VKS_F32),
                      *foreign = random_matrix(other, 5, 5, VKS_F64);
    vks_status bad = VKS_INVALID_ARGUMENT;
    must_refuse(c, vks_matrix_multiply_again(A, A, wrong), bad, "A B is 5 x 5, and C 5 x 6");
    must_refuse(c, vks_matrix_multiply_again(A, A, narrow), bad, "precision");
    must_refuse(c, vks_matrix_multiply_again(A, A, foreign), bad, "context");
    must_refuse(c, vks_matrix_multiply_again(A, A, A), bad, "C is A or B itself");
}

/* Rows 2 and 3 of A A are (2, 3) and (3); C lacks (2, 3), or the whole of row 3. */
static void expect_lack(vks_context *c, const uint32_t *row, const uint32_t *col, const char *part)
{
    const uint32_t a_row[] = {0, 0, 0, 2, 3}, a_col[] = {2, 3, 3};
    const double ones[] = {1, 1, 1};
    OWNED(vks_matrix) *A, *C;
    must_work(c, vks_matrix_from_csr(c, 4, 4, a_row, a_col, ones, NULL, &A));
    must_work(c, vks_matrix_from_csr(c, 4, 4, row, col, ones, NULL, &C));
    must_refuse(c, vks_matrix_multiply_again(A, A, C), VKS_INVALID_ARGUMENT, part);
}

TestOnBoth(multiply_refuse, a_result_that_lacks_an_entry_and_names_the_row)
{
    expect_lack(c, (uint32_t[]){0, 0, 0, 1, 2}, (uint32_t[]){2, 3}, "row 2 of A B");
    expect_lack(c, (uint32_t[]){0, 0, 1, 3, 3}, (uint32_t[]){2, 2, 3}, "row 3 of A B");
}

TestOnBoth(multiply_refuse, more_entries_than_indices_go)
{
    uint32_t counts[] = {0xF0000000u, 0x0F000000u, 1, 99}, entries;
    struct memory m;
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, sizeof counts, "counts", &m));
    must_work(c, device_write(c->device, &m, 0, counts, sizeof counts));
    must_refuse(c, offsets_from_counts(c->device, (u32s)(uintptr_t)m.address, 3, "the product", &entries),
                VKS_LIMIT, "the product would have 4278190081 entries; the most is 4278190080");
    device_release(c->device, &m);
}

TestOnHost(multiply_refuse, more_windows_of_columns_than_indices_go)
{
    struct spgemm g = {.d = c->device, .windows = {.count = 70000}};
    g.rows[SPGEMM_WINDOW] = 70000;
    must_refuse(c, spgemm_windows(&g), VKS_LIMIT, "70000 windows of columns");
}

/* The message names the memory that a product needs. */
Test(multiply_refuse, what_does_not_fit_into_an_array)
{
    const char *devices[] = {"host", gpu_name()};
    for (int d = 0; d < 2; d++) {
        OWNED(vks_context) *c = open_context(devices[d], (struct device_options){.largest_array = 100000});
        OWNED_STRUCT(host_csr) col = new_csr(200, 1, 200);
        vks_matrix *A, *B, *C;
        for (uint32_t i = 0; i < 200; i++)
            col.row[i + 1] = i + 1;
        OWNED_STRUCT(host_csr) line = transpose_oracle(&col);
        A = put_on(c, &col, PRECISION_F64, VKS_FORMAT_AUTO);
        B = put_on(c, &line, PRECISION_F64, VKS_FORMAT_AUTO);
        C = A;
        must_refuse(c, vks_matrix_multiply(A, B, NULL, &C), VKS_DEVICE_MEMORY,
                    "bytes for column indices are too many");
        cr_expect_null(C);
        vks_matrix_destroy(A);
        vks_matrix_destroy(B);
    }
}
