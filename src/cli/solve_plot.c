#include "cli/plot.h"
#include "cli/solve.h"
#include "cli/words.h"

#include <math.h>
#include <stdlib.h>

/* The residual that ends the solve, relative to ||b|| like all others; squares of b may leave the range of
 * doubles. */
static double goal(const struct solve_job *job)
{
    double largest = 0, square = 0;
    if (!(job->set.atol > 0))
        return job->set.rtol;
    for (uint32_t i = 0; i < job->a.rows; i++)
        largest = fmax(largest, fabs(job->b[i]));
    for (uint32_t i = 0; i < job->a.rows; i++)
        square += (job->b[i] / largest) * (job->b[i] / largest);
    return fmax(job->set.rtol, job->set.atol / largest / sqrt(square));
}

static void write_note(const struct solve_job *job, char *note, size_t room)
{
    const vks_solve_report *r = &job->report;
    char restarts[64] = "";
    if (r->restarts)
        snprintf(restarts, sizeof restarts, ", %u restart%s", r->restarts, r->restarts > 1 ? "s" : "");
    snprintf(note, room, "%s in %s: %s after %s iteration%s%s", solve_method(job).text,
             words_precisions[solve_precision(job)], vks_reason_name(r->reason),
             words_count(r->iterations).text, r->iterations == 1 ? "" : "s", restarts);
}

/* The iterations after which the residuals of the history were found. */
static double *places(const vks_solve_report *r)
{
    double *at = malloc(((size_t)r->history_count + 1) * sizeof *at);
    for (uint32_t k = 0; at && k <= r->history_count; k++)
        at[k] = fmin((double)k * r->history_step, r->iterations);
    return at;
}

static vks_status draw(struct message *m, const struct solve_job *job, const double *at)
{
    const vks_solve_report *r = &job->report;
    char note[256];
    struct words name = words_name(job->path);
    double ends[] = {0, r->iterations ? r->iterations : 1}, goals[] = {goal(job), goal(job)};
    double recomputed[] = {r->initial_residual, r->true_residual};
    const struct plot_series series[] = {
        {"by the iteration", PLOT_LINE, at, job->history, (size_t)r->history_count + 1},
        {"recomputed in double precision", PLOT_POINTS, ends, recomputed, 2},
        {"goal", PLOT_DASHES, ends, goals, 2},
    };
    struct plot_lines p = {.title = name.text,
                           .note = note,
                           .x_label = "iteration",
                           .y_label = "||b - A x|| / ||b||",
                           .series = series,
                           .count = sizeof series / sizeof *series};
    write_note(job, note, sizeof note);
    return plot_lines(m, job->set.plot, &p);
}

vks_status solve_plot(struct message *m, struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    if (!(r->initial_residual > 0)) {
        solve_warn(job, "%s is not drawn: there is no residual above zero", job->set.plot);
        return VKS_OK;
    }
    double *at = places(r);
    vks_status status = at ? draw(m, job, at) : fail_memory(m, job->set.plot, r->history_count * sizeof *at);
    free(at);
    return status;
}
