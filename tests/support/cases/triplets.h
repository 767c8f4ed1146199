/* Triplets of every shape, and the result of a plain sort. */
#ifndef VKS_TESTS_TRIPLETS_CASES_H
#define VKS_TESTS_TRIPLETS_CASES_H

#include "tests/support/matrix.h"

/* Coordinates in host memory. */
struct coordinates {
    const char *name;
    uint32_t rows, cols, n;
    uint32_t *row, *col;
};

struct shape {
    const char *name;
    uint32_t rows, cols, n;
    void (*place)(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row, uint32_t *col);
};

static inline void anywhere(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row, uint32_t *col)
{
    (void)i;
    *row = random_below(seed, s->rows);
    *col = random_below(seed, s->cols);
}

static inline void at_one_place(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row,
                                uint32_t *col)
{
    (void)i, (void)seed;
    *row = s->rows / 2;
    *col = s->cols - 1;
}

static inline void ascending(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row, uint32_t *col)
{
    (void)seed;
    *row = i / s->cols;
    *col = i % s->cols;
}

static inline void descending(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row, uint32_t *col)
{
    ascending(s->n - 1 - i, seed, s, row, col);
}

/* Most rows have no triplet. */
static inline void in_few_rows(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row,
                               uint32_t *col)
{
    anywhere(i, seed, s, row, col);
    *row -= *row % 61;
}

static inline void in_one_row(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row, uint32_t *col)
{
    anywhere(i, seed, s, row, col);
    *row = s->rows - 2;
}

/* One row in five rows' worth is long, and so is one of its entries. */
static inline void unevenly(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row, uint32_t *col)
{
    anywhere(i, seed, s, row, col);
    if (i % 5 == 0)
        *row = 3;
    if (i % 10 == 0)
        *col = 8;
}

/* Elements of four consecutive nodes, as in FEM. */
static inline void in_elements(uint32_t i, uint64_t *seed, const struct shape *s, uint32_t *row,
                               uint32_t *col)
{
    (void)seed;
    uint32_t element = (uint32_t)(i / 16 * UINT64_C(7919) % (s->rows - 3));
    *row = element + i % 16 / 4;
    *col = element + i % 4;
}

static const struct shape shapes[] = {{"no rows", 0, 7, 0, anywhere},
                                      {"no columns", 7, 0, 0, anywhere},
                                      {"no triplets", 7, 5, 0, anywhere},
                                      {"one triplet", 1, 1, 1, anywhere},
                                      {"two rows", 2, 3, 40, anywhere},
                                      {"few places", 40, 50, 3000, anywhere},
                                      {"hardly a duplicate", 1200, 900, 5000, anywhere},
                                      {"all at one place", 9, 9, 3000, at_one_place},
                                      {"ascending", 70, 60, 4200, ascending},
                                      {"descending", 70, 60, 4200, descending},
                                      {"few rows", 1500, 300, 3000, in_few_rows},
                                      {"one row", 5, 70000, 9000, in_one_row},
                                      {"one long row", 300, 900, 15000, unevenly},
                                      {"long rows", 9, 4000, 15000, anywhere},
                                      {"one column", 900, 1, 3000, anywhere},
                                      {"far columns", 300, VKS_LARGEST_INDEX, 5000, anywhere},
                                      {"elements", 500, 500, 8000, in_elements}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static inline struct coordinates make_coordinates(const struct shape *s)
{
    struct coordinates t = {s->name, s->rows, s->cols, s->n, room(s->n, 4), room(s->n, 4)};
    uint64_t seed = s->n;
    for (uint32_t i = 0; i < s->n; i++)
        s->place(i, &seed, s, &t.row[i], &t.col[i]);
    return t;
}

static inline void free_coordinates(struct coordinates *t)
{
    free(t->row);
    free(t->col);
}

/* For qsort, whose comparison has no context argument. */
static const struct coordinates *sorting;

static inline int compare_places(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    if (sorting->row[i] != sorting->row[j])
        return sorting->row[i] < sorting->row[j] ? -1 : 1;
    if (sorting->col[i] != sorting->col[j])
        return sorting->col[i] < sorting->col[j] ? -1 : 1;
    return i < j ? -1 : 1;
}

static inline uint32_t *sorted_triplets(const struct coordinates *t)
{
    uint32_t *places = room(t->n, 4);
    for (uint32_t i = 0; i < t->n; i++)
        places[i] = i;
    sorting = t;
    qsort(places, t->n, 4, compare_places);
    return places;
}

/* The matrix: sums the terms of each entry in order, in the precision p. */
static inline struct host_csr plain_assembly(enum precision p, const struct coordinates *t, const double *val)
{
    struct host_csr a = new_csr(t->rows, t->cols, t->n);
    uint32_t *places = sorted_triplets(t), k = 0;
    for (uint32_t s = 0; s < t->n; s++) {
        uint32_t i = places[s], before = places[s ? s - 1 : 0];
        if (s && t->row[i] == t->row[before] && t->col[i] == t->col[before]) {
            a.val[k - 1] = rounded(p, a.val[k - 1] + val[i]);
            continue;
        }
        a.col[k] = t->col[i];
        a.val[k++] = val[i];
        a.row[t->row[i] + (size_t)1]++;
    }
    for (uint32_t r = 0; r < t->rows; r++)
        a.row[r + (size_t)1] += a.row[r];
    free(places);
    return a;
}

#endif
