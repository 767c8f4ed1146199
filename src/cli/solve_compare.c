#include "cli/solve_job.h"

#include <math.h>
#include <stdlib.h>

/* The largest |x_i - y_i| over the largest |y_i|; a NaN anywhere makes it one. */
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

vks_status solve_compare(struct message *m, struct solve_job *job)
{
    job->error_vs_lapack = NAN;
    job->lapack = (struct lapack_result){
        .method = "none", .true_residual = NAN, .normal_residual = NAN, .seconds = NAN};
    if (job->report.reason == VKS_REASON_CANCELLED) {
        snprintf(job->lapack.note, sizeof job->lapack.note, "not tried, since the solve was cancelled");
        return VKS_OK;
    }
    if (job->set.singular) {
        snprintf(job->lapack.note, sizeof job->lapack.note, "not tried, since A is singular");
        return VKS_OK;
    }
    uint32_t n = job->a.cols;
    size_t limit = (size_t)job->set.lapack_memory;
    double *y = malloc(((size_t)n + 1) * sizeof *y);
    if (!y)
        return fail_memory(m, "the solution by LAPACK", n * sizeof *y);
    vks_status status = job->a.rows == n
                            ? lapack_solve(m, &job->a, job->symmetric, job->b, y, limit, &job->lapack)
                            : lapack_least_squares(m, &job->a, job->b, y, limit, &job->lapack);
    if (!status && job->lapack.solved)
        job->error_vs_lapack = largest_difference(job->x, y, n);
    free(y);
    return status;
}
