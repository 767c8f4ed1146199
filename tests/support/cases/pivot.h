/* The cases of the kernels that eliminate a panel of columns. */
#ifndef VKS_TESTS_PIVOT_CASES_H
#define VKS_TESTS_PIVOT_CASES_H

#include "tests/support/cases/dense.h"

/* The size is the number of rows. */
static const uint32_t pivots_at[] = {1, 2, 15, 16, 17, 33, 48, 49, 255, 256, 257, 5000};
static const struct sizes sizes_of_pivots = {pivots_at, sizeof pivots_at / sizeof *pivots_at, 7};

/* For one workgroup, which needs no co-residency. */
static const uint32_t rows_at[] = {1, 2, 15, 16, 17, 33, 48, 49, 127, 128};
static const struct sizes sizes_of_rows = {rows_at, sizeof rows_at / sizeof *rows_at, 10};
static const struct sizes sizes_of_few_rows = {rows_at, sizeof rows_at / sizeof *rows_at - 2, 8};

/* Columns of the panel: an odd number, an even number, and all. */
static inline uint32_t panel_width(uint32_t n)
{
    return n < 16 ? n : n == 128 ? 126 : n == 256 ? PIVOT_WIDTH : n == 127 ? 65 : n % 2 ? 16 : 13;
}

enum { PANEL_FIRST = 2 /* its first column in the matrix */ };

/* Small integers: many pivot candidates are equal, and the first row must win. */
static inline double *panel_matrix(const struct job *j)
{
    uint64_t seed = j->n;
    size_t count = (size_t)j->n * panel_width(j->n);
    double *v = room(count, sizeof *v);
    for (size_t e = 0; e < count; e++)
        v[e] = (int)random_below(&seed, 9) - 4.0 + (e % 17 == 0 ? 0.1 : 0);
    for (size_t e = 0; e < count; e++)
        v[e] = rounded(j->p, v[e]);
    return v;
}

/* Two rows already have a pivot, if there are more rows than are needed now. */
static inline uint32_t first_step(uint32_t i, uint32_t n)
{
    return n > 40 && (i == 3 || i == n - 1) ? i % 2 : PIVOT_NONE;
}

/* Columns in another order. */
static inline uint32_t panel_column(uint32_t c, uint32_t width)
{
    return c == 0 ? 3 : c == 3 ? 0 : c > 4 && (c ^ 1) < width ? c ^ 1 : c;
}

/* In one dispatch, of workgroups of `panel_rows` rows; 0: in one dispatch for each column. */
static inline void record_panel(struct job *j, uint32_t panel_rows)
{
    uint32_t n = j->n, width = panel_width(n), last = PANEL_FIRST + width;
    uint32_t *step = room(n, 4);
    double *v = panel_matrix(j);
    for (uint32_t i = 0; i < n; i++)
        step[i] = first_step(i, n);
    struct block A = put_dense(j, v, n, width, width);
    compared(j, &j->arrays[j->array_count - 1], j->p, (uint64_t)n * width);
    struct pivots p = pivots_sized(j->d, n);
    p.panel_rows = panel_rows ? panel_rows : p.panel_rows;
    p.state = words_at(compared_words(j, put_words(j, (uint32_t[2]){0}, 2, "the state"), 2));
    p.step = words_at(compared_words(j, put_words(j, step, n, "steps"), n));
    uint32_t none[PANEL_FIRST + PIVOT_WIDTH] = {0};
    const struct memory *row_of = compared_words(j, put_words(j, none, last, "rows of pivots"), last);
    p.row_of = words_at(row_of);
    double zeros[PANEL_FIRST + PIVOT_WIDTH] = {0};
    p.values = reals_at(compared(j, put(j, zeros, last, "pivots"), j->p, last));
    for (int t = 0; t < 2; t++) {
        p.panel[t] = reals_at(new_reals(j, (uint64_t)n * PIVOT_WIDTH, "a panel"));
        p.list[t] = words_at(new_bytes(j, 12 * (uint64_t)p.candidates, "candidates"));
    }
    p.factors = reals_at(new_reals(j, (uint64_t)n * PIVOT_BLOCK, "factors"));
    p.posted = words_at(new_bytes(j, 4 * pivot_panel_words(j->p, &p), "candidates of workgroups"));
    if (panel_rows)
        pivot_panel(&j->r, &p, A, PANEL_FIRST, 0);
    else
        pivot_begin(&j->r, &p, A);
    for (uint32_t c = 0; c < width && !panel_rows; c++)
        pivot_column(&j->r, &p, A, c, PANEL_FIRST + c);
    struct block to = {new_reals(j, (uint64_t)width * width, "rows")->address, width, width, width};
    compared(j, &j->arrays[j->array_count - 1], j->p, (uint64_t)width * width);
    uint32_t column[PIVOT_WIDTH];
    for (uint32_t c = 0; c < width; c++)
        column[c] = panel_column(c, width);
    u32s columns = words_at(put_words(j, column, width, "columns"));
    if (n % 2 && n > 16)
        dense_rows(&j->r, A, (struct rows){p.row_of, columns, PANEL_FIRST, false}, to);
    else
        pivot_rows(&j->r, &p, PANEL_FIRST, A, to);
    free(step);
    free(v);
}

static inline void record_pivot_columns(struct job *j)
{
    record_panel(j, 0);
}

static inline void record_pivot_panel(struct job *j)
{
    record_panel(j, PIVOT_ROWS);
}

static inline void record_pivot_panel_small(struct job *j)
{
    record_panel(j, PIVOT_SMALL_ROWS);
}

static inline void expect_pivot_panel(const struct job *j, double *want)
{
    uint32_t n = j->n, width = panel_width(n), last = PANEL_FIRST + width;
    double *A = panel_matrix(j), *step = want + (size_t)n * width + 2, *row_of = step + n,
           *pivots = row_of + last;
    for (uint32_t i = 0; i < n; i++)
        step[i] = first_step(i, n);
    want[(size_t)n * width] = want[(size_t)n * width + 1] = 0; /* the state */
    for (uint32_t c = 0; c < last; c++)
        row_of[c] = pivots[c] = 0;
    for (uint32_t c = 0; c < width; c++) {
        uint32_t r = naive_pivot(A, n, width, c, step);
        row_of[PANEL_FIRST + c] = r;
        pivots[PANEL_FIRST + c] = A[(size_t)r * width + c];
        step[r] = PANEL_FIRST + c;
        naive_column(j->p, A, n, width, r, c);
    }
    memcpy(want, A, (size_t)n * width * sizeof *A);
    for (uint32_t k = 0; k < width; k++)
        for (uint32_t c = 0; c < width; c++) {
            uint32_t from = n % 2 && n > 16 ? panel_column(c, width) : c;
            pivots[last + k * width + c] = A[(size_t)row_of[PANEL_FIRST + k] * width + from];
        }
    free(A);
}

#define expect_pivot_columns expect_pivot_panel
#define expect_pivot_panel_small expect_pivot_panel

#define PIVOT_CASES(X)                                        \
    X(pivot_columns, .sizes = &sizes_of_pivots, .once = true) \
    X(pivot_panel, .sizes = &sizes_of_rows, .once = true)     \
    X(pivot_panel_small, .sizes = &sizes_of_few_rows, .once = true)

#endif
