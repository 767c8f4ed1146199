#include "command/plot/parts.h"
#include "command/plot/plot.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* A chart with few bars fits a text column; one with many fits a page. */
enum { FONT = PLOT_FONT, WIDE = PLOT_WIDE, WIDEST = 2 * PLOT_WIDE, HIGH = 600, BAR = 9, KEY_COLUMNS = 3 };

/* The total width of a group of bars, which is centred at an integer. */
static const double group = 0.8;

/* From light to dark, then with patterns, so that neighbours also differ in grey. */
static const char *const fills[] = {
    "fillstyle solid 1 border -1 linecolor '#d8d8d8'",
    "fillstyle solid 1 border -1 linecolor '" PLOT_BLUE "'",
    "fillstyle pattern 4 border -1 linecolor 'black'",
    "fillstyle solid 1 border -1 linecolor '" PLOT_LIGHT_BLUE "'",
    "fillstyle solid 1 border -1 linecolor '#202020'",
    "fillstyle pattern 2 border -1 linecolor 'black'",
    "fillstyle solid 1 border -1 linecolor '" PLOT_ORANGE "'",
    "fillstyle pattern 5 border -1 linecolor 'black'",
    "fillstyle solid 1 border -1 linecolor '" PLOT_RED "'",
    "fillstyle pattern 7 border -1 linecolor 'black'",
    "fillstyle solid 1 border -1 linecolor '#f0f0f0'",
    "fillstyle pattern 1 border -1 linecolor 'black'",
};
enum { FILLS = sizeof fills / sizeof *fills };

static bool has_place(double y)
{
    return isfinite(y) && y >= 0;
}

static double width(const struct plot_bars *p)
{
    return fmin(fmax(WIDE, PLOT_SIDES + (double)p->groups * (p->count + 1) * BAR), WIDEST);
}

/* Whether names are drawn vertically because they do not fit side by side. */
static bool is_upright(const struct plot_bars *p)
{
    for (int i = 0; i < p->groups; i++)
        if (0.65 * FONT * (double)strlen(p->group[i]) > (width(p) - PLOT_SIDES) / p->groups)
            return true;
    return false;
}

/* Height of the group names below the frame, in font sizes. */
static double names_height(const struct plot_bars *p)
{
    size_t longest = 0;
    for (int i = 0; i < p->groups; i++)
        longest = strlen(p->group[i]) > longest ? strlen(p->group[i]) : longest;
    return is_upright(p) ? 0.75 * (double)longest + 1 : 1.5;
}

static void put_groups(struct gnuplot *g, const struct plot_bars *p)
{
    fprintf(g->script, "set xrange [-0.5:%d.5]\nset xtics scale 0 %s(", p->groups - 1,
            is_upright(p) ? "rotate by 90 right " : "");
    for (int i = 0; i < p->groups; i++) {
        fputs(i ? ", " : "", g->script);
        gnuplot_tick(g, p->group[i]);
        fprintf(g->script, " %d", i);
    }
    fputs(")\n", g->script);
}

static void put_range(struct gnuplot *g, const struct plot_bars *p)
{
    double most = p->reference;
    for (int i = 0; i < p->groups * p->count; i++)
        if (has_place(p->value[i]))
            most = fmax(most, p->value[i]);
    fprintf(g->script, "set yrange [0:%.17g]\n", most > 0 ? 1.05 * most : 1);
    if (p->reference > 0)
        fprintf(g->script,
                "set arrow from graph 0, first %.17g to graph 1, first %.17g nohead front dashtype 2\n",
                p->reference, p->reference);
}

/* A bar without a value leaves a gap. */
static void put_series(struct gnuplot *g, const struct plot_bars *p, int k)
{
    fprintf(g->script, "$series%d << END\n", k);
    for (int i = 0; i < p->groups; i++)
        if (has_place(p->value[i * p->count + k]))
            fprintf(g->script, "%.17g %.17g\n", i + ((k + 0.5) / p->count - 0.5) * group,
                    p->value[i * p->count + k]);
    fputs("END\n", g->script);
}

static bool is_empty(const struct plot_bars *p, int k)
{
    for (int i = 0; i < p->groups; i++)
        if (has_place(p->value[i * p->count + k]))
            return false;
    return true;
}

/* A series without bars still has its legend entry. */
static void put_plot(struct gnuplot *g, const struct plot_bars *p)
{
    for (int k = 0; k < p->count; k++) {
        fputs(k ? ", " : "plot ", g->script);
        if (is_empty(p, k))
            fputs("NaN", g->script);
        else
            fprintf(g->script, "$series%d", k);
        fprintf(g->script, " with boxes %s title ", fills[k % FILLS]);
        gnuplot_text(g, p->series[k]);
    }
    fputc('\n', g->script);
}

vks_status plot_bars(struct message *m, const char *path, const struct plot_bars *p)
{
    struct gnuplot g;
    double wide = width(p);
    double below = (names_height(p) + 1.7 + plot_key_height(p->count, KEY_COLUMNS)) * FONT;
    double high = HIGH + (is_upright(p) ? names_height(p) * FONT : 0);
    TRY(gnuplot_open(m, path, wide, high, FONT, &g));
    struct plot_frame frame = {PLOT_LEFT, PLOT_TOP * FONT, wide - PLOT_SIDES, high - PLOT_TOP * FONT - below};
    plot_title(&g, p->title, p->note, FONT, high);
    plot_frame(&g, wide, high, &frame);
    plot_text(&g, "set ylabel ", p->y_label, " offset 0.5,0\n");
    plot_grid(&g);
    plot_key(&g, p->count, KEY_COLUMNS);
    fprintf(g.script, "set boxwidth %.17g absolute\n", group / p->count);
    put_groups(&g, p);
    put_range(&g, p);
    for (int k = 0; k < p->count; k++)
        put_series(&g, p, k);
    put_plot(&g, p);
    return gnuplot_close(m, &g, VKS_OK);
}
