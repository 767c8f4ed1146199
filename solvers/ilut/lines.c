#include "solvers/ilut/lines.h"
#include "shaders/precond/ilut.h"

#include <stdlib.h>

enum {
    MOST_LANES = 32,
    WIDE = 8 /* a level with at least this many steps is worth its own dispatch, if x is in memory */
};
/* Limits for the iterations of an invocation's loops. llvmpipe ends them all after 65,535 iterations
 * (docs/gpu.md), and a GPU can do nothing else before a dispatch ends. A line of 65,535 entries takes 2,048
 * iterations of 32 lanes, and a full block 48,128. */
enum {
    LINE_TURNS = 1 << 11,
    RUN_TURNS = 1 << 13, /* a level with fewer than WIDE steps may exceed it alone */
    BLOCK_TURNS = 1 << 15
};

/* Extent of a level of a block. */
struct level {
    uint32_t lines, longest;
    uint32_t place; /* index of its next line */
};

static uint32_t pitch(const struct ilut_lines *l)
{
    return ILUT_GROUP / l->lanes;
}

uint32_t ilut_line_count(const struct ilut_lines *l)
{
    return l->steps * pitch(l);
}

void ilut_lines_drop(struct ilut_lines *l)
{
    free(l->first);
    free(l->row);
    free(l->at);
    free(l->col);
    free(l->scale);
    free(l->val);
    l->first = l->row = l->at = l->col = NULL;
    l->scale = l->val = NULL;
}

void ilut_lines_free(struct ilut_lines *l)
{
    ilut_lines_drop(l);
    free(l->run);
    *l = (struct ilut_lines){0};
}

/* Chooses the most lanes with which a level of mean size fits in a workgroup and each lane has work in the
 * longest line; more lanes if that work would be too much. */
static uint32_t choose_lanes(const struct factors *of, uint32_t blocks)
{
    uint64_t lines = 0, levels = 0;
    uint32_t longest = 0, lanes = MOST_LANES;
    for (uint32_t b = 0; b < blocks; b++) {
        lines += 2 * (uint64_t)of[b].n;
        levels += of[b].levels;
        for (size_t p = 0; p < 2 * (size_t)of[b].n; p++)
            longest = of[b].at[p + 1] - of[b].at[p] > longest ? of[b].at[p + 1] - of[b].at[p] : longest;
    }
    while (lanes > 1 && lanes / 2 * LINE_TURNS >= longest &&
           (lanes / 2 >= longest || lines * lanes > ILUT_GROUP * levels))
        lanes /= 2;
    return lanes;
}

/* Measures the levels of a block; `level` has space for one more. */
static void measure_levels(const struct factors *f, struct level *level)
{
    for (uint32_t k = 0; k <= f->levels; k++)
        level[k] = (struct level){0};
    for (size_t p = 0; p < 2 * (size_t)f->n; p++) {
        struct level *of = &level[f->level[p]];
        uint32_t length = f->at[p + 1] - f->at[p];
        of->lines++;
        of->longest = length > of->longest ? length : of->longest;
    }
}

static uint32_t steps_of(const struct level *of, uint32_t pitch)
{
    return (of->lines + pitch - 1) / pitch;
}

/* Loop iterations in each step: of the loop over steps, of the loop over entries, including its last, and of
 * the loop over the lanes of a sum. */
static uint32_t turns_of(const struct level *of, uint32_t lanes)
{
    return 3 + of->longest / lanes + (uint32_t)__builtin_ctz(lanes);
}

/* Counts steps, loop iterations and entries. */
static vks_status measure(struct message *m, const struct factors *of, struct ilut_lines *l,
                          struct level *level)
{
    uint64_t steps = 0, entries = 0;
    l->most_steps = 0;
    l->most_turns = 0;
    for (uint32_t b = 0; b < l->blocks; b++) {
        uint64_t before = steps, turns = 0;
        l->first[b] = (uint32_t)before;
        measure_levels(&of[b], level);
        for (uint32_t k = 0; k < of[b].levels; k++) {
            steps += steps_of(&level[k], pitch(l));
            turns += (uint64_t)steps_of(&level[k], pitch(l)) * turns_of(&level[k], l->lanes);
        }
        entries += of[b].at[2 * (size_t)of[b].n];
        if (steps * pitch(l) > VKS_MAX_ENTRIES || entries > VKS_MAX_ENTRIES)
            return fail(m, VKS_LIMIT,
                        "ilut: the factors of the first %u blocks have %llu entries in %llu "
                        "lines; at most %u of each are possible",
                        b + 1, (unsigned long long)entries, (unsigned long long)steps * pitch(l),
                        VKS_MAX_ENTRIES);
        l->most_steps = steps - before > l->most_steps ? (uint32_t)(steps - before) : l->most_steps;
        l->most_turns = turns > l->most_turns ? turns : l->most_turns;
    }
    l->steps = l->first[l->blocks] = (uint32_t)steps;
    l->entries = (uint32_t)entries;
    return VKS_OK;
}

/* The same, with more lanes if blocks that are solved in one dispatch need them. */
static vks_status measure_with_lanes(struct message *m, const struct factors *of, struct ilut_lines *l,
                                     struct level *level)
{
    vks_status s = measure(m, of, l, level);
    while (!s && of[0].n <= ILUT_BLOCK && l->most_turns > BLOCK_TURNS && l->lanes < MOST_LANES) {
        l->lanes *= 2;
        s = measure(m, of, l, level);
    }
    return s;
}

/* Appends the next level, of `steps` steps of `turns` loop iterations, to the last run, or begins a run. */
static void add_level(struct ilut_lines *l, uint32_t begin, uint32_t steps, uint32_t turns)
{
    bool is_wide = steps >= WIDE;
    const struct ilut_run *last = l->runs ? &l->run[l->runs - 1] : NULL;
    if (is_wide || !last || last->is_wide || last->turns + steps * turns > RUN_TURNS)
        l->run[l->runs++] = (struct ilut_run){.begin = begin, .end = begin, .is_wide = is_wide};
    l->run[l->runs - 1].end += steps;
    l->run[l->runs - 1].turns += is_wide ? turns : steps * turns;
}

/* Sorts the lines of block b by level: l->row has their numbers in the block. */
static void sort_lines(const struct factors *f, struct ilut_lines *l, uint32_t b, struct level *level)
{
    uint32_t step = l->first[b];
    measure_levels(f, level);
    for (uint32_t k = 0; k < f->levels; k++) {
        uint32_t steps = steps_of(&level[k], pitch(l));
        if (l->run)
            add_level(l, step, steps, turns_of(&level[k], l->lanes));
        level[k].place = step * pitch(l);
        step += steps;
    }
    for (uint32_t p = l->first[b] * pitch(l); p < step * pitch(l); p++)
        l->row[p] = ILUT_NONE;
    for (uint32_t p = 0; p < 2 * f->n; p++)
        l->row[level[f->level[p]].place++] = p;
}

/* Writes the lines of block b, whose first entry is number `at`. Returns the end of its entries. */
static uint32_t write_lines(const struct factors *f, struct ilut_lines *l, uint32_t b, uint32_t at)
{
    for (uint32_t p = l->first[b] * pitch(l); p < l->first[b + 1] * pitch(l); p++) {
        uint32_t line = l->row[p]; /* number within the block */
        l->at[p] = at;
        l->scale[p] = 0;
        if (line == ILUT_NONE)
            continue;
        l->row[p] = line / 2;
        l->scale[p] = line % 2 ? 1 / f->pivot[line / 2] : 1;
        for (uint32_t e = f->at[line]; e < f->at[line + 1]; e++, at++) {
            l->col[at] = f->col[e];
            l->val[at] = f->val[e];
        }
    }
    return at;
}

static bool make_room(struct ilut_lines *l, uint32_t most_runs)
{
    size_t lines = (size_t)ilut_line_count(l) + 1, entries = (size_t)l->entries + 1;
    l->row = malloc(lines * sizeof *l->row);
    l->at = malloc(lines * sizeof *l->at);
    l->scale = malloc(lines * sizeof *l->scale);
    l->col = malloc(entries * sizeof *l->col);
    l->val = malloc(entries * sizeof *l->val);
    l->run = most_runs ? malloc(most_runs * sizeof *l->run) : NULL;
    return l->row && l->at && l->scale && l->col && l->val && (l->run || !most_runs);
}

vks_status ilut_lines_make(struct message *m, const struct factors *of, uint32_t blocks, struct ilut_lines *l)
{
    uint32_t most_levels = 0, at = 0;
    *l = (struct ilut_lines){.blocks = blocks, .lanes = choose_lanes(of, blocks)};
    for (uint32_t b = 0; b < blocks; b++)
        most_levels = of[b].levels > most_levels ? of[b].levels : most_levels;
    l->first = malloc(((size_t)blocks + 1) * sizeof *l->first);
    struct level *level = malloc(((size_t)most_levels + 1) * sizeof *level);
    vks_status s = VKS_OUT_OF_MEMORY;
    if (l->first && level)
        s = measure_with_lanes(m, of, l, level);
    if (!s && !make_room(l, blocks == 1 ? most_levels : 0))
        s = VKS_OUT_OF_MEMORY;
    for (uint32_t b = 0; b < blocks && !s; b++) {
        sort_lines(&of[b], l, b, level);
        at = write_lines(&of[b], l, b, at);
    }
    if (!s)
        l->at[ilut_line_count(l)] = at;
    free(level);
    return s == VKS_OUT_OF_MEMORY ? fail_memory(m, "the lines of ilut", 12 * (uint64_t)l->entries) : s;
}
