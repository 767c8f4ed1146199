/* The report of an elimination: pivots, determinant, condition, and why there is no solution. */
#include "solvers/dense/call.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const vks_gauss_jordan_report gauss_jordan_not_run = {.reason = VKS_REASON_NOT_RUN,
                                                      .column = UINT32_MAX,
                                                      .least_pivot = NAN,
                                                      .largest_pivot = NAN,
                                                      .least_pivot_column = UINT32_MAX,
                                                      .determinant_log = NAN,
                                                      .reciprocal_condition = NAN,
                                                      .residual = NAN,
                                                      .backward_error = NAN};

/* Whether the permutation is odd; overwrites it. Each exchange puts one number in its place, so n suffice;
 * the limit also ends the loop if a faulty device returned something other than a permutation. */
static bool is_odd(uint32_t *p, uint32_t n)
{
    bool odd = false;
    uint32_t exchanges = 0;
    for (uint32_t k = 0; k < n; k++)
        while (p[k] != k && p[k] < n && exchanges++ < n) {
            uint32_t other = p[k];
            p[k] = p[other];
            p[other] = other;
            odd = !odd;
        }
    return odd;
}

static void report_values(vks_gauss_jordan_report *r, const struct elimination *e)
{
    r->determinant_sign = 1;
    r->determinant_log = 0;
    for (uint32_t k = 0; k < e->n; k++) {
        double size = fabs(e->values[k]);
        if (!isgreaterequal(size, r->least_pivot)) {
            r->least_pivot = size;
            r->least_pivot_column = k;
        }
        if (!islessequal(size, r->largest_pivot))
            r->largest_pivot = size;
        if (e->values[k] < 0)
            r->determinant_sign = -r->determinant_sign;
        r->determinant_log += log(size);
    }
    if (is_odd(e->row_of, e->n))
        r->determinant_sign = -r->determinant_sign;
}

void report_pivots(struct gauss_jordan *g, const struct elimination *e)
{
    vks_gauss_jordan_report *r = g->report;
    if (!e->ending) {
        r->reason = VKS_REASON_CONVERGED;
        report_values(r, e);
        return;
    }
    r->column = e->column;
    if (e->ending == PIVOT_SPECIAL) {
        r->reason = VKS_REASON_NOT_FINITE;
        snprintf(r->detail, sizeof r->detail, "column %u holds a NaN or an infinity when it is eliminated",
                 e->column + 1);
        return;
    }
    r->reason = VKS_REASON_SINGULAR;
    r->least_pivot = 0;
    r->least_pivot_column = e->column;
    r->determinant_log = -INFINITY;
    if (e->column == 0)
        snprintf(r->detail, sizeof r->detail, "the matrix is singular: column 1 is zero");
    else
        snprintf(r->detail, sizeof r->detail,
                 "the matrix is singular: column %u depends on those before it (its pivot is 0)",
                 e->column + 1);
}

void report_condition(struct gauss_jordan *g, double norm, double norm_of_inverse)
{
    vks_gauss_jordan_report *r = g->report;
    r->reciprocal_condition = 1 / norm / norm_of_inverse;
    if (isnan(r->reciprocal_condition))
        r->reciprocal_condition = 0; /* a norm of zero, or one beyond the range of doubles */
    if (!(r->reciprocal_condition >= unit_roundoff(g->precision)))
        snprintf(r->warning, sizeof r->warning,
                 "the matrix is nearly singular: its reciprocal condition number is about %.2g, so the "
                 "result may have no correct digit",
                 r->reciprocal_condition);
}

vks_status largest_sum(struct device *d, vks_precision p, const struct memory *sums, uint64_t first,
                       uint32_t count, double *largest)
{
    double *values = malloc((count + (size_t)1) * sizeof *values); /* + 1: so that NULL is a failure */
    vks_status s = values ? download_values(d, sums, p, first, count, VKS_F64, values)
                          : fail_memory(d->message, "norms", count * sizeof *values);
    *largest = 0;
    for (uint32_t j = 0; !s && j < count; j++)
        if (!(values[j] <= *largest) && !isnan(*largest))
            *largest = values[j];
    free(values);
    return s;
}

void gauss_jordan_failed(vks_gauss_jordan_report *report, const char *message)
{
    *report = gauss_jordan_not_run;
    snprintf(report->detail, sizeof report->detail, "%.*s", (int)sizeof report->detail - 1, message);
}
