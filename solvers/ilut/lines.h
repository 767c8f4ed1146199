/* The factors of all blocks as a list of lines, in the order in which a device solves them:
 * shaders/precond/ilut.glsl. */
#ifndef VKS_SOLVERS_ILUT_LINES_H
#define VKS_SOLVERS_ILUT_LINES_H

#include "solvers/ilut/factor.h"

/* Steps begin .. end - 1, of one level if is_wide, else of any number of levels. `turns`: loop iterations of
 * a workgroup, whose number is bounded. */
struct ilut_run {
    uint32_t begin, end, turns;
    bool is_wide;
};

struct ilut_lines {
    uint32_t blocks, lanes; /* lanes: number of lanes that sum each line */
    uint32_t steps, most_steps, entries, runs;
    uint64_t most_turns;      /* loop iterations of a workgroup, in a block */
    uint32_t *first;          /* the first step of each block; then `steps` */
    uint32_t *row, *at, *col; /* row and scale have ilut_line_count elements, at has one more */
    double *scale, *val;
    struct ilut_run *run; /* all steps, if there is only one block */
};

uint32_t ilut_line_count(const struct ilut_lines *l);

/* Makes the lines of factors without a fault. The factors determine the number of lanes, so the order of sums
 * is the same on every device. VKS_OUT_OF_MEMORY; VKS_LIMIT: too many entries or lines. The caller must call
 * ilut_lines_free even after a failure. */
vks_status ilut_lines_make(struct message *m, const struct factors *of, uint32_t blocks,
                           struct ilut_lines *l);
void ilut_lines_free(struct ilut_lines *l);
/* Frees the arrays that have been copied to the device: all except `run`. */
void ilut_lines_drop(struct ilut_lines *l);

#endif
