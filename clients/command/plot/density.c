#include "command/plot/parts.h"
#include "command/plot/plot.h"
#include "report/words.h"

#include <math.h>

/* In font sizes: the margins of the frame, the height of the shade scale below it, the width of that scale,
 * and the least width for a title. */
static const double left_of_frame = 7, right_of_frame = 2, below_frame = 4.2, scale_height = 5.3,
                    scale_width = 16, least_width = 32;

struct layout {
    double font, width, height;
    struct plot_frame frame;
};

/* Cells are whole pixels and determine the size of the frame. The font grows with the frame, so that a
 * picture printed in a column is legible whatever its size in pixels. */
static struct layout lay_out(const struct plot_density *p)
{
    struct layout l = {
        .frame = {.wide = (double)p->wide * p->cell_width, .high = (double)p->high * p->cell_height}};
    l.font = fmax(9, round(0.03 * fmax(l.frame.wide, l.frame.high)));
    double sides = (left_of_frame + right_of_frame) * l.font;
    double below = (below_frame + (p->most > 1 ? scale_height : 0)) * l.font;
    l.width = fmax(l.frame.wide + sides, least_width * l.font);
    l.frame.left = left_of_frame * l.font + floor((l.width - l.frame.wide - sides) / 2);
    l.frame.top = PLOT_TOP * l.font;
    l.height = l.frame.top + l.frame.high + ceil(below);
    return l;
}

/* Rows or columns in units that make numbers short. */
static const struct unit {
    double count;
    const char *name;
} units[] = {{1, ""}, {1e3, " (thousands)"}, {1e6, " (millions)"}, {1e9, " (billions)"}};

static const struct unit *find_unit(uint32_t n)
{
    return &units[n < 100000 ? 0 : n < 1000000 ? 1 : n < 1000000000 ? 2 : 3];
}

/* The least of 1, 2 or 5 times a power of ten that divides n into at most `most` steps, but at most n. */
static double find_step(uint32_t n, double most)
{
    double least = fmax(n / most, 1), power = pow(10, floor(log10(least)));
    double digit = least / power;
    return fmin(power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10), n);
}

/* Puts a number at most every `spacing` pixels on an axis of `length`. */
static void put_axis(struct gnuplot *g, char axis, const char *name, uint32_t n, double length,
                     double spacing)
{
    const struct unit *u = find_unit(n);
    double step = find_step(n, fmax(length / spacing, 1)) / u->count;
    fprintf(g->script, "set %ctics %.17g,%.17g\nset %clabel '%s%s'\n", axis, step, step, axis, name, u->name);
}

static void put_axes(struct gnuplot *g, const struct plot_density *p, const struct layout *l)
{
    double right = find_unit(p->cols)->count, down = find_unit(p->rows)->count;
    fprintf(g->script, "set xrange [%.17g:%.17g]\nset yrange [%.17g:%.17g]\n", 0.5 / right,
            (p->cols + 0.5) / right, (p->rows + 0.5) / down, 0.5 / down);
    put_axis(g, 'x', "column", p->cols, l->frame.wide, 3.6 * l->font);
    put_axis(g, 'y', "row", p->rows, l->frame.high, 2.5 * l->font);
    fputs("set xlabel offset 0,0.7\n", g->script);
}

/* The scale of the shades: 1, powers of ten, and the largest count. */
static void put_scale(struct gnuplot *g, const struct plot_density *p, const struct layout *l)
{
    if (p->most <= 1) {
        fputs("unset colorbox\nset palette defined (0 'black', 1 'black')\nset cbrange [0:1]\n", g->script);
        return;
    }
    fprintf(g->script,
            "set palette defined (0 '#909090', 1 'black')\nset logscale cb\nset cbrange [1:%u]\n"
            "set colorbox horizontal user origin screen %.6f, screen %.6f size screen %.6f, screen %.6f\n",
            p->most, 0.5 - scale_width / 2 * l->font / l->width, 3.6 * l->font / l->height,
            scale_width * l->font / l->width, 0.8 * l->font / l->height);
    plot_text(g, "set cblabel ",
              p->cell_width * p->cell_height == 1 ? "entries in a pixel" : "entries in a dot",
              " offset 0,0.6\nset cbtics scale 0.5 offset 0,0.3 (");
    double digits = log10(p->most);
    int step = digits > 4 ? (int)ceil(digits / 4) : 1;
    for (int tick = 0; tick <= 0.75 * digits; tick += step)
        fprintf(g->script, "'%s' 1e%d, ", words_count((uint64_t)pow(10, tick)).text, tick);
    fprintf(g->script, "'%s' %u)\n", words_count(p->most).text, p->most);
}

/* Writes each pixel of the frame, row after row, so that enlarging cells is not left to the viewer. */
static void put_pixels(struct gnuplot *g, const struct plot_density *p)
{
    uint32_t high = p->high * p->cell_height, wide = p->wide * p->cell_width;
    for (uint32_t i = 0; i < high; i++)
        for (uint32_t k = 0; k < wide; k++) {
            uint32_t count = p->count[(size_t)(i / p->cell_height) * p->wide + k / p->cell_width];
            float shade = count ? (float)count : NAN;
            fwrite(&shade, sizeof shade, 1, g->script);
        }
}

static void put_image(struct gnuplot *g, const struct plot_density *p)
{
    uint32_t high = p->high * p->cell_height, wide = p->wide * p->cell_width;
    double dx = p->cols / find_unit(p->cols)->count / wide, dy = p->rows / find_unit(p->rows)->count / high;
    fprintf(g->script,
            "plot '-' binary array=(%u,%u) dx=%.17g dy=%.17g origin=(%.17g,%.17g) format='%%float' using 1 "
            "with image\n",
            wide, high, dx, dy, 0.5 / find_unit(p->cols)->count + dx / 2,
            0.5 / find_unit(p->rows)->count + dy / 2);
    put_pixels(g, p);
}

static void put_blocks(struct gnuplot *g, const struct plot_density *p)
{
    double right = find_unit(p->cols)->count, down = find_unit(p->rows)->count;
    uint32_t end = p->rows < p->cols ? p->rows : p->cols;
    for (uint64_t i = 0; p->block && i < end; i += p->block) {
        double last = fmin((double)i + p->block, end);
        fprintf(
            g->script,
            "set object rectangle from first %.17g,%.17g to first %.17g,%.17g front fillstyle empty border "
            "linecolor '" PLOT_BLUE "'\n",
            ((double)i + 0.5) / right, ((double)i + 0.5) / down, (last + 0.5) / right, (last + 0.5) / down);
    }
}

vks_status plot_density(struct message *m, const char *path, const struct plot_density *p)
{
    struct gnuplot g;
    struct layout l = lay_out(p);
    TRY(gnuplot_open(m, path, l.width, l.height, l.font, &g));
    plot_title(&g, p->title, p->note, l.font, l.height);
    plot_frame(&g, l.width, l.height, &l.frame);
    put_axes(&g, p, &l);
    put_scale(&g, p, &l);
    put_blocks(&g, p);
    fputs("unset key\n", g.script);
    put_image(&g, p);
    return gnuplot_close(m, &g, VKS_OK);
}
