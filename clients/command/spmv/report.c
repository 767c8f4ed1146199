#include "command/spmv/report.h"
#include "report/words.h"

#include <math.h>

void spmv_print_head(const struct spmv_job *job, FILE *to)
{
    fprintf(to, "device      %s: %s, %s\n", vks_device_kind_text(job->device.kind), job->device.name,
            job->device.driver);
    fprintf(to, "precision   %s\n", words_precisions[job->precision]);
    if (job->copy_bandwidth > 0)
        fprintf(to, "copies at   %s/s\n", words_bytes(job->copy_bandwidth).text);
    fprintf(to, "times       of products by %s, median, least and most of the batches' means\n",
            job->timed ? "the device's clock" : "the clock of the program");
}

static void print_matrix(const struct spmv_matrix *a, FILE *to)
{
    fprintf(to, "\nmatrix      %s: %s x %s, %s entries\n", words_name(a->path).text,
            words_count(a->rows).text, words_count(a->cols).text, words_count(a->entries).text);
    stored_print(&a->stored, "values", to);
    if (a->chosen != VKS_FORMAT_AUTO)
        fprintf(to, "auto        %s (%s), chosen and made in %s\n", vks_format_name(a->chosen), a->reason,
                words_seconds(a->chosen_seconds).text);
    fprintf(to, "%-14s %9s %8s %9s %9s %9s %8s %9s %7s %9s %6s %8s  %s\n", "format", "set-up", "products",
            "time", "least", "most", "GFLOP/s", "moved", "of copy", "memory", "k", "error", "cache");
}

/* "61 %", "2.31"; "-" for a NaN. */
static struct words figure(const char *format, double value)
{
    struct words w = {"-"};
    if (!isnan(value))
        snprintf(w.text, sizeof w.text, format, value);
    return w;
}

static struct words cache(const struct spmv_figures *f)
{
    struct words w = {"cold"};
    if (f->copies > 1)
        snprintf(w.text, sizeof w.text, "%s, %.0f copies",
                 f->copies_bytes >= SPMV_COLD_BYTES ? "cold" : "warm", f->copies);
    else if (f->copies_bytes < SPMV_COLD_BYTES)
        snprintf(w.text, sizeof w.text, "warm");
    return w;
}

static void print_row(const struct spmv_row *row, FILE *to)
{
    const struct spmv_figures *f = &row->figures;
    fprintf(to, "%-14s ", row->format.text);
    if (row->status) {
        fprintf(to, "%9s: %s\n", "refused", row->refused.text);
        return;
    }
    fprintf(to, "%9s %8s %9s %9s %9s", words_seconds(f->setup_seconds).text,
            words_count((uint64_t)f->products).text, words_seconds(f->seconds).text,
            words_seconds(f->seconds_least).text, words_seconds(f->seconds_most).text);
    fprintf(to, " %8s %9s %7s %9s %6s %8s  %s\n", figure("%.2f", f->gflops).text, words_bytes(f->bytes).text,
            figure("%.0f %%", 100 * f->bandwidth_share).text, words_bytes(f->memory_bytes).text,
            figure("%.2f", f->efficiency).text, figure("%.1e", f->error).text, cache(f).text);
}

void spmv_print(const struct spmv_matrix *a, FILE *to)
{
    print_matrix(a, to);
    for (int i = 0; i < a->count; i++)
        print_row(&a->row[i], to);
    fflush(to);
}
