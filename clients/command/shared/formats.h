/* Formats as a user writes them: a name and, after slashes, a shape if the format has one. "sell/64" has
 * slices of 64 rows, "sell/64/256" sorts rows by length within 256 rows, "bsr/3" has blocks of 3 x 3;
 * "sell/coded" stores entries as codes, "sell/plain" does not. */
#ifndef VKS_COMMAND_SHARED_FORMATS_H
#define VKS_COMMAND_SHARED_FORMATS_H

#include "command/shared/options.h"
#include "report/message.h"
#include "vksolve/matrix.h"

#include <stddef.h>

struct format_word {
    vks_format_options options;
    char text[48]; /* "sell/64/256", with its numbers in plain decimal */
};

/* A format without a shape, as the library takes it. */
struct format_word format_plain(vks_format format);

/* Reads the `length` characters at text. `also` names a word that the caller accepts beside the formats, for
 * the message. VKS_INVALID_ARGUMENT: the message describes the error. */
vks_status format_read(struct message *m, const char *text, size_t length, const char *also,
                       struct format_word *out);

/* The help of formats, and the option that bounds padding. */
#define FORMAT_LINE_(NAME, module, name, text) "\n  " name ": " text
#define FORMATS_HELP                                                                   \
    VKS_FORMATS(FORMAT_LINE_)                                                          \
    "\nwith a shape: sell/64, slices of 64 rows (4, 8 ... 128); sell/64/256, rows\n"   \
    "sorted by length within windows of 256; bsr/3, blocks of 3 x 3 (2 to 8);\n"       \
    "sell/coded, entries as numbers of their kinds, the default of sell if they are\n" \
    "smaller; sell/plain, entries one by one"
#define PADDING_OPTION(type)                                                            \
    {                                                                                   \
        0, "padding", "R",                                                              \
            "the largest ratio of stored entries, including padding, to those of the\n" \
            "matrix; 1 or more (default: 8)",                                           \
            REAL(type, padding, 1, 1e300, "from 1")                                     \
    }

#endif
