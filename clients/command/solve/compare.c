#include "command/solve/compare.h"
#include "command/lapack/lapack.h"
#include "direct/direct.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The largest |x_i - y_i| over the largest |y_i|; NaN if any is NaN. */
static double largest_difference(const double *x, const double *y, uint32_t n)
{
    double difference = 0, largest = 0;
    for (uint32_t i = 0; i < n; i++) {
        double d = fabs(x[i] - y[i]);
        if (!(d <= difference))
            difference = d;
        largest = fmax(largest, fabs(y[i]));
    }
    return difference == 0 ? 0 : difference / largest;
}

static vks_status by_lapack(struct message *m, const struct solve_job *job, double *y, struct comparison *c)
{
    struct lapack_result result;
    size_t limit = (size_t)job->set.lapack_memory;
    vks_status status = job->a.rows == job->a.cols
                            ? lapack_solve(m, &job->a, job->symmetric, job->b, y, limit, &result)
                            : lapack_least_squares(m, &job->a, job->b, y, limit, &result);
    c->method = result.method;
    c->solved = result.solved;
    c->true_residual = result.true_residual;
    c->normal_residual = result.normal_residual;
    c->seconds = result.seconds;
    memcpy(c->note, result.note, sizeof c->note);
    return status;
}

/* If UMFPACK is missing or runs out of memory, the solve that it is compared with has not failed. */
static vks_status by_umfpack(const struct solve_job *job, double *y, struct comparison *c)
{
    struct direct_report result;
    struct message m = {0};
    vks_status status = direct_solve(&m, &job->a, job->b, y, &result);
    if (status) {
        snprintf(c->note, sizeof c->note, "%.*s", (int)sizeof c->note - 1, m.text);
        return VKS_OK;
    }
    c->method = "sparse LU (UMFPACK)";
    c->solved = result.reason == VKS_REASON_CONVERGED;
    c->true_residual = result.residual;
    c->seconds = result.seconds_factors + result.seconds_solve;
    memcpy(c->note, result.detail[0] ? result.detail : result.warning, sizeof c->note);
    return VKS_OK;
}

vks_status solve_compare(struct message *m, struct solve_job *job)
{
    bool direct = job->set.compare == COMPARE_DIRECT;
    struct comparison *c = &job->comparison;
    *c = (struct comparison){.name = direct ? "direct" : "LAPACK",
                             .method = "none",
                             .true_residual = NAN,
                             .normal_residual = NAN,
                             .seconds = NAN,
                             .difference = NAN};
    if (job->report.reason == VKS_REASON_CANCELLED) {
        snprintf(c->note, sizeof c->note, "not tried, since the solve was cancelled");
        return VKS_OK;
    }
    if (job->set.singular) {
        snprintf(c->note, sizeof c->note, "not tried, since A is singular");
        return VKS_OK;
    }
    if (direct && job->a.rows != job->a.cols) {
        snprintf(c->note, sizeof c->note, "not tried, since A is not square");
        return VKS_OK;
    }
    uint32_t n = job->a.cols;
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    if (!y)
        return fail_memory(m, "the solution to compare with", n * sizeof *y);
    vks_status status = direct ? by_umfpack(job, y, c) : by_lapack(m, job, y, c);
    if (!status && c->solved)
        c->difference = largest_difference(job->x, y, n);
    free(y);
    return status;
}
