/* The cases of balanced CSR and of hot columns, through their verbs. */
#ifndef VKS_TESTS_BALANCED_CASES_H
#define VKS_TESTS_BALANCED_CASES_H

#include "sparse/balanced.h"
#include "tests/support/cases/sparse.h"

/* Rows in descending order of length, equal lengths in their order, long rows last. */
static inline uint32_t *order_naively(const struct host_csr *A)
{
    uint32_t *order = room(A->rows, 4), place[257], rows[257] = {0};
    for (uint32_t i = 0; i < A->rows; i++)
        rows[short_length(A, i)]++;
    for (uint32_t length = 257, before = 0; length-- > 0;) {
        place[length] = before;
        before += rows[length];
    }
    for (uint32_t i = 0; i < A->rows; i++)
        order[place[short_length(A, i)]++] = i;
    return order;
}

/* A slice of 32 threads: its first row in the order, the end of its class, threads per row, its offset. Rows
 * of more than 128, 64 and 32 entries have 8, 4 and 2 threads, but at least as many as there are lanes. */
struct naive_slice {
    uint32_t first, end, team, at;
};

/* The slices of each class, padded to a multiple of eight; `count` of them, and one more at their end.
 * Classes are those of teams of up to `largest` threads; with 1, all rows are in one class. */
static inline struct naive_slice *slices_naively(const struct host_csr *A, const uint32_t *order,
                                                 uint32_t lanes, uint32_t largest, uint32_t *count)
{
    struct naive_slice *list = room(A->rows + (size_t)40, sizeof *list);
    uint32_t t = 0, at = 0;
    *count = 0;
    for (uint32_t team = largest, above = 16 * largest; team >= 1; team /= 2, above /= 2) {
        uint32_t end = t, threads = team > lanes ? team : lanes;
        while (end < A->rows && (team == 1 || short_length(A, order[end]) > above))
            end++;
        for (uint32_t s = 0; t < end || s % 8; s++, t += 32 / threads) {
            list[(*count)++] = (struct naive_slice){t, end, threads, at};
            at += t < end ? 32 * ((short_length(A, order[t]) + threads - 1) / threads) : 0;
        }
        t = end;
    }
    list[*count].at = at;
    return list;
}

/* Every third column is hot, if any is. */
static inline uint32_t hot_naively(const struct host_csr *A)
{
    return A->cols / 3;
}

static inline uint32_t name_naively(const struct host_csr *A, uint32_t k, bool hot)
{
    return hot && k % 3 == 1 && k / 3 < hot_naively(A) ? A->cols + k / 3 : k;
}

/* The hot columns of the matrix, and the new names of all columns. */
static inline struct hot_columns put_hot(struct job *j)
{
    uint32_t count = hot_naively(j->A), *list = room(count, 4);
    for (uint32_t i = 0; i < count; i++)
        list[i] = 3 * i + 1;
    struct hot_columns hot = {.count = count, .list = *put_words(j, list, count, "hot columns")};
    hot.x = *new_reals(j, count, "x of hot columns");
    hot.name = *new_bytes(j, 4 * (uint64_t)j->A->cols, "names");
    hot_names(&j->r, &hot, j->A->cols);
    free(list);
    return hot;
}

/* Appends the entries of long rows to the slices. */
static inline void put_long_entries(struct job *j, const struct balanced *B, const struct memory *col,
                                    const struct memory *val, u32s name)
{
    if (!j->csr.longs)
        return;
    struct long_rows w = *j->csr.longs;
    w.col.address = col->address + 4 * (uint64_t)B->padded;
    w.val.address = val->address + value_bytes(j->p) * (uint64_t)B->padded;
    long_copy(&j->r, &j->csr, &w, false);
    if (name)
        gather_words(&j->r, name, words_at(&w.col), words_at(&w.col), w.entries);
}

/* Records the classes, the sizes of the slices, their contents, and the product; or, with hot columns, one
 * class for all rows, as for large matrices. */
static inline void record_balanced(struct job *j, bool is_hot)
{
    const struct csr *A = put_matrix(j);
    uint32_t n = j->n, *order = order_naively(j->A), none[3] = {0}, count = 0;
    struct naive_slice *list = slices_naively(j->A, order, j->lanes, is_hot ? 1 : 8, &count);
    uint32_t *slice = room(count + (size_t)1, 4);
    struct balanced B = {.slices = count, .padded = list[count].at};
    for (uint32_t s = 0; s <= count; s++)
        slice[s] = list[s].at;
    for (uint32_t t = 0; t < n; t++)
        for (int c = 0; c < 3; c++)
            B.above[c] += !is_hot && short_length(j->A, order[t]) > 128u >> c;
    cr_assert_eq(balanced_slices(&B, n, j->lanes), count);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, n, "y"),
                        *above = put_words(j, none, 3, "rows of each class"),
                        *size = new_bytes(j, 4 * (uint64_t)B.slices, "sizes"),
                        *col = new_bytes(j, 4 * (uint64_t)A->entries + 4 * (uint64_t)B.padded,
                                         "columns in slices"),
                        *val = new_bytes(j, (A->entries + (uint64_t)B.padded) * value_bytes(j->p),
                                         "values in slices");
    B.order = words_at(put_words(j, order, n, "the order of rows"));
    B.slice = words_at(put_words(j, slice, B.slices + (uint64_t)1, "slice offsets"));
    B.col = words_at(col);
    B.val = values_at(val);
    put_longs(j);
    moving(j);
    balanced_above(&j->r, A, &B, words_at(above));
    balanced_sizes(&j->r, A, &B, words_at(size));
    struct hot_columns hot = {0};
    if (is_hot)
        hot = put_hot(j);
    u32s name = is_hot ? words_of(&hot.name) : NULL;
    csr_to_balanced(&j->r, A, &B, name);
    put_long_entries(j, &B, col, val, name);
    computing(j);
    spmv_balanced(&j->r, A, &B, &hot, job_x(j, x), job_vec(j, y));
    compared(j, y, j->p, n);
    compared_words(j, above, 3);
    compared_words(j, size, B.slices);
    compared_words(j, col, B.padded);
    compared(j, val, stored_precision(j->p), B.padded);
    free(order);
    free(list);
    free(slice);
}

static inline void expect_balanced(const struct job *j, double *want, bool is_hot)
{
    const struct host_csr *A = j->A;
    uint32_t n = j->n, count = 0, *order = order_naively(A);
    struct naive_slice *list = slices_naively(A, order, j->lanes, is_hot ? 1 : 8, &count);
    double *above = want + n, *size = above + 3, *col = size + count, *val = col + list[count].at;
    expect_spmv_csr(j, want);
    for (int c = 0; c < 3; c++) {
        above[c] = 0;
        for (uint32_t i = 0; i < n; i++)
            above[c] += short_length(A, i) > 128u >> c;
    }
    for (uint32_t s = 0; s < count; s++) {
        size[s] = list[s + 1].at - list[s].at;
        for (uint32_t at = list[s].at; at < list[s + 1].at; at++) {
            uint32_t thread = (at - list[s].at) % 32, t = list[s].first + thread / list[s].team,
                     k = (at - list[s].at) / 32 * list[s].team + thread % list[s].team;
            bool is = t < list[s].end && k < short_length(A, order[t]);
            col[at] = is ? name_naively(A, A->col[A->row[order[t]] + k], is_hot) : UINT32_MAX;
            val[at] = is ? A->val[A->row[order[t]] + k] : 0;
        }
    }
    free(order);
    free(list);
}

static inline void record_spmv_balanced(struct job *j)
{
    record_balanced(j, false);
}

static inline void expect_spmv_balanced(const struct job *j, double *want)
{
    expect_balanced(j, want, false);
}

static inline void record_spmv_balanced_hot(struct job *j)
{
    record_balanced(j, true);
}

static inline void expect_spmv_balanced_hot(const struct job *j, double *want)
{
    expect_balanced(j, want, true);
}

/* Every third word is a column. */
static inline void record_count_columns(struct job *j)
{
    uint32_t *col = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        col[i] = j->words[i] % 100;
    const struct memory *from = put_words(j, col, j->n, "columns"), *count = new_bytes(j, 400, "counts");
    fill_words(&j->r, words_at(count), 0, 0, 100, 1);
    count_columns(&j->r, words_at(from), words_at(count), (j->n + 2) / 3, 3);
    compared_words(j, count, 100);
    free(col);
}

static inline void expect_count_columns(const struct job *j, double *want)
{
    for (int c = 0; c < 100; c++)
        want[c] = 0;
    for (uint32_t i = 0; i < j->n; i += 3)
        want[j->words[i] % 100]++;
}

/* Every other column gets another name, in reversed order. */
static inline void record_hot_names(struct job *j)
{
    uint32_t count = j->n / 2, *list = room(count, 4);
    for (uint32_t i = 0; i < count; i++)
        list[i] = 2 * (count - 1 - i) + 1;
    struct hot_columns hot = {.count = count, .list = *put_words(j, list, count, "hot columns")};
    hot.name = *compared_words(j, new_bytes(j, 4 * (uint64_t)j->n, "names"), j->n);
    hot_names(&j->r, &hot, j->n);
    free(list);
}

static inline void expect_hot_names(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = i % 2 ? j->n + j->n / 2 - 1 - i / 2 : i;
}

#define BALANCED_CASES(X)            \
    X(spmv_balanced, .sparse = true) \
    X(count_columns, .words = true)  \
    X(hot_names, .words = true)

#endif
