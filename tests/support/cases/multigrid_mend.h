/* The cases of the kernels that find the reference diagonal of a level, and repair unknowns that represent
 * nothing there. */
#ifndef VKS_TESTS_MULTIGRID_MEND_CASES_H
#define VKS_TESTS_MULTIGRID_MEND_CASES_H

#include "tests/support/cases/multigrid_block.h"
#include "tests/support/multigrid_oracle.h"

enum { FINE = 97 };

/* A level of blocks of `size` x `size` below one of FINE unknowns: rows of R with up to 40 entries, some with
 * none, and diagonal elements on either side of the threshold for zero up to rounding. */
struct next_level {
    struct host_csr R, pattern;
    struct host_blocks A;
    double fine[FINE], *reference;
    uint32_t *empty, n, lanes;
};

static inline double reference_of(enum precision p, const struct host_csr *R, const double *fine, uint32_t c,
                                  uint32_t lanes)
{
    double lane[32] = {0};
    for (uint32_t k = R->row[c]; k < R->row[c + 1]; k++) {
        double *to = &lane[(k - R->row[c]) % lanes], square = rounded(p, R->val[k] * R->val[k]);
        *to = rounded(p, *to + rounded(p, square * fine[R->col[k]]));
    }
    return sum_of_lanes(p, lane, lanes);
}

/* The element of row c and column i, or NULL. */
static inline double *element_of(struct next_level *l, uint32_t size, uint32_t c, uint32_t i)
{
    const struct host_csr *a = &l->pattern;
    for (uint32_t q = a->row[c / size]; q < a->row[c / size + 1]; q++)
        if (a->col[q] == i / size)
            return &l->A.val[((size_t)q * size + c % size) * size + i % size];
    return NULL;
}

static inline void choose_diagonal(const struct job *j, struct next_level *l, uint32_t size)
{
    static const double parts[] = {0, 0.5, 1, 1.5, -0.5, -1, -1.5};
    for (uint32_t c = 0; c < l->n; c++) {
        double m = l->reference[c] = reference_of(j->p, &l->R, l->fine, c, l->lanes);
        double *diagonal = element_of(l, size, c, c), part = parts[key_in_round(c, size) % 7];
        if (diagonal && key_in_round(c, 3) % 3)
            *diagonal = rounded(j->p, part * (part > 0 ? zero_above(j->p) : zero_below(j->p)) * m);
        l->empty[c] = diagonal && is_zero_beside(j->p, *diagonal, m);
    }
}

/* Filled in place, since the blocks point to their pattern. */
static inline void make_next_level(const struct job *j, uint32_t size, struct next_level *l)
{
    uint32_t n = j->n * size;
    *l = (struct next_level){.pattern = pattern_of_job(j, false), .n = n, .lanes = 32 >> (size % 6)};
    l->A = node_blocks(j, &l->pattern, size);
    l->R = new_csr(n, FINE, 40 * (size_t)n);
    l->reference = room(n, 8);
    l->empty = room(n, 4);
    for (uint32_t i = 0; i < FINE; i++)
        l->fine[i] = rounded(j->p, 1 + (key_in_round(i, 1) >> 8) * 0x1p-24);
    for (uint32_t c = 0; c < n; c++) {
        uint32_t length = key_in_round(c, 2) % 41, at = l->R.row[c];
        for (uint32_t k = 0; k < length; k++) {
            l->R.col[at + k] = 2 * k + c % 3;
            l->R.val[at + k] = rounded(j->p, (key_in_round(c, k + 9) >> 8) * 0x1p-24 - 0.25);
        }
        l->R.row[c + 1] = at + length;
    }
    choose_diagonal(j, l, size);
}

static inline void free_next_level(struct next_level *l)
{
    host_csr_free(&l->R);
    host_csr_free(&l->pattern);
    free(l->A.val);
    free(l->reference);
    free(l->empty);
}

static inline void record_reference_of(struct job *j, uint32_t size)
{
    struct next_level l;
    make_next_level(j, size, &l);
    struct blocks B = put_host_blocks(j, &l.A);
    const struct memory *row = put_words(j, l.R.row, l.n + (uint64_t)1, "row offsets"),
                        *col = put_words(j, l.R.col, l.R.row[l.n], "columns"),
                        *val = put(j, l.R.val, l.R.row[l.n], "values"),
                        *fine = put(j, l.fine, FINE, "the fine diagonal"),
                        *reference = compared(j, new_reals(j, l.n, "a reference diagonal"), j->p, l.n),
                        *empty = compared_words(j, new_bytes(j, 4 * (uint64_t)l.n, "flags"), l.n);
    run(&j->r, reference_diagonal, groups_rows(l.n, l.lanes), .r_row = words_at(row), .r_col = words_at(col),
        .r_val = reals_at(val), .fine = reals_at(fine), .row = B.csr.row, .col = B.csr.col,
        .val = blocks_reals(&B), .reference = reals_at(reference), .empty = words_at(empty), .n = l.n,
        .lanes = l.lanes, .size = size);
    free_next_level(&l);
}

static inline void expect_reference_of(const struct job *j, uint32_t size, double *want)
{
    struct next_level l;
    make_next_level(j, size, &l);
    for (uint32_t c = 0; c < l.n; c++) {
        want[c] = l.reference[c];
        want[l.n + c] = l.empty[c];
    }
    free_next_level(&l);
}

static inline void record_mend_of(struct job *j, uint32_t size)
{
    struct next_level l;
    make_next_level(j, size, &l);
    struct blocks B = put_host_blocks(j, &l.A);
    compare_last(j, host_blocks_elements(&l.A));
    run(&j->r, mend_diagonal, groups_each(l.n), .row = B.csr.row, .col = B.csr.col, .val = blocks_reals(&B),
        .reference = reals_at(put(j, l.reference, l.n, "a reference diagonal")),
        .empty = words_at(put_words(j, l.empty, l.n, "flags")), .n = l.n, .size = size);
    free_next_level(&l);
}

/* Element by element: an empty row keeps only its diagonal, and its column only entries that are also in the
 * row. */
static inline void expect_mend_of(const struct job *j, uint32_t size, double *want)
{
    struct next_level l;
    make_next_level(j, size, &l);
    const struct host_csr *a = &l.pattern;
    const double *v = l.A.val;
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t q = a->row[i]; q < a->row[i + 1]; q++)
            for (uint32_t k = 0; k < size * size; k++, v++) {
                uint32_t c = i * size + k / size, other = a->col[q] * size + k % size;
                bool column = l.empty[other] && element_of(&l, size, other, c);
                double kept = l.empty[c] || column ? 0 : *v, m = l.reference[c];
                *want++ = l.empty[c] && c == other ? (m > 0 ? m : 1) : kept;
            }
    free_next_level(&l);
}

static inline void record_reciprocals(struct job *j)
{
    run(&j->r, reciprocals, groups_each(j->n), .x = reals_at(put(j, j->x, j->n, "x")),
        .y = reals_at(compared(j, new_reals(j, j->n, "y"), j->p, j->n)), .n = j->n);
}

static inline void expect_reciprocals(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, 1 / j->x[i]);
}

NODE_CASES_OF_SIZES(reference_diagonal, reference)
NODE_CASES_OF_SIZES(mend_diagonal, mend)

#define MULTIGRID_MEND_CASES(X)              \
    NODE_CASES_LISTED(X, reference_diagonal) \
    NODE_CASES_LISTED(X, mend_diagonal)      \
    X(reciprocals, .once = false)

#endif
