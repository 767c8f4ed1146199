/* The cases of the kernels of the Richardson iteration. */
#ifndef VKS_TESTS_RICHARDSON_CASES_H
#define VKS_TESTS_RICHARDSON_CASES_H

#include "tests/support/cases/jacobi.h"

static const double richardson_weight = 0.375;

/* Ends iteration 12 of 16. The history has room for 12 values, and one more that must not change. */
static inline void record_richardson_step(struct job *j)
{
    static const double zeros[13];
    const struct memory *x = put(j, j->x, j->n, "x"), *r = put(j, j->y, j->n, "r");
    const struct memory *z = put_backwards(j, j->y, "z"), *q = put_backwards(j, j->x, "q");
    const struct memory *weight = put(j, &richardson_weight, 1, "a weight"), *words = put_control(j);
    const struct memory *history = put(j, zeros, 13, "history");
    const struct reduction *w = new_reduction(j, 1);
    control c = (control)(uintptr_t)words->address;
    run(&j->r, richardson_step, stripes_of_elements(j->n), .c = c, .weight = number_at(weight),
        .x = reals_at(x), .r = reals_at(r), .z = reals_at(z), .q = reals_at(q), .s = reduction_sums(w),
        .n = j->n);
    stripe_levels(&j->r, w, j->n, 0, 1);
    run(&j->r, richardson_decide, 1, .c = c, .history = reals_at(history), .s = reduction_sums(w), .n = j->n,
        .kept = 12);
    compared(j, x, j->p, j->n);
    compared(j, r, j->p, j->n);
    compared(j, history, j->p, 13);
    compared_behind(j, words, 4, 1);
    compared_words(j, words, 4);
}

static inline void expect_richardson_step(const struct job *j, double *want)
{
    double *z = backwards(j->y, j->n), *q = backwards(j->x, j->n), *terms = room(j->n, 8);
    double step = rounded(j->p, richardson_weight * jacobi_scale), *end = want + 2 * j->n;
    for (uint32_t i = 0; i < j->n; i++) {
        double r = rounded(j->p, j->y[i] - rounded(j->p, richardson_weight * q[i]));
        want[i] = rounded(j->p, j->x[i] + rounded(j->p, step * z[i]));
        want[j->n + i] = r;
        terms[i] = rounded(j->p, r * r);
    }
    double rr = canonical_sum(j->p, terms, j->n);
    const uint32_t words[] = {rr == 0 ? STATE_MET : STATE_DIVERGED /* stop and ceiling are 0 */, 12, 16, 12};
    memset(end, 0, 13 * sizeof *end);
    end[11] = end[13] = rr;
    for (int i = 0; i < 4; i++)
        end[14 + i] = words[i];
    free(z);
    free(q);
    free(terms);
}

#define RICHARDSON_CASES(X) X(richardson_step, .once = true)

#endif
