#include "command/command.h"
#include "command/shared/device.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "report/words.h"
#include "vksolve/vector.h"

#include <inttypes.h>
#include <stdio.h>

struct selftest_settings {
    const char *device, *json;
    bool all;
};

static const struct option_line options[] = {
    DEVICE_OPTION(struct selftest_settings),
    {0, "all", NULL, "test the host and every usable Vulkan device", FLAG(struct selftest_settings, all)},
    {0, "json", "FILE",
     "write the results as a JSON object; with - it goes to standard output,\nand nothing else does",
     TEXT(struct selftest_settings, json)},
};

static const struct manual manual = {
    .name = "selftest",
    .about = "Runs arithmetic on a device and compares each result with IEEE 754's, bit by bit. Where\n"
             "all agree, a solve on this device gives the same iterations and the same bits as on the\n"
             "host. Denormal results that differ are counted apart: a solve meets them only\n"
             "near the smallest numbers of its precision.",
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  every tested device qualifies in every precision that it has\n"
             "  1  wrong usage, or an output file that cannot be written\n"
             "  4  a device does not qualify, or there is none of that name, or it failed\n\n"
             "example:\n"
             "  vksolve selftest --all\n",
};

static const char *const operations[] = {"add",         "subtract",    "multiply",           "divide",
                                         "square root", "fused pairs", "fused multiply-add", "reciprocal"};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static bool qualifies(const vks_selftest *t)
{
    return t->qualifies[VKS_F64] != 0 && t->qualifies[VKS_F32] != 0;
}

static void print_result(const vks_device_info *d, const vks_selftest *t)
{
    printf("%s (%s, %s)\n", d->name, vks_device_kind_text(d->kind), d->driver);
    for (int p = 0; p < 2; p++) {
        if (t->qualifies[p] < 0) {
            printf("  %s  not tested: the device has no such floats\n", words_precisions[p]);
            continue;
        }
        printf("  %s  %s pairs for each operation; wrong:", words_precisions[p], words_count(t->cases).text);
        for (int k = 0; k < OPERATIONS; k++)
            printf(" %s %s%s", operations[k], words_count(t->wrong[p][k]).text,
                   k + 1 < OPERATIONS ? "," : "\n");
        printf("       denormal results that differ: %s\n", words_count(t->denormals_differ[p]).text);
        printf("       %s\n", t->qualifies[p] ? "qualifies: the same bits everywhere" : "does not qualify");
    }
}

static void put_precision(struct json *j, const vks_selftest *t, int p)
{
    json_object(j, words_precisions[p]);
    json_bool(j, "tested", t->qualifies[p] >= 0);
    json_bool(j, "qualifies", t->qualifies[p] > 0);
    json_object(j, "wrong");
    for (int k = 0; k < OPERATIONS; k++)
        json_count(j, operations[k], t->wrong[p][k]);
    json_end_object(j);
    json_count(j, "denormals_differ", t->denormals_differ[p]);
    json_end_object(j);
}

static void put_result(struct json *j, const vks_device_info *d, const vks_selftest *t)
{
    json_object(j, NULL);
    json_string(j, "name", d->name);
    json_string(j, "kind", vks_device_kind_text(d->kind));
    json_string(j, "driver", d->driver);
    json_count(j, "cases", t->cases);
    put_precision(j, t, VKS_F64);
    put_precision(j, t, VKS_F32);
    json_bool(j, "qualifies", qualifies(t));
    json_end_object(j);
}

struct run {
    struct json json;
    bool print, failed;
};

static vks_status test_device(struct message *m, const char *name, struct run *r)
{
    vks_context *context = NULL;
    vks_device_info info;
    vks_selftest result;
    vks_status status = device_open(m, name, &(vks_context_options){0}, &context, &info);
    IF_OK(status, vks_context_selftest(context, &result));
    if (status && context)
        set_message(m, "%s", vks_context_message(context));
    vks_context_destroy(context);
    if (status)
        return status;
    r->failed |= !qualifies(&result);
    put_result(&r->json, &info, &result);
    if (r->print)
        print_result(&info, &result);
    return VKS_OK;
}

static vks_status test_all(struct message *m, struct run *r)
{
    struct devices d;
    vks_status status = devices_find(m, &d);
    IF_OK(status, test_device(m, "host", r));
    for (uint32_t i = 0; i < d.count && !status; i++) {
        char index[16];
        snprintf(index, sizeof index, "%" PRIu32, d.list[i].index);
        if (d.list[i].usable)
            status = test_device(m, index, r);
    }
    devices_free(&d);
    return status;
}

int selftest_command(int argc, char **argv)
{
    struct selftest_settings set = {0};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    if (set.all && set.device)
        return wrong_usage(&manual, "--all and --device exclude each other");
    struct message m = {0};
    struct run r = {.print = !file_is_stream(set.json)};
    vks_status status = file_check(&m, set.json);
    json_object(&r.json, NULL);
    json_array(&r.json, "devices");
    IF_OK(status, set.all ? test_all(&m, &r) : test_device(&m, set.device, &r));
    json_end_array(&r.json);
    json_end_object(&r.json);
    if (!status && set.json)
        status = file_write_json(&m, set.json, &r.json);
    json_free(&r.json);
    if (status)
        return complain(status, m.text);
    return r.failed ? EXIT_DEVICE : EXIT_DONE;
}
