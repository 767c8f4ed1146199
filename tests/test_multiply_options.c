/* Products of matrices: the effect of options, and new values for an existing product. */
#include "tests/support/device_matrix.h"
#include "tests/support/drop_oracle.h"
#include "tests/support/product_oracle.h"
#include "vksolve/multiply.h"

/* Whole numbers of a few sizes, whose sums often cancel, and a NaN in the last row. */
static struct host_csr cancelling(uint32_t rows, uint32_t cols, uint64_t seed)
{
    static const double values[] = {1, -1, 1, -1, 2, -2, 1, -1, 1, 300};
    struct host_csr a = random_csr(PRECISION_F64, rows, cols, 10, seed);
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        a.val[k] = values[random_below(&seed, 10)];
    a.val[host_csr_entries(&a) - 1] = NAN;
    return a;
}

/* C must have the entries that a drop leaves of `all`, including zeros on the diagonal and NaN. */
static void expect_rest(vks_context *c, enum precision p, const vks_matrix *C, const struct host_csr *all,
                        double below, const char *what)
{
    OWNED_STRUCT(host_csr) rest = drop_oracle(p, all, below);
    size_t zeros = 0, nans = 0;
    for (uint32_t i = 0; i < rest.rows; i++)
        for (uint32_t k = rest.row[i]; k < rest.row[i + 1]; k++) {
            zeros += rest.val[k] == 0;
            nans += isnan(rest.val[k]);
        }
    cr_assert(zeros && nans, "%s: the example has %zu zeros and %zu NaN that stay", what, zeros, nans);
    cr_assert_lt(host_csr_entries(&rest) + 20, host_csr_entries(all), "%s: the example drops little", what);
    must_be(c, C, &rest, what);
    cr_expect_eq(vks_matrix_format(C), VKS_FORMAT_SELL);
    must_multiply_as_csr(c, C, p);
}

TestEverywhere(multiply_options, products_are_left_without_what_is_dropped)
{
    OWNED_STRUCT(host_csr) a = cancelling(60, 50, 1), b = cancelling(50, 60, 2),
                           all = product_oracle(p, &a, &b);
    vks_matrix *A = put_on(c, &a, p, VKS_FORMAT_CSR), *B = put_on(c, &b, p, VKS_FORMAT_CSR), *C, *D;
    vks_multiply_options o = {.format = VKS_FORMAT_SELL, .drop = true};
    must_work(c, vks_matrix_multiply(A, B, &o, &C));
    expect_rest(c, p, C, &all, 0, "A B without zeros");
    o.drop_below = 0.01;
    must_work(c, vks_matrix_multiply(A, B, &o, &D));
    expect_rest(c, p, D, &all, 0.01, "A B without what is small");
    vks_matrix *matrices[] = {A, B, C, D};
    for (int i = 0; i < 4; i++)
        vks_matrix_destroy(matrices[i]);
}

/* A P is not the result, so it is not dropped from. */
TestEverywhere(multiply_options, triple_products_are_left_without_what_is_dropped)
{
    struct host_csr r = cancelling(40, 60, 3), a = cancelling(60, 70, 4), q = cancelling(70, 40, 5),
                    aq = product_oracle(p, &a, &q), all = product_oracle(p, &r, &aq);
    vks_matrix *R = put_on(c, &r, p, VKS_FORMAT_CSR), *A = put_on(c, &a, p, VKS_FORMAT_CSR),
               *P = put_on(c, &q, p, VKS_FORMAT_CSR), *C, *D;
    vks_multiply_options o = {.format = VKS_FORMAT_SELL, .drop = true};
    must_work(c, vks_matrix_triple_product(R, A, P, &o, &C));
    expect_rest(c, p, C, &all, 0, "R A P without zeros");
    o.drop_below = 0.01;
    must_work(c, vks_matrix_triple_product(R, A, P, &o, &D));
    expect_rest(c, p, D, &all, 0.01, "R A P without what is small");
    vks_matrix *matrices[] = {R, A, P, C, D};
    for (int i = 0; i < 5; i++)
        vks_matrix_destroy(matrices[i]);
    struct host_csr *oracles[] = {&r, &a, &q, &aq, &all};
    for (int i = 0; i < 5; i++)
        host_csr_free(oracles[i]);
}

/* Five entries in every row. */
static struct host_csr even_rows(enum precision p, uint64_t seed)
{
    uint32_t lengths[300];
    for (int i = 0; i < 300; i++)
        lengths[i] = 5;
    return csr_of_lengths(p, 300, 300, lengths, seed);
}

TestEverywhere(multiply_options, slices_take_the_values_of_a_product_again)
{
    struct host_csr a = even_rows(p, 1), b = even_rows(p, 2), first = product_oracle(p, &a, &b);
    vks_matrix *A = put_on(c, &a, p, VKS_FORMAT_CSR), *B = put_on(c, &b, p, VKS_FORMAT_CSR), *C;
    must_work(c, vks_matrix_multiply(A, B, &(vks_multiply_options){.format = VKS_FORMAT_SELL}, &C));
    cr_expect_eq(vks_matrix_format(C), VKS_FORMAT_SELL);
    must_be(c, C, &first, "A B in slices");
    must_multiply_as_csr(c, C, p);
    uint64_t seed = 3;
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        a.val[k] = random_wide(&seed, p, 3);
    struct host_csr second = product_oracle(p, &a, &b);
    must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
    must_work(c, vks_matrix_multiply_again(A, B, C));
    must_be(c, C, &second, "A B in slices, again");
    must_multiply_as_csr(c, C, p);
    vks_matrix_destroy(A);
    vks_matrix_destroy(B);
    vks_matrix_destroy(C);
    struct host_csr *oracles[] = {&a, &b, &first, &second};
    for (int i = 0; i < 4; i++)
        host_csr_free(oracles[i]);
}

/* C is full. */
TestEverywhere(multiply_options, entries_beyond_those_of_the_product_become_zeros)
{
    enum { N = 300 };
    struct host_csr a = random_csr(p, N, N, 4, 1), full = new_csr(N, N, N * N), want = new_csr(N, N, N * N),
                    product = product_oracle(p, &a, &a);
    for (uint32_t e = 0; e < N * N; e++) {
        want.col[e] = full.col[e] = e % N;
        want.row[e / N + 1] = full.row[e / N + 1] = e + 1;
        full.val[e] = 7;
    }
    for (uint32_t i = 0; i < N; i++)
        for (uint32_t k = product.row[i]; k < product.row[i + 1]; k++)
            want.val[N * i + product.col[k]] = product.val[k];
    vks_matrix *A = put_on(c, &a, p, VKS_FORMAT_AUTO), *C = put_on(c, &full, p, VKS_FORMAT_AUTO);
    must_work(c, vks_matrix_multiply_again(A, A, C));
    must_be(c, C, &want, "A A with zeros");
    vks_matrix_destroy(A);
    vks_matrix_destroy(C);
    struct host_csr *oracles[] = {&a, &full, &want, &product};
    for (int i = 0; i < 4; i++)
        host_csr_free(oracles[i]);
}

/* C = I B, which is B, in arrays of at most 100 MB. */
static void multiply_by_identity(uint32_t n, uint32_t cols, uint32_t threads)
{
    OWNED(vks_context) *c =
        open_context("host", (struct device_options){.largest_array = 100000000, .threads = threads});
    OWNED_STRUCT(host_csr) one = new_csr(n, n, n), b = new_csr(n, cols, n);
    for (uint32_t i = 0; i < n; i++) {
        one.row[i + 1] = b.row[i + 1] = i + 1;
        one.col[i] = i;
        one.val[i] = 1;
        b.col[i] = (uint32_t)((uint64_t)i * 2654435761u % cols);
        b.val[i] = i + 1;
    }
    OWNED(vks_matrix) *A = put_on(c, &one, PRECISION_F64, VKS_FORMAT_CSR),
                      *B = put_on(c, &b, PRECISION_F64, VKS_FORMAT_CSR), *C = NULL;
    must_work(c, vks_matrix_multiply(A, B, &(vks_multiply_options){.format = VKS_FORMAT_CSR}, &C));
    must_be(c, C, &b, "I B");
}

/* 80 MB for the only thread that has rows, but not for 16. */
Test(multiply_options, three_rows_need_the_marks_of_one_thread)
{
    multiply_by_identity(3, 16000000, 16);
}

/* 255 windows of 270,000 rows would need 275 MB, and a search one by one. */
Test(multiply_options, many_rows_in_very_many_columns_need_no_windows)
{
    multiply_by_identity(270000, VKS_LARGEST_INDEX, 2);
}
