/* The cases of the kernels of shaders/sparse/, through their verbs. */
#ifndef VKS_TESTS_SPARSE_CASES_H
#define VKS_TESTS_SPARSE_CASES_H

#include "sparse/balanced.h"
#include "tests/support/long_cases.h"

static inline void record_spmv_csr(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, j->n, "y");
    put_longs(j);
    if (A->longs)
        spmv_long(&j->r, NULL, A, reals_at(x), reals_at(y));
    spmv_csr(&j->r, NULL, A, reals_at(x), reals_at(compared(j, y, j->p, j->n)));
}

static inline void expect_spmv_csr(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = canonical_row(j->p, j->A, j->x, i, j->lanes);
}

/* 1 / diagonal, and the first row of each fault. */
static inline void record_csr_diagonal(struct job *j)
{
    static const uint32_t none[3] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    const struct csr *A = put_matrix(j);
    const struct memory *d = compared(j, new_reals(j, j->n, "the diagonal"), j->p, j->n);
    csr_diagonal(&j->r, A, reals_at(d), words_at(compared_words(j, put_words(j, none, 3, "flags"), 3)));
}

static inline void expect_csr_diagonal(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *flags = want + j->n;
    flags[0] = flags[1] = flags[2] = UINT32_MAX;
    for (uint32_t i = 0; i < j->n; i++) {
        double a = 0;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            if (A->col[k] == i)
                a = A->val[k];
        int fault = !isfinite(a) ? 2 : a == 0 ? 0 : a < 0 ? 1 : -1;
        if (fault >= 0 && flags[fault] == UINT32_MAX)
            flags[fault] = i;
        want[i] = rounded(j->p, 1 / a);
    }
}

/* r = b - A x in double precision. */
static inline void record_csr_residual(struct job *j)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, j->y, j->n, "b");
    const struct memory *r =
        compared(j, new_bytes(j, 8 * (uint64_t)j->n, "the residual"), PRECISION_F64, j->n);
    put_longs(j);
    if (A->longs)
        csr_residual_long(&j->r, A, reals_at(x), doubles_at(r));
    csr_residual(&j->r, A, reals_at(x), reals_at(b), doubles_at(r));
}

static inline void expect_csr_residual(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->y[i] - canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes);
}

/* The rows with more entries first, those of one length as they stand, long ones last. */
static inline uint32_t *order_naively(const struct host_csr *A)
{
    uint32_t count = 0, *order = room(A->rows, 4);
    for (uint32_t length = 257; length-- > 0;)
        for (uint32_t i = 0; i < A->rows; i++)
            if (short_length(A, i) == length)
                order[count++] = i;
    return order;
}

/* A slice of 32 threads: its first row in the order, the one behind the last of its class, threads of a row,
 * where it begins. Rows of more than 128, 64 and 32 entries have 8, 4 and 2 threads, but as many as there are
 * lanes at least. */
struct naive_slice {
    uint32_t first, end, team, at;
};

/* The slices of each class fill eights; `count` of them, and one more that begins where they end. */
static inline struct naive_slice *slices_naively(const struct host_csr *A, const uint32_t *order,
                                                 uint32_t lanes, uint32_t *count)
{
    struct naive_slice *list = room(A->rows + (size_t)40, sizeof *list);
    uint32_t t = 0, at = 0;
    *count = 0;
    for (uint32_t team = 8, above = 128; team >= 1; team /= 2, above /= 2) {
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

/* The classes, the sizes of the slices, what they hold, and the product. */
static inline void record_spmv_balanced(struct job *j)
{
    const struct csr *A = put_matrix(j);
    uint32_t n = j->n, *order = order_naively(j->A), none[3] = {0}, count = 0;
    struct naive_slice *list = slices_naively(j->A, order, j->lanes, &count);
    uint32_t *slice = room(count + (size_t)1, 4);
    struct balanced B = {.slices = count, .padded = list[count].at};
    struct hot_columns hot = {0};
    for (uint32_t s = 0; s <= count; s++)
        slice[s] = list[s].at;
    for (uint32_t t = 0; t < n; t++)
        for (int c = 0; c < 3; c++)
            B.above[c] += short_length(j->A, order[t]) > 128u >> c;
    cr_assert_eq(balanced_slices(&B, n, j->lanes), count);
    const struct memory *x = put(j, j->x, A->cols, "x"), *y = new_reals(j, n, "y"),
                        *above = put_words(j, none, 3, "rows of each class"),
                        *size = new_bytes(j, 4 * (uint64_t)B.slices, "sizes"),
                        *col = new_bytes(j, 4 * (uint64_t)A->entries + 4 * (uint64_t)B.padded,
                                         "columns in slices"),
                        *val = new_reals(j, A->entries + (uint64_t)B.padded, "values in slices");
    B.order = words_at(put_words(j, order, n, "the order of rows"));
    B.slice = words_at(put_words(j, slice, B.slices + (uint64_t)1, "slice offsets"));
    B.col = words_at(col);
    B.val = reals_at(val);
    put_longs(j);
    balanced_above(&j->r, A, &B, words_at(above));
    balanced_sizes(&j->r, A, &B, words_at(size));
    csr_to_balanced(&j->r, A, &B, NULL);
    if (A->longs) {
        struct long_rows w = *A->longs;
        w.col.address = col->address + 4 * (uint64_t)B.padded;
        w.val.address = val->address + real_bytes(j->p) * (uint64_t)B.padded;
        long_copy(&j->r, A, &w, false);
    }
    spmv_balanced(&j->r, NULL, A, &B, &hot, reals_at(x), reals_at(y));
    compared(j, y, j->p, n);
    compared_words(j, above, 3);
    compared_words(j, size, B.slices);
    compared_words(j, col, B.padded);
    compared(j, val, j->p, B.padded);
    free(order);
    free(list);
    free(slice);
}

static inline void expect_spmv_balanced(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    uint32_t n = j->n, count = 0, *order = order_naively(A);
    struct naive_slice *list = slices_naively(A, order, j->lanes, &count);
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
            col[at] = is ? A->col[A->row[order[t]] + k] : UINT32_MAX;
            val[at] = is ? A->val[A->row[order[t]] + k] : 0;
        }
    }
    free(order);
    free(list);
}

#define SPARSE_CASES(X)              \
    X(spmv_balanced, .sparse = true) \
    X(spmv_csr, .sparse = true)      \
    X(csr_diagonal, .sparse = true)  \
    X(csr_residual, .sparse = true)

#endif
