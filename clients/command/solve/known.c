#include "command/solve/known.h"

#include <math.h>
#include <stdlib.h>

const char *solve_known_name(const struct solve_job *job)
{
    return job->set.singular ? "a ramp" : "ones";
}

static double known(const struct solve_job *job, uint32_t i)
{
    double last = job->a.rows - 1.0;
    if (!job->set.singular)
        return 1;
    return last > 0 ? (i - (last - i)) / last : 0;
}

/* Sums each row in ascending order of the columns. */
vks_status solve_multiply_known(struct message *m, struct solve_job *job)
{
    const struct host_csr *a = &job->a;
    job->columns = 1;
    job->b = calloc((size_t)a->rows + 1, sizeof *job->b);
    if (!job->b)
        return fail_memory(m, "the right-hand side", a->rows * sizeof *job->b);
    for (uint32_t i = 0; i < a->rows; i++)
        for (uint32_t k = a->row[i]; k < a->row[i + 1]; k++)
            job->b[i] += a->val[k] * known(job, a->col[k]);
    return VKS_OK;
}

void solve_compare_with_known(struct solve_job *job)
{
    if (job->set.rhs)
        return;
    job->error_vs_known = 0;
    for (uint32_t i = 0; i < job->a.cols; i++) {
        double error = fabs(job->x[i] - known(job, i));
        if (!(error <= job->error_vs_known)) /* a NaN stays */
            job->error_vs_known = error;
    }
}

void solve_warn_of_zero(struct solve_job *job)
{
    uint32_t zeros = 0, rows = job->columns == 1 ? job->a.rows : 0;
    while (zeros < rows && job->b[zeros] == 0)
        zeros++;
    if (!rows || zeros < rows || job->report.reason != VKS_REASON_CONVERGED)
        return;
    if (job->set.rhs)
        solve_warn(job, "the right-hand side is zero, so x = 0 solves the system: nothing was tested");
    else
        solve_warn(
            job, "A times %s is zero, so x = 0 solves the system: nothing was tested; --rhs gives another b",
            solve_known_name(job));
}
