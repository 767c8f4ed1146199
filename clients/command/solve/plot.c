#include "command/solve/plot.h"
#include "command/plot/plot.h"
#include "command/solve/attempts.h"
#include "command/solve/names.h"
#include "report/words.h"

#include <math.h>
#include <stdlib.h>

/* The norm of b in units of its largest element; with --singular, without its mean. */
static double norm_of_b(const struct solve_job *job, double largest)
{
    double sum = 0, square = 0;
    for (uint32_t i = 0; job->set.singular && i < job->a.rows; i++)
        sum += job->b[i] / largest;
    double mean = sum / job->a.rows;
    for (uint32_t i = 0; i < job->a.rows; i++)
        square += (job->b[i] / largest - mean) * (job->b[i] / largest - mean);
    return sqrt(square);
}

/* The residual that ends the solve, relative to ||b|| like all others. The squares of b may overflow. */
static double goal(const struct solve_job *job)
{
    double largest = 0;
    if (!(job->set.atol > 0))
        return job->set.rtol;
    for (uint32_t i = 0; i < job->a.rows; i++)
        largest = fmax(largest, fabs(job->b[i]));
    return fmax(job->set.rtol, job->set.atol / largest / norm_of_b(job, largest));
}

enum { METHODS_ROOM = 2 * sizeof(struct method_text) + 32 };

/* "cg with jacobi, then minres with row-sum"; after more trials, the last one and their number. */
static void write_methods(const struct solve_job *job, char *text, size_t room)
{
    const vks_solve_report *r = &job->report;
    int used = 0;
    if (r->attempts == 2)
        used = snprintf(text, room, "%s with %s, then ", vks_method_name(r->attempt[0].method),
                        report_attempt_precond(&r->attempt[0]).text);
    else if (r->attempts > 2)
        used = snprintf(text, room, "%u attempts, the last ", r->attempts);
    snprintf(text + used, room - (size_t)used, "%s", solve_method(job).text);
}

static void write_note(const struct solve_job *job, char *note, size_t room)
{
    const vks_solve_report *r = &job->report;
    char restarts[64] = "", methods[METHODS_ROOM];
    write_methods(job, methods, sizeof methods);
    if (r->restarts)
        snprintf(restarts, sizeof restarts, ", %u restart%s", r->restarts, r->restarts > 1 ? "s" : "");
    snprintf(note, room, "%s in %s: %s after %s iteration%s%s", methods,
             words_precisions[solve_precision(job)], vks_reason_name(r->reason),
             words_count(r->iterations).text, r->iterations == 1 ? "" : "s", restarts);
}

/* The name of the file, and multigrid. */
static void write_title(const struct solve_job *job, char *title, size_t room)
{
    const vks_solve_report *r = &job->report;
    const vks_hierarchy *h = &r->hierarchy;
    int used = snprintf(title, room, "%s", words_name(job->path).text);
    if (h->levels)
        used += snprintf(title + used, room - (size_t)used, ": %u level%s, operator complexity %.2f",
                         h->levels, h->levels == 1 ? "" : "s", h->operator_complexity);
    if (h->levels && !isnan(r->contraction))
        snprintf(title + used, room - (size_t)used, ", contraction %.2g", r->contraction);
}

/* The iterations at which the residuals of the history were computed. */
static double *places(const vks_solve_report *r)
{
    double *at = malloc(((size_t)r->history_count + 1) * sizeof *at);
    for (uint32_t k = 0; at && k <= r->history_count; k++)
        at[k] = fmin((double)k * r->history_step, r->iterations);
    return at;
}

enum { TIMES = 8, TICKS = TIMES + MOST_POLLS };

/* The time axis above the frame: numbers, and a short tick for each batch that the host polled. */
struct time_axis {
    char label[160];
    struct plot_tick tick[TICKS];
    int count;
};

/* The distance between ticks: the least of 1, 2 or 5 times a power of ten that fits at most 5 times. */
static double time_step(double seconds)
{
    double least = seconds / 5, power = pow(10, floor(log10(least))), digit = least / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

/* Leaves out a number that would overlap the previous one. */
static void add_times(const struct solve_job *job, struct time_axis *a)
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}};
    double iterations = job->report.iterations, seconds = job->seconds.solve, step = time_step(seconds);
    int unit = step >= 1 ? 0 : step >= 1e-3 ? 1 : 2;
    for (int i = 0; i < TIMES && i * step <= seconds; i++) {
        double x = polls_iteration(&job->polls, iterations, seconds, i * step);
        if (i && x - a->tick[a->count - 1].x < 0.1 * iterations)
            continue;
        struct plot_tick *t = &a->tick[a->count++];
        t->x = x;
        snprintf(t->name, sizeof t->name, "%.6g %s", i * step / units[unit].seconds, units[unit].name);
    }
}

static void fill_in(const struct solve_job *job, struct time_axis *a)
{
    const struct polls *l = &job->polls;
    a->count = 0;
    add_times(job, a);
    for (int i = 0; i < l->count; i++)
        a->tick[a->count++] = (struct plot_tick){.x = l->iteration[i]};
    int used = snprintf(a->label, sizeof a->label, "time, after %s of set-up",
                        words_seconds(job->seconds.setup).text);
    if (l->count && l->every == 1)
        snprintf(a->label + used, sizeof a->label - (size_t)used, "; short ticks: batches");
    else if (l->count)
        snprintf(a->label + used, sizeof a->label - (size_t)used, "; short ticks: 1 batch in %u", l->every);
}

/* The recomputed residuals, at the start of each cycle and at the end; and the cycles that are restarts. */
struct recomputed {
    double at[SOLVE_CYCLES + 1], residual[SOLVE_CYCLES + 1], restart[SOLVE_CYCLES];
    size_t count, restarts;
};

/* The iterations after which another method or preconditioner took over. */
struct turns {
    double at[VKS_LARGEST_ATTEMPTS];
    size_t count;
};

static struct turns turns_of(const vks_solve_report *r)
{
    struct turns t = {0};
    double at = 0;
    for (uint32_t k = 0; k + 1 < r->attempts; k++) {
        at += r->attempt[k].iterations;
        t.at[t.count++] = at;
    }
    return t;
}

static void recall(const struct solve_job *job, struct recomputed *c)
{
    const vks_solve_report *r = &job->report;
    *c = (struct recomputed){.residual[0] = r->initial_residual, .count = 1};
    for (uint32_t k = 1; k < r->cycle_count; k++) {
        c->at[c->count] = job->cycles[k].iteration;
        c->residual[c->count++] = job->cycles[k].true_residual;
        if (!job->cycles[k].keeps_directions)
            c->restart[c->restarts++] = job->cycles[k].iteration;
    }
    c->at[c->count] = r->iterations;
    c->residual[c->count++] = r->true_residual;
}

/* False after an elimination, where iterations only refine. */
static bool iterations_took_the_time(const struct solve_job *job)
{
    const vks_solve_report *r = &job->report;
    return r->iterations > 0 && !solves_at_once(r->method) && job->seconds.solve > 0;
}

static vks_status draw(struct message *m, const struct solve_job *job, const double *at)
{
    const vks_solve_report *r = &job->report;
    char title[sizeof(struct words) + 96], note[METHODS_ROOM + 256];
    struct recomputed c;
    struct turns turns = turns_of(r);
    struct time_axis time;
    struct plot_top top;
    double ends[] = {0, r->iterations ? r->iterations : 1}, goals[] = {goal(job), goal(job)};
    recall(job, &c);
    const struct plot_series series[] = {
        {"by the iteration", PLOT_LINE, at, job->history, (size_t)r->history_count + 1},
        {job->in_f32 ? "recomputed, x refined" : "recomputed in f64", PLOT_POINTS, c.at, c.residual, c.count},
        {"goal", PLOT_DASHES, ends, goals, 2},
        turns.count ? (struct plot_series){"next attempt", PLOT_MARKS, turns.at, NULL, turns.count}
                    : (struct plot_series){"restart", PLOT_MARKS, c.restart, NULL, c.restarts},
    };
    int skipped = r->history_count == 0; /* no iteration, or elimination, which has no line */
    struct plot_lines p = {.title = title,
                           .note = note,
                           .x_label = "iteration",
                           .y_label = "||b - A x|| / ||b||",
                           .series = series + skipped,
                           .count = (c.restarts || turns.count ? 4 : 3) - skipped};
    write_title(job, title, sizeof title);
    write_note(job, note, sizeof note);
    if (iterations_took_the_time(job)) {
        fill_in(job, &time);
        top = (struct plot_top){time.label, time.tick, time.count};
        p.top = &top;
    }
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
