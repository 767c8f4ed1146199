#include "command/solve/job.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void solve_warn(struct solve_job *job, const char *format, ...)
{
    if (job->warning_count == MOST_WARNINGS)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(job->warnings[job->warning_count], sizeof *job->warnings, format, args);
    va_end(args);
    job->warning_count++;
}

double solve_bandwidth(const struct solve_job *job)
{
    double bytes = job->report.bytes_per_iteration * job->report.iterations;
    return bytes > 0 && job->seconds.solve > 0 ? bytes / job->seconds.solve : NAN;
}

bool solve_by_cg(const struct solve_job *job)
{
    return job->set.method == VKS_METHOD_CG || (job->set.method == VKS_METHOD_AUTO && job->suits_cg);
}

bool solve_refines(const struct solve_job *job)
{
    bool is_lsmr = job->set.method == VKS_METHOD_AUTO && job->a.rows != job->a.cols;
    return !is_lsmr && vks_method_refines((vks_method)job->set.method);
}

vks_precision solve_precision(const struct solve_job *job)
{
    bool refines = !job->device.f64 && solve_refines(job);
    return device_precision(&job->device, refines && job->set.precision < 0 ? VKS_MIXED : job->set.precision);
}
