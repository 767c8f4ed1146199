/* Random matrices of every shape, in host memory; host_csr_free frees them. */
#ifndef VKS_TESTS_MATRIX_H
#define VKS_TESTS_MATRIX_H

#include "entries/host_csr.h"
#include "tests/support/data.h"

static inline struct host_csr new_csr(uint32_t rows, uint32_t cols, size_t entries)
{
    return (struct host_csr){rows, cols, room((size_t)rows + 1, 4), room(entries, 4), room(entries, 8)};
}

/* `length` ascending columns below `cols`, spread about evenly. */
static inline void random_columns(uint64_t *state, uint32_t *col, uint32_t length, uint32_t cols)
{
    for (uint32_t k = 0; k < length; k++) {
        uint32_t from = (uint32_t)((uint64_t)cols * k / length),
                 to = (uint32_t)((uint64_t)cols * (k + 1) / length);
        col[k] = from + random_below(state, to - from);
    }
}

/* Row i has lengths[i] entries, at most `cols`. */
static inline struct host_csr csr_of_lengths(enum precision p, uint32_t rows, uint32_t cols,
                                             const uint32_t *lengths, uint64_t seed)
{
    size_t entries = 0;
    for (uint32_t i = 0; i < rows; i++)
        entries += lengths[i];
    struct host_csr a = new_csr(rows, cols, entries);
    for (uint32_t i = 0; i < rows; i++) {
        a.row[i + 1] = a.row[i] + lengths[i];
        random_columns(&seed, a.col + a.row[i], lengths[i], cols);
    }
    for (size_t k = 0; k < entries; k++)
        a.val[k] = random_wide(&seed, p, 20);
    return a;
}

/* Rows of one length. */
static inline struct host_csr rows_of_length(enum precision p, uint32_t rows, uint32_t cols, uint32_t length)
{
    OWNED(uint32_t) *lengths = room(rows, 4);
    for (uint32_t i = 0; i < rows; i++)
        lengths[i] = length;
    return csr_of_lengths(p, rows, cols, lengths, 7);
}

/* Row lengths between 0 and `most`. */
static inline struct host_csr random_csr(enum precision p, uint32_t rows, uint32_t cols, uint32_t most,
                                         uint64_t seed)
{
    OWNED(uint32_t) *lengths = room(rows, sizeof *lengths);
    most = most < cols ? most : cols;
    for (uint32_t i = 0; i < rows; i++)
        lengths[i] = random_below(&seed, most + 1);
    return csr_of_lengths(p, rows, cols, lengths, seed);
}

/* Rows around the lengths at which long rows and their pieces begin; if there is one row, it has one piece
 * more than are summed at a time. */
static inline struct host_csr csr_of_long_rows(enum precision p, uint32_t rows, uint64_t seed)
{
    static const uint32_t of[] = {257, 3, 256, 1024, 1025, 0, 2049, 255, 300, 258, 1, 20000, 5};
    uint32_t *lengths = room(rows, sizeof *lengths), cols = rows == 1 ? 256 * 1024 + 1 : 20011;
    for (uint32_t i = 0; i < rows; i++)
        lengths[i] = rows == 1 ? cols : of[i % 13];
    struct host_csr a = csr_of_lengths(p, rows, cols, lengths, seed);
    free(lengths);
    return a;
}

/* Symmetric and strictly diagonally dominant with a positive diagonal, so positive definite. Has entry (i, i
 * + gap) for each gap of 1, 2 .. if a random bit is set. */
static inline double coupling(enum precision p, uint32_t i, uint32_t gap, uint64_t seed)
{
    uint64_t state = seed + 1000003 * (uint64_t)i + 7919 * (uint64_t)gap;
    return random_bits(&state) % 3 ? random_wide(&state, p, 3) : 0;
}

static inline struct host_csr random_spd(enum precision p, uint32_t n, uint64_t seed)
{
    static const uint32_t gaps[] = {1, 2, 17};
    struct host_csr a = new_csr(n, n, 7 * (size_t)n);
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        double sum = 1.5;
        uint32_t diagonal = 0;
        for (int g = -3; g <= 3; g++) {
            uint32_t gap = g ? gaps[(g < 0 ? -g : g) - 1] : 0;
            if (!g) {
                diagonal = k;
                a.col[k++] = i;
            } else if (g < 0 ? gap <= i : gap < n - i) {
                double v = coupling(p, g < 0 ? i - gap : i, gap, seed);
                a.col[k] = g < 0 ? i - gap : i + gap;
                a.val[k++] = v;
                sum += fabs(v);
            }
        }
        a.val[diagonal] = rounded(p, 1.0625 * sum);
        a.row[i + 1] = k;
    }
    return a;
}

/* The same pattern, with 6 kinds of entries off the diagonal, and up to `each` on it. */
static inline struct host_csr spd_of_few_kinds(enum precision p, uint32_t n, uint32_t each)
{
    struct host_csr a = random_spd(p, n, 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = a.row[i]; k < a.row[i + 1]; k++)
            a.val[k] = a.col[k] == i ? 8 + (double)(i % each) / 64 : -1;
    return a;
}

/* y = A x, each row in long double and rounded once. */
static inline void host_multiply(const struct host_csr *A, const double *x, double *y)
{
    for (uint32_t i = 0; i < A->rows; i++) {
        long double sum = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            sum += (long double)A->val[k] * x[A->col[k]];
        y[i] = (double)sum;
    }
}

#endif
