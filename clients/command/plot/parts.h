/* Parts shared by all charts: fonts, ticks, frames, grids and colours. Lengths are in pixels. */
#ifndef VKS_COMMAND_PLOT_PARTS_H
#define VKS_COMMAND_PLOT_PARTS_H

#include "command/plot/gnuplot.h"

/* A picture of PLOT_WIDE is printed 7 to 9 cm wide; its letters are then 2 mm high. */
enum { PLOT_FONT = 18, PLOT_WIDE = 1000 };

/* Margins beside the frame of a chart with numbers: left, and both sides together. */
enum { PLOT_LEFT = 9 * PLOT_FONT, PLOT_SIDES = PLOT_LEFT + 5 * PLOT_FONT / 2 };

/* Colours that also differ in grey. */
#define PLOT_BLUE "#3070b0"
#define PLOT_LIGHT_BLUE "#90b8e0"
#define PLOT_RED "#c03020"
#define PLOT_ORANGE "#e0a050"
#define PLOT_GREY "#707070"

/* Measured from the left and the top of the picture. */
struct plot_frame {
    double left, top, wide, high;
};

/* Puts the text as gnuplot writes it, between two pieces of its language. */
void plot_text(struct gnuplot *g, const char *before, const char *text, const char *after);

/* Two centred lines at the top of the picture, PLOT_TOP font sizes high. */
enum { PLOT_TOP = 4 };
void plot_title(struct gnuplot *g, const char *title, const char *note, double font, double height);

void plot_frame(struct gnuplot *g, double width, double height, const struct plot_frame *f);

/* A light horizontal line at each number of the y axis. */
void plot_grid(struct gnuplot *g);

/* The legend of `count` series below the chart, in `columns`; and its height in font sizes. */
void plot_key(struct gnuplot *g, int count, int columns);
double plot_key_height(int count, int columns);

#endif
