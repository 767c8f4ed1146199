/* The cases of the kernels that bound the rounding errors of residuals, and of those that weight rows. */
#ifndef VKS_TESTS_ROUNDING_CASES_H
#define VKS_TESTS_ROUNDING_CASES_H

#include "tests/support/cases/scale.h"

/* |A| |x| + |b| in doubles, by 32 lanes; and for the fixed point. */
static inline void record_magnitudes_of(struct job *j, bool fixpoint)
{
    const struct csr *A = put_matrix(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, j->y, j->n, "b"),
                        *y = new_bytes(j, 8 * (uint64_t)j->n, "magnitudes");
    csr_magnitudes(&j->r, A, job_x(j, x), job_vec(j, b), job_doubles(j, compared(j, y, PRECISION_F64, j->n)),
                   fixpoint);
}

static inline void expect_magnitudes_of(const struct job *j, double *want, bool fixpoint)
{
    const struct host_csr *A = j->A;
    for (uint32_t i = 0; i < j->n; i++) {
        double lanes[32] = {0};
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++)
            lanes[(k - A->row[i]) % 32] += fabs(A->val[k] * j->x[A->col[k]]);
        want[i] = sum_of_lanes(PRECISION_F64, lanes, 32) + fabs(j->y[i]) + (fixpoint ? fabs(j->x[i]) : 0);
    }
}

static inline void record_csr_magnitudes(struct job *j)
{
    record_magnitudes_of(j, false);
}

static inline void expect_csr_magnitudes(const struct job *j, double *want)
{
    expect_magnitudes_of(j, want, false);
}

static inline void record_magnitudes_of_fixpoint(struct job *j)
{
    record_magnitudes_of(j, true);
}

static inline void expect_magnitudes_of_fixpoint(const struct job *j, double *want)
{
    expect_magnitudes_of(j, want, true);
}

/* Pairs of doubles, an independent version. */
struct wide_two {
    double high, low;
};

static inline struct wide_two wide_sum(double a, double b)
{
    double sum = a + b;
    bool ordered = fabs(a) >= fabs(b);
    return (struct wide_two){sum, ordered ? b - (sum - a) : a - (sum - b)};
}

static inline struct wide_two wide_plus(struct wide_two a, struct wide_two b)
{
    struct wide_two s = wide_sum(a.high, b.high), t = wide_sum(a.low, b.low);
    s = wide_sum(s.high, s.low + t.high);
    return wide_sum(s.high, t.low + s.low);
}

/* The first 26 bits. */
static inline double first_bits(double v)
{
    int e;
    double m = frexp(v, &e);
    return ldexp(trunc(ldexp(m, 26)), e - 26);
}

static inline struct wide_two wide_product(double a, double b)
{
    double p = a * b, a1 = first_bits(a), a2 = a - a1, b1 = first_bits(b), b2 = b - b1;
    return (struct wide_two){p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}

/* b is A x in double arithmetic, so that the residual has the size of rounding errors. */
static inline double *image_of(const struct job *j)
{
    double *b = room(j->n, sizeof *b);
    for (uint32_t i = 0; i < j->n; i++)
        b[i] = rounded(j->p, canonical_row(PRECISION_F64, j->A, j->x, i, j->lanes));
    return b;
}

static inline void record_csr_residual_exact(struct job *j)
{
    const struct csr *A = put_matrix(j);
    double *image = image_of(j);
    const struct memory *x = put(j, j->x, A->cols, "x"), *b = put(j, image, j->n, "b"),
                        *r = new_bytes(j, 8 * (uint64_t)j->n, "the residual");
    csr_residual_exact(&j->r, A, job_x(j, x), job_vec(j, b),
                       job_doubles(j, compared(j, r, PRECISION_F64, j->n)), false);
    free(image);
}

static inline void expect_csr_residual_exact(const struct job *j, double *want)
{
    const struct host_csr *A = j->A;
    double *b = image_of(j);
    for (uint32_t i = 0; i < j->n; i++) {
        struct wide_two v[32] = {{0, 0}};
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            struct wide_two *lane = &v[(k - A->row[i]) % j->lanes];
            *lane = wide_plus(*lane, wide_product(A->val[k], j->x[A->col[k]]));
        }
        for (uint32_t half = j->lanes / 2; half >= 1; half /= 2)
            for (uint32_t l = 0; l < half; l++)
                v[l] = wide_plus(v[l], v[l + half]);
        want[i] = wide_plus((struct wide_two){b[i], 0}, (struct wide_two){-v[0].high, -v[0].low}).high;
    }
    free(b);
}

/* Products are exact as two numbers; a term passes through at most as many sums as the row has terms, plus
 * 7. */
static inline void check_csr_residual_exact(const struct job *j, const double *got)
{
    const struct host_csr *A = j->A;
    double *b = image_of(j);
    for (uint32_t i = 0; i < j->n; i++) {
        struct precise_sum exact = {.sum = b[i]};
        long double magnitude = fabs(b[i]), sums = A->row[i + 1] - A->row[i] + 7;
        for (uint32_t k = A->row[i]; k < A->row[i + 1]; k++) {
            double p = A->val[k] * j->x[A->col[k]];
            precise_add(&exact, -(long double)p);
            precise_add(&exact, -(long double)fma(A->val[k], j->x[A->col[k]], -p));
            magnitude += fabs(p);
        }
        long double r = precise_value(&exact);
        must_be_within(got[i], r, 4 * sums * 0x1p-106L * magnitude + 0x1p-53L * fabsl(r), "row", i);
    }
    free(b);
}

/* The biased logarithms of the largest magnitudes, and facts about all rows. */
static inline void record_row_magnitudes(struct job *j)
{
    static const uint32_t none[3] = {0};
    struct host_csr a = far_values(j);
    struct csr A = put_csr(j, &a);
    const struct memory *words = new_bytes(j, 4 * (uint64_t)j->n, "magnitudes"),
                        *extent = put_words(j, none, 3, "facts");
    fill_words(&j->r, words_at(extent), 0, 0, 3, 1);
    row_magnitudes(&j->r, &A, words_at(words), words_at(extent));
    compared_words(j, words, j->n);
    compared_words(j, extent, 3);
    host_csr_free(&a);
}

static inline void expect_row_magnitudes(const struct job *j, double *want)
{
    struct host_csr A = far_values(j);
    double longest = 0, most = 0, least = INFINITY;
    for (uint32_t i = 0; i < j->n; i++) {
        want[i] = 0;
        for (uint32_t k = A.row[i]; k < A.row[i + 1]; k++)
            if (counts(A.val[k]))
                want[i] = fmax(want[i], plain_log(A.val[k]) + 0x1p30);
        longest = fmax(longest, A.row[i + 1] - A.row[i]);
        most = fmax(most, want[i]);
        least = want[i] > 0 ? fmin(least, want[i]) : least;
    }
    want[j->n] = longest;
    want[j->n + 1] = most;
    want[j->n + 2] = most > 0 ? UINT32_MAX - least : 0;
    host_csr_free(&A);
}

/* Logarithms from below the least bound to above the largest, and rows without a logarithm. */
static inline uint32_t any_magnitude(const struct job *j, uint32_t i)
{
    int log = (int)(j->words[i] % (1u << 22)) - (1 << 21);
    return j->words[i] % 7 ? (uint32_t)((1 << 30) + log) : 0;
}

static inline void record_row_weights(struct job *j)
{
    uint32_t *words = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        words[i] = any_magnitude(j, i);
    const struct memory *of = put_words(j, words, j->n, "magnitudes"),
                        *w = new_bytes(j, 8 * (uint64_t)j->n, "weights");
    row_weights(&j->r, words_at(of), job_doubles(j, compared(j, w, PRECISION_F64, j->n)), 20);
    free(words);
}

static inline void expect_row_weights(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        uint32_t word = any_magnitude(j, i);
        double log = ((double)word - 0x1p30) / 0x1p16, least = floor(log), mantissa = 1 + (log - least);
        double nearest = least + (mantissa * mantissa >= 2); /* rounds up from sqrt 2 on */
        want[i] = word ? ldexp(1, -(int)fmax(-20, fmin(20, nearest))) : 1;
    }
}

/* y is positive, except possibly where r is zero. */
static inline double some_magnitude(const struct job *j, uint32_t i)
{
    return j->x[i] == 0 && i % 2 ? 0 : fabs(j->y[i]) + 1;
}

static inline void record_backward_errors(struct job *j)
{
    double *y = room(j->n, sizeof *y);
    for (uint32_t i = 0; i < j->n; i++)
        y[i] = rounded(j->p, some_magnitude(j, i));
    const struct memory *r = put(j, j->x, j->n, "r"), *of = put(j, y, j->n, "y"),
                        *error = new_reals(j, j->n, "errors");
    backward_errors(&j->r, job_vec(j, r), job_vec(j, of), job_vec(j, compared(j, error, j->p, j->n)));
    free(y);
}

static inline void expect_backward_errors(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = j->x[i] == 0 ? 0 : rounded(j->p, fabs(j->x[i]) / rounded(j->p, some_magnitude(j, i)));
}

#define ROUNDING_CASES(X)                                                    \
    X(csr_magnitudes, .sizes = &sizes_of_slow, .sparse = true)               \
    X(magnitudes_of_fixpoint, .sizes = &sizes_of_slow, .sparse = true)       \
    X(csr_residual_exact, .sparse = true, .check = check_csr_residual_exact) \
    X(row_magnitudes, .sizes = &sizes_of_slow, .sparse = true)               \
    X(row_weights, .words = true)                                            \
    X(backward_errors, .once = false)

#endif
