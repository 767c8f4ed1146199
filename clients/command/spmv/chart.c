#include "command/spmv/chart.h"
#include "command/plot/gnuplot.h"
#include "command/plot/plot.h"
#include "report/words.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *part, *title, *y_label;
    size_t figure;
    double factor, reference;
} charts[SPMV_CHARTS] = {
    {"gflops", "Sparse matrix-vector product: speed", "GFLOP/s", offsetof(struct spmv_figures, gflops), 1, 0},
    {"efficiency", "Sparse matrix-vector product: efficiency of the format", "1 / (time x memory), CSR is 1",
     offsetof(struct spmv_figures, efficiency), 1, 1},
    {"bandwidth", "Sparse matrix-vector product: bandwidth", "% of the copy bandwidth",
     offsetof(struct spmv_figures, bandwidth_share), 100, 100},
};

vks_status spmv_chart_path(struct message *m, const char *given, int chart, struct spmv_chart_path *path)
{
    const char *slash = strrchr(given, '/'), *dot = strrchr(given, '.');
    if (!dot || (slash && dot < slash))
        dot = given + strlen(given);
    int length = snprintf(path->text, sizeof path->text, "%.*s-%s%s", (int)(dot - given), given,
                          charts[chart].part, dot);
    if (length < 0 || (size_t)length >= sizeof path->text)
        return fail(m, VKS_INVALID_ARGUMENT, "%.60s...: the name is too long", given);
    return VKS_OK;
}

vks_status spmv_charts_check(struct message *m, const struct spmv_job *job)
{
    for (int i = 0; i < SPMV_CHARTS && job->set.chart; i++) {
        struct spmv_chart_path path;
        TRY(spmv_chart_path(m, job->set.chart, i, &path));
        TRY(gnuplot_check(m, path.text));
    }
    return VKS_OK;
}

struct drawing {
    char (*name)[sizeof(struct words)];
    const char **group;
    double *value;
    const char *series[SPMV_MOST_FORMATS];
};

static void fill_in(const struct spmv_job *job, int chart, struct drawing *d)
{
    int k = 0;
    for (int i = 0; i < job->count; i++) {
        const struct spmv_matrix *a = &job->matrices[i];
        struct words name = words_name(a->path);
        memcpy(d->name[i], name.text, sizeof name.text);
        d->group[i] = d->name[i];
        for (int f = 0; f < a->count; f++, k++) {
            const char *figures = (const char *)&a->row[f].figures;
            double value;
            memcpy(&value, figures + charts[chart].figure, sizeof value);
            d->value[k] = charts[chart].factor * value;
            d->series[f] = a->row[f].format.text;
        }
    }
}

static vks_status draw(struct message *m, const struct spmv_job *job, int chart, struct drawing *d)
{
    char note[512];
    struct spmv_chart_path path;
    fill_in(job, chart, d);
    snprintf(note, sizeof note, "%s, %s", job->device.name, words_precisions[job->precision]);
    struct plot_bars p = {.title = charts[chart].title,
                          .note = note,
                          .y_label = charts[chart].y_label,
                          .group = d->group,
                          .groups = job->count,
                          .series = d->series,
                          .count = job->matrices->count,
                          .value = d->value,
                          .reference = charts[chart].reference};
    TRY(spmv_chart_path(m, job->set.chart, chart, &path));
    return plot_bars(m, path.text, &p);
}

vks_status spmv_charts(struct message *m, const struct spmv_job *job)
{
    size_t count = (size_t)job->count;
    struct drawing d = {.name = malloc(count * sizeof *d.name),
                        .group = malloc(count * sizeof *d.group),
                        .value = malloc(count * (size_t)job->format_count * sizeof *d.value)};
    vks_status s = d.name && d.group && d.value ? VKS_OK : fail_memory(m, "a chart", count * sizeof *d.name);
    for (int i = 0; i < SPMV_CHARTS && !s; i++)
        s = draw(m, job, i, &d);
    free(d.name);
    free(d.group);
    free(d.value);
    return s;
}
