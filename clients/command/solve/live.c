#include "command/solve/live.h"
#include "report/words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const double between_drawings = 0.1;

void live_begin(struct live *l, bool wanted)
{
    const char *terminal = getenv("TERM");
    *l = (struct live){.on = wanted && isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb"),
                       .trail.smallest = INFINITY};
}

void trail_add(struct trail *t, const vks_progress *p)
{
    if (p->residual > 0) /* the residual of conjugate gradients is not monotone: the best so far counts */
        t->smallest = fmin(t->smallest, log10(p->residual));
    if (!isfinite(t->smallest) || (t->count && p->seconds < t->seconds[t->count - 1] + t->spacing))
        return;
    if (t->count == TRAIL) {
        for (int i = 0; 2 * i < TRAIL; i++) {
            t->seconds[i] = t->seconds[2 * i];
            t->log_residual[i] = t->log_residual[2 * i];
        }
        t->count = TRAIL / 2;
        t->spacing = fmax(2 * t->spacing, p->seconds / TRAIL);
    }
    t->seconds[t->count] = p->seconds;
    t->log_residual[t->count++] = t->smallest;
}

double trail_estimate(const struct trail *t, const vks_progress *p)
{
    int first = 0;
    while (first < t->count && t->seconds[first] < p->seconds / 2)
        first++;
    if (first == t->count || !(p->target > 0))
        return -1;
    double fallen = t->log_residual[first] - t->smallest, seconds = p->seconds - t->seconds[first];
    double to_go = t->smallest - log10(p->target);
    return fallen > 0 && seconds > 0 ? fmax(0, to_go / fallen * seconds) : -1;
}

/* "31 s", "12 min", "3.4 h" */
static void print_estimate(char *text, size_t room, double seconds)
{
    if (seconds < 0 || seconds > 1e6)
        snprintf(text, room, "no end in sight");
    else if (seconds < 120)
        snprintf(text, room, "about %.0f s to go", seconds);
    else if (seconds < 7200)
        snprintf(text, room, "about %.0f min to go", seconds / 60);
    else
        snprintf(text, room, "about %.1f h to go", seconds / 3600);
}

static int terminal_width(void)
{
    struct winsize size;
    return !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

/* Draws the line, cut to the terminal's width, since a wrapped line could not be erased. */
static void draw(struct live *l, const char *line)
{
    fprintf(stderr, "\r%.*s\033[K", terminal_width() - 1, line);
    fflush(stderr);
    l->is_there = true;
}

void live_show(struct live *l, const vks_progress *p)
{
    trail_add(&l->trail, p);
    double passed = p->seconds - l->drawn;
    if (!l->on || passed < between_drawings)
        return;
    double rate = (p->iteration - l->iterations_drawn) / passed;
    l->rate = l->rate > 0 ? 0.8 * l->rate + 0.2 * rate : rate;
    l->drawn = p->seconds;
    l->iterations_drawn = p->iteration;

    char line[256], estimate[LIVE_LEFT];
    print_estimate(estimate, sizeof estimate, trail_estimate(&l->trail, p));
    snprintf(line, sizeof line, "iteration %s  residual %.2e of %.0e  %s/s  %.0f s  %s",
             words_count(p->iteration).text, p->residual, p->target, words_count((uint64_t)l->rate).text,
             p->seconds, estimate);
    draw(l, line);
}

bool live_share(struct live *l, const char *what, double share, double seconds, char left[LIVE_LEFT])
{
    if (!l->shared || strcmp(l->shared, what)) {
        l->shared = what;
        l->begun = seconds;
        l->share_drawn = seconds - between_drawings; /* so that the first share is drawn immediately */
    }
    if (!l->on || share <= 0 || share >= 1 || seconds < l->share_drawn + between_drawings)
        return false;
    l->share_drawn = seconds;
    print_estimate(left, LIVE_LEFT, (1 - share) / share * (seconds - l->begun));
    return true;
}

void live_stage(struct live *l, const char *format, ...)
{
    char line[256];
    va_list args;
    if (!l->on)
        return;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    draw(l, line);
}

void live_end(struct live *l)
{
    if (l->is_there)
        fputs("\r\033[K", stderr);
    l->on = l->is_there = false;
}
