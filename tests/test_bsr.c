/* BSR as a format: the size of its blocks, what it stores, that it keeps bits, and what it refuses. */
#include "sparse/bsr.h"
#include "tests/support/bsr_oracle.h"
#include "tests/support/device_matrix.h"
#include "vksolve/solver.h"

static vks_matrix *in_blocks(vks_context *c, const struct host_csr *a, enum precision p, uint32_t size,
                             bool lean)
{
    vks_matrix_options o = {
        .precision = public_precision(p),
        .storage = {.format = VKS_FORMAT_BSR, .block_size = size, .padding = 100, .lean = lean}};
    vks_matrix *A = matrix_from(c, a, &o);
    cr_assert_eq(vks_matrix_format(A), VKS_FORMAT_BSR);
    return A;
}

static void expect_size(vks_context *c, struct host_csr a, uint32_t size, bool full)
{
    OWNED(vks_matrix) *A = in_blocks(c, &a, PRECISION_F64, 0, false);
    cr_expect_eq(bsr_of(A)->size, size, "%u x %u: blocks of %u instead of %u", a.rows, a.cols,
                 bsr_of(A)->size, size);
    cr_expect_eq(bsr_of(A)->mask == NULL, full, "%u x %u: %s masks", a.rows, a.cols,
                 full ? "with" : "without");
    host_csr_free(&a);
}

static struct host_csr kron_of_spd(uint32_t n, uint32_t size)
{
    struct host_csr a = random_spd(PRECISION_F64, n, 3), b = kron_csr(&a, size);
    host_csr_free(&a);
    return b;
}

/* Blocks of 2 x 2 down the diagonal; one of them lacks an entry. */
static struct host_csr pairs_but_one(uint32_t pairs, uint32_t which)
{
    struct host_csr a = new_csr(2 * pairs, 2 * pairs, 4 * (size_t)pairs);
    uint32_t k = 0;
    for (uint32_t i = 0; i < a.rows; i++) {
        for (uint32_t c = i / 2 * 2; c < i / 2 * 2 + 2; c++)
            if (i != 2 * which || c == i) {
                a.col[k] = c;
                a.val[k++] = i + 0.5;
            }
        a.row[i + 1] = k;
    }
    return a;
}

/* One entry a row, each in a block of its own. */
static struct host_csr scattered(void)
{
    struct host_csr a = new_csr(100, 1000, 100);
    for (uint32_t i = 0; i < 100; i++) {
        a.col[i] = 9 * i;
        a.val[i] = 1;
        a.row[i + 1] = i + 1;
    }
    return a;
}

TestOnBoth(bsr, blocks_are_as_large_as_they_can_be_while_they_are_full)
{
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++)
        expect_size(c, kron_of_spd(101, size), size, true);
    expect_size(c, blocked_csr(PRECISION_F64, 500, 499, 3, 10, 1), 3, true);
    expect_size(c, random_csr(PRECISION_F64, 0, 9, 0, 1), 8, true);
    expect_size(c, random_csr(PRECISION_F64, 50, 9, 0, 1), 8, true);
    expect_size(c, random_csr(PRECISION_F64, 1, 1, 1, 3), 8, true);
    expect_size(c, scattered(), 4, false);
    expect_size(c, pairs_but_one(32, 5), 8, false);
}

/* Every fortieth of 40,000 block rows is examined. */
TestOnHost(bsr, a_partial_block_that_was_not_looked_at_has_its_mask)
{
    struct host_csr a = pairs_but_one(40000, 10001), b = pairs_but_one(40000, 10000);
    vks_matrix *A = in_blocks(c, &a, PRECISION_F64, 0, true);
    cr_expect_eq(bsr_of(A)->size, 2);
    cr_expect_not_null(bsr_of(A)->mask);
    cr_expect_eq(bsr_of(A)->blocks, 40000);
    must_be(c, A, &a, "pairs");
    vks_matrix_destroy(A);
    expect_size(c, b, 8, false);
    host_csr_free(&a);
}

/* For any size, entries are preserved, products are those of CSR, and new values are stored. */
static void keep_bits(vks_context *c, struct host_csr a, enum precision p, uint32_t size)
{
    OWNED(vks_matrix) *A = in_blocks(c, &a, p, size, true);
    cr_assert_eq(bsr_of(A)->size, size);
    must_be(c, A, &a, "in blocks");
    must_multiply_as_csr(c, A, p);
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        a.val[k] *= -2;
    must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
    must_be(c, A, &a, "in blocks, with new values");
    must_multiply_as_csr(c, A, p);
    host_csr_free(&a);
}

TestOnBoth(bsr, blocks_of_every_size_keep_entries_products_and_new_values)
{
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++) {
        enum precision p = size % 2 ? PRECISION_F64 : PRECISION_F32;
        keep_bits(c, blocked_csr(p, 211, 197, size, 12, 1), p, size);
        keep_bits(c, blocked_csr(p, 90, 700, size, 40, 2), p, size);
        keep_bits(c, random_csr(p, 200, 210, 40, 3), p, size);
        keep_bits(c, random_csr(p, size - 1, 1, 1, 4), p, size);
        keep_bits(c, random_csr(p, 40, 3, 0, 4), p, size);
    }
}

static struct host_csr dense_row(void)
{
    uint32_t lengths[300];
    for (uint32_t i = 0; i < 300; i++)
        lengths[i] = i == 77 ? 300 : 3;
    return csr_of_lengths(PRECISION_F64, 300, 300, lengths, 4);
}

static struct host_csr dense_column(void)
{
    uint32_t lengths[300];
    for (uint32_t i = 0; i < 300; i++)
        lengths[i] = 2;
    struct host_csr a = csr_of_lengths(PRECISION_F64, 300, 300, lengths, 4);
    for (uint32_t i = 0; i < 300; i++)
        a.col[a.row[i]] = 0;
    return a;
}

TestOnBoth(bsr, dense_rows_and_columns_and_empty_matrices_come_back_as_they_were)
{
    keep_bits(c, dense_row(), PRECISION_F64, 4);
    keep_bits(c, dense_column(), PRECISION_F64, 7);
    keep_bits(c, random_csr(PRECISION_F64, 100, 200000, 20, 4), PRECISION_F64, 5);
    keep_bits(c, random_csr(PRECISION_F64, 1, 1000, 1000, 4), PRECISION_F64, 3);
    keep_bits(c, random_csr(PRECISION_F32, 0, 4, 0, 4), PRECISION_F32, 6);
}

/* Whole slices of rows of one length: 8 bytes an entry, 4 for each nine, and offsets of nine slices and, from
 * the next multiple of 16 bytes on, of three slices of block rows; no mask. */
TestOnHost(bsr, full_blocks_take_a_word_for_each_block_beside_the_values)
{
    uint32_t lengths[32 * 3];
    for (uint32_t i = 0; i < 32 * 3; i++)
        lengths[i] = 5;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 32 * 3, 40, lengths, 1), b = kron_csr(&a, 3);
    uint64_t entries = host_csr_entries(&b);
    OWNED(vks_matrix) *B = in_blocks(c, &b, PRECISION_F64, 3, true);
    cr_expect_eq(entries, 32 * 3 * 5 * 9);
    cr_expect_eq(vks_matrix_format_bytes(B), 8 * entries + 4 * entries / 9 + 4 * 12 + 4 * (3 + 1));
}

TestOnBoth(bsr, is_refused_where_slices_would_be_padding)
{
    uint32_t lengths[640] = {[0] = 200};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 640, 640, lengths, 1);
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_BSR, .block_size = 4}};
    vks_matrix *A = NULL;
    must_refuse(c, vks_matrix_from_csr(c, a.rows, a.cols, a.row, a.col, a.val, &o, &A), VKS_LIMIT,
                "blocks of 4 x 4 would store 6400 entries and ");
    cr_expect_null(A);
    o.storage.padding = 12; /* 4,096 may always be padding */
    must_work(c, vks_matrix_from_csr(c, a.rows, a.cols, a.row, a.col, a.val, &o, &A));
    vks_matrix_destroy(A);
    o.storage.padding = 11;
    must_refuse(c, vks_matrix_from_csr(c, a.rows, a.cols, a.row, a.col, a.val, &o, &A), VKS_LIMIT,
                "for 200; the most is 11 times");
}

/* Solves one system in two formats; the size of blocks follows from it. */
static void solve_to(vks_context *c, const struct host_csr *a, vks_format format, double *x,
                     vks_solve_report *r)
{
    OWNED(vks_matrix) *A = put_on(c, a, PRECISION_F64, format);
    OWNED(vks_vector) *vx = put_vector(c, x, a->rows, PRECISION_F64),
                      *b = put_vector(c, x, a->rows, PRECISION_F64);
    must_work(c, vks_vector_fill(b, 1));
    must_work(c, vks_cg_solve(A, b, vx, NULL, r));
    must_work(c, vks_vector_read(vx, 0, a->rows, VKS_F64, x));
}

static void solve_alike(struct host_csr a, uint32_t lanes)
{
    vks_context *c[] = {open_host(), open_gpu()};
    OWNED(double) *want = room(a.rows, 8);
    vks_solve_report report[2];
    cr_assert_eq(csr_lanes(a.rows, a.row[a.rows]), lanes);
    solve_to(c[0], &a, VKS_FORMAT_CSR, want, &report[0]);
    for (int device = 0; device < 2; device++) {
        double *x = room(a.rows, 8);
        solve_to(c[device], &a, VKS_FORMAT_BSR, x, &report[1]);
        cr_expect_eq(report[1].reason, VKS_REASON_CONVERGED);
        cr_expect_eq(report[1].iterations, report[0].iterations);
        cr_expect_eq(report[1].true_residual, report[0].true_residual);
        must_equal(x, want, a.rows, "x");
        free(x);
        close_context(c[device]);
    }
    host_csr_free(&a);
}

Test(bsr, solves_have_the_bits_of_csr_with_full_blocks_and_any_number_of_lanes)
{
    solve_alike(kron_of_spd(16, 2), 1);
    solve_alike(kron_of_spd(301, 2), 2);
    solve_alike(kron_of_spd(201, 3), 2);
    solve_alike(kron_of_spd(101, 6), 4);
    OWNED_STRUCT(host_csr) a = kron_of_spd(31, 2), b = kron_of_spd(31, 3);
    solve_alike(kron_csr(&a, 5), 8);
    solve_alike(kron_csr(&b, 8), 16);
}

/* The first row and column are full, and that row is long. */
static struct host_csr arrow(uint32_t n)
{
    struct host_csr a = new_csr(n, n, 3 * (size_t)n);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t c = 0; c < (i ? 1 : n); c++) {
            a.col[k] = c;
            a.val[k++] = i || c ? 1.0 / (1 + i + c) : n;
        }
        if (i) {
            a.col[k] = i;
            a.val[k++] = 2 + i % 3;
        }
        a.row[i + 1] = k;
    }
    return a;
}

Test(bsr, solves_have_the_bits_of_csr_where_rows_are_long)
{
    solve_alike(arrow(700), 1);
    OWNED_STRUCT(host_csr) a = arrow(200);
    solve_alike(kron_csr(&a, 4), 1);
}

Test(bsr, solves_have_the_bits_of_csr_with_partial_blocks)
{
    solve_alike(random_spd(PRECISION_F64, 700, 3), 1);
}
