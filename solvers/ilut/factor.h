/* ILUT(fill, drop) of a block on the diagonal of a matrix, on the host: Y. Saad, "ILUT: a dual threshold
 * incomplete LU factorization" (1994).
 *
 * Row i of the block is eliminated by the rows before it in ascending order. Elements below `drop` times the
 * root mean square of row i are dropped: those of L before division by the pivot, so that they are compared
 * with entries of A, and those of U at the end. Of the remaining elements, L and U each keep the `fill`
 * largest; of equal ones, those in earlier columns. A pivot not above ILUT_PIVOT times the largest entry of
 * row i is replaced by that value with its sign, or by 1 if that is zero, as in an empty row. */
#ifndef VKS_SOLVERS_ILUT_FACTOR_H
#define VKS_SOLVERS_ILUT_FACTOR_H

#include "entries/host_csr.h"
#include "report/caller.h"
#include "team/team.h"

#include <stdbool.h>

#define ILUT_PIVOT 1e-4
/* Limit of the work of all blocks: ILUT_LEAST_WORK, plus ILUT_MOST_WORK times `fill` for each entry of A and
 * each that a factor may keep. Work counts entries of U that rows use, columns that rows gain, and moves in
 * the search for the largest. A row that drops its gained entries at once takes about fill^2; a row that
 * fills up first, and drops entries afterwards, takes all earlier rows. */
#define ILUT_LEAST_WORK 0x1p28
#define ILUT_MOST_WORK 16.0

struct ilut_options {
    uint32_t fill, rows; /* rows of a block */
    double drop;
};

/* L - I and U - D of a block: row i of L from at[2 i] to at[2 i + 1], that of U from there to at[2 i + 2],
 * columns within the block and ascending. */
struct factors {
    uint32_t n;
    uint32_t *at, *col;
    double *val, *pivot;
    uint32_t capacity; /* of col and val */
    /* level[2 i] is the level of row i of L, from 0; level[2 i + 1] that of row i of U, after those of L. */
    uint32_t *level, levels;
    uint32_t pivots_set;
    uint32_t fault; /* the row in which the factors overflowed; UINT32_MAX: none */
    bool no_memory;
    bool unwanted;     /* the caller cancelled */
    uint32_t too_much; /* row that exceeded the limit of work; UINT32_MAX: none */
};

/* Factors all blocks, by the threads of a team, which may be NULL. A is finite, order[new] = old and
 * place[old] = new. of[b] is block b, zeroed before; the caller calls factors_free for each, also after a
 * failure. `caller` may cancel; then some block is `unwanted`. VKS_OUT_OF_MEMORY; VKS_LIMIT: too much
 * work. */
vks_status ilut_factor(struct message *m, struct team *team, const struct host_csr *A, const uint32_t *order,
                       const uint32_t *place, const struct ilut_options *o, const struct caller *caller,
                       struct factors *of);
void factors_free(struct factors *f);

static inline uint32_t ilut_blocks_of(uint32_t n, uint32_t rows)
{
    return n ? n / rows + (n % rows != 0) : 0;
}

#endif
