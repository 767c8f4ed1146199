/* The factors of ILUT against a textbook's in long double, and the order in which a device solves with them.
 */
#include "shaders/precond/ilut.h"
#include "small_matrix.h"
#include "tests/support/ilut.h"

#include <stdio.h>

/* ILUT on a dense array W of the block from row `first` on: L - I below the diagonal, U from it on. Returns
 * how many pivots were set. */
struct textbook {
    uint32_t n, set;
    long double *W;
};

/* Keeps the `fill` largest of W[from .. to - 1]; `size` has their magnitudes. */
static void keep(long double *w, const long double *size, uint32_t from, uint32_t to, uint32_t fill)
{
    for (uint32_t j = from; j < to; j++) {
        uint32_t larger = 0;
        for (uint32_t k = from; k < to; k++)
            larger += size[k] > size[j] || (size[k] == size[j] && k < j);
        if (larger >= fill)
            w[j] = 0;
    }
}

static void eliminate_row(struct textbook *t, const struct host_csr *A, uint32_t first, uint32_t i,
                          const struct ilut_options *o)
{
    uint32_t n = t->n, count = 0;
    long double *w = t->W + (size_t)i * n, *size = room(n, sizeof *size), square = 0, most = 0;
    for (uint32_t k = A->row[first + i]; k < A->row[first + i + 1]; k++)
        if (A->col[k] >= first && A->col[k] < first + n) {
            w[A->col[k] - first] = A->val[k];
            square += (long double)A->val[k] * A->val[k];
            most = fabsl((long double)A->val[k]) > most ? fabsl((long double)A->val[k]) : most;
            count++;
        }
    long double least = count ? o->drop * sqrtl(square / count) : 0;
    for (uint32_t k = 0; k < i; k++) {
        size[k] = fabsl(w[k]);
        w[k] = size[k] < least ? 0 : w[k] / t->W[(size_t)k * n + k];
        for (uint32_t j = k + 1; j < n && w[k] != 0; j++)
            w[j] -= w[k] * t->W[(size_t)k * n + j];
    }
    for (uint32_t j = i + 1; j < n; j++) {
        size[j] = fabsl(w[j]);
        w[j] = size[j] > least ? w[j] : 0;
    }
    keep(w, size, 0, i, o->fill);
    keep(w, size, i + 1, n, o->fill);
    if (!(fabsl(w[i]) > 1e-4L * most)) {
        w[i] = copysignl(most > 0 ? 1e-4L * most : 1, w[i]);
        t->set++;
    }
    free(size);
}

static struct textbook textbook(const struct host_csr *A, uint32_t first, uint32_t n,
                                const struct ilut_options *o)
{
    struct textbook t = {n, 0, room((size_t)n * n, sizeof *t.W)};
    for (uint32_t i = 0; i < n; i++)
        eliminate_row(&t, A, first, i, o);
    return t;
}

static void must_be(const struct factors *f, const struct textbook *t, const char *what)
{
    uint32_t n = t->n;
    cr_assert_eq(f->n, n);
    cr_assert_eq(f->pivots_set, t->set, "%s: %u pivots were set, not %u", what, f->pivots_set, t->set);
    for (uint32_t i = 0; i < n; i++) {
        double *got = room(n, 8);
        got[i] = f->pivot[i];
        for (uint32_t k = f->at[2 * i]; k < f->at[2 * i + 2]; k++) {
            cr_assert(k < f->at[2 * i + 1] ? f->col[k] < i : f->col[k] > i && f->col[k] < n);
            cr_assert(k == f->at[2 * i] || f->col[k] > f->col[k - 1]);
            cr_assert_neq(f->val[k], 0);
            got[f->col[k]] = f->val[k];
        }
        for (uint32_t j = 0; j < n; j++) {
            long double want = t->W[(size_t)i * n + j];
            cr_assert((got[j] == 0) == (want == 0), "%s: (%u, %u) is %g, not %Lg", what, i, j, got[j], want);
            cr_assert(fabsl(got[j] - want) <= 1e-9L * fabsl(want), "%s: (%u, %u) is %g, not %Lg", what, i, j,
                      got[j], want);
        }
        free(got);
    }
}

static void compare(const struct host_csr *A, struct ilut_options o, const char *what)
{
    o.rows = o.rows < A->rows ? o.rows : A->rows;
    struct factored f = factor(A, NULL, &o);
    for (uint32_t b = 0; b < f.blocks; b++) {
        uint32_t first = b * o.rows, left = A->rows - first;
        struct textbook t = textbook(A, first, left < o.rows ? left : o.rows, &o);
        must_be(&f.of[b], &t, what);
        free(t.W);
    }
    factored_free(&f);
}

Test(ilut_factor, is_that_of_the_textbook)
{
    static const uint32_t fills[] = {1, 3, 10, 65535}, rows[] = {1, 7, 64, 65, 100};
    static const double drops[] = {1e-300, 1e-2, 0.3};
    char what[64];
    for (uint32_t i = 0; i < 60; i++) {
        struct ilut_options o = {fills[i % 4], rows[i % 5], drops[i / 20]};
        struct host_csr A = dominant(PRECISION_F64, 130, i), B = full(12, i);
        snprintf(what, sizeof what, "fill %u, drop %g, blocks of %u", o.fill, o.drop, o.rows);
        compare(&A, o, what);
        compare(&B, o, what);
        host_csr_free(&A);
        host_csr_free(&B);
    }
}

/* Of entries of one size the first stay. */
Test(ilut_factor, of_equal_entries_keeps_those_of_the_lower_columns)
{
    struct host_csr A = full(9, 1);
    for (uint32_t k = 0; k < 81; k++)
        A.val[k] = k % 10 == 0 ? 2 : k % 3 == 1 ? -1 : 1;
    compare(&A, (struct ilut_options){3, 9, 1e-300}, "equal entries");
    struct factored f = factor(&A, NULL, &(struct ilut_options){3, 9, 1e-300});
    for (uint32_t k = 0; k < 3; k++)
        cr_expect_eq(f.of[0].col[f.of[0].at[1] + k], k + 1);
    factored_free(&f);
    host_csr_free(&A);
}

/* Zeros on the diagonal, a row of zeros and an empty one. */
Test(ilut_factor, sets_pivots_that_are_too_small_and_counts_them)
{
    static uint32_t row[] = {0, 2, 4, 5, 5, 7}, col[] = {0, 1, 0, 1, 2, 3, 4};
    static double val[] = {0, 4, 8, 1, 0, 1, -1e-5};
    const struct host_csr A = {5, 5, row, col, val};
    struct ilut_options o = {10, 5, 1e-3};
    struct factored f = factor(&A, NULL, &o);
    static const double want[] = {4e-4, -80000 + 1, 1, 1, -1e-4};
    cr_expect_eq(f.of[0].pivots_set, 4, "%u", f.of[0].pivots_set);
    for (int i = 0; i < 5; i++)
        cr_expect_float_eq(f.of[0].pivot[i], want[i], 1e-12 * fabs(want[i]), "pivot %d is %g", i,
                           f.of[0].pivot[i]);
    factored_free(&f);
}

/* By a product beyond the range, and by a pivot whose reciprocal is. */
Test(ilut_factor, tells_the_row_in_which_it_overflows)
{
    static uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    static double val[] = {1e305, 1e308, 1e308, 1};
    const struct host_csr A = {2, 2, row, col, val};
    const struct ilut_options o = {10, 2, 1e-3};
    struct factored f = factor(&A, NULL, &o);
    cr_expect_eq(f.of[0].fault, 1);
    factored_free(&f);
    val[1] = val[2] = 1;
    f = factor(&A, NULL, &o);
    cr_expect_eq(f.of[0].fault, UINT32_MAX);
    factored_free(&f);
    val[0] = val[1] = 1e-310;
    f = factor(&A, NULL, &o);
    cr_expect_eq(f.of[0].fault, 0);
    factored_free(&f);
    static uint32_t lower_row[] = {0, 1, 3}, lower_col[] = {0, 0, 1};
    static double lower_val[] = {1e-10, 1e300, 1e300}; /* in L, where row 1 of U has nothing to spoil */
    f = factor(&(struct host_csr){2, 2, lower_row, lower_col, lower_val}, NULL, &o);
    cr_expect_eq(f.of[0].fault, 1);
    factored_free(&f);
}

/* What a line reads was written in an earlier step; that of U, after the last line of L that reads its row.
 */
static void check_order(const struct ilut_lines *l, uint32_t b, uint32_t n)
{
    uint32_t pitch = ILUT_GROUP / l->lanes, *at_l = room(n, 4), *at_u = room(n, 4), *read = room(n, 4);
    for (uint32_t p = l->first[b] * pitch; p < l->first[b + 1] * pitch; p++) {
        uint32_t i = l->row[p], step = p / pitch + 1;
        if (i == ILUT_NONE) {
            cr_assert_eq(l->at[p], l->at[p + 1]);
            continue;
        }
        bool of_l = !at_l[i];
        cr_assert(of_l || !at_u[i], "a third line of row %u", i);
        cr_assert(of_l ? l->scale[p] == 1 : at_l[i] < step && read[i] < step, "row %u", i);
        for (uint32_t k = l->at[p]; k < l->at[p + 1]; k++) {
            uint32_t j = l->col[k], before = of_l ? at_l[j] : at_u[j];
            cr_assert(j != i && before && before < step, "row %u reads %u too early", i, j);
            read[j] = of_l ? step : read[j];
        }
        (of_l ? at_l : at_u)[i] = step;
    }
    for (uint32_t i = 0; i < n; i++)
        cr_assert(at_l[i] && at_u[i], "row %u has no line", i);
    free(at_l);
    free(at_u);
    free(read);
}

/* How often a lane turns in steps begin .. end - 1: once a step, for its entries and one time more, and for
 * the lanes of a sum and one time more. llvmpipe ends all loops after 65,535 turns. */
static void check_turns(const struct ilut_lines *l, uint32_t begin, uint32_t end)
{
    uint32_t pitch = ILUT_GROUP / l->lanes, turns = 0;
    for (uint32_t s = begin; s < end; s++) {
        uint32_t longest = 0;
        for (uint32_t p = s * pitch; p < (s + 1) * pitch; p++)
            longest = l->at[p + 1] - l->at[p] > longest ? l->at[p + 1] - l->at[p] : longest;
        turns += 3 + longest / l->lanes;
        for (uint32_t lanes = l->lanes; lanes > 1; lanes /= 2)
            turns++;
    }
    cr_assert_leq(turns, 50000, "%u turns in steps %u to %u", turns, begin, end);
}

/* Together they are all steps, in order. Nothing in a wide one is read there, and the others end soon. */
static void check_runs(const struct ilut_lines *l)
{
    uint32_t pitch = ILUT_GROUP / l->lanes, end = 0;
    for (uint32_t k = 0; k < l->runs; k++) {
        cr_assert(l->run[k].begin == end && l->run[k].end > end);
        end = l->run[k].end;
        if (!l->run[k].is_wide) {
            check_turns(l, l->run[k].begin, end);
            continue;
        }
        for (uint32_t p = l->run[k].begin * pitch; p < end * pitch; p++)
            for (uint32_t e = l->at[p]; e < l->at[p + 1]; e++)
                for (uint32_t q = l->run[k].begin * pitch; q < end * pitch; q++)
                    cr_assert_neq(l->row[q], l->col[e], "a wide run reads row %u, which it writes",
                                  l->col[e]);
    }
    cr_assert_eq(end, l->steps);
}

/* Returns whether some runs are wide. */
static bool check_lines(const struct host_csr *A, struct ilut_options o)
{
    struct message m = {0};
    struct ilut_lines l;
    o.rows = o.rows < A->rows ? o.rows : A->rows;
    uint32_t *order = room(A->rows, 4), entries = 0;
    cr_assert_eq(rcm_order(&m, A, order), VKS_OK);
    struct factored f = factor(A, order, &o);
    cr_assert_eq(ilut_lines_make(&m, f.of, f.blocks, &l), VKS_OK, "%s", m.text);
    cr_assert(l.lanes && l.lanes <= 32 && (l.lanes & (l.lanes - 1)) == 0, "%u lanes", l.lanes);
    for (uint32_t b = 0; b < f.blocks; b++) {
        check_order(&l, b, f.of[b].n);
        if (o.rows <= ILUT_BLOCK)
            check_turns(&l, l.first[b], l.first[b + 1]);
        entries += f.of[b].at[2 * f.of[b].n];
    }
    cr_assert(entries == l.entries && entries == l.at[ilut_line_count(&l)]);
    bool wide = false;
    for (uint32_t k = 0; k < l.runs; k++)
        wide |= l.run[k].is_wide;
    if (l.run)
        check_runs(&l);
    ilut_lines_free(&l);
    factored_free(&f);
    free(order);
    return wide;
}

Test(ilut_factor, lines_follow_what_they_read)
{
    static const uint32_t sizes[] = {1, 2, 33, 257, 1025, 2600};
    for (int i = 0; i < 6; i++) {
        struct host_csr A = dominant(PRECISION_F64, sizes[i], 3);
        check_lines(&A, (struct ilut_options){10, 1024, 1e-3});
        check_lines(&A, (struct ilut_options){2, 100, 1e-2});
        check_lines(&A, (struct ilut_options){10, sizes[i], 1e-3});
        host_csr_free(&A);
    }
}

/* Rows that only read the last one: levels of all the others. */
Test(ilut_factor, large_levels_are_runs_of_their_own)
{
    uint32_t n = 3000;
    struct host_csr A = new_csr(n, n, 2 * (size_t)n);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = A.row[i + 1] = 2 * i + 2 - (i == n - 1);
        A.col[2 * i] = i;
        A.val[2 * i] = 2;
        if (k == 2 * i + 2) {
            A.col[2 * i + 1] = n - 1;
            A.val[2 * i + 1] = 1;
        }
    }
    cr_expect(check_lines(&A, (struct ilut_options){10, n, 1e-3}));
    host_csr_free(&A);
}

/* A step a row, so many that no run may take all. */
Test(ilut_factor, long_chains_are_several_runs)
{
    struct host_csr A = tridiagonal(40000, -1, 3, -1);
    cr_expect_not(check_lines(&A, (struct ilut_options){10, A.rows, 1e-3}));
    host_csr_free(&A);
}

/* Hundreds of levels of long lines among many short ones, which would have few lanes. */
Test(ilut_factor, blocks_have_the_lanes_that_their_longest_chain_needs)
{
    struct host_csr A = banded_and_diagonal(2048, 200, 72000);
    check_lines(&A, (struct ilut_options){256, 1024, 1e-300});
    host_csr_free(&A);
}

/* Eight superdiagonals, and a full first column, which spreads over all of each row. */
static struct host_csr spreading(uint32_t n)
{
    struct host_csr A = new_csr(n, n, 10 * (size_t)n);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < n && j <= i + 8; j += j < i ? i - j : 1) {
            A.col[at] = j;
            A.val[at++] = i == j ? 1 : -0.125;
        }
        A.row[i + 1] = at;
    }
    return A;
}

Test(ilut_factor, is_refused_where_it_is_too_much_work)
{
    enum { N = 10000 };
    struct ilut_options o = {.fill = 9, .rows = N, .drop = 1e-300};
    struct host_csr A = spreading(N);
    struct factors f = {0};
    struct message m = {0};
    uint32_t *order = room(N, 4);
    for (uint32_t i = 0; i < N; i++)
        order[i] = i;
    cr_expect_eq(ilut_factor(&m, NULL, &A, order, order, &o, &(struct caller){0}, &f), VKS_LIMIT);
    cr_expect(strstr(m.text, "of 10000 rows took") && strstr(m.text, "too much work"), "%s", m.text);
    cr_expect(f.too_much > N / 2 && f.too_much < N);
    factors_free(&f);
    free(order);
    host_csr_free(&A);
}
