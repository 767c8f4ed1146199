/* vksolve solve A.mtx B.mtx ...: a line about each matrix, as soon as it has been solved. */
#include "command/shared/exit_code.h"
#include "command/shared/words.h"
#include "command/solve/job.h"

static void print_head(void)
{
    printf("%-20s %13s %13s %10s %10s %13s  %s\n", "matrix", "rows", "entries", "iterations", "time",
           "true residual", "ending");
}

void solve_print_line(const struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    printf("%-20s %13s %13s %10s %10s %13s  %s: %s\n", words_name(job->path).text,
           words_count(job->a.rows).text, words_count(host_csr_entries(&job->a)).text,
           words_count(r->iterations).text, words_seconds(job->seconds.setup + job->seconds.solve).text,
           words_number(r->true_residual).text, vks_reason_name(r->reason), solve_method(job).text);
    fflush(stdout);
}

/* A matrix that cannot be read or solved is told on standard error, and the next one is taken. */
int solve_several(const struct solve_job *settings, char **paths, int count)
{
    bool quiet = settings->set.quiet, cancelled = false;
    int worst = EXIT_DONE, converged = 0;
    if (!quiet)
        print_head();
    for (int i = 0; i < count && !cancelled; i++) {
        struct solve_job job = *settings;
        job.path = paths[i];
        job.is_of_several = true;
        int code = solve_one(&job);
        cancelled = job.report.reason == VKS_REASON_CANCELLED;
        converged += code == EXIT_DONE;
        worst = code > worst ? code : worst;
    }
    if (!quiet)
        printf("%d of %d converged%s\n", converged, count, cancelled ? "; ended by a signal" : "");
    return worst;
}
