/* The cases of the kernels that make matrices from matrices, through their verbs. */
#ifndef VKS_TESTS_ALGEBRA_CASES_H
#define VKS_TESTS_ALGEBRA_CASES_H

#include "sparse/algebra.h"
#include "tests/support/drop_oracle.h"
#include "tests/support/job.h"

/* A second matrix of the shape of A: a third of its rows equal those of A, a third have other columns, and
 * the rest have some of A's. */
static inline struct host_csr other_of(const struct job *j)
{
    const struct host_csr *A = j->A;
    struct host_csr b = random_csr(j->p, A->rows, A->cols, 5, 7 + j->n);
    size_t room_for = host_csr_entries(&b) + host_csr_entries(A);
    struct host_csr B = new_csr(A->rows, A->cols, room_for);
    for (uint32_t i = 0, at = 0; i < A->rows; i++) {
        const struct host_csr *from = i % 3 == 1 ? &b : A;
        for (uint32_t k = from->row[i]; k < from->row[i + 1]; k++)
            if (i % 3 != 2 || k % 2) {
                B.col[at] = from->col[k];
                B.val[at++] = j->x[(k + i) % j->n];
            }
        B.row[i + 1] = at;
    }
    host_csr_free(&b);
    return B;
}

static inline struct csr put_csr(struct job *j, const struct host_csr *B)
{
    uint32_t entries = B->row[B->rows];
    struct csr c = {.n = B->rows, .cols = B->cols, .entries = entries, .lanes = j->lanes};
    c.row = words_at(put_words(j, B->row, B->rows + (uint64_t)1, "row offsets"));
    c.col = words_at(put_words(j, B->col, entries, "columns"));
    c.val = put_values(j, B->val, entries, "values");
    return c;
}

static const double sum_factors[] = {-1.5, 0.6875};

/* before[e] of csr_add.comp, and the entries of the sum. */
static inline const struct memory *put_before(struct job *j, const struct host_csr *B, uint32_t *entries)
{
    uint32_t *before = room(B->row[B->rows] + (size_t)1, 4);
    for (uint32_t i = 0; i < B->rows; i++)
        for (uint32_t k = B->row[i]; k < B->row[i + 1]; k++)
            before[k + 1] = before[k] + (place_of(j->A, i, B->col[k]) == UINT32_MAX);
    *entries = j->A->row[j->A->rows] + before[B->row[B->rows]];
    const struct memory *m = put_words(j, before, B->row[B->rows] + (uint64_t)1, "places");
    free(before);
    return m;
}

/* All four kernels of a sum. */
static inline void record_csr_add(struct job *j)
{
    struct host_csr other = other_of(j);
    const struct csr *A = put_matrix(j), B = put_csr(j, &other);
    struct csr C = {.n = A->n, .cols = A->cols};
    const struct memory *factors = put(j, sum_factors, 2, "factors"),
                        *before = put_before(j, &other, &C.entries);
    uint64_t n = C.entries;
    C.row =
        words_at(compared_words(j, new_bytes(j, 4 * ((uint64_t)A->n + 1), "offsets"), A->n + (uint64_t)1));
    C.col = words_at(compared_words(j, new_bytes(j, 4 * n, "columns"), n));
    C.val = values_at(compared(j, new_reals(j, n, "values"), j->p, n));
    csr_add(&j->r, reals_at(factors), A, &B, words_at(before), &C);
    const struct memory *flag = compared_words(j, new_bytes(j, 4 * (uint64_t)B.entries, "flags"), B.entries);
    csr_add_flags(&j->r, A, &B, words_at(flag));
    host_csr_free(&other);
}

/* All columns of both, one after another; then which entries of B were not in A. */
static inline void expect_csr_add(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    struct host_csr B = other_of(j);
    double alpha = sum_factors[0], beta = sum_factors[1];
    double *col = want + A->rows + 1, *val = col + j->outputs[1].count;
    uint32_t at = 0;
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t k = A->row[i], l = B.row[i];
        want[i] = at;
        while (k < A->row[i + 1] || l < B.row[i + 1]) {
            bool a = k < A->row[i + 1] && (l == B.row[i + 1] || A->col[k] <= B.col[l]);
            bool b = l < B.row[i + 1] && (k == A->row[i + 1] || B.col[l] <= A->col[k]);
            double va = a ? rounded(j->p, alpha * A->val[k]) : 0, vb = b ? rounded(j->p, beta * B.val[l]) : 0;
            col[at] = a ? A->col[k] : B.col[l];
            val[at++] = a && b ? rounded(j->p, va + vb) : a ? va : vb;
            k += a;
            l += b;
        }
    }
    want[A->rows] = at;
    double *flag = val + at;
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = B.row[i]; k < B.row[i + 1]; k++)
            *flag++ = place_of(A, i, B.col[k]) == UINT32_MAX;
    host_csr_free(&B);
}

/* Scales by both sides, by one, and by the other. */
static inline void record_csr_scale(struct job *j)
{
    const struct memory *left = put(j, j->y, j->n, "left"), *right = put(j, j->x, j->A->cols, "right");
    for (int turn = 0; turn < 3; turn++) {
        struct csr A = put_csr(j, j->A);
        compared(j, &j->arrays[j->array_count - 1], j->p, A.entries);
        csr_scale(&j->r, &A, turn == 1 ? NULL : reals_at(left), turn == 2 ? NULL : reals_at(right));
    }
}

static inline void expect_csr_scale(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    for (int turn = 0; turn < 3; turn++)
        for (uint32_t i = 0; i < A->rows; i++)
            for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
                double v = A->val[k];
                v = turn == 1 ? v : rounded(j->p, j->y[i] * v);
                *want++ = turn == 2 ? v : rounded(j->p, v * j->x[A->col[k]]);
            }
}

/* A with zeros, values that are not finite, and rows whose entries all have one magnitude. */
static inline struct host_csr strange_values(const struct job *j)
{
    static const double strange[] = {0, -0.0, NAN, INFINITY, -INFINITY, 0x1p-140};
    const struct host_csr *A = j->A;
    struct host_csr a = new_csr(A->rows, A->cols, host_csr_entries(A));
    memcpy(a.row, A->row, 4 * ((size_t)A->rows + 1));
    for (uint32_t i = 0; i < A->rows; i++)
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            uint32_t w = j->words[k % j->n] % 8;
            a.col[k] = A->col[k];
            a.val[k] = i % 5 == 0 ? 3 - 6.0 * (k % 2) : i % 5 < 3 && w < 6 ? strange[w] : A->val[k];
        }
    return a;
}

static const double drop_factors[] = {0, 0.3, 1};

/* Compares the maxima, and which entries are kept. */
static inline void record_csr_drop(struct job *j)
{
    struct host_csr strange = strange_values(j);
    struct csr A = put_csr(j, &strange);
    const struct memory *most = compared(j, new_reals(j, j->n, "maxima"), j->p, j->n);
    csr_row_maxima(&j->r, &A, reals_at(most));
    for (int turn = 0; turn < 3; turn++) {
        const struct memory *below = put(j, &drop_factors[turn], 1, "below"),
                            *flag = new_bytes(j, 4 * (uint64_t)A.entries, "flags");
        compared_words(j, flag, A.entries);
        csr_drop_flags(&j->r, &A, reals_at(most), number_at(below), words_at(flag));
    }
    host_csr_free(&strange);
}

static inline void expect_csr_drop(const struct job *j, double *want)
{
    struct host_csr A = strange_values(j);
    for (uint32_t i = 0; i < A.rows; i++)
        *want++ = largest_of_row(&A, i);
    for (int turn = 0; turn < 3; turn++)
        for (uint32_t i = 0; i < A.rows; i++) {
            double limit = drop_limit(j->p, &A, i, drop_factors[turn]);
            for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
                *want++ = !is_dropped(&A, i, k, limit);
        }
    host_csr_free(&A);
}

/* X(name, further members) */
#define ALGEBRA_CASES(X)                                \
    X(csr_add, .sizes = &sizes_of_slow, .sparse = true) \
    X(csr_scale, .sparse = true, .once = true)          \
    X(csr_drop, .sparse = true)

#endif
