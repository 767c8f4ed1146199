#include "vksolve/sort.h"
#include "command/command.h"
#include "command/shared/device.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "command/sort/numbers.h"
#include "report/clock.h"

#include <stdio.h>

struct sort_settings {
    const char *output, *device, *json;
    int type, method;
};

#define WORD(NAME, name, text) #name,
#define MORE(NAME, name, text) "|" #name
#define LINE(NAME, name, text) "\n  " #name ": " text
static const char *const methods[] = {"auto", VKS_SORT_METHODS(WORD) NULL};
static const char *const type_words[] = {"u32", "u64", "f32", "f64", NULL};
static const vks_type types[] = {VKS_TYPE_U32, VKS_TYPE_U64, VKS_TYPE_F32, VKS_TYPE_F64};

static const struct option_line options[] = {
    {'o', "output", "FILE", "where to write, also FILE itself; - is standard output (default: -)",
     TEXT(struct sort_settings, output)},
    {0, "type", "u32|u64|f32|f64",
     "of the numbers: unsigned whole ones, or floats including inf and nan\n(default: u32)",
     CHOICE(struct sort_settings, type, type_words)},
    {0, "method", "auto" VKS_SORT_METHODS(MORE),
     "default: auto, by the count of numbers" VKS_SORT_METHODS(LINE),
     CHOICE(struct sort_settings, method, methods)},
    DEVICE_OPTION(struct sort_settings),
    {0, "json", "FILE",
     "write counts, device and seconds as a JSON object; with - it goes to\nstandard output",
     TEXT(struct sort_settings, json)},
};

static const struct manual manual = {
    .name = "sort",
    .about = "Reads N and then N numbers, separated by white space, from FILE or standard input,\n"
             "and writes them in ascending order, one a line. Floats are in the total order of IEEE 754,\n"
             "where -0 comes before 0, -nan before and nan after all others. An output file appears\n"
             "whole or not at all; links are followed, even to a file that does not exist yet.",
    .operands = {"[FILE]"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  sorted\n"
             "  1  wrong usage, unreadable input, or an output file that cannot be written\n"
             "  4  the device or memory failed\n\n"
             "examples:\n"
             "  echo 3 30 10 20 | vksolve sort\n"
             "  vksolve sort numbers.txt --type f64 -o numbers.sorted --device host\n",
};

struct seconds {
    double read, open, upload, sort, download, write;
};

struct sort_job {
    struct sort_settings set;
    const char *path;
    struct numbers numbers;
    vks_device_info device;
    struct seconds seconds;
};

/* The seconds since *mark, which is set to the present. */
static double lap(double *mark)
{
    double now = clock_seconds(), seconds = now - *mark;
    *mark = now;
    return seconds;
}

static vks_status sort_there(struct sort_job *job, vks_context *context)
{
    struct numbers *n = &job->numbers;
    vks_sort_options o = {.method = (vks_sort_method)job->set.method};
    vks_array *array = NULL;
    double mark = clock_seconds();
    vks_status s = vks_array_create(context, n->count, n->type, &array);
    IF_OK(s, vks_array_write(array, 0, n->count, n->values));
    job->seconds.upload = lap(&mark);
    IF_OK(s, vks_sort(array, &o));
    job->seconds.sort = lap(&mark);
    IF_OK(s, vks_array_read(array, 0, n->count, n->values));
    job->seconds.download = lap(&mark);
    vks_array_destroy(array);
    return s;
}

static vks_status sort_on_device(struct message *m, struct sort_job *job)
{
    vks_context *context = NULL;
    double mark = clock_seconds();
    vks_status s = device_open(m, job->set.device, &(vks_context_options){0}, &context, &job->device);
    job->seconds.open = lap(&mark);
    IF_OK(s, sort_there(job, context));
    if (s && context)
        set_message(m, "%s", vks_context_message(context));
    vks_context_destroy(context);
    return s;
}

static vks_status write_report(struct message *m, const struct sort_job *job)
{
    const struct seconds *t = &job->seconds;
    struct json j = {0};
    json_object(&j, NULL);
    json_count(&j, "numbers", job->numbers.count);
    json_string(&j, "type", type_words[job->set.type]);
    json_string(&j, "method", methods[job->set.method]);
    json_string(&j, "device", job->device.name);
    json_object(&j, "seconds");
    json_number(&j, "read", t->read);
    json_number(&j, "open", t->open);
    json_number(&j, "upload", t->upload);
    json_number(&j, "sort", t->sort);
    json_number(&j, "download", t->download);
    json_number(&j, "write", t->write);
    json_end_object(&j);
    json_end_object(&j);
    vks_status s = file_write_json(m, job->set.json, &j);
    json_free(&j);
    return s;
}

static int run(struct sort_job *job)
{
    struct message m = {0};
    vks_status s = file_check(&m, job->set.output);
    IF_OK(s, file_check(&m, job->set.json));
    double mark = clock_seconds();
    IF_OK(s, numbers_read(&m, job->path, types[job->set.type], &job->numbers));
    job->seconds.read = lap(&mark);
    IF_OK(s, sort_on_device(&m, job));
    mark = clock_seconds();
    IF_OK(s, numbers_write(&m, job->set.output, &job->numbers));
    job->seconds.write = lap(&mark);
    if (!s && job->set.json)
        s = write_report(&m, job);
    numbers_free(&job->numbers);
    return s ? complain(s, m.text) : EXIT_DONE;
}

int sort_command(int argc, char **argv)
{
    struct sort_job job = {.set = {.output = "-"}};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &job.set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    job.path = operands[0] ? operands[0] : "-";
    const struct sort_settings *set = &job.set;
    if (file_is_stream(set->output) && file_is_stream(set->json))
        return wrong_usage(&manual, "only one of --output and --json can be standard output");
    if (file_is_same(job.path, set->json))
        return wrong_usage(&manual, "--json %s would overwrite the numbers that are read", set->json);
    if (!file_is_stream(set->output) && file_is_same(set->output, set->json))
        return wrong_usage(&manual, "--output and --json are the same file, %s", set->json);
    return run(&job);
}
