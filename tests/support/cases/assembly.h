/* The cases of the kernels of assembly and transposition, through their verbs. */
#ifndef VKS_TESTS_ASSEMBLY_CASES_H
#define VKS_TESTS_ASSEMBLY_CASES_H

#include "sparse/assembly.h"
#include "tests/support/job.h"

/* The columns of the triplets; the words of the job are their rows. */
static inline uint32_t column_of(const struct job *j, uint32_t i)
{
    return j->words[i] / 3;
}

/* Limits that all triplets satisfy, that some break, and that all break. */
static const uint32_t limits_of_rows[] = {UINT32_MAX, 0xFFC00000, 0},
                      limits_of_columns[] = {UINT32_MAX, 0x55400000, 1};
enum { LIMITS = 3 };

static inline void record_triplet_keys(struct job *j)
{
    uint32_t *columns = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        columns[i] = column_of(j, i);
    const struct memory *row = put_words(j, j->words, j->n, "rows"),
                        *col = put_words(j, columns, j->n, "columns");
    for (int k = 0; k < LIMITS; k++) {
        const struct memory *key = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "keys"), j->n),
                            *place = compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "places"), j->n),
                            *fault = compared_words(j, new_bytes(j, 4, "a fault"), 1);
        triplet_keys(&j->r, words_at(row), words_at(col), words_at(key), words_at(place), words_at(fault),
                     j->n, limits_of_rows[k], limits_of_columns[k]);
    }
    free(columns);
}

static inline void expect_triplet_keys(const struct job *j, double *want)
{
    for (int k = 0; k < LIMITS; k++, want += 2 * (size_t)j->n + 1) {
        uint32_t rows = limits_of_rows[k], fault = UINT32_MAX;
        for (uint32_t i = 0; i < j->n; i++) {
            bool within = j->words[i] < rows;
            want[i] = within ? j->words[i] : rows ? rows - 1 : 0;
            want[j->n + (size_t)i] = i;
            if (fault == UINT32_MAX && (!within || column_of(j, i) >= limits_of_columns[k]))
                fault = i;
        }
        want[2 * (size_t)j->n] = fault;
    }
}

/* Offsets of rows with few columns, and with about 256. */
static inline uint32_t *ranked_rows(const struct job *j, uint32_t *rows)
{
    static const uint32_t lengths[] = {0, 1, 3, 9, 33, 255, 256, 257, 300};
    uint32_t *bound = room(j->n + (size_t)2, 4);
    for (*rows = 0; bound[*rows] < j->n; (*rows)++) {
        uint32_t length = lengths[*rows % 9], left = j->n - bound[*rows];
        bound[*rows + 1] = bound[*rows] + (length < left ? length : left);
    }
    return bound;
}

static inline void record_rank_columns(struct job *j)
{
    uint32_t rows, *bounds = ranked_rows(j, &rows), *keys = room(j->n, 4), *columns = room(j->n, 4);
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t i = bounds[r]; i < bounds[r + 1]; i++)
            keys[i] = r;
    for (uint32_t i = 0; i < j->n; i++)
        columns[i] = j->words[i] % 19;
    uint64_t bytes = 4 * (uint64_t)j->n;
    const struct memory *key = put_words(j, keys, j->n, "rows"),
                        *col = put_words(j, columns, j->n, "columns"),
                        *bound = put_words(j, bounds, rows + (uint64_t)1, "bounds"),
                        *place = put_words(j, j->words, j->n, "places"),
                        *to_col = compared_words(j, new_bytes(j, bytes, "ordered columns"), j->n),
                        *to_place = compared_words(j, new_bytes(j, bytes, "ordered places"), j->n),
                        *longest = compared_words(j, new_bytes(j, 4, "a length"), 1);
    rank_columns(&j->r, words_at(key), words_at(bound), words_at(col), words_at(place), words_at(to_col),
                 words_at(to_place), words_at(longest), j->n);
    free(bounds);
    free(keys);
    free(columns);
}

static inline void expect_rank_columns(const struct job *j, double *want)
{
    uint32_t rows, *bound = ranked_rows(j, &rows);
    double *place = want + j->n, *longest = want + 2 * (size_t)j->n;
    for (uint32_t r = 0, at = 0; r < rows; r++) {
        bool sorted = bound[r + 1] - bound[r] <= 256;
        for (uint32_t column = 0; column < (sorted ? 19 : 1); column++)
            for (uint32_t i = bound[r]; i < bound[r + 1]; i++)
                if (!sorted || j->words[i] % 19 == column) {
                    want[at] = j->words[i] % 19;
                    place[at++] = j->words[i];
                }
        *longest = !sorted && bound[r + 1] - bound[r] > *longest ? bound[r + 1] - bound[r] : *longest;
    }
    free(bound);
}

/* Entries of 0 to 4 terms, and some long ones: about as many as a workgroup loads at a time, and several
 * times as many. */
static inline uint32_t terms_of(const struct job *j, uint32_t i)
{
    static const uint32_t lengths[] = {5, 8, 63, 64, 65, 66, 255, 256, 257, 511, 512, 513, 1300};
    return i % 97 == 3 ? lengths[i / 97 % 13] : j->words[i] % 5;
}

static inline uint32_t *term_offsets(const struct job *j)
{
    uint32_t *start = room(j->n + (size_t)1, 4);
    for (uint32_t i = 0; i < j->n; i++)
        start[i + (size_t)1] = start[i] + terms_of(j, i);
    return start;
}

/* There are nearly as many places as values, in a scattered order. */
static inline uint32_t term_place(const struct job *j, uint32_t k)
{
    return (uint32_t)(k * UINT64_C(2654435761) % j->n);
}

static inline void record_assemble_values(struct job *j)
{
    uint32_t *start = term_offsets(j), terms = start[j->n], *places = room(terms, 4);
    for (uint32_t k = 0; k < terms; k++)
        places[k] = term_place(j, k);
    const struct memory *begins = put_words(j, start, j->n + (uint64_t)1, "where terms begin"),
                        *place = put_words(j, places, terms, "places"), *val = put(j, j->x, j->n, "values"),
                        *sum = compared(j, new_reals(j, j->n, "sums"), j->p, j->n);
    assemble_values(&j->r, words_at(begins), words_at(place), reals_at(val), reals_at(sum), j->n, terms);
    free(start);
    free(places);
}

static inline void expect_assemble_values(const struct job *j, double *want)
{
    uint32_t *start = term_offsets(j);
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = start[i] < start[i + (size_t)1] ? j->x[term_place(j, start[i])] : 0;
        for (uint32_t k = start[i] + 1; k < start[i + (size_t)1]; k++)
            want[i] = rounded(j->p, want[i] + j->x[term_place(j, k)]);
    }
    free(start);
}

static inline void record_entry_rows(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *row_of =
        compared_words(j, new_bytes(j, 4 * (uint64_t)A->entries, "rows of entries"), A->entries);
    entry_rows(&j->r, A, words_at(row_of));
}

static inline void expect_entry_rows(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->A->rows; i++)
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + (size_t)1]; k++)
            *want++ = i;
}

/* X(verb, further members) */
#define ASSEMBLY_CASES(X)             \
    X(rank_columns, .words = true)    \
    X(triplet_keys, .once = false)    \
    X(assemble_values, .once = false) \
    X(entry_rows, .sparse = true)

#endif
