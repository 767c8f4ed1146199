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
             "A * marks the default of --device: the one that VKSOLVE_DEVICE names, else the first\n"
             "discrete GPU, else the first integrated one, else the host (solve takes the host for\n"
             "small systems). Others are chosen by their index, any part of their name, their UUID,\n"
             "or their PCI address. Without a GPU it says why there is none.",
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  done, even if there is no Vulkan device\n"
             "  1  wrong usage, or an output file that cannot be written\n"
             "  4  the devices cannot be listed\n\n"
             "example:\n"
             "  vksolve devices\n",
};

/* Which device each choice selects. */
struct choice {
    vks_device_info automatic, taken;               /* by auto, and without --device */
    char no_gpu[sizeof((struct message *)0)->text]; /* why gpu selects none; "" if it selects one */
    char wrong[sizeof((struct message *)0)->text];  /* why no device is selected without --device:
                                                       VKSOLVE_DEVICE is wrong */
};

static vks_status choose(struct message *m, struct choice *c)
{
    struct message why = {0};
    vks_device_info gpu;
    TRY(device_describe(m, "auto", &c->automatic));
    if (c->automatic.kind == VKS_DEVICE_HOST && device_describe(&why, "gpu", &gpu))
        snprintf(c->no_gpu, sizeof c->no_gpu, "%s", why.text);
    c->taken = c->automatic;
    why.text[0] = 0;
    if (device_by_environment() && device_describe(&why, NULL, &c->taken))
        snprintf(c->wrong, sizeof c->wrong, "%s", why.text);
    return VKS_OK;
}

static bool is_same(const vks_device_info *a, const vks_device_info *b)
{
    return a->kind == b->kind && a->index == b->index;
}

static bool is_taken(const struct choice *c, const vks_device_info *d)
{
    return !c->wrong[0] && is_same(&c->taken, d);
}

static void print_device(const vks_device_info *d, const char *index, bool taken)
{
    char flags[32];
    snprintf(flags, sizeof flags, "%s%s", d->f64 ? "f32 f64" : "f32", d->subgroups ? " subgroups" : "");
    printf("%c %-5s %-32.32s %-15s %10s  %-17s %s\n", taken ? '*' : ' ', index, d->name,
           vks_device_kind_text(d->kind), d->memory ? words_memory(d->memory).text : "?",
           d->usable ? flags : "not usable", d->usable ? d->driver : d->why_not);
    if (d->uuid[0])
        printf("        UUID %s%s%s\n", d->uuid, d->pci[0] ? ", PCI " : "", d->pci);
}

static void print_table(const struct devices *d, const struct choice *c)
{
    printf("  %-5s %-32s %-15s %10s  %-17s %s\n", "index", "name", "kind", "memory", "has", "driver");
    print_device(&d->host, "host", is_taken(c, &d->host));
    for (uint32_t i = 0; i < d->count; i++) {
        char index[16];
        snprintf(index, sizeof index, "%" PRIu32, d->list[i].index);
        print_device(&d->list[i], index, is_taken(c, &d->list[i]));
    }
    if (c->no_gpu[0])
        printf("%s\n", c->no_gpu);
    if (c->wrong[0])
        printf("%s\n", c->wrong);
}

static void put_device(struct json *j, const vks_device_info *d, const struct choice *c)
{
    json_object(j, NULL);
    if (d->kind == VKS_DEVICE_HOST)
        json_null(j, "index");
    else
        json_count(j, "index", d->index);
    json_string(j, "name", d->name);
    json_string(j, "uuid", d->uuid[0] ? d->uuid : NULL);
    json_string(j, "pci", d->pci[0] ? d->pci : NULL);
    json_string(j, "kind", vks_device_kind_text(d->kind));
    json_string(j, "driver", d->driver);
    json_count(j, "memory", d->memory);
    json_count(j, "largest_array", d->largest_array);
    json_bool(j, "f64", d->f64);
    json_bool(j, "subgroups", d->subgroups);
    json_bool(j, "usable", d->usable);
    json_string(j, "why_not", d->usable ? NULL : d->why_not);
    json_bool(j, "auto", is_same(&c->automatic, d));
    json_bool(j, "taken", is_taken(c, d));
    json_end_object(j);
}

static void to_json(const struct devices *d, const struct choice *c, struct json *j)
{
    json_object(j, NULL);
    json_array(j, "devices");
    put_device(j, &d->host, c);
    for (uint32_t i = 0; i < d->count; i++)
        put_device(j, &d->list[i], c);
    json_end_array(j);
    json_string(j, "no_gpu", c->no_gpu[0] ? c->no_gpu : NULL);
    json_string(j, "wrong", c->wrong[0] ? c->wrong : NULL);
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
    struct choice c = {0};
    vks_status status = file_check(&m, set.json);
    IF_OK(status, devices_find(&m, &d));
    devices_try(&d);
    IF_OK(status, choose(&m, &c));
    if (!status && set.json) {
        struct json j = {0};
        to_json(&d, &c, &j);
        status = file_write_json(&m, set.json, &j);
    }
    if (!status && !file_is_stream(set.json))
        print_table(&d, &c);
    devices_free(&d);
    return status ? complain(status, m.text) : EXIT_DONE;
}
