/* The cases of the kernels that sum the values of a sparse product. */
#ifndef VKS_TESTS_PRODUCT_VALUES_CASES_H
#define VKS_TESTS_PRODUCT_VALUES_CASES_H

#include "tests/support/cases/spgemm.h"

/* Lengths of rows of A around the limit of one invocation. */
static inline uint32_t a_length(const struct job *j, uint32_t i)
{
    static const uint32_t lengths[] = {1, 9, 10};
    return lengths[j->words[i] / 7 % 3];
}

/* Offsets of A, by a_length. */
static inline const struct memory *put_a_offsets(struct job *j)
{
    uint32_t *row = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        row[i + 1] = row[i] + a_length(j, i);
    const struct memory *m = put_words(j, row, j->n + (uint64_t)1, "offsets of A");
    free(row);
    return m;
}

/* Row offsets of C: rows of no entries, less than a piece, one, and several pieces; an invocation takes none
 * of the last kind. */
static inline uint32_t *offsets_of_pieces(const struct job *j)
{
    static const uint32_t lengths[] = {0, 1, 32, 33, 64, 65, 300};
    uint32_t *row = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        row[i + 1] = row[i] + lengths[j->words[i] % 7];
    return row;
}

static inline uint32_t pieces_in(const struct job *j, const uint32_t *row, uint32_t i)
{
    uint32_t entries = row[i + 1] - row[i];
    return entries <= 32 && a_length(j, i) <= 9 ? 0 : entries == 0 ? 1 : (entries + 63) / 64;
}

static inline void record_spgemm_piece_counts(struct job *j)
{
    uint32_t *offsets = offsets_of_pieces(j);
    const struct memory *row = put_words(j, offsets, j->n + (uint64_t)1, "offsets");
    const struct memory *pieces = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "pieces"), j->n);
    run(&j->r, spgemm_piece_counts, groups_each(j->n), .a_row = words_at(put_a_offsets(j)),
        .c_row = words_at(row), .pieces = words_at(pieces), .n = j->n);
    free(offsets);
}

static inline void expect_spgemm_piece_counts(const struct job *j, double *want)
{
    uint32_t *offsets = offsets_of_pieces(j);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = pieces_in(j, offsets, i);
    free(offsets);
}

static inline void record_spgemm_pieces(struct job *j)
{
    uint32_t *offsets = offsets_of_pieces(j), *number_of = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        number_of[i + 1] = number_of[i] + pieces_in(j, offsets, i);
    uint32_t all = number_of[j->n];
    const struct memory *row = put_words(j, offsets, j->n + (uint64_t)1, "offsets"),
                        *number = put_words(j, number_of, j->n + (uint64_t)1, "numbers"),
                        *rows = compared_words(j, new_bytes(j, 4 * (uint64_t)all, "rows"), all),
                        *begin = compared_words(j, new_bytes(j, 4 * (uint64_t)all, "beginnings"), all);
    run(&j->r, spgemm_pieces, groups_each(j->n), .row = words_at(row), .number_of = words_at(number),
        .piece_row = words_at(rows), .piece_begin = words_at(begin), .n = j->n);
    free(offsets);
    free(number_of);
}

static inline void expect_spgemm_pieces(const struct job *j, double *want)
{
    uint32_t *offsets = offsets_of_pieces(j);
    for (int begins = 0; begins < 2; begins++)
        for (uint32_t i = 0; i < j->n; i++)
            for (uint32_t q = 0; q < pieces_in(j, offsets, i); q++)
                *want++ = begins ? offsets[i] + 64 * q : i;
    free(offsets);
}

/* The values of the listed rows, each one piece; the last row of C lacks its last entry. */
static inline void record_spgemm_values(struct job *j)
{
    struct host_csr C = product_oracle(j->p, j->A, j->A);
    const struct csr *A = put_matrix(j);
    uint32_t rows = listed_rows(j), first = j->n - rows, none = UINT32_MAX, *begins = room(rows, 4);
    if (j->n && C.row[j->n - 1] < C.row[j->n])
        C.row[j->n]--;
    for (uint32_t q = 0; q < rows; q++)
        begins[q] = C.row[j->n - 1 - q] - C.row[first];
    uint32_t entries = C.row[j->n] - C.row[first];
    const struct memory *row = put_offsets(j, &C), *piece_row = put_list(j),
                        *col = put_words(j, C.col + C.row[first], entries, "columns"),
                        *piece_begin = put_words(j, begins, rows, "beginnings"),
                        *pieces = put_words(j, &rows, 1, "a number"),
                        *missing = compared_words(j, put_words(j, &none, 1, "a row"), 1),
                        *val = compared(j, new_reals(j, entries, "values"), j->p, entries);
    run(&j->r, spgemm_values, (rows + (uint64_t)7) / 8, .a_row = A->row, .a_col = A->col,
        .a_val = reals_of(&j->r, A->val), .b_row = A->row, .b_col = A->col, .b_val = reals_of(&j->r, A->val),
        .c_row = words_at(row), .c_col = words_at(col), .c_val = reals_at(val),
        .piece_row = words_at(piece_row), .piece_begin = words_at(piece_begin), .pieces = words_at(pieces),
        .missing = words_at(missing));
    free(begins);
    host_csr_free(&C);
}

static inline void expect_spgemm_values(const struct job *j, double *want)
{
    struct host_csr C = product_oracle(j->p, j->A, j->A);
    uint32_t first = j->n - listed_rows(j);
    bool lacks = j->n && C.row[j->n - 1] < C.row[j->n];
    want[0] = lacks ? j->n - 1 : UINT32_MAX;
    memcpy(want + 1, C.val + C.row[first], (C.row[j->n] - C.row[first] - lacks) * sizeof *want);
    host_csr_free(&C);
}

/* The last row of C lacks its last entry. */
static inline struct host_csr product_that_lacks(const struct job *j)
{
    struct host_csr C = product_oracle(j->p, j->A, j->A);
    if (j->n && C.row[j->n - 1] < C.row[j->n])
        C.row[j->n]--;
    return C;
}

/* Whether the kernel sums row i of C; all other values stay zero. */
static inline bool is_by_lane(const struct job *j, const struct host_csr *C, uint32_t i)
{
    return SPGEMM_BY_LANE(j->A->row[i + 1] - j->A->row[i], C->row[i + 1] - C->row[i]);
}

static inline bool is_by_octet(const struct job *j, const struct host_csr *C, uint32_t i)
{
    return SPGEMM_BY_OCTET(j->A->row[i + 1] - j->A->row[i], C->row[i + 1] - C->row[i]);
}

#define RECORD_WHOLE_ROWS(kernel, groups)                                                           \
    struct host_csr C = product_that_lacks(j);                                                      \
    const struct csr *A = put_matrix(j);                                                            \
    uint32_t none = UINT32_MAX, entries = C.row[j->n];                                              \
    double *zeros = room(entries, sizeof *zeros);                                                   \
    const struct memory *row = put_words(j, C.row, j->n + (uint64_t)1, "offsets"),                  \
                        *col = put_words(j, C.col, entries, "columns"),                             \
                        *missing = compared_words(j, put_words(j, &none, 1, "a row"), 1),           \
                        *val = compared(j, put(j, zeros, entries, "values"), j->p, entries);        \
    run(&j->r, kernel, groups, .a_row = A->row, .a_col = A->col, .a_val = reals_of(&j->r, A->val),  \
        .b_row = A->row, .b_col = A->col, .b_val = reals_of(&j->r, A->val), .c_row = words_at(row), \
        .c_col = words_at(col), .c_val = reals_at(val), .missing = words_at(missing), .n = j->n);   \
    free(zeros);                                                                                    \
    host_csr_free(&C);

static inline void record_spgemm_octet_values(struct job *j)
{
    RECORD_WHOLE_ROWS(spgemm_octet_values, (j->n + (uint64_t)31) / 32)
}

static inline void record_spgemm_lane_values(struct job *j)
{
    RECORD_WHOLE_ROWS(spgemm_lane_values, groups_each(j->n))
}

static inline void expect_whole_rows(const struct job *j, double *want,
                                     bool (*is_mine)(const struct job *, const struct host_csr *, uint32_t))
{
    struct host_csr C = product_that_lacks(j), whole = product_oracle(j->p, j->A, j->A);
    bool lacks = C.row[j->n] < whole.row[j->n] && is_mine(j, &C, j->n - 1);
    want[0] = lacks ? j->n - 1 : UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++)
        for (uint32_t e = C.row[i]; e < C.row[i + 1]; e++)
            want[1 + e] = is_mine(j, &C, i) ? C.val[e] : 0;
    host_csr_free(&whole);
    host_csr_free(&C);
}

static inline void expect_spgemm_octet_values(const struct job *j, double *want)
{
    expect_whole_rows(j, want, is_by_octet);
}

static inline void expect_spgemm_lane_values(const struct job *j, double *want)
{
    expect_whole_rows(j, want, is_by_lane);
}

/* X(verb, further members) */
#define PRODUCT_VALUES_CASES(X)                                     \
    X(spgemm_piece_counts, .sparse = true, .words = true)           \
    X(spgemm_pieces, .sparse = true, .words = true)                 \
    X(spgemm_octet_values, .sizes = &sizes_of_slow, .sparse = true) \
    X(spgemm_lane_values, .sizes = &sizes_of_slow, .sparse = true)  \
    X(spgemm_values, .sparse = true)

#endif
