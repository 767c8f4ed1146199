/* The charts of the command, fit for print in a column of text, also without colour. Each is one call that
 * draws a picture at a path that gnuplot_check has accepted. command/plot/parts.h has their common parts. */
#ifndef VKS_COMMAND_PLOT_PLOT_H
#define VKS_COMMAND_PLOT_PLOT_H

#include "report/message.h"
#include <stddef.h>
#include <stdint.h>

enum plot_style {
    PLOT_LINE,
    PLOT_DASHES,
    PLOT_POINTS,
    PLOT_MARKS, /* a dotted vertical line at each x; y is unused */
    PLOT_CURVE, /* dashes, points and a colour of its own, for charts of many series */
};

/* Values that are not finite or not above 0 have no place on a logarithmic axis: the line is broken there. */
struct plot_series {
    const char *name; /* in the legend */
    enum plot_style style;
    const double *x; /* ascending; NULL: 0, 1, 2 ... */
    const double *y;
    size_t count;
};

/* The axis above the frame: ticks at positions on the x axis. */
struct plot_tick {
    double x;
    char name[24]; /* "" for a short tick */
};
struct plot_top {
    const char *label;
    const struct plot_tick *tick;
    int count;
};

/* Series over an index that counts from 0; the y axis is logarithmic. */
struct plot_lines {
    const char *title, *note; /* one line each, above the chart */
    const char *x_label, *y_label;
    const struct plot_series *series;
    int count;
    const struct plot_top *top; /* NULL for none */
};

/* At least one point must be finite and above 0. */
vks_status plot_lines(struct message *m, const char *path, const struct plot_lines *p);

/* A grid of cells, each shaded by the logarithm of its count; 0 is white. It covers rows x cols of a matrix,
 * row 1 at the top. */
struct plot_density {
    const char *title, *note;
    uint32_t rows, cols;
    uint32_t high, wide;              /* cells */
    uint32_t cell_height, cell_width; /* pixels */
    uint32_t *count;                  /* high * wide, row after row */
    uint32_t most;                    /* the largest count */
    uint32_t block;                   /* rows of the blocks on the diagonal that are outlined; 0 for none */
};

vks_status plot_density(struct message *m, const char *path, const struct plot_density *p);

/* Bars in groups; the y axis is linear and begins at 0. */
struct plot_bars {
    const char *title, *note;
    const char *y_label;
    const char *const *group; /* `groups` names */
    int groups;
    const char *const *series; /* `count` names, of the bars of a group */
    int count;
    const double *value; /* groups * count, by groups; one that is not finite or below 0 has no bar */
    double reference;    /* height of a horizontal line; 0 for none */
};

/* Needs at least one group and one series. */
vks_status plot_bars(struct message *m, const char *path, const struct plot_bars *p);

#endif
