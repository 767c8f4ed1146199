#include "command/shared/formats.h"
#include "sparse/format.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_NUMBERS = 2 };

/* The formats that have shapes, and the meaning of their numbers. */
static const struct shape {
    vks_format format;
    const char *usage;
    int numbers;
    size_t member[MOST_NUMBERS];
} shapes[] = {
    {VKS_FORMAT_SELL,
     "sell/ROWS or sell/ROWS/SIGMA, optionally with /plain or /coded",
     2,
     {offsetof(vks_format_options, slice_height), offsetof(vks_format_options, sigma)}},
    {VKS_FORMAT_BSR, "bsr/SIZE", 1, {offsetof(vks_format_options, block_size)}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static uint32_t *number_at(vks_format_options *o, const struct shape *s, int i)
{
    return (uint32_t *)(void *)((char *)o + s->member[i]);
}

static const struct shape *shape_of(vks_format format)
{
    for (int i = 0; i < SHAPES; i++)
        if (shapes[i].format == format)
            return &shapes[i];
    return NULL;
}

struct format_word format_plain(vks_format format)
{
    struct format_word w = {.options.format = format};
    snprintf(w.text, sizeof w.text, "%s", vks_format_name(format));
    return w;
}

static vks_status find_format(struct message *m, const char *text, size_t length, const char *also,
                              struct format_word *out)
{
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        *out = format_plain((vks_format)f);
        if (strlen(out->text) == length && !memcmp(out->text, text, length))
            return VKS_OK;
    }
#define NAME(FORMAT, module, name, text) ", " name
    return fail(m, VKS_INVALID_ARGUMENT, "unknown format '%.*s'; expected %s" VKS_FORMATS(NAME),
                (int)(length < 100 ? length : 100), text, also);
}

static vks_status refuse_shape(struct message *m, const char *name)
{
    return fail(m, VKS_INVALID_ARGUMENT, "%s has no shape options; %s and %s have them", name,
                shapes[0].usage, shapes[1].usage);
}

/* Reads how SELL stores entries; false if the text says something else. */
static bool read_coding(const char *text, vks_format_options *o)
{
    if (o->format != VKS_FORMAT_SELL)
        return false;
    o->coding = !strcmp(text, "plain") ? VKS_CODED_NEVER : !strcmp(text, "coded") ? VKS_CODED_ALWAYS : 0;
    return o->coding != 0;
}

/* Reads "/64/256" into the options and appends it to the name. */
static vks_status read_shape(struct message *m, const char *text, size_t length, struct format_word *out)
{
    const struct shape *s = shape_of(out->options.format);
    char copy[32], *number = copy + 1;
    if (!s)
        return refuse_shape(m, out->text);
    bool good = length < sizeof copy; /* false if too long or if a number is missing */
    snprintf(copy, sizeof copy, "%.*s", (int)(good ? length : 0), text);
    for (int i = 0; good && number; i++) {
        char *slash = strchr(number, '/');
        if (slash)
            *slash++ = 0;
        size_t used = strlen(out->text);
        if (!slash && read_coding(number, &out->options)) {
            snprintf(out->text + used, sizeof out->text - used, "/%s", number);
            break;
        }
        good = i < s->numbers && parse_count(number, 1, UINT32_MAX, number_at(&out->options, s, i));
        if (good)
            snprintf(out->text + used, sizeof out->text - used, "/%u", *number_at(&out->options, s, i));
        number = slash;
    }
    return good ? VKS_OK
                : fail(m, VKS_INVALID_ARGUMENT, "'%s%.*s' should be %s, whole numbers from 1",
                       vks_format_name(s->format), (int)(length < 100 ? length : 100), text, s->usage);
}

vks_status format_read(struct message *m, const char *text, size_t length, const char *also,
                       struct format_word *out)
{
    const char *slash = memchr(text, '/', length);
    size_t name = slash ? (size_t)(slash - text) : length;
    if (slash && name == strlen(also) && !memcmp(text, also, name))
        return refuse_shape(m, also);
    TRY(find_format(m, text, name, also, out));
    if (slash)
        TRY(read_shape(m, slash, length - name, out));
    return storage_check(m, &out->options);
}
