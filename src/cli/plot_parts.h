/* What all charts have. Lengths are in pixels. */
#ifndef VKS_CLI_PLOT_PARTS_H
#define VKS_CLI_PLOT_PARTS_H

#include "cli/gnuplot.h"

/* From the left and the top of the picture. */
struct plot_frame {
    double left, top, wide, high;
};

/* The text as gnuplot writes it, between two pieces of its language. */
void plot_text(struct gnuplot *g, const char *before, const char *text, const char *after);

/* Two lines in the middle of the picture, above what is PLOT_TOP fonts from its top. */
enum { PLOT_TOP = 4 };
void plot_title(struct gnuplot *g, const char *title, const char *note, double font, double height);

void plot_frame(struct gnuplot *g, double width, double height, const struct plot_frame *f);

#endif
