#include "command/plot/parts.h"
#include "command/plot/plot.h"

#include <math.h>
#include <stdbool.h>

enum { FONT = PLOT_FONT, WIDE = PLOT_WIDE, HIGH = 750, KEY_COLUMNS = 2 };

/* Heights of the axes above and below the frame, in font sizes. */
static const double top_height = 3.8, below_frame = 4.6;

static bool has_place(double y)
{
    return isfinite(y) && y > 0;
}

static double x_of(const struct plot_series *s, size_t i)
{
    return s->x ? s->x[i] : (double)i;
}

struct extent {
    double right, low, high; /* low and high are the exponents of powers of ten */
};

/* The y axis spans whole decades, at least two, so that it has numbers. Its lower end is below the lowest
 * point, since a line along the frame would be invisible. */
static struct extent find_extent(const struct plot_lines *p)
{
    struct extent e = {0, INFINITY, 0};
    for (int k = 0; k < p->count; k++)
        for (size_t i = 0; p->series[k].style != PLOT_MARKS && i < p->series[k].count; i++)
            if (has_place(p->series[k].y[i])) {
                e.right = fmax(e.right, x_of(&p->series[k], i));
                e.low = fmin(e.low, p->series[k].y[i]);
                e.high = fmax(e.high, p->series[k].y[i]);
            }
    e.low = fmax(ceil(log10(e.low)) - 1, -307);
    e.high = fmax(fmin(ceil(log10(e.high)), 308), e.low + 2);
    e.right = fmax(e.right, 1);
    return e;
}

static void put_ranges(struct gnuplot *g, const struct extent *e)
{
    fprintf(g->script, "set xrange [0:%.17g]\nset logscale y\nset yrange [1e%.0f:1e%.0f]\n", e->right, e->low,
            e->high);
    if (e->right < 10)
        fputs("set xtics 1\n", g->script); /* no ticks at fractional iterations */
}

static void put_top(struct gnuplot *g, const struct plot_top *top, const struct extent *e)
{
    plot_text(g, "set x2label ", top->label, " offset 0,-0.6\n");
    fprintf(g->script, "set x2range [0:%.17g]\nset x2tics out scale 1,0.5 offset 0,-0.3 (", e->right);
    for (int i = 0; i < top->count; i++) {
        fputs(i ? ", " : "", g->script);
        gnuplot_tick(g, top->tick[i].name);
        fprintf(g->script, " %.17g %d", top->tick[i].x, top->tick[i].name[0] == 0);
    }
    fputs(")\n", g->script);
}

static void put_point(struct gnuplot *g, const struct plot_series *s, size_t i)
{
    if (has_place(s->y[i]))
        fprintf(g->script, "%.17g %.17g\n", x_of(s, i), s->y[i]);
    else
        fputc('\n', g->script); /* breaks the line */
}

/* Writes only the lowest and the highest point of a piece, in their original order: its pixels can show no
 * more. */
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

static void put_marks(struct gnuplot *g, const struct plot_series *s, double height)
{
    for (size_t i = 0; i < s->count; i++)
        fprintf(g->script, "%.17g 1e%.0f\n", x_of(s, i), height);
}

static void put_line(struct gnuplot *g, const struct plot_series *s)
{
    size_t pieces = s->count < 2 * WIDE ? s->count : WIDE;
    for (size_t i = 0; i < pieces; i++)
        put_piece(g, s, s->count * i / pieces, s->count * (i + 1) / pieces);
}

static void put_series(struct gnuplot *g, int k, const struct plot_series *s, const struct extent *e)
{
    fprintf(g->script, "$series%d << END\n", k);
    if (s->style == PLOT_MARKS)
        put_marks(g, s, e->high);
    else
        put_line(g, s);
    fputs("END\n", g->script);
}

static void put_curve_style(struct gnuplot *g, int k)
{
    static const struct {
        int dash, point;
        const char *colour;
    } curves[] = {{1, 7, "black"},  {2, 4, PLOT_BLUE},       {4, 8, PLOT_RED},  {5, 6, PLOT_ORANGE},
                  {3, 10, "black"}, {1, 5, PLOT_LIGHT_BLUE}, {2, 9, PLOT_GREY}, {4, 12, PLOT_BLUE}};
    k %= (int)(sizeof curves / sizeof *curves);
    fprintf(g->script, "with linespoints dashtype %d pointtype %d pointsize 1.2 linewidth 1.3 linecolor '%s'",
            curves[k].dash, curves[k].point, curves[k].colour);
}

static void put_style(struct gnuplot *g, int k, enum plot_style style)
{
    static const char *const styles[] = {
        [PLOT_LINE] = "with lines linewidth 1.3 linecolor 'black'",
        [PLOT_DASHES] = "with lines dashtype 2 linewidth 1.3 linecolor '" PLOT_GREY "'",
        [PLOT_POINTS] = "with points pointtype 7 pointsize 1.4 linecolor '" PLOT_RED "'",
        [PLOT_MARKS] = "with impulses dashtype 3 linewidth 1.3 linecolor '" PLOT_BLUE "'",
    };
    if (style == PLOT_CURVE)
        put_curve_style(g, k);
    else
        fputs(styles[style], g->script);
}

static void put_plot(struct gnuplot *g, const struct plot_lines *p)
{
    for (int k = 0; k < p->count; k++) {
        fprintf(g->script, "%s $series%d ", k ? "," : "plot", k);
        put_style(g, k, p->series[k].style);
        plot_text(g, " title ", p->series[k].name, "");
    }
    fputc('\n', g->script);
}

vks_status plot_lines(struct message *m, const char *path, const struct plot_lines *p)
{
    struct gnuplot g;
    TRY(gnuplot_open(m, path, WIDE, HIGH, FONT, &g));
    struct extent e = find_extent(p);
    double top = PLOT_TOP + (p->top ? top_height : 0);
    struct plot_frame frame = {PLOT_LEFT, top * FONT, WIDE - PLOT_SIDES,
                               HIGH - (top + below_frame + plot_key_height(p->count, KEY_COLUMNS)) * FONT};
    plot_title(&g, p->title, p->note, FONT, HIGH);
    plot_frame(&g, WIDE, HIGH, &frame);
    plot_text(&g, "set xlabel ", p->x_label, " offset 0,0.7\n");
    plot_text(&g, "set ylabel ", p->y_label, " offset 0.5,0\n");
    plot_grid(&g);
    plot_key(&g, p->count, KEY_COLUMNS);
    put_ranges(&g, &e);
    if (p->top)
        put_top(&g, p->top, &e);
    for (int k = 0; k < p->count; k++)
        put_series(&g, k, &p->series[k], &e);
    put_plot(&g, p);
    return gnuplot_close(m, &g, VKS_OK);
}
