#include "command/solve/report.h"
#include "command/solve/colour.h"
#include "command/solve/columns.h"
#include "command/solve/known.h"
#include "command/solve/names.h"
#include "command/solve/order.h"
#include "report/words.h"
#include "solvers/hierarchy_text.h"
#include "solvers/report_text.h"

#include <math.h>

static void print_matrix(const struct solve_job *job, FILE *to)
{
    const char *symmetry = job->a.rows != job->a.cols ? "not square"
                           : job->symmetric           ? "symmetric"
                           : job->asymmetry < 1e-12   ? "symmetric up to rounding"
                                                      : "not symmetric";
    fprintf(to, "matrix      %s: %s x %s, %s entries, %s\n", words_name(job->path).text,
            words_count(job->a.rows).text, words_count(job->a.cols).text,
            words_count(host_csr_entries(&job->a)).text, symmetry);
    fprintf(to, "right side  %s%s\n", job->set.rhs ? "" : "A times ",
            job->set.rhs ? job->set.rhs : solve_known_name(job));
}

static void print_choices(const struct solve_job *job, FILE *to)
{
    const struct solve_settings *set = &job->set;
    fprintf(to, "device      %s: %s, %s (%s)\n", vks_device_kind_text(job->device.kind), job->device.name,
            job->device.driver, job->device_reason);
    solve_order_print(job, to);
    struct precond_text precond = solve_precond(job);
    report_print_method(&job->report, &precond, to);
    fprintf(to, ", until the residual is %s of ||b||", words_number(set->rtol).text);
    if (set->atol > 0)
        fprintf(to, ", or %s", words_number(set->atol).text);
    fputc('\n', to);
    report_print_attempts(&job->report, to);
    fprintf(to, "format      %s (%s)\n", job->format.text, job->format_reason);
    fprintf(to, "precision   %s (%s)\n", words_precisions[solve_precision(job)],
            set->precision >= 0 ? "as asked"
            : job->device.f64   ? "the default"
                                : "the device has no 64-bit floats");
    hierarchy_print(&job->report.hierarchy, job->report.precond_bytes, to);
    stored_print(&job->stored, "values", to);
    if (job->in_f32)
        report_print_refinement(&job->report, to);
}

static void print_course(const struct solve_job *job, FILE *to)
{
    const struct solve_seconds *s = &job->seconds;
    fprintf(to, "time        read %s, open device %s, set-up %s, solve %s\n", words_seconds(s->read).text,
            words_seconds(s->open).text, words_seconds(s->setup).text, words_seconds(s->solve).text);
    report_print_course(&job->report, to);
    if (job->set.singular)
        fprintf(to, "null space  the constants: b has %s of its norm there; left out of b and x\n",
                words_number(job->report.null_component).text);
    if (!job->set.rhs)
        fprintf(to, "error       %s at most, against the known solution (%s)\n",
                words_number(job->error_vs_known).text, solve_known_name(job));
}

static void print_bandwidth(const struct solve_job *job, FILE *to)
{
    double bandwidth = solve_bandwidth(job), share = bandwidth / job->copy_bandwidth;
    if (!(bandwidth > 0))
        return;
    fprintf(to, "bandwidth   %s/s, %s an iteration", words_bytes(bandwidth).text,
            words_bytes(job->report.bytes_per_iteration).text);
    if (share > 0)
        fprintf(to, "; %.0f %% of the copy bandwidth, %s/s%s", 100 * share,
                words_bytes(job->copy_bandwidth).text, share > 1 ? " (caches help)" : "");
    fputc('\n', to);
}

/* No normal residual is printed if `normal` is NaN. */
static void print_row(FILE *to, const char *method, double seconds, double residual, double normal)
{
    fprintf(to, "  %-28s %10s %14s", method, words_seconds(seconds).text, words_number(residual).text);
    if (!isnan(normal))
        fprintf(to, " %14s", words_number(normal).text);
    fputc('\n', to);
}

static void print_comparison(const struct solve_job *job, FILE *to)
{
    struct method_text method = solve_method(job);
    fprintf(to, "comparison  %-18s %10s %14s%s\n", "", "time", "true residual",
            isnan(job->report.normal_residual) ? "" : "  normal (A^T)");
    if (report_was_refused(&job->report))
        fprintf(to, "  %-28s %10s\n", method.text, "refused");
    else
        print_row(to, method.text, job->seconds.setup + job->seconds.solve, job->report.true_residual,
                  job->report.normal_residual);
    const struct comparison *c = &job->comparison;
    if (c->solved) {
        print_row(to, c->method, c->seconds, c->true_residual, c->normal_residual);
        fprintf(to, "  the solutions differ by %s of the largest element\n",
                words_number(c->difference).text);
    }
    if (c->note[0])
        fprintf(to, "  %s: %s\n", c->name, c->note);
}

static void print_ending(const struct solve_job *job, FILE *to)
{
    const vks_solve_report *r = &job->report;
    bool good = r->reason == VKS_REASON_CONVERGED;
    fprintf(to, "%s%s%s: %s\n", colour(to, good ? COLOUR_GOOD : COLOUR_BAD), vks_reason_name(r->reason),
            colour(to, COLOUR_NONE), report_ending(r, VKS_FOR_COMMAND));
}

static void print_warnings(const struct solve_job *job, FILE *to)
{
    for (int i = 0; i < job->warning_count; i++)
        fprintf(to, "%swarning%s     %s\n", colour(to, COLOUR_WARNING), colour(to, COLOUR_NONE),
                job->warnings[i]);
}

void solve_print(const struct solve_job *job, FILE *to)
{
    print_ending(job, to);
    report_print_hints(&job->report, VKS_FOR_COMMAND, to);
    print_warnings(job, to);
    print_matrix(job, to);
    print_choices(job, to);
    print_course(job, to);
    solve_columns_print(job, to);
    print_bandwidth(job, to);
    if (job->set.compare)
        print_comparison(job, to);
}

void solve_print_head(void)
{
    printf("%-20s %13s %13s %10s %10s %13s  %s\n", "matrix", "rows", "entries", "iterations", "time",
           "true residual", "ending");
}

void solve_print_line(const struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    printf("%-20s %13s %13s %10s %10s %13s  %s: ", words_name(job->path).text, words_count(job->a.rows).text,
           words_count(host_csr_entries(&job->a)).text, words_count(r->iterations).text,
           words_seconds(job->seconds.setup + job->seconds.solve).text, words_number(r->true_residual).text,
           vks_reason_name(r->reason));
    if (r->attempts > 1)
        report_print_iterated(r, stdout);
    else
        printf("%s", solve_method(job).text);
    printf("\n");
    fflush(stdout);
}
