/* bench_chart: draws a table in the style of the command's charts (clients/command/plot/plot.h).
 * bench/report/charts.sh uses it. */
#include "command/plot/plot.h"

#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] = "usage: bench_chart bars|lines [OPTION...] PICTURE... <TABLE\n"
                           "\n"
                           "TABLE is parted by tabs. Its first line names the series, after a word that does "
                           "not matter; each line after\n"
                           "it is a group of bars, its name first, or a point of each line, x first, x "
                           "ascending. What is not a number is not\n"
                           "bar and no point. A PICTURE ends in .png, .svg or .pdf.\n"
                           "\n"
                           "  --title TEXT  --note TEXT  --x TEXT  --y TEXT\n"
                           "  --reference Y       a line across, of bars\n";

enum { MOST_SERIES = 12, MOST_GROUPS = 128, LINE = 4096 };

struct table {
    char *name[MOST_SERIES], *group[MOST_GROUPS];
    double value[MOST_GROUPS * MOST_SERIES];
    int series, groups;
};

struct settings {
    const char *title, *note, *x, *y;
    double reference;
};

/* Stores a value by series and group, group after group. False: too many. */
static bool add_line(struct table *t, char *line, bool first)
{
    int k = 0;
    line[strcspn(line, "\n")] = 0;
    char *save, *word = strtok_r(line, "\t", &save);
    if (!word || (!first && t->groups == MOST_GROUPS))
        return !word;
    if (!first && !(t->group[t->groups] = strdup(word)))
        return false;
    while ((word = strtok_r(NULL, "\t", &save)) && k < (first ? MOST_SERIES : t->series)) {
        char *end;
        if (first && !(t->name[k] = strdup(word)))
            return false;
        double v = strtod(word, &end);
        if (!first)
            t->value[t->groups * t->series + k] = end == word || *end ? NAN : v;
        k++;
    }
    if (first)
        t->series = k;
    for (; !first && k < t->series; k++)
        t->value[t->groups * t->series + k] = NAN;
    t->groups += !first;
    return !word && k > 0;
}

static bool read_table(FILE *from, struct table *t)
{
    char line[LINE];
    bool first = true, good = true;
    for (; good && fgets(line, sizeof line, from); first = false)
        good = add_line(t, line, first);
    return good && t->groups > 0;
}

static vks_status draw_bars(struct message *m, const char *path, const struct table *t,
                            const struct settings *set)
{
    struct plot_bars p = {.title = set->title,
                          .note = set->note,
                          .y_label = set->y,
                          .group = (const char *const *)t->group,
                          .groups = t->groups,
                          .series = (const char *const *)t->name,
                          .count = t->series,
                          .value = t->value,
                          .reference = set->reference};
    return plot_bars(m, path, &p);
}

static vks_status draw_lines(struct message *m, const char *path, const struct table *t,
                             const struct settings *set)
{
    static double x[MOST_GROUPS], y[MOST_SERIES][MOST_GROUPS];
    struct plot_series series[MOST_SERIES];
    for (int i = 0; i < t->groups; i++)
        x[i] = strtod(t->group[i], NULL);
    for (int k = 0; k < t->series; k++) {
        for (int i = 0; i < t->groups; i++)
            y[k][i] = t->value[i * t->series + k];
        series[k] = (struct plot_series){t->name[k], PLOT_CURVE, x, y[k], (size_t)t->groups};
    }
    struct plot_lines p = {.title = set->title,
                           .note = set->note,
                           .x_label = set->x,
                           .y_label = set->y,
                           .series = series,
                           .count = t->series};
    return plot_lines(m, path, &p);
}

/* Returns false on wrong usage. */
static bool parse(int argc, char **argv, struct settings *set)
{
    static const struct option options[] = {
        {"title", required_argument, NULL, 't'},     {"note", required_argument, NULL, 'n'},
        {"x", required_argument, NULL, 'x'},         {"y", required_argument, NULL, 'y'},
        {"reference", required_argument, NULL, 'r'}, {NULL, 0, NULL, 0}};
    for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (o == 't')
            set->title = optarg;
        else if (o == 'n')
            set->note = optarg;
        else if (o == 'x')
            set->x = optarg;
        else if (o == 'y')
            set->y = optarg;
        else if (o == 'r')
            set->reference = strtod(optarg, NULL);
        else
            return false;
    }
    return optind + 1 < argc && (!strcmp(argv[optind], "bars") || !strcmp(argv[optind], "lines"));
}

int main(int argc, char **argv)
{
    static struct table table;
    struct settings set = {"", "", "", "", 0};
    struct message m = {0};
    if (!parse(argc, argv, &set)) {
        fputs(help, stderr);
        return 1;
    }
    if (!read_table(stdin, &table)) {
        fprintf(stderr, "bench_chart: no table, or one of more than %d series or %d lines\n", MOST_SERIES,
                MOST_GROUPS);
        return 1;
    }
    vks_status s = VKS_OK;
    for (int i = optind + 1; i < argc && !s; i++)
        s = strcmp(argv[optind], "bars") ? draw_lines(&m, argv[i], &table, &set)
                                         : draw_bars(&m, argv[i], &table, &set);
    if (s)
        fprintf(stderr, "bench_chart: %s\n", m.text);
    for (int i = 0; i < MOST_GROUPS; i++)
        free(table.group[i]);
    for (int k = 0; k < MOST_SERIES; k++)
        free(table.name[k]);
    return s ? 4 : 0;
}
