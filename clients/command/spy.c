#include "command/command.h"
#include "command/plot/gnuplot.h"
#include "command/shared/exit_code.h"
#include "command/shared/files.h"
#include "command/shared/options.h"
#include "command/spy/bins.h"
#include "command/spy/levels.h"
#include "files/files.h"
#include "report/words.h"

#include <stdlib.h>

struct spy_settings {
    const char *output, *device;
    uint32_t size, blocks;
    bool levels;
    struct amg_nodes nodes;
};

enum { MOST_BLOCKS = 1000 /* more blocks would look like a solid line */, USUAL_SIZE = 600 };

static const struct option_line options[] = {
    {'o', "output", "FILE", "the picture; its name ends in .png, .svg or .pdf (required without --levels)",
     TEXT(struct spy_settings, output)},
    {0, "size", "PIXELS",
     "the approximate length of the longer side of the pattern, from 100 to 4000; more\n"
     "show more of a large matrix (default: 600)",
     COUNT(struct spy_settings, size, 100, 4000, "from 100 to 4000")},
    {0, "blocks", "N",
     "outline at most 1000 blocks of N rows on the diagonal, as in block-jacobi/N and\nilut(rows=N)",
     COUNT(struct spy_settings, blocks, 1, 4278190080.0, "from 1 to 4278190080")},
    {0, "levels", NULL, "print the levels of --precond amg instead: sizes, and patterns in characters",
     FLAG(struct spy_settings, levels)},
    NODE_OPTIONS(struct spy_settings, "--levels"),
    {'d', "device", "auto|host|gpu|NAME",
     "for --levels, the device that computes them, as in solve\n(default: $VKSOLVE_DEVICE, else host)",
     TEXT(struct spy_settings, device)},
};

static const struct manual manual = {
    .name = "spy",
    .about = "Draws the pattern of a matrix, row 1 at the top. Of a symmetric file both triangles\n"
             "are drawn; stored zeros and duplicates count as entries.\n\n" FILE_KINDS "\n\n"
             "A dot is an entry if the picture has room for each row and column; else it is darker\n"
             "for more entries, by their logarithm. A matrix without entries is an empty frame;\n"
             "one without rows or columns is refused.\n\n"
             "With --levels each level of multigrid is a frame of at most 40 x 20 characters on\n"
             "standard output: . : * # from few entries to many, by their logarithm. The last\n"
             "line has the operator complexity (entries) and the grid complexity (rows).\n\n"
             "Pictures need gnuplot (apt install gnuplot-nox). VKSOLVE_GNUPLOT may name the program, and\n"
             "VKSOLVE_GNUPLOT_SECONDS the seconds until it is killed (60).",
    .operands = {"A.mtx"},
    .options = options,
    .count = sizeof options / sizeof *options,
    .after = "exit codes:\n"
             "  0  the picture is drawn, or the levels are printed\n"
             "  1  wrong usage, an unreadable file, no gnuplot or one that fails, the picture\n"
             "     cannot be written, or multigrid has no levels of the matrix\n"
             "  4  the device or memory failed\n\n"
             "examples:\n"
             "  vksolve spy bcsstk14.mtx.gz -o bcsstk14.png\n"
             "  vksolve spy A.mtx --levels --coordinates nodes.mtx\n",
};

static vks_status draw(struct message *m, const struct spy_settings *set, const char *path,
                       const struct triplets *t)
{
    char note[160];
    struct words name = words_name(path);
    struct plot_density d = {.title = name.text, .note = note};
    snprintf(note, sizeof note, "%s x %s, %s %s", words_count(t->rows).text, words_count(t->cols).text,
             words_count(t->count).text, t->count == 1 ? "entry" : "entries");
    if (!t->rows || !t->cols)
        return fail(m, VKS_UNSUPPORTED, "%s: is %u x %u: without rows or columns there is nothing to draw",
                    path, t->rows, t->cols);
    if (set->blocks && t->rows / set->blocks >= MOST_BLOCKS)
        return fail(m, VKS_LIMIT, "%s: blocks of %u rows are more than %d, the most that are outlined", path,
                    set->blocks, MOST_BLOCKS);
    d.block = set->blocks;
    vks_status status = spy_count(m, t, set->size ? set->size : USUAL_SIZE, &d);
    IF_OK(status, plot_density(m, set->output, &d));
    free(d.count);
    return status;
}

/* The error in the combination of options; NULL if there is none. */
static const char *wrong_together(const struct spy_settings *set)
{
    bool of_levels = set->device || set->nodes.block || set->nodes.coordinates;
    if (set->levels)
        return set->output || set->size || set->blocks
                   ? "--levels prints text; -o, --size and --blocks are for pictures"
                   : NULL;
    return of_levels      ? "--block, --coordinates and --device are for --levels"
           : !set->output ? "-o FILE is missing"
                          : NULL;
}

static int check_usage(const struct spy_settings *set, const char *path)
{
    const char *wrong = wrong_together(set);
    if (wrong)
        return wrong_usage(&manual, "%s", wrong);
    if (file_is_same(path, set->output))
        return wrong_usage(&manual, "-o %s would overwrite the matrix that is read", set->output);
    if (file_is_stream(path) && file_is_stream(set->nodes.coordinates))
        return wrong_usage(&manual, "only one of A and --coordinates can come from standard input");
    return EXIT_DONE;
}

int spy_command(int argc, char **argv)
{
    struct spy_settings set = {0};
    const char *operands[MOST_OPERANDS];
    enum parsed parsed = options_parse(&manual, argc, argv, &set, operands);
    if (parsed != PARSED)
        return parsed == PARSED_HELP ? EXIT_DONE : EXIT_USAGE;
    if (check_usage(&set, operands[0]))
        return EXIT_USAGE;
    struct message m = {0};
    struct market a = {0};
    vks_status status = set.levels ? VKS_OK : gnuplot_check(&m, set.output);
    IF_OK(status, files_read_matrix(&m, operands[0], &a));
    if (!status && set.levels)
        status = spy_levels(&m, set.device, operands[0], &a.entries, set.nodes);
    else if (!status)
        status = draw(&m, &set, operands[0], &a.entries);
    market_free(&a);
    return status ? complain(status, m.text) : EXIT_DONE;
}
