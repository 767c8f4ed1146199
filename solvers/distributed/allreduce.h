/* All-reduces: sums over the rows of all processes. A verb records one, with a pause in which the program
 * gathers the sums of chunks. */
#ifndef VKS_SOLVERS_DISTRIBUTED_ALLREDUCE_H
#define VKS_SOLVERS_DISTRIBUTED_ALLREDUCE_H

#include "vector/vec.h"

struct partners;

/* All-reduce of up to MOST_ROWS rows of sums. */
struct allreduce {
    struct pause pause;
    struct partners *partners;
    enum precision precision;
    uint32_t rows;
    bool begins_exchange;        /* its pause also begins an exchange of partners->outgoing */
    struct memory parts, totals; /* sums of chunks; one total per row */
};

/* Contents of the rows of a reduction. */
enum sums_of { OF_STRIPES, OF_TILES, OF_CHUNKS_BEHIND_TILES };

/* Allocates memory for sums in `rows` rows. */
void allreduce_open(struct allreduce *a, struct partners *p, enum precision precision, uint32_t rows,
                    struct room *w);
/* Records the all-reduce of a->rows rows of w, from number `row` on: one sum over all processes for each. */
void record_allreduce(struct rec *r, struct allreduce *a, const struct reduction *w, uint32_t row,
                      enum sums_of of);
/* The address of these sums, for kernels. */
reals allreduce_sums(const struct allreduce *a);

#endif
