#include "support/bits_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Appends the text without column and line separators, and with DEVICE for the device's name. */
static void append_text(char line[BITS_LINE], const char *text, const char *device)
{
    size_t at = strlen(line), name = strlen(device);
    while (*text && at + 8 < BITS_LINE)
        if (!strncmp(text, device, name)) {
            at += (size_t)snprintf(line + at, BITS_LINE - at, "DEVICE");
            text += name;
        } else {
            line[at++] = *text == '\t' || *text == '\n' ? ' ' : *text;
            text++;
        }
    line[at] = 0;
}

void bits_append_outcome(char line[BITS_LINE], const struct bits_outcome *o, const char *device)
{
    size_t at = strlen(line), size = BITS_LINE - at;
    const vks_solve_report *r = &o->report;
    if (o->status) {
        snprintf(line + at, size, "refused: %s\t-\t-\t-\t-\t-\t-\t-\t-\t", vks_status_name(o->status));
        append_text(line, o->message, device);
        return;
    }
    snprintf(line + at, size,
             "%s\t%u\t%u\t%u\t%u\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\t%016" PRIx64 "\t",
             vks_reason_name(r->reason), r->iterations, r->restarts, r->refinements, r->history_count, o->x,
             o->history, o->numbers, o->facts);
    append_text(line, r->detail, device);
    if (r->warning[0])
        append_text(line, " | ", device);
    append_text(line, r->warning, device);
}
