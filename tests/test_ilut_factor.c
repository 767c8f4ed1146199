/* The factors of ILUT compared with a textbook version in long double, and the work that they may take. */
#include "tests/support/ilut.h"

#include <stdio.h>

/* ILUT on a dense array W of the block that begins at row `first`: L - I below the diagonal, U on and above
 * it. Returns how many pivots were set. */
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
        OWNED(double) *got = room(n, 8);
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
    }
}

static void compare(const struct host_csr *A, struct ilut_options o, const char *what)
{
    o.rows = o.rows < A->rows ? o.rows : A->rows;
    OWNED_STRUCT(factored) f = factor(A, NULL, &o);
    for (uint32_t b = 0; b < f.blocks; b++) {
        uint32_t first = b * o.rows, left = A->rows - first;
        struct textbook t = textbook(A, first, left < o.rows ? left : o.rows, &o);
        must_be(&f.of[b], &t, what);
        free(t.W);
    }
}

Test(ilut_factor, is_that_of_the_textbook)
{
    static const uint32_t fills[] = {1, 3, 10, 65535}, rows[] = {1, 7, 64, 65, 100};
    static const double drops[] = {1e-300, 1e-2, 0.3};
    char what[64];
    for (uint32_t i = 0; i < 60; i++) {
        struct ilut_options o = {fills[i % 4], rows[i % 5], drops[i / 20]};
        OWNED_STRUCT(host_csr) A = dominant(PRECISION_F64, 130, i), B = full(12, i);
        snprintf(what, sizeof what, "fill %u, drop %g, blocks of %u", o.fill, o.drop, o.rows);
        compare(&A, o, what);
        compare(&B, o, what);
    }
}

/* Among equal entries, the first are kept. */
Test(ilut_factor, of_equal_entries_keeps_those_of_the_lower_columns)
{
    OWNED_STRUCT(host_csr) A = full(9, 1);
    for (uint32_t k = 0; k < 81; k++)
        A.val[k] = k % 10 == 0 ? 2 : k % 3 == 1 ? -1 : 1;
    compare(&A, (struct ilut_options){3, 9, 1e-300}, "equal entries");
    OWNED_STRUCT(factored) f = factor(&A, NULL, &(struct ilut_options){3, 9, 1e-300});
    for (uint32_t k = 0; k < 3; k++)
        cr_expect_eq(f.of[0].col[f.of[0].at[1] + k], k + 1);
}

/* Zeros on the diagonal, a row of zeros and an empty one. */
Test(ilut_factor, sets_pivots_that_are_too_small_and_counts_them)
{
    static uint32_t row[] = {0, 2, 4, 5, 5, 7}, col[] = {0, 1, 0, 1, 2, 3, 4};
    static double val[] = {0, 4, 8, 1, 0, 1, -1e-5};
    const struct host_csr A = {5, 5, row, col, val};
    struct ilut_options o = {10, 5, 1e-3};
    OWNED_STRUCT(factored) f = factor(&A, NULL, &o);
    static const double want[] = {4e-4, -80000 + 1, 1, 1, -1e-4};
    cr_expect_eq(f.of[0].pivots_set, 4, "%u", f.of[0].pivots_set);
    for (int i = 0; i < 5; i++)
        cr_expect_float_eq(f.of[0].pivot[i], want[i], 1e-12 * fabs(want[i]), "pivot %d is %g", i,
                           f.of[0].pivot[i]);
}

/* Overflow of a product, and of the reciprocal of a pivot. */
Test(ilut_factor, tells_the_row_in_which_it_overflows)
{
    static uint32_t row[] = {0, 2, 4}, col[] = {0, 1, 0, 1};
    static double val[] = {1e305, 1e308, 1e308, 1};
    const struct host_csr A = {2, 2, row, col, val};
    const struct ilut_options o = {10, 2, 1e-3};
    OWNED_STRUCT(factored) f = factor(&A, NULL, &o);
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
    static double lower_val[] = {1e-10, 1e300, 1e300}; /* in L, where row 1 of U has nothing to overflow */
    f = factor(&(struct host_csr){2, 2, lower_row, lower_col, lower_val}, NULL, &o);
    cr_expect_eq(f.of[0].fault, 1);
}

/* The last row is full. Its entries increase along it, or decrease after the first ten, which are small. */
static struct host_csr last_row_full(uint32_t n, bool falls)
{
    struct host_csr A = new_csr(n, n, 2 * (size_t)n);
    for (uint32_t i = 0; i + 1 < n; i++) {
        A.col[i] = A.col[n - 1 + i] = i;
        A.val[i] = 2;
        A.val[n - 1 + i] = 1 + (falls && i >= 10 ? n - i : i) * 1e-7;
        A.row[i + 1] = i + 1;
    }
    A.col[2 * n - 2] = n - 1;
    A.val[2 * n - 2] = 2;
    A.row[n] = 2 * n - 1;
    return A;
}

static bool count_question(void *count)
{
    ++*(int *)count;
    return false;
}

/* Keeps ten of the entries of a row. That work counts, and the caller is polled after it. */
static void keep_ten(uint32_t n, bool falls)
{
    const struct ilut_options o = {10, n, 1e-3};
    OWNED_STRUCT(host_csr) A = last_row_full(n, falls);
    OWNED_STRUCT(factors) f = {0};
    struct message m = {0};
    int questions = 0;
    OWNED(uint32_t) *order = room(n, 4);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    cr_assert_eq(
        ilut_factor(&m, NULL, &A, order, order, &o, &(struct caller){count_question, &questions}, &f), VKS_OK,
        "%s", m.text);
    cr_expect_eq(f.at[2 * (size_t)n], 10);
    cr_expect_eq(f.col[0], falls ? 10 : n - 11);
    cr_expect_eq(questions, 2);
}

Test(ilut_factor, the_largest_of_a_full_row_are_found_at_once, .timeout = 10)
{
    keep_ten(300000, false);
    keep_ten(1000000, true);
}

/* Blocks, each with eight superdiagonals and a full first column, which fills all of each row. */
static struct host_csr spreading(uint32_t n, uint32_t block)
{
    struct host_csr A = new_csr(n, n, 10 * (size_t)n);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i - i % block; j < n && j <= i + 8; j += j < i ? i - j : 1) {
            A.col[at] = j;
            A.val[at++] = i == j ? 1 : -0.125;
        }
        A.row[i + 1] = at;
    }
    return A;
}

/* Whether n rows in blocks exceed the limit of work. */
static bool takes_too_much(uint32_t n, uint32_t rows)
{
    struct ilut_options o = {.fill = 9, .rows = rows, .drop = 1e-300};
    OWNED_STRUCT(host_csr) A = spreading(n, rows);
    uint32_t blocks = ilut_blocks_of(n, rows);
    struct factors *of = room(blocks, sizeof *of);
    struct message m = {0};
    OWNED(uint32_t) *order = room(n, 4);
    for (uint32_t i = 0; i < n; i++)
        order[i] = i;
    vks_status s = ilut_factor(&m, NULL, &A, order, order, &o, &(struct caller){0}, of);
    if (s) {
        cr_expect_eq(s, VKS_LIMIT);
        cr_expect(strstr(m.text, "more than") && strstr(m.text, "too much work"), "%s", m.text);
        cr_expect(of[blocks - 1].too_much > rows / 2 && of[blocks - 1].too_much < rows);
    }
    for (uint32_t b = 0; b < blocks; b++)
        factors_free(&of[b]);
    free(of);
    return s != VKS_OK;
}

Test(ilut_factor, is_refused_where_it_is_too_much_work)
{
    cr_expect(takes_too_much(10000, 10000));
}

/* Each single block would be below the limit. */
Test(ilut_factor, is_refused_where_all_blocks_are_too_much_work)
{
    cr_expect_not(takes_too_much(6000, 6000));
    cr_expect(takes_too_much(12000, 6000));
}
