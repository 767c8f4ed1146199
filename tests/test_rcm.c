/* The reverse Cuthill-McKee order, and reordered matrices. */
#include "entries/rcm.h"
#include "small_matrix.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* The band in reverse Cuthill-McKee order, which must be a permutation. */
static struct band ordered_band(const struct host_csr *a)
{
    uint32_t n = a->rows, *perm = malloc((n + 1) * sizeof *perm), *place = malloc((n + 1) * sizeof *place);
    cr_assert_eq(rcm_order(NULL, a, perm), VKS_OK);
    memset(place, 0xFF, n * sizeof *place);
    for (uint32_t i = 0; i < n; i++) {
        cr_assert_lt(perm[i], n);
        cr_assert_eq(place[perm[i]], UINT32_MAX);
        place[perm[i]] = i;
    }
    struct band band = rcm_band(a, place);
    free(perm);
    free(place);
    return band;
}

Test(rcm, a_shuffled_path_becomes_tridiagonal)
{
    OWNED_STRUCT(host_csr) path = tridiagonal(500, -1, 2, -1), shuffled = shuffle(&path);
    cr_assert_gt(rcm_band(&shuffled, NULL).lower, 100);
    struct band band = ordered_band(&shuffled);
    cr_assert(band.lower == 1 && band.upper == 1);
}

Test(rcm, a_shuffled_grid_gets_the_band_of_its_diagonals)
{
    OWNED_STRUCT(host_csr) shuffled;
    OWNED_STRUCT(host_csr) grid = model("poisson2d", 20);
    shuffled = shuffle(&grid);
    struct band band = ordered_band(&shuffled);
    cr_assert_eq(rcm_band(&grid, NULL).lower, 20);
    cr_assert_leq(band.lower, 21);
    cr_assert_eq(band.lower, band.upper);
}

Test(rcm, a_pattern_of_one_triangle_is_ordered_as_the_whole)
{
    uint32_t row[99], col[99];
    double val[99];
    for (uint32_t i = 0; i < 99; i++)
        row[i] = i, col[i] = i + 1, val[i] = 1;
    OWNED_STRUCT(host_csr) upper = assemble(100, 99, row, col, val), shuffled = shuffle(&upper);
    struct band band = ordered_band(&shuffled);
    cr_assert_leq(band.lower, 1);
    cr_assert_leq(band.upper, 1);
}

Test(rcm, disconnected_graphs_are_numbered_component_by_component)
{
    /* 40 paths of 5 vertices, 30 lone vertices with and without a diagonal, and a pair */
    uint32_t row[1000], col[1000], n = 0;
    double val[1000];
    size_t count = 0;
    for (int path = 0; path < 40; path++, n += 5)
        for (uint32_t i = 0; i < 4; i++)
            row[count] = n + i, col[count] = n + i + 1, val[count++] = 1;
    for (int lone = 0; lone < 30; lone++, n++)
        if (lone % 2)
            row[count] = col[count] = n, val[count++] = 1;
    row[count] = n + 1, col[count] = n, val[count++] = 1;
    n += 2;
    OWNED_STRUCT(host_csr) a = assemble(n, count, row, col, val), shuffled = shuffle(&a);
    struct band band = ordered_band(&shuffled);
    cr_assert_leq(band.lower, 1);
    cr_assert_leq(band.upper, 1);
}

Test(rcm, a_star_of_many_leaves_is_not_quadratic, .timeout = 10)
{
    uint32_t n = 300000, *row = malloc(n * sizeof *row), *col = calloc(n, sizeof *col);
    OWNED(double) *val = calloc(n, sizeof *val);
    for (uint32_t i = 0; i < n; i++)
        row[i] = i;
    OWNED_STRUCT(host_csr) star = assemble(n, n, row, col, val);
    struct band band = ordered_band(&star);
    cr_assert_lt(band.lower, n);
    free(row);
    free(col);
}

Test(rcm, no_rows_and_one_row_work)
{
    uint32_t row[] = {0, 0}, perm[1] = {7};
    struct host_csr none = {.row = row}, one = {.rows = 1, .cols = 1, .row = row};
    cr_assert_eq(rcm_order(NULL, &none, perm), VKS_OK);
    cr_assert_eq(perm[0], 7);
    cr_assert_eq(rcm_order(NULL, &one, perm), VKS_OK);
    cr_assert_eq(perm[0], 0);
}

Test(rcm, a_star_begins_at_the_far_end_and_is_reversed)
{
    /* Its centre is 0. From leaf 1 the farthest of least degree is leaf 2; from there it is 2, 0, 1, 3. */
    const uint32_t row[] = {0, 3, 3, 3, 3}, col[] = {1, 2, 3}, want[] = {3, 1, 0, 2};
    uint32_t order[4];
    cr_assert_eq(vks_reorder_rcm(4, row, col, order), VKS_OK);
    cr_assert_arr_eq(order, want, sizeof want);
}

Test(rcm, the_public_call_has_the_same_order_and_only_reads)
{
    OWNED_STRUCT(host_csr) shuffled;
    OWNED_STRUCT(host_csr) grid = model("poisson2d", 9);
    shuffled = shuffle(&grid);
    uint32_t mine[81], public[81];
    cr_assert_eq(rcm_order(NULL, &shuffled, mine), VKS_OK);
    cr_assert_eq(vks_reorder_rcm(81, shuffled.row, shuffled.col, public), VKS_OK);
    cr_assert_arr_eq(mine, public, sizeof mine);
}

Test(rcm, the_public_call_takes_no_rows_and_refuses_what_is_no_pattern)
{
    const uint32_t none[] = {0}, late[] = {1, 1, 2}, falling[] = {0, 2, 1}, fine[] = {0, 1, 2},
                   double_row[] = {0, 2, 2};
    const uint32_t outside[] = {0, 2}, unsorted[] = {1, 0}, twice[] = {1, 1}, good[] = {1, 0};
    uint32_t order[] = {7, 8};
    cr_expect_eq(vks_reorder_rcm(0, none, NULL, NULL), VKS_OK);
    cr_expect_eq(vks_reorder_rcm(2, NULL, good, order), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, fine, NULL, order), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, fine, good, NULL), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, late, good, order), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, falling, good, order), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, fine, outside, order), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, double_row, unsorted, order), VKS_INVALID_ARGUMENT);
    cr_expect_eq(vks_reorder_rcm(2, double_row, twice, order), VKS_INVALID_ARGUMENT);
    cr_expect(order[0] == 7 && order[1] == 8);
}

Test(rcm, the_mean_distance_is_that_of_all_entries)
{
    struct host_csr a = tridiagonal(10, -1, 2, -1), none = {.row = (uint32_t[]){0}};
    struct band band = rcm_band(&a, NULL);
    cr_expect_eq(band.mean, 18 / 28.0);
    const uint32_t swapped[] = {9, 1, 2, 3, 4, 5, 6, 7, 8, 0}; /* 0-1 and 8-9 are now 8 apart */
    cr_expect_eq(rcm_band(&a, swapped).mean, (14 + 4 * 8) / 28.0);
    cr_expect_eq(rcm_band(&none, NULL).mean, 0);
    host_csr_free(&a);
}

Test(rcm, a_permuted_matrix_has_each_entry_in_its_place)
{
    uint32_t row[] = {0, 0, 1, 2, 3}, col[] = {0, 3, 2, 1, 0};
    double val[] = {1, 2, 3, 4, 5};
    const uint32_t place[] = {2, 0, 3, 1};
    OWNED_STRUCT(host_csr) a = assemble(4, 5, row, col, val), b;
    cr_assert_eq(host_csr_permute(NULL, &a, place, &b), VKS_OK);
    for (int k = 0; k < 5; k++)
        row[k] = place[row[k]], col[k] = place[col[k]];
    OWNED_STRUCT(host_csr) want = assemble(4, 5, row, col, val);
    cr_assert(b.rows == 4 && b.cols == 4);
    cr_assert_arr_eq(b.row, want.row, 5 * sizeof *b.row);
    cr_assert_arr_eq(b.col, want.col, 5 * sizeof *b.col);
    cr_assert_arr_eq(b.val, want.val, 5 * sizeof *b.val);
}

Test(rcm, rectangles_are_refused)
{
    uint32_t row[] = {0, 0}, perm[2];
    struct host_csr a = {.rows = 1, .cols = 2, .row = row};
    cr_assert_eq(rcm_order(NULL, &a, perm), VKS_INVALID_ARGUMENT);
}
