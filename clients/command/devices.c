/* vksolve devices: lists the host and the Vulkan devices. */
#include "command/command.h"
#include "command/shared/device.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "report/words.h"

#include <inttypes.h>
#include <stdio.h>

struct devices_settings {
    const char *json;
};

static const struct option_line options[] = {
    {0, "json", "FILE",
     "write the list as a JSON object; with - it goes to standard output, and\nnothing else does",
     TEXT(struct devices_settings, json)},
};

static const struct manual manual = {
    .name = "devices",
    .about = "Lists the host and all Vulkan devices, and runs a kernel with a known answer on each.\n"
             "A * marks what --device auto takes: the first discrete GPU, else the first integrated\n"
             "one, else the host (solve takes the host for small systems). The others are taken by\n"
             "index or by any part of their name.",
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  done, also where there is no Vulkan device\n"
             "  1  wrong usage, or an output file that cannot be written\n"
             "  4  the devices cannot be listed\n\n"
             "example:\n"
             "  vksolve devices\n",
};

static bool is_taken(const vks_device_info *taken, const vks_device_info *d)
{
    return d->kind == taken->kind && d->index == taken->index;
}

static void print_device(const vks_device_info *d, const char *index, bool taken)
{
    char flags[32];
    snprintf(flags, sizeof flags, "%s%s", d->f64 ? "f32 f64" : "f32", d->subgroups ? " subgroups" : "");
    printf("%c %-5s %-32.32s %-15s %10s  %-17s %s\n", taken ? '*' : ' ', index, d->name,
           vks_device_kind_text(d->kind), d->memory ? words_memory(d->memory).text : "?",
           d->usable ? flags : "not usable", d->usable ? d->driver : d->why_not);
}

static void print_table(const struct devices *d, const vks_device_info *taken)
{
    printf("  %-5s %-32s %-15s %10s  %-17s %s\n", "index", "name", "kind", "memory", "has", "driver");
    print_device(&d->host, "host", is_taken(taken, &d->host));
    for (uint32_t i = 0; i < d->count; i++) {
        char index[16];
        snprintf(index, sizeof index, "%" PRIu32, d->list[i].index);
        print_device(&d->list[i], index, is_taken(taken, &d->list[i]));
    }
}

static void put_device(struct json *j, const vks_device_info *d, bool taken)
{
    json_object(j, NULL);
    if (d->kind == VKS_DEVICE_HOST)
        json_null(j, "index");
    else
        json_count(j, "index", d->index);
    json_string(j, "name", d->name);
    json_string(j, "kind", vks_device_kind_text(d->kind));
    json_string(j, "driver", d->driver);
    json_count(j, "memory", d->memory);
    json_count(j, "largest_array", d->largest_array);
    json_bool(j, "f64", d->f64);
    json_bool(j, "subgroups", d->subgroups);
    json_bool(j, "usable", d->usable);
    json_string(j, "why_not", d->usable ? NULL : d->why_not);
    json_bool(j, "auto", taken);
    json_end_object(j);
}

static void to_json(const struct devices *d, const vks_device_info *taken, struct json *j)
{
    json_object(j, NULL);
    json_array(j, "devices");
    put_device(j, &d->host, is_taken(taken, &d->host));
    for (uint32_t i = 0; i < d->count; i++)
        put_device(j, &d->list[i], is_taken(taken, &d->list[i]));
    json_end_array(j);
    json_end_object(j);
}

int devices_command(int argc, char **argv)
{
    struct devices_settings set = {0};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    struct message m = {0};
    struct devices d = {0};
    vks_device_info taken;
    vks_status status = file_check(&m, set.json);
    if (!status)
        status = devices_find(&m, &d);
    devices_try(&d);
    if (!status)
        status = device_describe(&m, "auto", &taken);
    if (!status && set.json) {
        struct json j = {0};
        to_json(&d, &taken, &j);
        status = file_write_json(&m, set.json, &j);
    }
    if (!status && !file_is_stream(set.json))
        print_table(&d, &taken);
    devices_free(&d);
    return status ? complain(status, m.text) : EXIT_DONE;
}
