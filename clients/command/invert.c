#include "command/command.h"
#include "command/shared/device.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "report/clock.h"
#include "report/words.h"
#include "vksolve/gauss_jordan.h"
#include "vksolve/vksolve.h"

#include <math.h>
#include <stdio.h>

struct invert_settings {
    const char *output, *json, *device;
    int precision;
    bool quiet;
};

static const char *const precisions[] = {[VKS_F64] = "f64", [VKS_F32] = "f32", NULL};

static const struct option_line options[] = {
    {'o', "output", "FILE",
     "write the inverse as a Matrix Market array; compressed if the name ends\nin .gz; - is standard output",
     TEXT(struct invert_settings, output)},
    {0, "precision", "f64|f32",
     "of the matrix and its inverse (default: f64; on a device without 64-bit\nfloats f32)",
     CHOICE(struct invert_settings, precision, precisions)},
    DEVICE_OPTION(struct invert_settings),
    {0, "json", "FILE",
     "write the report as a JSON object; with - it goes to standard output,\nand nothing else does",
     TEXT(struct invert_settings, json)},
    {'q', "quiet", NULL, "print no report, only errors", FLAG(struct invert_settings, quiet)},
};

static const struct manual manual = {
    .name = "invert",
    .about = "Inverts a square matrix by Gauss-Jordan elimination with partial pivoting. A is\n"
             "dense on the device: n x n values, and as many for the inverse.\n\n" FILE_KINDS,
    .operands = {"A.mtx"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  inverted\n"
             "  1  wrong usage, unreadable input, or an output file that cannot be written\n"
             "  3  breakdown: singular, or not finite\n"
             "  4  the device or memory failed\n\n"
             "example:\n"
             "  vksolve invert nos4.mtx.gz -o inverse.mtx\n",
};

struct invert_job {
    struct invert_settings set;
    const char *path;
    vks_device_info device;
    vks_context *context;
    vks_dense *A, *inverse;
    vks_gauss_jordan_report report;
    double seconds_read;
};

static vks_precision precision_taken(const struct invert_job *job)
{
    return device_precision(&job->device, job->set.precision);
}

static vks_status load(struct message *m, struct invert_job *job)
{
    TRY(device_open(m, job->set.device, &(vks_context_options){0}, &job->context, &job->device));
    TRY(device_check_precision(m, &job->device, job->set.precision));
    double begun = clock_seconds();
    vks_status s = vks_dense_read(job->context, job->path, precision_taken(job), &job->A);
    job->seconds_read = clock_seconds() - begun;
    return s;
}

static vks_status invert(struct message *m, struct invert_job *job)
{
    vks_status s = load(m, job);
    IF_OK(s, vks_gauss_jordan_invert(job->A, &job->inverse, NULL, &job->report));
    if (!s && job->inverse && job->set.output)
        s = vks_dense_write(job->inverse, job->set.output);
    if (s && job->context && vks_context_message(job->context)[0])
        set_message(m, "%s", vks_context_message(job->context));
    return s;
}

static void print_report(const struct invert_job *job, FILE *to)
{
    const vks_gauss_jordan_report *r = &job->report;
    uint32_t n = vks_dense_rows(job->A);
    fprintf(to, "matrix      %s: %s x %s\n", words_name(job->path).text, words_count(n).text,
            words_count(n).text);
    fprintf(to, "device      %s: %s, %s\n", vks_device_kind_text(job->device.kind), job->device.name,
            job->device.driver);
    fprintf(to, "precision   %s\n", words_precisions[precision_taken(job)]);
    fprintf(to, "time        read %s, invert %s\n", words_seconds(job->seconds_read).text,
            words_seconds(r->seconds).text);
    if (r->reason == VKS_REASON_CONVERGED) {
        fprintf(to, "pivots      %s to %s in magnitude\n", words_number(r->least_pivot).text,
                words_number(r->largest_pivot).text);
        fprintf(to, "determinant %s e^%s\n", r->determinant_sign < 0 ? "-" : "+",
                words_number(r->determinant_log).text);
    }
    if (!isnan(r->reciprocal_condition))
        fprintf(to, "condition   %s, reciprocal, in the 1-norm\n",
                words_number(r->reciprocal_condition).text);
    if (r->warning[0])
        fprintf(to, "warning     %s\n", r->warning);
    if (r->reason == VKS_REASON_CONVERGED)
        fprintf(to, "DONE: inverted\n");
    else
        fprintf(to, "%s: %s\n", vks_reason_name(r->reason), r->detail);
}

static void put_report(const struct invert_job *job, struct json *j)
{
    const vks_gauss_jordan_report *r = &job->report;
    json_object(j, NULL);
    json_string(j, "version", vks_version());
    json_string(j, "path", job->path);
    json_count(j, "rows", vks_dense_rows(job->A));
    json_string(j, "device", job->device.name);
    json_string(j, "precision", words_precisions[precision_taken(job)]);
    json_string(j, "reason", vks_reason_name(r->reason));
    json_string(j, "detail", r->detail);
    json_string(j, "warning", r->warning);
    json_number(j, "least_pivot", r->least_pivot);
    json_number(j, "largest_pivot", r->largest_pivot);
    json_number(j, "determinant_sign", r->determinant_sign);
    json_number(j, "determinant_log", r->determinant_log);
    json_number(j, "reciprocal_condition", r->reciprocal_condition);
    json_number(j, "seconds_read", job->seconds_read);
    json_number(j, "seconds", r->seconds);
    json_end_object(j);
}

static int run(struct invert_job *job)
{
    struct message m = {0};
    const struct invert_settings *set = &job->set;
    vks_status s = file_check(&m, set->output);
    IF_OK(s, file_check(&m, set->json));
    IF_OK(s, invert(&m, job));
    if (!s && set->json) {
        struct json j = {0};
        put_report(job, &j);
        s = file_write_json(&m, set->json, &j);
        json_free(&j);
    }
    if (!s && !set->quiet && !file_is_stream(set->json))
        print_report(job, file_is_stream(set->output) ? stderr : stdout);
    vks_dense_destroy(job->A);
    vks_dense_destroy(job->inverse);
    vks_context_destroy(job->context);
    return s ? complain(s, m.text) : vks_reason_exit_code(job->report.reason);
}

int invert_command(int argc, char **argv)
{
    struct invert_job job = {.set = {.precision = -1}};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &job.set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    job.path = operands[0];
    const struct invert_settings *set = &job.set;
    if (file_is_stream(set->output) && file_is_stream(set->json))
        return wrong_usage(&manual, "only one of --output and --json can be standard output");
    if (file_is_same(job.path, set->output) || file_is_same(job.path, set->json))
        return wrong_usage(&manual, "%s would overwrite the matrix that is read",
                           file_is_same(job.path, set->output) ? "--output" : "--json");
    if (set->output && !file_is_stream(set->output) && file_is_same(set->output, set->json))
        return wrong_usage(&manual, "--output and --json are the same file, %s", set->json);
    return run(&job);
}
