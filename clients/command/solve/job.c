#include "command/solve/job.h"

#include <math.h>
#include <stdarg.h>

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
