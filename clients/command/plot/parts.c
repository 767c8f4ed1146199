#include "command/plot/parts.h"

void plot_text(struct gnuplot *g, const char *before, const char *text, const char *after)
{
    fputs(before, g->script);
    gnuplot_text(g, text);
    fputs(after, g->script);
}

void plot_title(struct gnuplot *g, const char *title, const char *note, double font, double height)
{
    const char *const texts[] = {title, note};
    for (int i = 0; i < 2; i++) {
        plot_text(g, "set label ", texts[i], "");
        fprintf(g->script, " at screen 0.5, screen %.6f center\n", 1 - (1 + 1.5 * i) * font / height);
    }
}

void plot_frame(struct gnuplot *g, double width, double height, const struct plot_frame *f)
{
    fprintf(g->script, "set lmargin at screen %.8f\nset rmargin at screen %.8f\n", f->left / width,
            (f->left + f->wide) / width);
    fprintf(g->script, "set tmargin at screen %.8f\nset bmargin at screen %.8f\n", 1 - f->top / height,
            1 - (f->top + f->high) / height);
    fputs("set format '%g'\nset tics out nomirror\nset xtics offset 0,0.3\n", g->script);
}

void plot_grid(struct gnuplot *g)
{
    fputs("set grid ytics linetype 1 linewidth 0.5 linecolor '#c8c8c8'\n", g->script);
}

static int key_lines(int count, int columns)
{
    return (count + columns - 1) / columns;
}

void plot_key(struct gnuplot *g, int count, int columns)
{
    fprintf(g->script,
            "set key at screen 0.5, screen 0.01 center bottom vertical maxrows %d Left reverse samplen 3\n",
            key_lines(count, columns));
}

double plot_key_height(int count, int columns)
{
    return 1.6 * key_lines(count, columns);
}
