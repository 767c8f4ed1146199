/* The cases of the kernels on pairs of floats, through their verbs. They are recorded in f32, whatever the
 * case's precision. */
#ifndef VKS_TESTS_PAIRS_CASES_H
#define VKS_TESTS_PAIRS_CASES_H

#include "tests/support/cases/long.h"
#include "tests/support/pairs_oracle.h"

static const double pair_scale = 0x1p-5;

/* Values of which a pair holds at least 48 bits. */
static inline double *pair_values(uint64_t n, uint64_t seed)
{
    return random_vector(PRECISION_F64, n, 20, seed);
}

static inline struct memory *put_pairs(struct job *j, const double *v, uint64_t n, const char *what)
{
    float *words = room(2 * n, sizeof *words);
    for (uint64_t i = 0; i < n; i++) {
        words[2 * i] = (float)two_of(v[i]).high;
        words[2 * i + 1] = (float)two_of(v[i]).low;
    }
    struct memory *m = new_bytes(j, 8 * n, what);
    job_must(j, device_write(j->d, m, 0, words, 8 * n));
    free(words);
    return m;
}

static inline struct memory *put_pair_values(struct job *j, uint64_t n, uint64_t seed, const char *what)
{
    double *v = pair_values(n, seed);
    struct memory *m = put_pairs(j, v, n, what);
    free(v);
    return m;
}

/* Compares the halves, one after the other. */
static inline const struct memory *compared_pairs(struct job *j, const struct memory *m, uint64_t n)
{
    return compared(j, m, PRECISION_F32, 2 * n);
}

static inline void want_pair(double *want, size_t i, struct two v)
{
    want[2 * i] = v.high;
    want[2 * i + 1] = v.low;
}

static inline void record_pairs_narrow(struct job *j)
{
    const struct memory *scale = put_pairs(j, &pair_scale, 1, "scale"),
                        *x = put_pair_values(j, j->n, 17, "x"),
                        *y = compared(j, new_bytes(j, 4 * (uint64_t)j->n, "y"), PRECISION_F32, j->n);
    j->r.precision = PRECISION_F32;
    pairs_narrow(&j->r, pairs_of(scale), pairs_of(x), vec_in(y, j->n, PRECISION_F32));
}

static inline void expect_pairs_narrow(const struct job *j, double *want)
{
    double *x = pair_values(j->n, 17);
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = (float)(pair_scale * x[i]);
    free(x);
}

static inline void record_pairs_add(struct job *j)
{
    const struct memory *scale = put_pairs(j, &pair_scale, 1, "scale"),
                        *x = compared(j, put_as(j, PRECISION_F32, j->x, j->n, "x"), PRECISION_F32, j->n),
                        *y = compared_pairs(j, put_pair_values(j, j->n, 18, "y"), j->n);
    j->r.precision = PRECISION_F32;
    pairs_add(&j->r, pairs_of(scale), vec_in(x, j->n, PRECISION_F32), pairs_of(y));
}

static inline void expect_pairs_add(const struct job *j, double *want)
{
    double *y = pair_values(j->n, 18);
    for (uint32_t i = 0; i < j->n; i++) {
        struct two v = two_of(y[i]), s = two_sum(v.high, pair_scale * j->x[i]);
        want[i] = 0;
        want_pair(want + j->n, i, two_sum(s.high, (float)(v.low + s.low)));
    }
    free(y);
}

/* u = 2^-24 is the rounding error of a float. The bounds are those of shaders/pairs.glsl: 2 u^2 for a sum
 * with a float, 4 u^2 for one of pairs, 7 u^2 for a product, and a margin for higher order terms. */
static inline void must_be_within(long double got, long double want, long double bound, const char *what,
                                  uint32_t i)
{
    cr_assert(fabsl(got - want) <= bound * 1.01L, "%s %u: %.20Lg instead of %.20Lg, bound %.3Lg", what, i,
              got, want, bound);
}

static inline long double got_pair(const double *got, size_t i)
{
    return (long double)got[2 * i] + got[2 * i + 1];
}

static inline long double of_two(struct two v)
{
    return (long double)v.high + v.low;
}

static inline void check_pairs_add(const struct job *j, const double *got)
{
    double *y = pair_values(j->n, 18);
    for (uint32_t i = 0; i < j->n; i++) {
        long double want = of_two(two_of(y[i])) + (long double)pair_scale * j->x[i];
        must_be_within(got_pair(got + j->n, i), want, 2 * 0x1p-48L * fabsl(want), "y", i);
    }
    free(y);
}

static inline void record_pairs_square(struct job *j)
{
    const struct memory *scale = put_pairs(j, &pair_scale, 1, "scale"),
                        *x = put_pair_values(j, j->n, 19, "x"),
                        *result = compared_pairs(j, new_bytes(j, 8, "the result"), 1);
    j->r.precision = PRECISION_F32;
    pairs_square(&j->r, new_reduction(j, 1), pairs_of(scale), pairs_of(x), pairs_of(result), j->n);
}

static inline void expect_pairs_square(const struct job *j, double *want)
{
    double *x = pair_values(j->n, 19);
    struct two *terms = room(j->n, sizeof *terms);
    for (uint32_t i = 0; i < j->n; i++) {
        struct two v = two_of(x[i]);
        v = (struct two){pair_scale * v.high, pair_scale * v.low};
        terms[i] = two_times(v, v);
    }
    want_pair(want, 0, two_canonical_sum(terms, j->n));
    free(terms);
    free(x);
}

/* A term passes through a product and at most log2 n + 8 sums. */
static inline void check_pairs_square(const struct job *j, const double *got)
{
    double *x = pair_values(j->n, 19);
    struct precise_sum exact = {0};
    for (uint32_t i = 0; i < j->n; i++) {
        long double v = pair_scale * of_two(two_of(x[i]));
        precise_add(&exact, v * v);
    }
    long double want = precise_value(&exact);
    must_be_within(got_pair(got, 0), want, (7 + 4 * (log2l(j->n + 1.0L) + 8)) * 0x1p-48L * want, "the square",
                   0);
    free(x);
}

/* A and x have more bits than the job's values, which are floats. */
static inline double *pair_matrix(const struct job *j)
{
    return pair_values(j->A->row[j->A->rows], 20);
}

static inline void record_pairs_residual(struct job *j)
{
    const struct host_csr *A = j->A;
    put_matrix(j);
    double *val = pair_matrix(j);
    j->csr.val = (values)pairs_of(put_pairs(j, val, A->row[A->rows], "values in pairs"));
    free(val);
    put_longs(j);
    const struct memory *x = put_pair_values(j, A->cols, 21, "x"), *b = put_pair_values(j, j->n, 22, "b"),
                        *r = compared_pairs(j, new_bytes(j, 8 * (uint64_t)j->n, "r"), j->n);
    j->r.precision = PRECISION_F32;
    pairs_residual(&j->r, &j->csr, pairs_of(x), pairs_of(b), pairs_of(r));
}

static inline void expect_pairs_residual(const struct job *j, double *want)
{
    struct host_csr A = *j->A;
    double *x = pair_values(A.cols, 21), *b = pair_values(j->n, 22);
    A.val = pair_matrix(j);
    for (uint32_t i = 0; i < j->n; i++) {
        struct two sum = two_canonical_row(&A, x, i, j->lanes);
        want_pair(want, i, two_plus(two_of(b[i]), (struct two){-sum.high, -sum.low}));
    }
    free(A.val);
    free(x);
    free(b);
}

/* A term passes through a product and at most as many sums as the row has terms, plus 14. */
static inline void check_pairs_residual(const struct job *j, const double *got)
{
    const struct host_csr *A = j->A;
    double *val = pair_matrix(j), *x = pair_values(A->cols, 21), *b = pair_values(j->n, 22);
    for (uint32_t i = 0; i < j->n; i++) {
        struct precise_sum exact = {.sum = of_two(two_of(b[i]))}, magnitude = {.sum = fabs(b[i])};
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            long double term = of_two(two_of(val[k])) * of_two(two_of(x[A->col[k]]));
            precise_add(&exact, -term);
            precise_add(&magnitude, fabsl(term));
        }
        uint32_t sums = A->row[i + 1] - A->row[i] + 14;
        must_be_within(got_pair(got, i), precise_value(&exact),
                       (7 + 4.0L * sums) * 0x1p-48L * precise_value(&magnitude), "row", i);
    }
    free(val);
    free(x);
    free(b);
}

#define record_pairs_residual_long record_pairs_residual
#define expect_pairs_residual_long expect_pairs_residual

#define PAIRS_CASES(X)                                                              \
    X(pairs_narrow, .words = true)                                                  \
    X(pairs_add, .words = true, .once = true, .check = check_pairs_add)             \
    X(pairs_square, .words = true, .check = check_pairs_square)                     \
    X(pairs_residual, .words = true, .sparse = true, .check = check_pairs_residual) \
    X(pairs_residual_long, LONG_ROWS_CASE, .words = true, .check = check_pairs_residual)

#endif
