/* host_csr_assemble against a naive dense matrix. */
#include "entries/host_csr.h"
#include "team/team.h"
#include "tests/support/own.h"
#include <criterion/criterion.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 0x9E3779B97F4A7C15u;

static uint32_t below(uint32_t limit)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % limit;
}

static struct triplets allocate(uint32_t rows, uint32_t cols, size_t count)
{
    struct triplets t = {.rows = rows, .cols = cols, .count = count};
    t.row = malloc((count + 1) * sizeof *t.row);
    t.col = malloc((count + 1) * sizeof *t.col);
    t.val = malloc((count + 1) * sizeof *t.val);
    cr_assert(t.row && t.col && t.val);
    return t;
}

static void assert_well_formed(const struct host_csr *a)
{
    cr_assert_eq(a->row[0], 0);
    for (uint32_t r = 0; r < a->rows; r++)
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++) {
            cr_assert_lt(a->col[k], a->cols);
            if (k > a->row[r])
                cr_assert_lt(a->col[k - 1], a->col[k]);
        }
}

/* Sums in input order, as the oracle must, and counts the distinct places. */
static void assert_equals_dense(const struct triplets *t, const struct host_csr *a)
{
    size_t cells = (size_t)t->rows * t->cols, hit = 0;
    OWNED(double) *sum = calloc(cells + 1, sizeof *sum);
    bool *used = calloc(cells + 1, sizeof *used);
    for (size_t k = 0; k < t->count; k++) {
        size_t cell = (size_t)t->row[k] * t->cols + t->col[k];
        sum[cell] = used[cell] ? sum[cell] + t->val[k] : t->val[k];
        hit += !used[cell];
        used[cell] = true;
    }
    assert_well_formed(a);
    cr_assert_eq(host_csr_entries(a), hit);
    for (uint32_t r = 0; r < a->rows; r++)
        for (size_t k = a->row[r]; k < a->row[r + 1]; k++) {
            size_t cell = (size_t)r * t->cols + a->col[k];
            cr_assert(used[cell]);
            cr_assert_eq(memcmp(&sum[cell], &a->val[k], sizeof(double)), 0, "row %u column %u", r, a->col[k]);
        }
    free(used);
}

static void assemble_by(struct team *team, struct triplets *t)
{
    OWNED_STRUCT(host_csr) a;
    struct message m = {.team = team};
    cr_assert_eq(host_csr_assemble(&m, t, &a), VKS_OK, "%s", m.text);
    cr_assert_eq(a.rows, t->rows);
    cr_assert_eq(a.cols, t->cols);
    assert_equals_dense(t, &a);
    triplets_free(t);
}

static void assemble_and_compare(struct triplets *t)
{
    assemble_by(NULL, t);
}

static struct triplets random_triplets(uint32_t rows, uint32_t cols, size_t count)
{
    struct triplets t = allocate(rows, cols, count);
    for (size_t k = 0; k < count; k++) {
        t.row[k] = below(rows);
        t.col[k] = below(cols);
        t.val[k] = (double)below(1000) / 7 - 71;
    }
    return t;
}

Test(assemble, random_triplets_equal_the_dense_sum)
{
    for (uint32_t trial = 0; trial < 200; trial++) {
        struct triplets t = random_triplets(1 + below(40), 1 + below(40), below(600));
        assemble_and_compare(&t);
    }
}

Test(assemble, more_threads_than_parts_give_the_dense_sum)
{
    OWNED_BY(team_end) struct team *team = team_create(11);
    for (int trial = 0; trial < 20; trial++) {
        struct triplets t = random_triplets(1 + below(60), 1 + below(60), 5000);
        assemble_by(team, &t);
    }
}

Test(assemble, rows_too_long_for_insertion_equal_the_dense_sum)
{
    for (uint32_t trial = 0; trial < 40; trial++) {
        struct triplets t = random_triplets(1 + below(3), 1 + below(300), 30 + below(2000));
        assemble_and_compare(&t);
    }
}

Test(assemble, sorted_and_reversed_input_equal_the_dense_sum)
{
    for (int reversed = 0; reversed < 2; reversed++) {
        struct triplets t = allocate(50, 60, 50 * 60);
        for (uint32_t k = 0; k < 3000; k++) {
            uint32_t place = reversed ? 2999 - k : k;
            t.row[k] = place / 60;
            t.col[k] = place % 60;
            t.val[k] = place;
        }
        assemble_and_compare(&t);
    }
}

Test(assemble, duplicates_are_summed_in_input_order)
{
    static const double forward[] = {1e300, -1e300, 1, 1e-300}, backward[] = {1, 1e300, -1e300, 1e-300};
    for (int order = 0; order < 2; order++) {
        OWNED_STRUCT(triplets) t = allocate(2, 2, 4);
        OWNED_STRUCT(host_csr) a;
        for (size_t k = 0; k < 4; k++) {
            t.row[k] = t.col[k] = 1;
            t.val[k] = order ? backward[k] : forward[k];
        }
        cr_assert_eq(host_csr_assemble(NULL, &t, &a), VKS_OK);
        cr_assert_eq(host_csr_entries(&a), 1);
        cr_assert_eq(a.val[0], order ? 1e-300 : 1);
    }
}

Test(assemble, many_duplicates_in_a_long_row_are_summed_in_input_order)
{
    struct triplets t = allocate(1, 3, 9000);
    for (size_t k = 0; k < t.count; k++) {
        t.row[k] = 0;
        t.col[k] = (uint32_t)(2 - k % 3);
        t.val[k] = k % 2 ? 1e16 : 1.0 / (double)(k + 1);
    }
    assemble_and_compare(&t);
}

Test(assemble, entries_that_cancel_stay)
{
    struct triplets t = allocate(1, 1, 2);
    t.row[0] = t.row[1] = t.col[0] = t.col[1] = 0;
    t.val[0] = 5;
    t.val[1] = -5;
    assemble_and_compare(&t);
}

Test(assemble, one_row_of_a_million_entries_is_sorted, .timeout = 10)
{
    uint32_t n = 1000000;
    OWNED_STRUCT(triplets) t = allocate(3, n, n);
    OWNED_STRUCT(host_csr) a;
    for (uint32_t k = 0; k < n; k++) {
        t.row[k] = 1;
        t.col[k] = (uint32_t)((uint64_t)k * 999983 % n); /* a permutation: 999983 is prime to n */
        t.val[k] = t.col[k];
    }
    cr_assert_eq(host_csr_assemble(NULL, &t, &a), VKS_OK);
    cr_assert_eq(host_csr_entries(&a), n);
    for (uint32_t k = 0; k < n; k++)
        cr_assert(a.col[k] == k && a.val[k] == k);
}

Test(assemble, empty_rows_have_empty_ranges)
{
    OWNED_STRUCT(triplets) t = allocate(5, 4, 2);
    OWNED_STRUCT(host_csr) a;
    static const uint32_t offsets[] = {0, 0, 1, 1, 2, 2};
    t.row[0] = 3, t.col[0] = 0, t.val[0] = 7;
    t.row[1] = 1, t.col[1] = 3, t.val[1] = 8;
    cr_assert_eq(host_csr_assemble(NULL, &t, &a), VKS_OK);
    cr_assert_arr_eq(a.row, offsets, sizeof offsets);
    cr_assert_eq(a.val[0], 8);
    cr_assert_eq(a.val[1], 7);
}

Test(assemble, no_rows_and_no_entries_work)
{
    static const uint32_t shapes[][2] = {{0, 0}, {0, 7}, {7, 0}, {7, 7}};
    for (size_t i = 0; i < 4; i++) {
        struct triplets t = {.rows = shapes[i][0], .cols = shapes[i][1]};
        OWNED_STRUCT(host_csr) a;
        cr_assert_eq(host_csr_assemble(NULL, &t, &a), VKS_OK);
        cr_assert_eq(host_csr_entries(&a), 0);
        cr_assert(a.row && a.col && a.val);
    }
}

static void assert_refused(uint32_t row, uint32_t col, uint32_t rows, const char *text)
{
    OWNED_STRUCT(triplets) t = random_triplets(12, 9, 20);
    struct host_csr a;
    struct message m = {0};
    t.rows = rows;
    t.row[17] = row;
    t.col[17] = col;
    t.row[19] = 4000000000u;
    if (rows == 0)
        t.row[0] = 2;
    cr_assert_eq(host_csr_assemble(&m, &t, &a), VKS_INVALID_ARGUMENT);
    cr_assert_str_eq(m.text, text);
    cr_assert(!a.row && !a.col && !a.val && a.rows == 0);
}

Test(assemble, the_first_index_outside_is_named)
{
    assert_refused(12, 0, 12, "entry 17: row 12 is outside 0..11");
    assert_refused(3, 9, 12, "entry 17: column 9 is outside 0..8");
    assert_refused(0, 0, 0, "entry 0: row 2, but the matrix has no rows");
}

Test(assemble, limits_are_kept)
{
    struct triplets big = {.rows = VKS_MAX_ROWS + 1u, .cols = 1}, wide = {.rows = 1, .cols = UINT32_MAX};
    struct triplets many = {.rows = 1, .cols = 1, .count = (size_t)VKS_MAX_ENTRIES + 1};
    struct host_csr a;
    cr_assert_eq(host_csr_assemble(NULL, &big, &a), VKS_LIMIT);
    cr_assert_eq(host_csr_assemble(NULL, &wide, &a), VKS_LIMIT);
    cr_assert_eq(host_csr_assemble(NULL, &many, &a), VKS_LIMIT);
}

Test(assemble, free_accepts_zeroed_structs_and_leaves_them)
{
    struct triplets t = {0};
    struct host_csr a = {0};
    triplets_free(&t);
    host_csr_free(&a);
    t = random_triplets(3, 3, 3);
    cr_assert_eq(host_csr_assemble(NULL, &t, &a), VKS_OK);
    for (int twice = 0; twice < 2; twice++) {
        triplets_free(&t);
        host_csr_free(&a);
        cr_assert(!t.row && !t.col && !t.val && t.count == 0);
        cr_assert(!a.row && !a.col && !a.val && a.rows == 0);
    }
}
