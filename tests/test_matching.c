/* Maximum-product matching, compared with all permutations of small matrices. */
#include "entries/matching.h"
#include "small_matrix.h"
#include "tests/support/hard_to_match.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 7 };
static const struct caller no_caller;

/* n x n with about `filled` of 8 entries present. Magnitudes are powers of two if `ties`. */
static struct host_csr random_square(uint32_t n, uint32_t filled, bool ties, int range)
{
    uint32_t row[LARGEST * LARGEST], col[LARGEST * LARGEST];
    double val[LARGEST * LARGEST];
    size_t count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            double v = ties ? ldexp(1, (int)below(3)) : ldexp(1 + below(1000) / 1000.0, (int)below(9) - 4);
            if (below(8) >= filled)
                continue;
            row[count] = i;
            col[count] = j;
            val[count++] = ldexp(below(2) ? v : -v, range ? (int)below((uint32_t)range) - range / 2 : 0);
        }
    return assemble(n, count, row, col, val);
}

static double entry(const struct host_csr *A, uint32_t i, uint32_t j)
{
    for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++)
        if (A->col[e] == j)
            return A->val[e];
    return 0;
}

struct best {
    uint32_t rank;
    double log;
};

/* The most entries that a permutation puts on the diagonal, and their largest product. */
static void search(const struct host_csr *A, uint32_t i, uint32_t used, struct best so_far, struct best *best)
{
    if (i == A->rows) {
        if (so_far.rank > best->rank || (so_far.rank == best->rank && so_far.log > best->log))
            *best = so_far;
        return;
    }
    search(A, i + 1, used, so_far, best);
    for (uint32_t j = 0; j < A->rows; j++) {
        double v = entry(A, i, j);
        if (!(used >> j & 1) && v != 0 && isfinite(v))
            search(A, i + 1, used | 1u << j, (struct best){so_far.rank + 1, so_far.log + log2(fabs(v))},
                   best);
    }
}

static void must_permute(const struct matching *w, uint32_t n)
{
    uint64_t seen = 0;
    for (uint32_t j = 0; j < n; j++) {
        cr_assert_lt(w->row_of[j], n);
        seen |= (uint64_t)1 << w->row_of[j];
    }
    cr_assert_eq(seen, ((uint64_t)1 << n) - 1);
}

/* No scaled entry is above 2, and matched ones are at least 1/2. */
static void must_scale(const struct host_csr *A, const struct matching *w)
{
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t e = A->row[i]; e < A->row[i + 1]; e++) {
            double log = log2(fabs(A->val[e])) + w->left[i] + w->right[A->col[e]];
            if (!isfinite(A->val[e]) || A->val[e] == 0)
                continue;
            cr_assert(log <= 1 + 1e-6, "row %u, column %u: 2^%g", i, A->col[e], log);
            if (w->row_of[A->col[e]] == i)
                cr_assert(log >= -1 - 1e-6, "matched row %u, column %u: 2^%g", i, A->col[e], log);
        }
}

static void must_be_best(const struct host_csr *A)
{
    OWNED_STRUCT(matching) w;
    struct best best = {0}, got = {0};
    cr_assert_eq(matching_find(NULL, A, &no_caller, &w), VKS_OK);
    cr_assert(w.complete && w.bad_row == UINT32_MAX);
    must_permute(&w, A->rows);
    search(A, 0, 0, (struct best){0}, &best);
    for (uint32_t j = 0; j < A->rows; j++) {
        double v = entry(A, w.row_of[j], j);
        got.rank += v != 0;
        got.log += v != 0 ? log2(fabs(v)) : 0;
    }
    cr_assert_eq(w.rank, best.rank, "rank %u instead of %u", w.rank, best.rank);
    cr_assert_eq(got.rank, best.rank);
    if (best.rank == A->rows)
        cr_assert(got.log >= best.log - 1e-5, "2^%.9g instead of 2^%.9g", got.log, best.log);
    must_scale(A, &w);
}

static void try_many(bool ties, int range)
{
    for (int turn = 0; turn < 400; turn++) {
        OWNED_STRUCT(host_csr) A = random_square(1 + below(LARGEST), 2 + below(7), ties, range);
        must_be_best(&A);
    }
}

Test(matching, has_the_largest_product_of_all_permutations_and_the_structural_rank)
{
    try_many(false, 0);
}

Test(matching, has_the_largest_product_where_many_have_the_same)
{
    try_many(true, 0);
}

Test(matching, has_the_largest_product_of_values_near_the_ends_of_the_range)
{
    try_many(false, 2000);
}

/* Both diagonals of 2 x 2 are equal, so the first one is chosen; denormals and 1e300 are exact. */
Test(matching, decides_ties_by_index_and_knows_denormals)
{
    OWNED_STRUCT(matching) w;
    uint32_t row[] = {0, 0, 1, 1}, col[] = {0, 1, 0, 1};
    OWNED_STRUCT(host_csr) A = assemble(2, 4, row, col, (double[]){1, 1, 1, 1});
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_assert(w.row_of[0] == 0 && w.row_of[1] == 1 && w.left[0] == 0 && w.right[1] == 0);
    matching_free(&w);
    host_csr_free(&A);
    A = assemble(2, 4, row, col, (double[]){0x1p-1074, 0x1p-1000, 0x1p-50, 0x1p1000});
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_assert(w.row_of[0] == 0 && w.row_of[1] == 1 && w.rank == 2);
    must_scale(&A, &w);
}

Test(matching, counts_no_zeros_and_names_the_row_of_what_is_not_finite)
{
    OWNED_STRUCT(matching) w;
    uint32_t row[] = {0, 0, 1, 1}, col[] = {0, 1, 0, 1};
    OWNED_STRUCT(host_csr) A = assemble(2, 4, row, col, (double[]){0, 3, 0, NAN});
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_assert(w.rank == 1 && w.row_of[1] == 0 && w.row_of[0] == 1, "rank %u", w.rank);
    cr_assert_eq(w.bad_row, 1);
}

/* Rows and columns 1 and 3 are empty. */
Test(matching, gives_free_columns_free_rows_in_order)
{
    OWNED_STRUCT(matching) w;
    uint32_t row[] = {0, 2}, col[] = {2, 0};
    OWNED_STRUCT(host_csr) A = assemble(4, 2, row, col, (double[]){5, 0.25});
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_assert_eq(w.rank, 2);
    cr_assert(w.row_of[2] == 0 && w.row_of[0] == 2 && w.row_of[1] == 1 && w.row_of[3] == 3);
    matching_free(&w);
    host_csr_free(&A);
    A = assemble(0, 0, row, col, (double[]){0});
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_assert(w.rank == 0 && w.complete);
}

/* A diagonal whose rows were permuted, plus noise: the matching recovers it. */
Test(matching, finds_a_large_diagonal_that_was_scattered)
{
    enum { N = 20000, EACH = 5 };
    OWNED(uint32_t) *row = malloc(N * EACH * 4), *col = malloc(N * EACH * 4), *to = malloc(N * 4);
    OWNED(double) *val = malloc(N * EACH * 8);
    for (uint32_t i = 0; i < N; i++)
        to[i] = i;
    for (uint32_t i = N - 1; i; i--) {
        uint32_t k = below(i + 1), t = to[i];
        to[i] = to[k];
        to[k] = t;
    }
    for (uint32_t e = 0; e < N * EACH; e++) {
        row[e] = to[e / EACH];
        col[e] = e % EACH ? below(N) : e / EACH;
        val[e] = (e % EACH ? 0.5 * below(1000) / 1000 : 100) * ldexp(1, (int)(row[e] % 61) - 30);
    }
    OWNED_STRUCT(host_csr) A = assemble(N, N * EACH, row, col, val);
    OWNED_STRUCT(matching) w;
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_assert(w.complete && w.rank == N);
    for (uint32_t j = 0; j < N; j++)
        cr_assert_eq(w.row_of[j], to[j], "column %u has row %u instead of %u", j, w.row_of[j], to[j]);
}

Test(matching, is_given_up_where_it_is_too_much_work)
{
    OWNED_STRUCT(host_csr) A = hard_to_match(600, 400);
    OWNED_STRUCT(matching) w;
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_expect(!w.complete && !w.unwanted);
    matching_free(&w);
    host_csr_free(&A);
    A = hard_to_match(200, 100);
    cr_assert_eq(matching_find(NULL, &A, &no_caller, &w), VKS_OK);
    cr_expect(w.complete && w.rank == 200);
}
