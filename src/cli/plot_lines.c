#include "cli/plot.h"
#include "cli/plot_parts.h"

#include <math.h>
#include <stdbool.h>

/* Pixels. A picture of 1,000 is printed 7 to 9 cm wide: its letters are 2 mm high then. */
enum { FONT = 18, WIDE = 1000, HIGH = 750 };

static bool has_place(double y)
{
    return isfinite(y) && y > 0;
}

static double x_of(const struct plot_series *s, size_t i)
{
    return s->x ? s->x[i] : (double)i;
}

struct extent {
    double right, low, high;
};

static struct extent find_extent(const struct plot_lines *p)
{
    struct extent e = {0, INFINITY, 0};
    for (int k = 0; k < p->count; k++)
        for (size_t i = 0; i < p->series[k].count; i++)
            if (has_place(p->series[k].y[i])) {
                e.right = fmax(e.right, x_of(&p->series[k], i));
                e.low = fmin(e.low, p->series[k].y[i]);
                e.high = fmax(e.high, p->series[k].y[i]);
            }
    return e;
}

/* The y axis goes from a power of ten to another, two at least, so that it has numbers; the lowest point is
 * above its end, as a line along the frame would not be seen. */
static void put_ranges(struct gnuplot *g, const struct plot_lines *p)
{
    struct extent e = find_extent(p);
    double low = fmax(ceil(log10(e.low)) - 1, -307), high = fmin(ceil(log10(e.high)), 308);
    high = fmax(high, low + 2);
    fprintf(g->script, "set xrange [0:%.17g]\nset logscale y\nset yrange [1e%.0f:1e%.0f]\n", fmax(e.right, 1),
            low, high);
    if (e.right < 10)
        fputs("set xtics 1\n", g->script); /* not halves of what is counted */
}

static void put_point(struct gnuplot *g, const struct plot_series *s, size_t i)
{
    if (has_place(s->y[i]))
        fprintf(g->script, "%.17g %.17g\n", x_of(s, i), s->y[i]);
    else
        fputc('\n', g->script); /* breaks the line */
}

/* The lowest and the highest of a piece, in their order: what its pixels would show of it. */
static void put_piece(struct gnuplot *g, const struct plot_series *s, size_t begin, size_t end)
{
    size_t low = begin, high = begin;
    for (size_t i = begin + 1; i < end; i++) {
        if (has_place(s->y[i]) && !(s->y[low] <= s->y[i] && has_place(s->y[low])))
            low = i;
        if (has_place(s->y[i]) && !(s->y[high] >= s->y[i] && has_place(s->y[high])))
            high = i;
    }
    put_point(g, s, low < high ? low : high);
    if (low != high)
        put_point(g, s, low < high ? high : low);
}

static void put_series(struct gnuplot *g, int k, const struct plot_series *s)
{
    fprintf(g->script, "$series%d << END\n", k);
    size_t pieces = s->count < 2 * WIDE ? s->count : WIDE;
    for (size_t i = 0; i < pieces; i++)
        put_piece(g, s, s->count * i / pieces, s->count * (i + 1) / pieces);
    fputs("END\n", g->script);
}

static void put_plot(struct gnuplot *g, const struct plot_lines *p)
{
    static const char *const styles[] = {
        [PLOT_LINE] = "with lines linewidth 1.3 linecolor 'black'",
        [PLOT_DASHES] = "with lines dashtype 2 linewidth 1.3 linecolor '#707070'",
        [PLOT_POINTS] = "with points pointtype 7 pointsize 1.4 linecolor '#c03020'",
    };
    for (int k = 0; k < p->count; k++) {
        fprintf(g->script, "%s $series%d %s title ", k ? "," : "plot", k, styles[p->series[k].style]);
        gnuplot_text(g, p->series[k].name);
    }
    fputc('\n', g->script);
}

vks_status plot_lines(struct message *m, const char *path, const struct plot_lines *p)
{
    struct gnuplot g;
    vks_status status = gnuplot_open(m, path, WIDE, HIGH, FONT, &g);
    if (status)
        return status;
    struct plot_frame frame = {8 * FONT, PLOT_TOP * FONT, WIDE - 10 * FONT,
                               HIGH - (PLOT_TOP + 4.2 + 1.6 * p->count) * FONT};
    plot_title(&g, p->title, p->note, FONT, HIGH);
    plot_frame(&g, WIDE, HIGH, &frame);
    plot_text(&g, "set xtics offset 0,0.3\nset xlabel ", p->x_label, " offset 0,0.7\n");
    plot_text(&g, "set ylabel ", p->y_label, " offset 0.5,0\n");
    fputs("set key at screen 0.5, screen 0.01 center bottom vertical Left reverse samplen 3\n"
          "set format y '%g'\nset grid ytics linetype 1 linewidth 0.5 linecolor '#c8c8c8'\n",
          g.script);
    put_ranges(&g, p);
    for (int k = 0; k < p->count; k++)
        put_series(&g, k, &p->series[k]);
    put_plot(&g, p);
    return gnuplot_close(m, &g, VKS_OK);
}
