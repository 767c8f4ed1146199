/* What all charts have: letters, ticks, frames, grids and colours are decided here. Lengths are in pixels. */
#ifndef VKS_COMMAND_PLOT_PARTS_H
#define VKS_COMMAND_PLOT_PARTS_H

#include "command/plot/gnuplot.h"

/* A picture of PLOT_WIDE is printed 7 to 9 cm wide: its letters are 2 mm high then. */
enum { PLOT_FONT = 18, PLOT_WIDE = 1000 };

/* Beside the frame of a chart with numbers: on the left, and on both sides together. */
enum { PLOT_LEFT = 9 * PLOT_FONT, PLOT_SIDES = PLOT_LEFT + 5 * PLOT_FONT / 2 };

/* Told apart by their greys, too. */
#define PLOT_BLUE "#3070b0"
#define PLOT_LIGHT_BLUE "#90b8e0"
#define PLOT_RED "#c03020"
#define PLOT_ORANGE "#e0a050"
#define PLOT_GREY "#707070"

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

/* A light line across at each number of the y axis. */
void plot_grid(struct gnuplot *g);

/* The names of `count` series below the chart, in `columns`; and the fonts that they take. */
void plot_key(struct gnuplot *g, int count, int columns);
double plot_key_height(int count, int columns);

#endif
