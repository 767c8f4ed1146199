/* Products of matrices of small dense blocks: must have the bits of the products of the same matrices in CSR,
 * with all entries of all blocks. */
#include "tests/support/device_blocks.h"
#include "tests/support/product_oracle.h"
#include "vksolve/multiply.h"

/* C = A B, then the values of other factors in C. */
static void expect_product(vks_context *c, enum precision p, const struct host_csr *of_a,
                           const struct host_csr *of_b, const uint32_t *size)
{
    OWNED_BY(blocks_destroy) struct blocks A, B, C;
    for (uint64_t seed = 0; seed < 2; seed++) {
        struct host_blocks a = host_blocks_of(p, of_a, size[0], size[1], seed),
                           b = host_blocks_of(p, of_b, size[1], size[2], seed + 10);
        struct host_csr all_a = host_blocks_expand(&a), all_b = host_blocks_expand(&b),
                        want = product_oracle(p, &all_a, &all_b);
        if (!seed) {
            A = put_blocks(c, &a, p);
            B = put_blocks(c, &b, p);
            must_work(c, blocks_multiply(&A, &B, &C));
        } else {
            uint32_t before = interposed_of(c->device)->allocations;
            write_values(c, &a, p, &A);
            write_values(c, &b, p, &B);
            must_work(c, blocks_multiply_again(&A, &B, &C));
            cr_expect_eq(interposed_of(c->device)->allocations, before, "values again took memory");
        }
        must_expand_to(c, &C, &want, seed ? "a product again" : "a product");
        host_csr_free(&want);
        host_csr_free(&all_a);
        host_csr_free(&all_b);
        free(a.val);
        free(b.val);
    }
}

static const uint32_t product_sizes[][3] = {{3, 3, 6}, {6, 3, 6}, {6, 6, 6}, {2, 2, 3}, {3, 2, 3}, {3, 3, 3},
                                            {1, 1, 1}, {2, 2, 2}, {1, 8, 4}, {8, 8, 8}, {4, 5, 7}, {5, 1, 5}};
enum { PRODUCT_SIZES = sizeof product_sizes / sizeof *product_sizes };

TestEverywhere(blocks_multiply, has_the_bits_of_csr_for_every_shape_and_size)
{
    OWNED_STRUCT(host_csr) b = random_csr(p, 60, 45, 7, 9);
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < PRODUCT_SIZES; k++) {
            OWNED_STRUCT(host_csr) a = pattern_of(shape, 60);
            expect_product(c, p, &a, &b, product_sizes[k]);
        }
}

/* A row of 1,200 blocks in A, and rows of 700 in B: all blocks of C have hundreds of terms, and rows of B are
 * searched far from their beginning. */
TestEverywhere(blocks_multiply, gives_long_rows_with_the_bits_of_csr)
{
    OWNED(uint32_t) *lengths = room(LONG_ROW_BLOCKS, 4);
    for (uint32_t i = 0; i < LONG_ROW_BLOCKS; i++)
        lengths[i] = i == 700 || i == 77 ? 700 : i % 4 ? 3 : 12;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(p, 4, LONG_ROW_BLOCKS, (uint32_t[]){2, LONG_ROW_BLOCKS, 0, 40},
                                              1),
                           b = csr_of_lengths(p, LONG_ROW_BLOCKS, 900, lengths, 2);
    expect_product(c, p, &a, &b, product_sizes[0]);
    expect_product(c, p, &a, &b, product_sizes[6]);
}

/* `rows` rows of `length` blocks in A, whose products all go to the same `cols` blocks of a row. */
static void expect_sums_of(vks_context *c, uint32_t rows, uint32_t length, uint32_t cols,
                           const uint32_t *size)
{
    OWNED_STRUCT(host_csr) a = rows_of_length(PRECISION_F64, rows, length, length),
                           b = rows_of_length(PRECISION_F64, length, cols, cols);
    expect_product(c, PRECISION_F64, &a, &b, size);
}

/* llvmpipe ends loops early: what is not refused there must be right. */
TestOnGpu(blocks_multiply, takes_rows_as_long_as_lavapipe_does)
{
    expect_sums_of(c, 10, 4000, 1, product_sizes[2]);
    expect_sums_of(c, 2, 1000, 10, product_sizes[2]);
    expect_sums_of(c, 10, 4000, 1, product_sizes[9]);
    expect_sums_of(c, 1, 100, 118, product_sizes[0]);
}

TestOnBoth(blocks_multiply, refuses_longer_rows_on_software_devices_alone)
{
    struct host_csr a = rows_of_length(PRECISION_F64, 1, 4001, 4001),
                    b = rows_of_length(PRECISION_F64, 4001, 1, 1);
    struct host_blocks left = host_blocks_of(PRECISION_F64, &a, 3, 3, 1),
                       right = host_blocks_of(PRECISION_F64, &b, 3, 6, 2);
    struct blocks A = put_blocks(c, &left, PRECISION_F64), B = put_blocks(c, &right, PRECISION_F64), C;
    vks_status s = blocks_multiply(&A, &B, &C);
    if (c->device->info.kind == DEVICE_SOFTWARE)
        must_refuse(c, s, VKS_LIMIT, "4001 products of 4001 entries");
    else
        must_work(c, s);
    blocks_destroy(&A);
    blocks_destroy(&B);
    blocks_destroy(&C);
    host_csr_free(&a);
    host_csr_free(&b);
    free(left.val);
    free(right.val);
}

/* An infinity times the zeros of a block: they are entries. */
TestEverywhere(blocks_multiply, gives_nan_for_infinities_and_zeros)
{
    OWNED_STRUCT(host_csr) one = csr_of_lengths(p, 1, 1, (uint32_t[]){1}, 1);
    double left[4] = {INFINITY, 1, 2, 3}, right[4] = {0, 5, 1, -2}, all[4] = {0};
    struct host_blocks a = {&one, 2, 2, left}, b = {&one, 2, 2, right}, got = {&one, 2, 2, all};
    OWNED_BY(blocks_destroy) struct blocks A = put_blocks(c, &a, p), B = put_blocks(c, &b, p), C;
    must_work(c, blocks_multiply(&A, &B, &C));
    must_work(c, download_values(c->device, &C.val, public_precision(p), 0, 4, VKS_F64, got.val));
    cr_expect(isnan(all[0]), "%g", all[0]);
    cr_expect_eq(all[1], INFINITY, "%g", all[1]);
    cr_expect_eq(all[2], 3, "%g", all[2]);
    cr_expect_eq(all[3], 4, "%g", all[3]);
}

/* R (A P) of blocks, compared with vks_matrix_triple_product of their expansions. */
TestEverywhere(blocks_multiply, projects_with_the_bits_of_the_triple_product)
{
    struct host_csr of_a = random_csr(p, 90, 90, 12, 1), of_p = random_csr(p, 90, 14, 3, 2);
    struct host_blocks a = host_blocks_of(p, &of_a, 3, 3, 3), b = host_blocks_of(p, &of_p, 3, 6, 4);
    struct blocks A = put_blocks(c, &a, p), P = put_blocks(c, &b, p), R, AP, C;
    vks_matrix *mA, *mP, *mR, *want;
    must_work(c, blocks_transpose(&P, &R));
    must_work(c, blocks_multiply(&A, &P, &AP));
    must_work(c, blocks_multiply(&R, &AP, &C));
    must_work(c, blocks_to_csr(&A, &in_csr, &mA));
    must_work(c, blocks_to_csr(&P, &in_csr, &mP));
    must_work(c, blocks_to_csr(&R, &in_csr, &mR));
    must_work(c, vks_matrix_triple_product(mR, mA, mP, NULL, &want));
    struct host_csr all = read_back(c, want);
    must_expand_to(c, &C, &all, "R (A P)");
    cr_expect_gt(all.row[all.rows], 36 * 14);
    host_csr_free(&all);
    vks_matrix_destroy(mA);
    vks_matrix_destroy(mP);
    vks_matrix_destroy(mR);
    vks_matrix_destroy(want);
    blocks_destroy(&A);
    blocks_destroy(&P);
    blocks_destroy(&R);
    blocks_destroy(&AP);
    blocks_destroy(&C);
    host_csr_free(&of_a);
    host_csr_free(&of_p);
    free(a.val);
    free(b.val);
}

Test(blocks_multiply, needs_no_more_than_three_workgroups)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.max_groups = 3});
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 300, 300, 5, 1);
    expect_product(c, PRECISION_F64, &a, &a, product_sizes[0]);
}
