/* Unsymmetric systems. */
#ifndef VKS_TESTS_UNSYMMETRIC_H
#define VKS_TESTS_UNSYMMETRIC_H

#include "small_matrix.h"
#include "tests/support/solve.h"

/* Random entries and a diagonal of 2 to 3. In f32 every value is exact. */
static inline struct host_csr random_unsymmetric(enum precision p, uint32_t n, uint64_t seed)
{
    struct host_csr R = random_csr(stored_precision(p), n, n, 6, seed),
                    A = new_csr(n, n, R.row[n] + (size_t)n);
    OWNED(double) *v = random_vector(p, R.row[n], 1, seed + 1);
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool has_diagonal = false;
        for (uint32_t k = R.row[i]; k <= R.row[i + 1]; k++) {
            bool ends = k == R.row[i + 1];
            if (!has_diagonal && (ends || R.col[k] >= i)) {
                A.col[at] = i;
                A.val[at++] = 2 + (i % 8) / 8.0;
                has_diagonal = true;
            }
            if (ends || R.col[k] == i)
                continue;
            A.col[at] = R.col[k];
            A.val[at++] = v[k] / 2;
        }
        A.row[i + 1] = at;
    }
    host_csr_free(&R);
    return A;
}

/* A x for a random x. */
static inline double *random_right_side(const struct host_csr *A, enum precision p, uint64_t seed)
{
    double *x = random_vector(p, A->cols, 1, seed), *b = room(A->rows, 8);
    host_multiply(A, x, b);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = rounded(p, b[i]);
    free(x);
    return b;
}

/* The same for an x that f32 holds, in the precision of vectors. */
static inline double *right_side_of_floats(const struct host_csr *A, enum precision p)
{
    double *x = random_vector(PRECISION_F32, A->rows, 1, 5), *b = room(A->rows, 8);
    host_multiply(A, x, b);
    for (uint32_t i = 0; i < A->rows; i++)
        b[i] = rounded(real_precision(p), b[i]);
    free(x);
    return b;
}

/* Solves on the host and on lavapipe: both must have the same bits. Returns the result. */
static inline struct solved solve_on_both(vks_context *host, vks_context *gpu, const struct problem *q,
                                          const char *what)
{
    struct solved a = solve(host, q), b = solve(gpu, q);
    must_match(&a, &b, q->A->rows, what);
    solved_free(&b);
    return a;
}

/* 60 rows with 4 on the diagonal, and 20 with a zero diagonal that are coupled to every third of those. */
static inline struct host_csr saddle(void)
{
    uint32_t row[300], col[300], count = 0;
    double val[300];
    for (uint32_t i = 0; i < 60; i++) {
        row[count] = col[count] = i;
        val[count++] = 4 + i % 3;
    }
    for (uint32_t i = 0; i < 20; i++)
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t at = (3 * i + k) % 60;
            row[count] = col[count + 1] = 60 + i;
            col[count] = row[count + 1] = at;
            val[count] = val[count + 1] = 1 + k;
            count += 2;
        }
    return assemble(80, count, row, col, val);
}

#endif
