/* The cases of the kernels of sparse/statistics.h, through their verbs. */
#ifndef VKS_TESTS_STATISTICS_CASES_H
#define VKS_TESTS_STATISTICS_CASES_H

#include "sparse/statistics.h"
#include "tests/support/bsr_oracle.h"
#include "tests/support/cases/slices.h"

__extension__ typedef __int128 integer;

/* Only the row offsets are on the device: the matrix may be too large to store. */
static inline void record_row_lengths(struct job *j)
{
    uint32_t *none = room(STATISTICS_WORDS, 4), *rows = rows_in_order(j->A, j->shape.sigma);
    uint32_t height = j->shape.ell ? 32 : rows_of_slice(j), slices = sell_slices(j->n, height);
    const struct memory *words = put_words(j, none, STATISTICS_WORDS, "statistics"),
                        *sizes = put_words(j, rows, slices, "sizes of slices"),
                        *order = put_words(j, rows, j->n, "the order of rows"),
                        *row = put_words(j, j->A->row, j->n + (uint64_t)1, "row offsets");
    struct csr A = {.n = j->n, .entries = j->A->row[j->n], .row = words_at(row)};
    compared_words(j, words, STATISTICS_WORDS);
    compared_words(j, sizes, j->shape.ell ? 0 : slices);
    row_lengths(&j->r, &A, height, j->shape.sigma ? words_at(order) : NULL,
                j->shape.ell ? NULL : words_at(sizes), words_at(words));
    free(none);
    free(rows);
}

static inline void expect_words(double *want, integer v, int count)
{
    for (int k = 0; k < count; k++)
        want[k] = (uint32_t)(v >> 32 * k);
}

/* Follows the definition of each word. */
static inline void expect_row_lengths(const struct job *j, double *want)
{
    const uint32_t *row = j->A->row, n = j->n;
    uint32_t height = j->shape.ell ? 32 : rows_of_slice(j), *order = rows_in_order(j->A, j->shape.sigma);
    integer squares = 0, cubes = 0, padded = 0;
    uint32_t shortest = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t length = row[i + 1] - row[i], class = 0;
        integer off = (integer)length - row[n] / n;
        while (class < 32 && length >= (uint64_t)1 << class)
            class ++;
        want[class]++;
        want[33] += length > 256;
        want[34] += length > 256 ? length : 0;
        want[35] += length > 256 ? ceil(length / 1024.0) : 0;
        want[36] += length > 1024 && length <= 262144;
        want[37] += length > 262144;
        want[39] = length > want[39] ? length : want[39];
        shortest = length < shortest ? length : shortest;
        squares += off * off;
        cubes += off * off * off;
    }
    want[40] = UINT32_MAX - shortest;
    for (uint32_t s = 0; s < sell_slices(n, height); s++) {
        uint32_t width = slice_width(j->A, order, height * s, height);
        if (!j->shape.ell)
            want[STATISTICS_WORDS + s] = (double)height * width;
        want[38] += (width + 3) / 4;
        want[41] = width > want[41] ? width : want[41];
        padded += (integer)height * width;
    }
    expect_words(want + 42, squares, 2);
    expect_words(want + 44, cubes, 3);
    expect_words(want + 47, padded, 2);
    free(order);
}

/* At most 5 block rows of each size; all; and the first three blocks of all, up to a partial one. */
static inline void record_bsr_sample(struct job *j)
{
    uint32_t *none = room(STATISTICS_WORDS, 4);
    const struct csr *A = put_matrix(j);
    for (int all = 0; all < 3; all++) {
        const struct memory *words = put_words(j, none, STATISTICS_WORDS, "statistics");
        bsr_sample(&j->r, A, all ? j->n / 2 + 2 : 5, all == 2 ? 3 : 0, words_at(words));
        compared_words(j, words, STATISTICS_WORDS);
    }
    free(none);
}

/* Counts blocks of a size in every step-th block row with at most `few` blocks, up to a partial one, unless
 * `few` is 0. */
static inline void expect_blocks_seen(const struct host_csr *A, uint32_t size, uint32_t step, uint32_t few,
                                      double *want)
{
    for (uint32_t I = 0; (uint64_t)I * size < A->rows; I += step) {
        uint32_t count;
        struct oracle_block *b = blocks_of(A, size, I, &count);
        for (uint32_t q = 0, stop = 0; q < count && !stop; q++) {
            bool partial = is_partial(A, size, I, &b[q]);
            want[0]++;
            want[1] += __builtin_popcountll(b[q].mask);
            want[2] = want[2] || partial;
            stop = few && (partial || q + 1 == few);
        }
        free(b);
    }
}

static inline void expect_bsr_sample(const struct job *j, double *want)
{
    for (uint32_t size = 2; size <= 8; size++) {
        uint32_t rows = (j->n + size - 1) / size;
        double *here = want + 50 + 3 * (size - 2);
        expect_blocks_seen(j->A, size, rows / 5 + 1, 0, here);
        expect_blocks_seen(j->A, size, 1, 0, here + STATISTICS_WORDS);
        expect_blocks_seen(j->A, size, 1, 3, here + 2 * STATISTICS_WORDS);
    }
}

static inline u32s second_word(const struct memory *m)
{
    return (u32s)(uintptr_t)(m->address + 4);
}

/* Both arrays of bits, and the count in the upper one. */
static inline void record_mark_diagonals(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t above = A->cols / 32 + 1, below = A->n / 32 + 1, *none = room(above + below, 4);
    const struct memory *upper = compared_words(j, put_words(j, none, above, "upper diagonals"), above),
                        *lower = compared_words(j, put_words(j, none, below, "lower diagonals"), below),
                        *count = compared_words(j, put_words(j, (uint32_t[]){5, 1}, 2, "bits"), 2);
    mark_diagonals(&j->r, A, words_at(upper), words_at(lower));
    bits_extent(&j->r, words_at(upper), words_at(count), second_word(count), above);
    free(none);
}

static inline void expect_mark_diagonals(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t above = A->cols / 32 + 1, below = A->rows / 32 + 1;
    bool *up = room(A->cols + (size_t)1, 1), *down = room(A->rows + (size_t)1, 1);
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (A->col[k] >= i)
                up[A->col[k] - i] = true;
            else
                down[i - A->col[k]] = true;
    for (uint32_t d = 0; d <= A->cols; d++)
        want[d / 32] += up[d] ? (double)(1u << d % 32) : 0;
    for (uint32_t d = 0; d <= A->rows; d++)
        want[above + d / 32] += down[d] ? (double)(1u << d % 32) : 0;
    double *count = want + above + below;
    count[0] = 5;
    count[1] = 1;
    for (uint32_t d = 0; d <= A->cols; d++) {
        count[0] += up[d];
        count[1] = up[d] && d > count[1] ? d : count[1];
    }
    free(up);
    free(down);
}

/* Of arbitrary words. */
static inline void record_bits_extent(struct job *j)
{
    const struct memory *bits = put_words(j, j->words, j->n, "bits"),
                        *count = compared_words(j, put_words(j, (uint32_t[]){5, 1}, 2, "count"), 2);
    bits_extent(&j->r, words_at(bits), words_at(count), second_word(count), j->n);
}

static inline void expect_bits_extent(const struct job *j, double *want)
{
    want[0] = 5;
    want[1] = 1;
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t b = 0; b < 32; b++)
            if (j->words[i] >> b & 1) {
                want[0]++;
                want[1] = 32.0 * i + b > want[1] ? 32.0 * i + b : want[1];
            }
}

#define STATISTICS_CASES(X)                                                             \
    X(row_lengths, .words = true, .sparse = true, .once = true)                         \
    X(bsr_sample, .sizes = &sizes_of_slow, .words = true, .sparse = true, .once = true) \
    X(mark_diagonals, .words = true, .sparse = true, .once = true)                      \
    X(bits_extent, .words = true, .once = true)

#endif
