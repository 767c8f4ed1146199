/* What auto chooses on a GPU and why, on matrices made for it. */
#include "sparse/bsr.h"
#include "sparse/choose.h"
#include "tests/support/bsr_oracle.h"
#include "tests/support/device_matrix.h"

static vks_matrix *chosen(vks_context *c, const struct host_csr *A, vks_format_options o, vks_precision p)
{
    vks_matrix_options options = {.storage = o, .precision = p};
    return matrix_from(c, A, &options);
}

static void expect_of(vks_context *c, const struct host_csr *A, vks_format_options o, vks_precision p,
                      vks_format format, const char *why)
{
    OWNED(vks_matrix) *m = chosen(c, A, o, p);
    cr_expect_eq(vks_matrix_format(m), format, "%s: %s", vks_format_name(vks_matrix_format(m)),
                 vks_matrix_format_reason(m));
    cr_expect(strstr(vks_matrix_format_reason(m), why), "\"%s\" does not say \"%s\"",
              vks_matrix_format_reason(m), why);
    must_be(c, m, A, why);
    must_multiply_as_csr(c, m, p == VKS_F32 ? PRECISION_F32 : PRECISION_F64);
}

static void expect_choice(vks_context *c, struct host_csr A, vks_format format, const char *why)
{
    expect_of(c, &A, (vks_format_options){0}, VKS_F64, format, why);
    host_csr_free(&A);
}

/* Blocks of the given size at the entries of a matrix with seven a row. */
static struct host_csr full_blocks(uint32_t size)
{
    struct host_csr a = rows_of_length(PRECISION_F64, 2560 / (size * size), 300, 7), b = kron_csr(&a, size);
    host_csr_free(&a);
    return b;
}

/* 4 / size and 4 / (7 size) of words for each entry in addition to the values. */
TestOnGpu(choose, full_blocks_of_each_size_are_taken_with_that_size)
{
    for (uint32_t size = 2; size <= 8; size++) {
        char why[64];
        snprintf(why, sizeof why, "blocks of %u x %u are full: ", size, size);
        OWNED_STRUCT(host_csr) A = full_blocks(size);
        OWNED(vks_matrix) *m = chosen(c, &A, (vks_format_options){0}, VKS_F64);
        cr_expect_eq(vks_matrix_format(m), VKS_FORMAT_BSR, "%u: %s", size, vks_matrix_format_reason(m));
        cr_expect_eq(bsr_of(m)->size, size);
        cr_expect_null(bsr_of(m)->mask);
        cr_expect(strstr(vks_matrix_format_reason(m), why), "%s", vks_matrix_format_reason(m));
    }
}

/* 3 x 3: 8 + 4/9 + 4/21 bytes, and at most 1/63 of a slice of 32 block rows is padding. */
TestOnGpu(choose, the_reason_has_the_bytes)
{
    struct host_csr a = rows_of_length(PRECISION_F64, 320, 300, 7), b = kron_csr(&a, 3);
    expect_of(c, &b, (vks_format_options){0}, VKS_F64, VKS_FORMAT_BSR,
              "blocks of 3 x 3 are full: 8.6 bytes an entry instead of 12.2");
    host_csr_free(&a);
    host_csr_free(&b);
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 64), VKS_FORMAT_SELL,
                  "slices store 1.00 times the entries: 10.1 bytes an entry instead of 12.1");
}

/* Values in f32 save 4 bytes each, in f64 none. */
TestOnGpu(choose, bills_count_values_as_they_are_stored)
{
    OWNED_STRUCT(host_csr) a = rows_of_length(PRECISION_F32, 1024, 1000, 64);
    expect_of(c, &a, (vks_format_options){0}, VKS_MIXED, VKS_FORMAT_SELL,
              "slices store 1.00 times the entries: 6.1 bytes an entry instead of 8.1");
    a.val[a.row[a.rows] - 1] = 0.1;
    expect_of(c, &a, (vks_format_options){0}, VKS_MIXED, VKS_FORMAT_SELL,
              "slices store 1.00 times the entries: 10.1 bytes an entry instead of 12.1");
}

TestOnGpu(choose, a_size_that_is_asked_for_is_the_only_one)
{
    OWNED_STRUCT(host_csr) A = full_blocks(4);
    expect_of(c, &A, (vks_format_options){.block_size = 2}, VKS_F64, VKS_FORMAT_BSR, "blocks of 2 x 2");
    expect_of(c, &A, (vks_format_options){.block_size = 3}, VKS_F64, VKS_FORMAT_SELL, "slices");
}

/* A block lacks one entry, in 6,000 block rows of which every sixth is examined: this is detected in time. */
TestOnGpu(choose, blocks_that_turn_out_to_be_partial_are_given_up)
{
    OWNED_STRUCT(host_csr) a = rows_of_length(PRECISION_F64, 6000, 6000, 3), b = kron_csr(&a, 2),
                           whole = kron_csr(&a, 2);
    uint32_t row = 2 * 3001, hole = b.row[row], last = b.row[b.rows] - 1;
    memmove(b.col + hole, b.col + hole + 1, 4 * (size_t)(last - hole));
    memmove(b.val + hole, b.val + hole + 1, 8 * (size_t)(last - hole));
    for (uint32_t i = row + 1; i <= b.rows; i++)
        b.row[i]--;
    expect_of(c, &whole, (vks_format_options){0}, VKS_F64, VKS_FORMAT_BSR, "blocks of 2 x 2");
    OWNED(vks_matrix) *m = chosen(c, &b, (vks_format_options){0}, VKS_F64);
    cr_expect_neq(vks_matrix_format(m), VKS_FORMAT_BSR);
    cr_expect_str_eq(vks_context_message(c), "");
    must_be(c, m, &b, "partial after all");
}

TestOnGpu(choose, rows_of_even_length_are_taken_in_slices)
{
    expect_choice(c, rows_of_length(PRECISION_F64, 4096, 1000, 7), VKS_FORMAT_SELL,
                  "slices store 1.00 times");
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 30), VKS_FORMAT_SELL,
                  "slices store 1.00 times");
    OWNED_STRUCT(host_csr) A = rows_of_length(PRECISION_F32, 1024, 1000, 30);
    expect_of(c, &A, (vks_format_options){0}, VKS_F32, VKS_FORMAT_SELL, "slices store 1.00 times");
}

TestOnGpu(choose, short_rows_stay_in_csr)
{
    expect_choice(c, rows_of_length(PRECISION_F64, 4096, 1000, 5), VKS_FORMAT_CSR,
                  "rows are short: 5.0 entries on average");
    OWNED_STRUCT(host_csr) A = rows_of_length(PRECISION_F32, 4096, 1000, 5);
    expect_of(c, &A, (vks_format_options){0}, VKS_F32, VKS_FORMAT_CSR, "rows are short: 5.0");
}

/* Of 32 rows one has 250 entries, the others 11; and alternating lengths. */
static struct host_csr of_two_lengths(uint32_t rows, uint32_t most, uint32_t others, uint32_t turn)
{
    OWNED(uint32_t) *lengths = room(rows, 4);
    for (uint32_t i = 0; i < rows; i++)
        lengths[i] = i % turn ? others : most;
    return csr_of_lengths(PRECISION_F64, rows, 1000, lengths, 3);
}

TestOnGpu(choose, uneven_rows_are_not_padded)
{
    expect_choice(c, of_two_lengths(2048, 250, 11, 32), VKS_FORMAT_BALANCED,
                  "rows of very different lengths: slices would store 13.54 times the entries");
    expect_choice(c, of_two_lengths(2048, 30, 10, 2), VKS_FORMAT_CSR,
                  "rows of uneven length: slices would store 1.50 times the entries");
}

TestOnGpu(choose, a_limit_of_padding_is_kept)
{
    OWNED_STRUCT(host_csr) A = of_two_lengths(2048, 32, 30, 2);
    expect_of(c, &A, (vks_format_options){0}, VKS_F64, VKS_FORMAT_SELL, "1.03 times");
    expect_of(c, &A, (vks_format_options){.padding = 1.01}, VKS_F64, VKS_FORMAT_CSR,
              "would store 1.03 times");
}

TestOnGpu(choose, long_rows_and_few_entries_stay_in_csr_unless_iterations_share_a_dispatch)
{
    expect_choice(c, rows_of_length(PRECISION_F64, 1000, 1000, 100), VKS_FORMAT_CSR,
                  "long enough for many lanes each: 100.0 entries");
    expect_choice(c, rows_of_length(PRECISION_F64, 100, 1000, 300), VKS_FORMAT_CSR, "all rows are long");
    expect_choice(c, rows_of_length(PRECISION_F64, 500, 1000, 30), VKS_FORMAT_CSR,
                  "15000 entries are too few");
    expect_choice(c, rows_of_length(PRECISION_F64, 1000, 1000, 4), VKS_FORMAT_CSR,
                  "4000 entries are too few");
    expect_choice(c, rows_of_length(PRECISION_F64, 500, 500, 30), VKS_FORMAT_SELL, "slices");
    expect_choice(c, random_csr(PRECISION_F64, 0, 0, 0, 1), VKS_FORMAT_CSR, "0 entries");
}

/* Rows of 30 entries, except at the start. */
static struct host_csr long_at_the_start(uint32_t rows, uint32_t first, uint32_t length)
{
    OWNED(uint32_t) *lengths = room(rows, 4);
    for (uint32_t i = 0; i < rows; i++)
        lengths[i] = i < first ? length : 30;
    return csr_of_lengths(PRECISION_F64, rows, 1000, lengths, 3);
}

TestOnGpu(choose, where_rows_are_few_it_is_what_waits_least)
{
    c->device->info.turn_bytes = TURN_BYTES_DISCRETE;
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 30), VKS_FORMAT_CSR,
                  "rows are few: the longest waits for memory 2 times, in slices 5");
    expect_choice(c, long_at_the_start(2048, 128, 200), VKS_FORMAT_BALANCED,
                  "rows are few: the longest waits for memory 10 times, in CSR 13");
    expect_choice(c, long_at_the_start(2048, 128, 160), VKS_FORMAT_CSR, "10 times, in slices 21");
    c->device->info.turn_bytes = 1000;
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 30), VKS_FORMAT_SELL, "slices store 1.00");
}

/* On lavapipe, as if co-residency of workgroups had been observed. */
TestOnGpu(choose, where_iterations_share_a_dispatch_in_slices_these_may_wait_longer)
{
    c->device->info.turn_bytes = TURN_BYTES_DISCRETE;
    c->device->info.memory_model = true;
    c->device->info.polls = 1;
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1024, 30), VKS_FORMAT_SELL,
                  "iterations share a dispatch");
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 30), VKS_FORMAT_CSR, "rows are few");
    expect_choice(c, rows_of_length(PRECISION_F64, 4096, 4096, 4), VKS_FORMAT_CSR,
                  "rows are few: the longest waits for memory 1 times");
    c->device->info.polls = 0;
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1024, 30), VKS_FORMAT_CSR, "rows are few");
}

TestOnHost(choose, the_host_takes_csr)
{
    expect_choice(c, full_blocks(3), VKS_FORMAT_CSR, "rows are contiguous for a processor");
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 30), VKS_FORMAT_CSR, "processor");
}

/* 17,000 rows: one kind for each of three diagonals, and more on the main one. */
static struct host_csr of_kinds(uint32_t on_diagonal)
{
    struct host_csr A = new_csr(17000, 17000, 3 * 17000);
    for (uint32_t i = 0, k = 0; i < A.rows; i++) {
        for (uint32_t j = i ? i - 1 : 0; j < A.cols && j <= i + 1; j++, k++) {
            A.col[k] = j;
            A.val[k] = j == i ? 2.0 + i % on_diagonal : -1;
        }
        A.row[i + 1] = k;
    }
    return A;
}

Test(choose, entries_of_few_kinds_are_taken_as_codes)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    expect_choice(host, of_kinds(1), VKS_FORMAT_SELL, "of 3 kinds: 1.4 bytes an entry instead of 13.3");
    expect_choice(host, of_kinds(253), VKS_FORMAT_SELL, "of 255 kinds");
    expect_choice(host, of_kinds(254), VKS_FORMAT_CSR, "processor"); /* two bytes */
    expect_choice(gpu, of_kinds(1), VKS_FORMAT_SELL, "1.4 bytes an entry instead of 13.3");
    expect_choice(gpu, of_kinds(254), VKS_FORMAT_SELL, "3.0 bytes an entry instead of 13.3");
    expect_choice(gpu, of_kinds(7000), VKS_FORMAT_SELL, "12.1 bytes an entry instead of 13.3");
    OWNED_STRUCT(host_csr) A = of_kinds(1);
    expect_of(gpu, &A, (vks_format_options){.coding = VKS_CODED_NEVER}, VKS_F64, VKS_FORMAT_SELL,
              "12.1 bytes");
    expect_of(host, &A, (vks_format_options){.coding = VKS_CODED_NEVER}, VKS_F64, VKS_FORMAT_CSR,
              "processor");
}

/* The cost to convert a matrix from CSR, including the copy of CSR with its three arrays. */
struct effort {
    uint32_t submissions, reads, allocations;
};

static struct effort cost_of(vks_context *c, const struct host_csr *A, vks_format_options o,
                             vks_format expected)
{
    OWNED(vks_matrix) *m = chosen(c, A, (vks_format_options){.format = VKS_FORMAT_CSR}, VKS_F64), *n = NULL;
    struct interposed *i = interposed_of(c->device), before = *i;
    must_work(c, vks_matrix_convert(m, &o, &n));
    struct effort cost = {i->submissions - before.submissions, i->reads - before.reads,
                          i->allocations - before.allocations};
    cr_expect_eq(vks_matrix_format(n), expected);
    return cost;
}

/* The copy and the statistics; then the entries; for BSR the sizes of slices between them. Nothing is read
 * back, since totals are in shared memory. */
TestOnBoth(choose, nothing_is_looked_at_twice)
{
    OWNED_STRUCT(host_csr) rows = rows_of_length(PRECISION_F64, 1024, 1000, 30), blocks = full_blocks(3);
    bool gpu = c->device->info.kind != DEVICE_HOST;
    const struct {
        const struct host_csr *A;
        vks_format asked, made;
        struct effort most;
    } t[] = {
        {&rows, VKS_FORMAT_CSR, VKS_FORMAT_CSR, {2, 0, 5}},
        {&rows, VKS_FORMAT_SELL, VKS_FORMAT_SELL, {3, 0, 10}},
        {&rows, VKS_FORMAT_AUTO, gpu ? VKS_FORMAT_SELL : VKS_FORMAT_CSR, {3, 0, 10}},
        {&rows, VKS_FORMAT_ELL, VKS_FORMAT_ELL, {3, 0, 7}},
        {&blocks, VKS_FORMAT_BSR, VKS_FORMAT_BSR, {4, 0, 10}},
        {&blocks, VKS_FORMAT_AUTO, gpu ? VKS_FORMAT_BSR : VKS_FORMAT_CSR, {4, 0, 12}},
    };
    for (size_t k = 0; k < sizeof t / sizeof *t; k++) {
        struct effort got = cost_of(c, t[k].A, (vks_format_options){.format = t[k].asked}, t[k].made);
        cr_expect_leq(got.submissions, t[k].most.submissions, "%zu: %u submissions", k, got.submissions);
        cr_expect_leq(got.reads, t[k].most.reads, "%zu: %u reads", k, got.reads);
        cr_expect_leq(got.allocations, t[k].most.allocations, "%zu: %u allocations", k, got.allocations);
    }
}
