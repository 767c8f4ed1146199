/* The cases of the kernels of LSMR. */
#ifndef VKS_TESTS_LSMR_CASES_H
#define VKS_TESTS_LSMR_CASES_H

#include "shaders/solver/lsmr.h"
#include "tests/support/cases/jacobi.h"

/* The numbers in the order of shaders/solver/lsmr.glsl. */
enum { LSMR_GOAL, LSMR_NORMAL, LSMR_FAULT, LSMR_BETA, LSMR_NOW, LSMR_NEXT = LSMR_NOW + LSMR_SCALARS };
enum { LSMR_NUMBERS = LSMR_NEXT + LSMR_SCALARS };
enum { LSMR_ALPHA, LSMR_RHO, LSMR_RHOBAR, LSMR_ALPHABAR, LSMR_CBAR, LSMR_SBAR, LSMR_ZETA, LSMR_ZETABAR };
enum { LSMR_BETADD = LSMR_ZETABAR + 1, LSMR_BETAD, LSMR_RHOD, LSMR_TAUTILDE, LSMR_THETATILDE, LSMR_RR };

/* alpha is 0.5 and beta 2; the other scalars are 1, and the goals are unreachable. */
static inline const struct memory *put_lsmr_numbers(struct job *j)
{
    static const uint32_t words[2];
    double v[LSMR_NUMBERS];
    for (int i = 0; i < LSMR_NUMBERS; i++)
        v[i] = 1;
    v[LSMR_GOAL] = v[LSMR_FAULT] = 0;
    v[LSMR_BETA] = 2;
    v[LSMR_NOW + LSMR_ALPHA] = v[LSMR_NEXT + LSMR_ALPHA] = 0.5;
    return put_mixed(j, words, 2, v, LSMR_NUMBERS, "numbers");
}

static inline lsmr_numbers lsmr_numbers_at(const struct memory *m)
{
    return (lsmr_numbers)(uintptr_t)m->address;
}

static inline control control_at(const struct memory *m)
{
    return (control)(uintptr_t)m->address;
}

/* alpha / beta is 1/4. */
static inline void record_lsmr_left(struct job *j)
{
    const struct memory *q = put(j, j->x, j->n, "q"), *u = put(j, j->y, j->n, "u");
    const struct memory *words = put_control(j), *numbers = put_lsmr_numbers(j);
    const struct reduction *w = new_reduction(j, LSMR_ROWS);
    run(&j->r, lsmr_left, stripes_of_elements(j->n), .c = control_at(words), .w = lsmr_numbers_at(numbers),
        .q = reals_at(q), .u = reals_at(u), .s = reduction_sums(w), .n = j->n, .stride = w->stride);
    compared(j, u, j->p, j->n);
    compared_words(j, words, 2);
}

static inline void expect_lsmr_left(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[i] - rounded(j->p, 0.25 * j->y[i]));
    want[j->n] = STATE_RUNNING;
    want[j->n + 1] = control_words[1];
}

/* The norms of u = x and of v show in what is computed from them: beta, and alpha in the next step. The scale
 * of a column is 2. */
static inline void record_lsmr_right(struct job *j)
{
    double *twos = room(j->n, 8);
    for (uint32_t i = 0; i < j->n; i++)
        twos[i] = 2;
    const struct memory *p = put(j, j->x, j->n, "p"), *v = put(j, j->y, j->n, "v");
    const struct memory *scale = put(j, twos, j->n, "scales"), *words = put_control(j);
    const struct memory *numbers = put_lsmr_numbers(j);
    const struct reduction *w = new_reduction(j, LSMR_ROWS);
    dot_stripes(&j->r, w, LSMR_U, job_vec(j, p), job_vec(j, p));
    stripe_levels(&j->r, w, j->n, LSMR_U, 1);
    run(&j->r, lsmr_right, stripes_of_elements(j->n), .c = control_at(words), .w = lsmr_numbers_at(numbers),
        .p = reals_at(p), .scale = reals_at(scale), .v = reals_at(v), .s = reduction_sums(w), .m = j->n,
        .n = j->n, .stride = w->stride);
    compared(j, v, j->p, j->n);
    compared_behind(j, numbers, 2, LSMR_BETA + 1);
    free(twos);
}

static inline double root_of(enum precision p, double v)
{
    return p == PRECISION_F32 ? (double)sqrtf((float)v) : sqrt(v);
}

static inline double quotient(enum precision p, double a, double b)
{
    return p == PRECISION_F32 ? (double)((float)a / (float)b) : a / b;
}

static inline void expect_lsmr_right(const struct job *j, double *want)
{
    double beta = root_of(j->p, canonical_dot(j->p, j->x, j->x, j->n));
    double to_p = beta > 0 ? quotient(j->p, 1, beta) : 0, to_v = 2 * beta;
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, rounded(j->p, to_p * (2 * j->x[i])) - rounded(j->p, to_v * j->y[i]));
    want += j->n;
    want[LSMR_GOAL] = want[LSMR_FAULT] = 0;
    want[LSMR_NORMAL] = 1;
    want[LSMR_BETA] = beta;
}

/* The first step of a cycle, with v = y, and the second one after it. */
static inline void record_lsmr_step(struct job *j)
{
    static const double size = 4;
    const struct memory *v = put(j, j->y, j->n, "v"), *h = new_reals(j, j->n, "h");
    const struct memory *hbar = new_reals(j, j->n, "hbar"), *p = new_reals(j, j->n, "p");
    const struct memory *scale = put_backwards(j, j->x, "scales"), *x = put(j, j->x, j->n, "x");
    const struct memory *words = put_control(j), *numbers = put_lsmr_numbers(j);
    const struct memory *norm = put(j, &size, 1, "a norm");
    const struct reduction *w = new_reduction(j, LSMR_ROWS);
    dot_stripes(&j->r, w, LSMR_V, job_vec(j, v), job_vec(j, v));
    stripe_levels(&j->r, w, j->n, LSMR_V, 1);
    run(&j->r, lsmr_step, groups_each(j->n ? j->n : 1), .c = control_at(words), .w = lsmr_numbers_at(numbers),
        .size = number_at(norm), .v = reals_at(v), .h = reals_at(h), .hbar = reals_at(hbar), .p = reals_at(p),
        .scale = reals_at(scale), .x = reals_at(x), .s = reduction_sums(w), .n = j->n, .stride = w->stride,
        .first = 1);
    if (j->n) /* else alpha is zero */
        compared(j, p, j->p, j->n);
    compared_behind(j, numbers, 2, LSMR_BETA + 1);
}

static inline void expect_lsmr_step(const struct job *j, double *want)
{
    double alpha = root_of(j->p, canonical_dot(j->p, j->y, j->y, j->n));
    double to_v = alpha > 0 ? quotient(j->p, 1, alpha) : 0, size = 8; /* of A, times beta */
    for (uint32_t i = 0; i < j->n; i++)
        want[i] = rounded(j->p, j->x[j->n - 1 - i] * rounded(j->p, to_v * j->y[i]));
    want += j->n;
    want[LSMR_GOAL] = 0;
    want[LSMR_NORMAL] = alpha > 0 ? quotient(j->p, 2 * alpha, size) : 1;
    want[LSMR_FAULT] = alpha > 0 ? LSMR_SOUND : LSMR_NO_PIVOT;
    want[LSMR_BETA] = 2;
}

static inline void record_lsmr_columns(struct job *j)
{
    const struct csr *T = put_matrix(j);
    const struct memory *scale = new_reals(j, j->n, "scales"), *norm = new_reals(j, j->n, "norms");
    run(&j->r, lsmr_columns, (j->n + 7ull) / 8 + 1, .row = T->row, .val = T->val, .scale = reals_at(scale),
        .norm = reals_at(norm), .n = j->n);
    compared(j, scale, j->p, j->n);
    compared(j, norm, j->p, j->n);
}

static inline void expect_lsmr_columns(const struct job *j, double *want)
{
    for (uint32_t i = 0; i < j->n; i++) {
        double lane[32] = {0}, largest = 0;
        int e, root;
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + 1]; k++)
            largest = fmax(largest, fabs(j->A->val[k]));
        frexp(largest, &e);
        for (uint32_t k = j->A->row[i]; k < j->A->row[i + 1]; k++) {
            double v = ldexp(j->A->val[k], 1 - e), *sum = lane + (k - j->A->row[i]) % 32;
            *sum = rounded(j->p, *sum + rounded(j->p, v * v));
        }
        for (int half = 16; half >= 1; half /= 2)
            for (int k = 0; k < half; k++)
                lane[k] = rounded(j->p, lane[k] + lane[k + half]);
        frexp(lane[0], &root);
        root = root >= 1 ? (root - 1) / 2 : 0;
        want[i] = largest > 0 ? ldexp(1, 1 - e - root) : 1;
        want[j->n + i] = largest > 0 ? ldexp(root_of(j->p, lane[0]), -root) : 0;
    }
}

#define LSMR_CASES(X)           \
    X(lsmr_left, .once = true)  \
    X(lsmr_right, .once = true) \
    X(lsmr_step, .once = true)  \
    X(lsmr_columns, .sizes = &sizes_of_slow, .sparse = true)

#endif
