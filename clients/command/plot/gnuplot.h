/* Pictures are drawn by the program gnuplot: the one that VKSOLVE_GNUPLOT names, else the one in PATH.
 *
 * Its script, its output and its messages are temporary files without a name: nothing is left behind however
 * it exits, no text becomes part of a command line, and gnuplot never sees the name of the picture. The
 * picture is moved into place when it is complete. gnuplot is killed after VKSOLVE_GNUPLOT_SECONDS (default:
 * 60), and on Ctrl-C. */
#ifndef VKS_COMMAND_PLOT_GNUPLOT_H
#define VKS_COMMAND_PLOT_GNUPLOT_H

#include "report/message.h"
#include <stdint.h>
#include <stdio.h>

struct gnuplot {
    const char *path;
    FILE *script; /* commands, with data among them */
};

/* Checks, before long work, that a picture can be made at `path`: the name ends in .png, .svg or .pdf, the
 * file can be written, and gnuplot starts. NULL is valid. */
vks_status gnuplot_check(struct message *m, const char *path);

/* Begins a script with the terminal for the ending of `path`, on a white background; width, height and font
 * are in pixels. After a failure there is nothing to close. */
vks_status gnuplot_open(struct message *m, const char *path, double width, double height, double font,
                        struct gnuplot *g);

/* Writes the text as a gnuplot string in which no character is special. Characters that cannot be shown
 * (control characters, bytes that are not UTF-8) become '?'. */
void gnuplot_text(struct gnuplot *g, const char *text);

/* The same for the name of a tick, which gnuplot treats as a number format: '%' is doubled. */
void gnuplot_tick(struct gnuplot *g, const char *text);

/* Draws, unless `status`, the result of the writing, is a failure. Returns `status` or the failure of the
 * drawing. */
vks_status gnuplot_close(struct message *m, struct gnuplot *g, vks_status status);

#endif
