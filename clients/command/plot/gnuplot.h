/* Pictures are drawn by the program gnuplot, which is looked for in PATH, or is what VKSOLVE_GNUPLOT names.
 *
 * It reads a script, draws, and complains through temporary files that have no name: nothing is left behind
 * however it ends, no text becomes part of a command line, and gnuplot never sees the name of the picture.
 * The picture is put in its place when it is whole. Whatever is longer under way than VKSOLVE_GNUPLOT_SECONDS
 * (default: 60) is ended, and so it is on Ctrl-C. */
#ifndef VKS_COMMAND_PLOT_GNUPLOT_H
#define VKS_COMMAND_PLOT_GNUPLOT_H

#include "report/message.h"
#include <stdint.h>
#include <stdio.h>

struct gnuplot {
    const char *path;
    FILE *script; /* commands, and data among them */
};

/* Whether a picture can be made at `path`, found out before long work is done for it: the name ends in .png,
 * .svg or .pdf, the file can be written, and gnuplot starts. NULL is fine. */
vks_status gnuplot_check(struct message *m, const char *path);

/* Begins a script with the terminal that the ending of `path` asks for, on a white ground; width, height and
 * font are in pixels. Where it fails, there is nothing to close. */
vks_status gnuplot_open(struct message *m, const char *path, double width, double height, double font,
                        struct gnuplot *g);

/* Writes the text as a string of gnuplot's, in which no character has a meaning. What cannot be shown
 * (control characters, bytes that are not UTF-8) becomes '?'. */
void gnuplot_text(struct gnuplot *g, const char *text);

/* The same for the name of a tick, which gnuplot takes for a format of numbers: '%' is written twice. */
void gnuplot_tick(struct gnuplot *g, const char *text);

/* Draws, unless `status`, that of the writing, is a failure. Returns `status`, or what failed. */
vks_status gnuplot_close(struct message *m, struct gnuplot *g, vks_status status);

#endif
