/* The cases of the kernels of sparse products: C = A A, whose rows are short enough for any of them. */
#ifndef VKS_TESTS_SPGEMM_CASES_H
#define VKS_TESTS_SPGEMM_CASES_H

#include "primitive/verbs.h"
#include "shaders/sparse/spgemm.h"
#include "tests/support/job.h"
#include "tests/support/product_oracle.h"

static inline void record_spgemm_bound(struct job *j)
{
    const struct csr *A = put_matrix(j);
    for (uint32_t lanes = 1; lanes <= 32; lanes *= 8) {
        const struct memory *bound = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "bounds"), j->n),
                            *entries = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "entries"), j->n);
        run(&j->r, spgemm_bound, groups_rows(j->n, lanes), .a_row = A->row, .a_col = A->col, .b_row = A->row,
            .bound = words_at(bound), .entries = words_at(entries), .n = j->n, .lanes = lanes);
    }
}

static inline void expect_spgemm_bound(const struct job *j, double *want)
{
    for (int turn = 0; turn < 2; turn++, want += 2 * (size_t)j->n)
        for (uint32_t i = 0; i < j->n; i++) {
            want[i] = (double)count_products(j->A, j->A, i, i + 1);
            want[j->n + (size_t)i] = want[i] > 0 ? SPGEMM_UNKNOWN : 0;
        }
}

/* Some rows of C, in descending order; few, since one workgroup for each row is slow. */
static inline uint32_t listed_rows(const struct job *j)
{
    return j->n < 300 ? j->n : 300;
}

static inline const struct memory *put_list(struct job *j)
{
    uint32_t rows = listed_rows(j), *list = room(rows, 4);
    for (uint32_t s = 0; s < rows; s++)
        list[s] = j->n - 1 - s;
    const struct memory *m = put_words(j, list, rows, "a list of rows");
    free(list);
    return m;
}

/* Zeros, then the offsets of the listed rows, which are the last ones. */
static inline const struct memory *put_offsets(struct job *j, const struct host_csr *C)
{
    uint32_t rows = listed_rows(j), first = j->n - rows, *row = room(j->n + (size_t)1, 4);
    for (uint32_t i = first; i <= j->n; i++)
        row[i] = C->row[i] - C->row[first];
    const struct memory *m = put_words(j, row, j->n + (uint64_t)1, "offsets");
    free(row);
    return m;
}

/* Counts, then columns. The other arguments are specific to each kernel. Squads keep up to 9 columns of each
 * row when they count. */
#define RECORD_ROWS(kernel, rows_each, ...)                                                            \
    static inline void record_##kernel(struct job *j)                                                  \
    {                                                                                                  \
        struct host_csr C = product_oracle(j->p, j->A, j->A);                                          \
        uint32_t rows = listed_rows(j), entries = C.row[j->n] - C.row[j->n - rows];                    \
        const struct csr *A = put_matrix(j);                                                           \
        const struct memory *list = put_list(j), *offsets = put_offsets(j, &C);                        \
        const struct memory *counts = new_bytes(j, 4 * (uint64_t)j->n, "counts"),                      \
                            *kept = new_bytes(j, 36 * (uint64_t)rows, "kept columns"),                 \
                            *col = new_bytes(j, 4 * (uint64_t)entries, "columns");                     \
        fill_words(&j->r, words_at(counts), 7, 0, j->n, 1);                                            \
        for (uint32_t fill = 0; fill < 2; fill++)                                                      \
            run(&j->r, kernel, (rows + (uint64_t)(rows_each)-1) / (rows_each), .list = words_at(list), \
                .a_row = A->row, .a_col = A->col, .b_row = A->row, .b_col = A->col,                    \
                .c_row = words_at(fill ? offsets : counts), .c_col = words_at(col), .fill = fill,      \
                __VA_ARGS__);                                                                          \
        compared_words(j, counts, j->n);                                                               \
        compared_words(j, col, entries);                                                               \
        host_csr_free(&C);                                                                             \
        (void)kept;                                                                                    \
    }                                                                                                  \
                                                                                                       \
    static inline void expect_##kernel(const struct job *j, double *want)                              \
    {                                                                                                  \
        struct host_csr C = product_oracle(j->p, j->A, j->A);                                          \
        uint32_t first = j->n - listed_rows(j);                                                        \
        for (uint32_t i = 0; i < j->n; i++)                                                            \
            *want++ = i < first ? 7 : C.row[i + 1] - C.row[i];                                         \
        for (uint32_t e = C.row[first]; e < C.row[j->n]; e++)                                          \
            *want++ = C.col[e];                                                                        \
        host_csr_free(&C);                                                                             \
    }

RECORD_ROWS(spgemm_lane_rows, 256, .count = rows)
RECORD_ROWS(spgemm_squad_rows, 8, .count = rows, .kept = words_at(kept), .stride = 9)
RECORD_ROWS(spgemm_group_rows, 1, .count = rows, .kept = words_at(kept), .stride = 9)
#undef RECORD_ROWS

static inline void record_spgemm_lengths(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *length =
        compared_words(j, new_bytes(j, 4 * (uint64_t)A->entries, "lengths"), A->entries);
    run(&j->r, spgemm_lengths, groups_each(A->entries), .a_col = A->col, .b_row = A->row,
        .length = words_at(length), .n = A->entries);
}

static inline void expect_spgemm_lengths(const struct job *j, double *want)
{
    for (uint32_t e = 0; e < j->A->row[j->n]; e++)
        want[e] = j->A->row[j->A->col[e] + 1] - j->A->row[j->A->col[e]];
}

/* The bits of a column, with one to spare; the number of listed rows that keys have room for. */
static inline uint32_t column_bits(const struct job *j)
{
    uint32_t bits = 1;
    while ((uint64_t)1 << bits < j->n)
        bits++;
    return bits;
}

/* The number of products before each entry, from a starting value that wraps around. */
static inline const struct memory *put_products_before(struct job *j)
{
    uint32_t entries = j->A->row[j->n], *before = room(entries, 4), sum = 0xFFFFFF00u;
    for (uint32_t e = 0; e < entries; e++) {
        before[e] = sum;
        sum += j->A->row[j->A->col[e] + 1] - j->A->row[j->A->col[e]];
    }
    const struct memory *m = put_words(j, before, entries, "products before");
    free(before);
    return m;
}

static inline void record_spgemm_expand(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t rows = listed_rows(j), *start = room(rows + (size_t)1, 4);
    for (uint32_t s = 0; s < rows; s++)
        start[s + 1] = start[s] + (uint32_t)count_products(j->A, j->A, j->n - 1 - s, j->n - s);
    const struct memory *list = put_list(j), *starts = put_words(j, start, rows + (uint64_t)1, "starts"),
                        *before = put_products_before(j);
    const struct memory *key =
        compared_words(j, new_bytes(j, 4 * (uint64_t)start[rows], "keys"), start[rows]);
    run(&j->r, spgemm_expand, groups_each(start[rows]), .list = words_at(list), .start = words_at(starts),
        .before = words_at(before), .a_row = A->row, .a_col = A->col, .b_row = A->row, .b_col = A->col,
        .key = words_at(key), .rows = rows, .products = start[rows], .shift = column_bits(j));
    free(start);
}

static inline void expect_spgemm_expand(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    for (uint32_t s = 0; s < listed_rows(j); s++)
        for (uint32_t e = A->row[j->n - 1 - s]; e < A->row[j->n - s]; e++)
            for (uint32_t f = A->row[A->col[e]]; f < A->row[A->col[e] + 1]; f++)
                *want++ = (uint32_t)(s << column_bits(j) | A->col[f]);
}

/* Sorted keys: those of the listed rows of A itself. */
static inline void put_kept(struct job *j, const struct memory **key, const struct memory **bound)
{
    const struct host_csr *A = j->A;
    uint32_t rows = listed_rows(j), n = 0, *bounds = room(rows + (size_t)1, 4);
    uint32_t *keys = room(A->row[j->n] - A->row[j->n - rows], 4);
    for (uint32_t s = 0; s < rows; s++) {
        for (uint32_t e = A->row[j->n - 1 - s]; e < A->row[j->n - s]; e++)
            keys[n++] = s << column_bits(j) | A->col[e];
        bounds[s + 1] = n;
    }
    *key = put_words(j, keys, n, "kept keys");
    *bound = put_words(j, bounds, rows + (uint64_t)1, "bounds");
    free(keys);
    free(bounds);
}

/* One part for each row; then rows of two parts, as far as bounds go. */
static inline void record_spgemm_kept_counts(struct job *j)
{
    const struct memory *key, *bound, *list = put_list(j);
    put_kept(j, &key, &bound);
    for (uint32_t parts = 1; parts <= 2; parts++) {
        const struct memory *entries = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "entries"), j->n);
        fill_words(&j->r, words_at(entries), 7, 0, j->n, 1);
        run(&j->r, spgemm_kept_counts, groups_each(listed_rows(j) / parts), .list = words_at(list),
            .bound = words_at(bound), .entries = words_at(entries), .rows = listed_rows(j) / parts,
            .parts = parts);
    }
}

static inline void expect_spgemm_kept_counts(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    for (uint32_t i = 0; i < j->n; i++)
        *want++ = i < j->n - listed_rows(j) ? 7 : A->row[i + 1] - A->row[i];
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t s =
            j->n - 1 - i; /* of the list, where parts 2 s and 2 s + 1 are the rows at the same places */
        *want++ = s >= listed_rows(j) / 2 ? 7 : A->row[j->n - 2 * s] - A->row[j->n - 2 * s - 2];
    }
}

static inline void record_spgemm_kept_columns(struct job *j)
{
    uint32_t rows = listed_rows(j), entries = j->A->row[j->n] - j->A->row[j->n - rows];
    const struct memory *key, *bound, *list = put_list(j), *offsets = put_offsets(j, j->A);
    const struct memory *col = compared_words(j, new_bytes(j, 4 * (uint64_t)entries, "columns"), entries);
    put_kept(j, &key, &bound);
    run(&j->r, spgemm_kept_columns, groups_each(entries), .list = words_at(list), .key = words_at(key),
        .bound = words_at(bound), .c_row = words_at(offsets), .c_col = words_at(col), .n = entries,
        .shift = column_bits(j), .mask = ((uint32_t)1 << column_bits(j)) - 1);
}

static inline void expect_spgemm_kept_columns(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    for (uint32_t e = A->row[j->n - listed_rows(j)]; e < A->row[j->n]; e++)
        *want++ = A->col[e];
}

/* X(verb, further members) */
#define SPGEMM_CASES(X)                                                          \
    X(spgemm_bound, .sparse = true, .words = true)                               \
    X(spgemm_lane_rows, .sparse = true, .words = true)                           \
    X(spgemm_squad_rows, .sparse = true, .words = true)                          \
    X(spgemm_group_rows, .sizes = &sizes_of_slow, .sparse = true, .words = true) \
    X(spgemm_lengths, .sparse = true, .words = true)                             \
    X(spgemm_expand, .sparse = true, .words = true)                              \
    X(spgemm_kept_counts, .sparse = true, .words = true)                         \
    X(spgemm_kept_columns, .sparse = true, .words = true)

#endif
