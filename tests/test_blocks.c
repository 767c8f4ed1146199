/* Matrices of small dense blocks: conversions from and to CSR, transposes, and products with vectors,
 * compared with the same matrices in CSR, with all entries of all blocks. */
#include "tests/support/device_blocks.h"
#include "tests/support/product_oracle.h"

TestEverywhere(blocks, expand_to_all_entries_of_all_blocks)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 3}, {2, 2}, {3, 6}, {6, 3}, {8, 8}, {5, 7}};
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            OWNED_STRUCT(host_csr) a = pattern_of(shape, 70);
            struct host_blocks b = host_blocks_of(p, &a, sizes[k][0], sizes[k][1], k);
            struct host_csr want = host_blocks_expand(&b);
            struct blocks B = put_blocks(c, &b, p);
            must_expand_to(c, &B, &want, "blocks as CSR");
            blocks_destroy(&B);
            host_csr_free(&want);
            free(b.val);
        }
}

/* The result of blocks_from_csr for the blocks without their zeros, stored with `o`. */
static void expect_from_csr(vks_context *c, struct host_blocks *b, const vks_matrix_options *o)
{
    OWNED_STRUCT(host_csr) a = host_blocks_drop_zeros(b), want = host_blocks_expand(b);
    OWNED_BY(blocks_destroy) struct blocks B;
    OWNED(vks_matrix) *A = NULL;
    OWNED(double) *zeros = room(a.row[a.rows], 8);
    must_work(c, vks_matrix_from_csr(c, a.rows, a.cols, a.row, a.col, zeros, o, &A));
    must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
    must_work(c, blocks_from_csr(A, b->br, &B));
    must_expand_to(c, &B, &want, "blocks from CSR");
    must_work(c, vks_matrix_set_values(A, VKS_F64, zeros));
    must_work(c, blocks_from_csr_again(A, &B));
    must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
    must_work(c, blocks_from_csr_again(A, &B));
    must_expand_to(c, &B, &want, "blocks from CSR, again");
}

/* Each block keeps an entry, since an empty one would not be found. */
static struct host_blocks blocks_with_entries(enum precision p, const struct host_csr *a, uint32_t size)
{
    struct host_blocks b = host_blocks_of(p, a, size, size, size);
    for (uint32_t q = 0; q < a->row[a->rows]; q++)
        b.val[(q + 1) * size * size - 1] = 1.5;
    return b;
}

TestEverywhere(blocks, hold_the_entries_of_csr_of_every_shape_and_size)
{
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (uint32_t size = 1; size <= 8; size++) {
            OWNED_STRUCT(host_csr) a = pattern_of(shape, 64);
            struct host_blocks b = blocks_with_entries(p, &a, size);
            expect_from_csr(c, &b, &(vks_matrix_options){.precision = public_precision(p)});
            free(b.val);
        }
}

/* 1,200 blocks in a row: each row of CSR exceeds what a lane or a squad takes. */
TestEverywhere(blocks, hold_long_rows_of_csr)
{
    uint32_t lengths[8] = {3, LONG_ROW_BLOCKS, 0, 1, 900, 2, 5, 1};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(p, 8, LONG_ROW_BLOCKS, lengths, 1);
    struct host_blocks b = blocks_with_entries(p, &a, 3);
    expect_from_csr(c, &b, &(vks_matrix_options){.precision = public_precision(p)});
    free(b.val);
}

/* Lean ones have no CSR of their own; narrow ones have values in f32. */
TestOnBoth(blocks, hold_the_entries_of_lean_and_narrow_matrices)
{
    static const vks_matrix_options stored[] = {{.storage = {.format = VKS_FORMAT_SELL, .lean = true}},
                                                {.precision = VKS_MIXED},
                                                {.precision = VKS_MIXED, .storage = {.lean = true}},
                                                {.storage = {.format = VKS_FORMAT_BSR, .block_size = 3}}};
    OWNED_STRUCT(host_csr) a = pattern_of(0, 64);
    for (size_t k = 0; k < sizeof stored / sizeof *stored; k++) {
        /* values representable in f32, so that a mixed matrix is narrow */
        struct host_blocks b = blocks_with_entries(PRECISION_F32, &a, 3);
        expect_from_csr(c, &b, &stored[k]);
        free(b.val);
    }
}

TestEverywhere(blocks, transpose)
{
    static const uint32_t sizes[][2] = {{1, 1}, {3, 6}, {6, 3}, {2, 2}, {8, 7}};
    for (uint32_t shape = 0; shape < SHAPES; shape++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
            OWNED_STRUCT(host_csr) a = pattern_of(shape, 70);
            OWNED_BY(blocks_destroy) struct blocks B, T;
            struct host_blocks b = host_blocks_of(p, &a, sizes[k][0], sizes[k][1], 0);
            OWNED_STRUCT(host_csr) all = host_blocks_expand(&b), want = transpose_oracle(&all);
            B = put_blocks(c, &b, p);
            must_work(c, blocks_transpose(&B, &T));
            must_expand_to(c, &T, &want, "a transpose");
            free(b.val);
        }
}

static void expect_product_with_vector(vks_context *c, enum precision p, const struct host_csr *a,
                                       uint32_t br, uint32_t bc)
{
    struct host_blocks b = host_blocks_of(p, a, br, bc, 1);
    struct host_csr all = host_blocks_expand(&b);
    struct blocks A = put_blocks(c, &b, p);
    OWNED(double) *v = random_vector(p, all.cols, 3, 2), *got = room(all.rows, 8), *want = room(all.rows, 8);
    vks_vector *x = put_vector(c, v, all.cols, p), *y = put_vector(c, got, all.rows, p);
    struct rec r;
    rec_create(&r, c->device, p);
    spmv_blocks(&r, &A, vec_of(x), vec_of(y));
    must_work(c, rec_run(&r));
    rec_destroy(&r);
    must_work(c, vks_vector_read(y, 0, all.rows, VKS_F64, got));
    for (uint32_t i = 0; i < all.rows; i++)
        want[i] = row_of_blocks(p, &all, v, i, csr_lanes(all.rows, all.row[all.rows]));
    must_equal(got, want, all.rows, "y = A x");
    vks_vector_destroy(x);
    vks_vector_destroy(y);
    blocks_destroy(&A);
    host_csr_free(&all);
    free(b.val);
}

TestEverywhere(blocks, multiply_vectors_in_the_order_of_csr)
{
    for (uint32_t shape = 0; shape < SHAPES; shape++) {
        OWNED_STRUCT(host_csr) a = pattern_of(shape, 70);
        expect_product_with_vector(c, p, &a, 3, 3);
        expect_product_with_vector(c, p, &a, 3, 6);
        expect_product_with_vector(c, p, &a, 6, 3);
        expect_product_with_vector(c, p, &a, 1, 8);
    }
    OWNED_STRUCT(host_csr) a = csr_of_lengths(p, 3, 2000, (uint32_t[]){0, 2000, 300}, 5);
    expect_product_with_vector(c, p, &a, 6, 3);
}

/* Rows of one block and of 400, which one lane would have to sum; two of the latter in a workgroup. */
TestEverywhere(blocks, multiply_vectors_with_few_long_rows)
{
    enum { ROWS = 1500 };
    uint32_t lengths[ROWS];
    for (uint32_t i = 0; i < ROWS; i++)
        lengths[i] = i == 100 || i == 101 || i == ROWS - 1 ? 400 : 1;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(p, ROWS, 500, lengths, 5);
    expect_product_with_vector(c, p, &a, 2, 2);
    expect_product_with_vector(c, p, &a, 3, 1);
}

Test(blocks, need_no_more_than_three_workgroups)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.max_groups = 3});
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 300, 300, 5, 1);
    expect_product_with_vector(c, PRECISION_F64, &a, 3, 6);
}

/* Blocks of 8 x 8 may have more elements than an index can count, even if their number fits. */
TestOnBoth(blocks, are_refused_where_they_have_too_many_rows_or_elements)
{
    OWNED_BY(blocks_destroy) struct blocks B;
    context_begin(c);
    must_refuse(c, blocks_begin(c, PRECISION_F64, 0x20000000, 1, 8, 1, &B), VKS_LIMIT,
                "more than 4278190080 rows or columns");
    blocks_destroy(&B);
    context_begin(c);
    must_work(c, blocks_begin(c, PRECISION_F64, 1, 1, 8, 8, &B));
    must_refuse(c, blocks_room(&B, 0x04000000), VKS_LIMIT, "have 4294967296 elements");
}
