/* The products of slices and of blocks that leave the tile sums of own . y, for the constants of their
 * kernels, compared bit by bit with their definition. The host runs each combination. The GPU runs a set that
 * covers every pair of values of two constants of slices, and blocks of each size, full and partial, with
 * lanes in turn. test_kernels_coded.c has those of codes. */
#include "tests/support/cases/bsr.h"
#include "tests/support/cases/dot.h"
#include "tests/support/cases/slices.h"

enum { ROWS = 997 };

static const char *where = "host";

static void expect_product_and_sums(const struct job *j, double *want)
{
    expect_spmv_sell(j, want);
    expect_sums(j, want);
}

static void record_slices(struct job *j)
{
    const struct sell *A = put_slices(j);
    const struct memory *x, *y = put_product(j, &x);
    if (sell_is_plain(A))
        spmv_sell_dot(&j->r, A, job_x(j, x), put_own(j), job_vec(j, y), compared_sums(j));
    else
        spmv_slices_dot(&j->r, A, job_x(j, x), put_own(j), job_vec(j, y), compared_sums(j));
}

static void record_blocks(struct job *j)
{
    const struct bsr *A = put_blocks(j);
    const struct memory *x, *y = put_product(j, &x);
    spmv_bsr_dot(&j->r, A, job_x(j, x), put_own(j), job_vec(j, y), compared_sums(j));
}

static void multiply(vks_context *c, const struct kernel_case *k, const struct host_csr *A, struct job j)
{
    double *x = random_vector(j.p, A->rows, 20, 50 + j.p);
    j.n = A->rows;
    j.A = A;
    j.x = x;
    job_run(&j, c->device, k, where);
    free(x);
}

/* Slices of 32 rows or of 64. */
static void multiply_slices(vks_context *c, enum precision p, uint32_t lanes, bool compact, bool longs,
                            uint32_t height)
{
    static uint32_t lengths[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        lengths[i] = longs && i % 41 == 7 ? 300 : i * i % 13;
    struct host_csr A = csr_of_lengths(stored_precision(p), ROWS, ROWS, lengths, 1);
    struct kernel_case k = {.name = longs ? "slices and long rows" : "slices",
                            .record = record_slices,
                            .expect = expect_product_and_sums,
                            .shape = {.height = height, .compact = compact}};
    multiply(c, &k, &A, (struct job){.p = p, .lanes = lanes});
    host_csr_free(&A);
}

static void multiply_blocks(vks_context *c, enum precision p, uint32_t size, uint32_t lanes, bool full)
{
    struct kernel_case k = {.name = full ? "full blocks" : "partial blocks",
                            .record = record_blocks,
                            .expect = expect_product_and_sums};
    struct host_csr A = full ? blocked_csr(stored_precision(p), 65 * size + 1, 65 * size + 1, size, 20, 1)
                             : random_csr(stored_precision(p), 65 * size + 1, 65 * size + 1, 20, 1);
    multiply(c, &k, &A, (struct job){.p = p, .lanes = lanes, .size = size});
    host_csr_free(&A);
}

Test(kernels_dot, products_and_sums_have_the_defined_bits_for_each_combination_on_the_host)
{
    vks_context *c = open_host();
    for (enum precision p = 0; p < PRECISIONS; p++)
        for (uint32_t lanes = 1; lanes <= 8; lanes *= 2) {
            for (int k = 0; k < 8; k++)
                multiply_slices(c, p, lanes, k & 1, k & 2, k & 4 ? 64 : 32);
            for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++)
                for (int full = 0; full < 2; full++)
                    multiply_blocks(c, p, size, lanes, full);
        }
    close_context(c);
}

Test(kernels_dot, products_and_sums_have_the_defined_bits_for_a_set_of_combinations_on_a_gpu)
{
    vks_context *c = open_gpu();
    where = gpu_name();
    for (uint32_t l = 0; l < 4; l++)
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t height = 32; height <= 64; height *= 2)
                multiply_slices(c, (enum precision)((l + k) % PRECISIONS), 1u << l, k, (l + k + l / 2) % 2,
                                height);
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++)
        for (uint32_t k = 0; k < 2; k++)
            multiply_blocks(c, (enum precision)((size + k) % PRECISIONS), size, 1u << (size + 2 * k) % 4, k);
    close_context(c);
}
