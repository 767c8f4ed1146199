#include "command/command.h"
#include "command/models/problem.h"
#include "command/shared/device.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "command/spmv/chart.h"
#include "command/spmv/files.h"
#include "command/spmv/measure.h"
#include "command/spmv/report.h"
#include "device/context.h"
#include "report/words.h"

#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct option_line options[] = {
    {0, "formats", "LIST", "all, or some of these, separated by commas (default: all)" FORMATS_HELP,
     TEXT(struct spmv_settings, formats)},
    PADDING_OPTION(struct spmv_settings),
    PRECISION_OPTION(struct spmv_settings),
    DEVICE_OPTION(struct spmv_settings),
    {0, "products", "N", "products of each format with each matrix; 1 to 1000000 (default: 1000)",
     COUNT(struct spmv_settings, products, 1, 1000000, "from 1 to 1000000")},
    {0, "seconds", "S", "end the products of a format after S seconds; above 0, at most 86400\n(default: 5)",
     REAL(struct spmv_settings, seconds, 5e-324, 86400, "above 0, at most 86400")},
    {0, "csv", "FILE", "write a line for each format of each matrix; - is standard output",
     TEXT(struct spmv_settings, csv)},
    {0, "json", "FILE", "write the same as a JSON object; - is standard output",
     TEXT(struct spmv_settings, json)},
    {0, "chart", "NAME.png",
     "draw three charts, NAME-gflops.png, NAME-efficiency.png and\n"
     "NAME-bandwidth.png; or .svg, or .pdf; needs gnuplot (apt install\n"
     "gnuplot-nox), which VKSOLVE_GNUPLOT may name",
     TEXT(struct spmv_settings, chart)},
    {'q', "quiet", NULL, "print no table, only errors", FLAG(struct spmv_settings, quiet)},
};

static const struct manual manual = {
    .name = "spmv",
    .about = "Measures y = A x in one format after the other. A.mtx may also be the name and the\n"
             "size of a model problem (vksolve generate --help) such as poisson3d:64, or\n"
             "powerlaw:ROWS[:MEAN], a graph with rows of very different lengths, MEAN on average\n"
             "(default: 16).\n\n" FILE_KINDS "\n\n"
             "Formats take turns, a batch of products each, so that other work on the machine disturbs\n"
             "them alike. A matrix below 256 MiB is multiplied in up to 128 copies by turns, so that it\n"
             "does not come from the cache: \"cold\" if all copies have 256 MiB together, else \"warm\".\n"
             "A format that does not suit or fit a matrix has a line that says why.\n\n"
             "  set-up   conversion from CSR on the device\n"
             "  moved    bytes of a product by formula; of copy: their share of the bandwidth of a copy\n"
             "  memory   of the matrix in the format\n"
             "  k        1 / (time x memory), CSR is 1\n"
             "  error    the largest |y - A x| / (|A| |x|) of a row, against twice double precision;\n"
             "           in f32 with the rounding of A",
    .operands = {"A.mtx"},
    .repeats = true,
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  measured\n"
             "  1  wrong usage, unreadable input (other matrices are measured), or an output file\n"
             "     that cannot be written\n"
             "  4  the device or memory failed\n\n"
             "examples:\n"
             "  vksolve spmv A.mtx.gz poisson3d:64\n"
             "  vksolve spmv A.mtx --formats csr,sell,sell/64,sell/64/256,bsr,bsr/3\n"
             "  vksolve spmv *.mtx --formats csr,sell --precision f32 --csv spmv.csv --chart spmv.png\n",
};

/* Adds a format to the list, unless it is already there. False if the list is full. */
static bool add_format(struct spmv_job *job, struct format_word word)
{
    for (int i = 0; i < job->format_count; i++)
        if (!strcmp(job->formats[i].text, word.text))
            return true;
    if (job->format_count == SPMV_MOST_FORMATS)
        return false;
    word.options.padding = job->set.padding;
    job->formats[job->format_count++] = word;
    return true;
}

static bool add_all(struct spmv_job *job)
{
    bool room = true;
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        room = room && add_format(job, format_plain((vks_format)f));
    return room;
}

/* Returns false after printing the error. */
static bool read_formats(struct spmv_job *job)
{
    struct message m = {0};
    for (const char *at = job->set.formats, *end; at; at = *end ? end + 1 : NULL) {
        struct format_word word;
        end = at + strcspn(at, ",");
        bool all = end - at == 3 && !memcmp(at, "all", 3);
        if (!all && format_read(&m, at, (size_t)(end - at), "all", &word))
            wrong_usage(&manual, "--formats: %s", m.text);
        else if (all ? add_all(job) : add_format(job, word))
            continue;
        else
            wrong_usage(&manual, "--formats: these are more than %d", SPMV_MOST_FORMATS);
        return false;
    }
    return true;
}

/* An output must not overwrite a matrix, or another output. */
static bool files_clash(const struct spmv_settings *set, char **matrix, int count)
{
    struct spmv_chart_path charts[SPMV_CHARTS];
    const char *outputs[2 + SPMV_CHARTS] = {set->csv, set->json};
    struct message m = {0};
    for (int i = 0; i < SPMV_CHARTS && set->chart; i++) {
        if (spmv_chart_path(&m, set->chart, i, &charts[i]))
            return wrong_usage(&manual, "--chart %s", m.text);
        outputs[2 + i] = charts[i].text;
    }
    for (int i = 0; i < 2 + SPMV_CHARTS; i++) {
        for (int k = 0; k < count; k++)
            if (!problem_is_model(matrix[k]) && file_is_same(matrix[k], outputs[i]))
                return wrong_usage(&manual, "%s would overwrite a matrix that is read", outputs[i]);
        for (int k = 0; k < i; k++)
            if (outputs[k] && !file_is_stream(outputs[k]) && file_is_same(outputs[k], outputs[i]))
                return wrong_usage(&manual, "two outputs are the same file, %s", outputs[i]);
    }
    return false;
}

/* One standard stream cannot serve two files. */
static bool streams_clash(const struct spmv_settings *set, char **matrix, int count)
{
    int streams = 0;
    for (int i = 0; i < count; i++)
        streams += file_is_stream(matrix[i]);
    if (streams > 1)
        return wrong_usage(&manual, "only one matrix can come from standard input");
    if (file_is_stream(set->csv) && file_is_stream(set->json))
        return wrong_usage(&manual, "only one of --csv and --json can be standard output");
    return false;
}

static vks_status open_device(struct message *m, struct spmv_job *job)
{
    vks_context_options o = {.timestamps = 1};
    TRY(device_open(m, job->set.device, &o, &job->context, &job->device));
    TRY(device_check_precision(m, &job->device, job->set.precision));
    job->timed = job->context->device->timed;
    job->precision = device_precision(&job->device, job->set.precision);
    if (vks_context_copy_bandwidth(job->context, &job->copy_bandwidth))
        job->copy_bandwidth = NAN;
    return VKS_OK;
}

/* Prints and returns the first failure that is not a property of a format. */
static vks_status first_failure(const char *path, const struct spmv_matrix *a)
{
    struct message m = {0};
    for (int i = 0; i < a->count; i++) {
        vks_status s = a->row[i].status;
        if (exit_code_of(s) == EXIT_DEVICE && s != VKS_DEVICE_MEMORY) {
            set_message(&m, "%s: %s", path, a->row[i].refused.text);
            complain(s, m.text);
            return s;
        }
    }
    return VKS_OK;
}

/* Measures the matrix and adds it to the list. Prints a failure. */
static vks_status measure(struct spmv_job *job, const char *path)
{
    struct message m = {0};
    struct host_csr a;
    struct spmv_matrix *out = &job->matrices[job->count];
    vks_status s = problem_load(&m, path, &a);
    *out =
        (struct spmv_matrix){.path = path, .rows = a.rows, .cols = a.cols, .entries = host_csr_entries(&a)};
    if (!s) {
        s = spmv_measure(job, &a, out);
        if (s)
            set_message(&m, "%s: %s", path, vks_context_message(job->context));
    }
    host_csr_free(&a);
    if (s) {
        complain(s, m.text);
        return s;
    }
    job->count++;
    if (!job->set.quiet)
        spmv_print(out, stdout);
    return first_failure(path, out);
}

static vks_status write_files(struct message *m, const struct spmv_job *job)
{
    vks_status s = VKS_OK;
    if (job->set.csv)
        s = spmv_write_csv(m, job);
    if (!s && job->set.json)
        s = spmv_write_json(m, job);
    return !s && job->set.chart ? spmv_charts(m, job) : s;
}

static vks_status check_files(struct message *m, const struct spmv_job *job)
{
    TRY(file_check(m, job->set.csv));
    TRY(file_check(m, job->set.json));
    return spmv_charts_check(m, job);
}

static int run(struct spmv_job *job, char **matrix, int count)
{
    struct message m = {0};
    vks_status s = check_files(&m, job), first = VKS_OK;
    job->matrices = calloc((size_t)count, sizeof *job->matrices);
    if (!s && !job->matrices)
        s = fail_memory(&m, "the matrices", (size_t)count * sizeof *job->matrices);
    IF_OK(s, open_device(&m, job));
    if (!s && !job->set.quiet)
        spmv_print_head(job, stdout);
    for (int i = 0; i < count && !s; i++) {
        vks_status one = measure(job, matrix[i]);
        first = first ? first : one;
    }
    if (!s && job->count)
        s = write_files(&m, job);
    vks_context_destroy(job->context);
    free(job->matrices);
    return s ? complain(s, m.text) : exit_code_of(first);
}

int spmv_command(int argc, char **argv)
{
    struct spmv_job job = {.set = {.formats = "all", .precision = -1, .products = 1000, .seconds = 5}};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &job.set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    char **matrix = argv + optind;
    int count = argc - optind;
    if (!read_formats(&job) || streams_clash(&job.set, matrix, count) || files_clash(&job.set, matrix, count))
        return EXIT_USAGE;
    if (file_is_stream(job.set.csv) || file_is_stream(job.set.json))
        job.set.quiet = true;
    return run(&job, matrix, count);
}
