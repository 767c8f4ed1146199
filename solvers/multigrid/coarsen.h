/* From a level of a multigrid hierarchy to the next: smoothed aggregation. P. Vanek, J. Mandel, M. Brezina,
 * "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic problems" (1996).
 * Everything is found on the device; the host reads sizes. */
#ifndef VKS_SOLVERS_MULTIGRID_COARSEN_H
#define VKS_SOLVERS_MULTIGRID_COARSEN_H

#include "solvers/multigrid/multigrid.h"

/* A level is a matrix of numbers, or of blocks: then each row of blocks is a node with several unknowns,
 * which stay together, and columns of near-null vectors stand for what the next level has to represent. */
struct coarsening {
    struct device *device;
    const vks_matrix *A;         /* its CSR is held, with values of full width */
    const struct blocks *blocks; /* A as blocks; NULL: nodes have one unknown */
    const vks_matrix *transpose; /* A^T, held as A is, where A is not symmetric; else NULL */
    reals modes;                 /* near-null vectors of blocks, row by row */
    uint32_t columns;            /* of them */
    reals reference;             /* the reference diagonal */
    enum precision precision;    /* of all these values */
    struct vec inverse;          /* of the diagonal, also in a lower precision */
    double bound;                /* of the eigenvalues of D^-1 A */
    bool finest;
    struct kept_level *kept; /* where products keep what they are repeated from; NULL: nothing is kept */
    struct room room;        /* of arrays that nobody needs any more when the next level is there */
    struct csr graph;        /* nodes: A, or the norms of its blocks */
    struct vec of_nodes;     /* the inverse diagonal of the graph */
    struct memory weight;    /* of the smoother of the prolongator */
    vks_matrix *S; /* the strong entries and the diagonal, with the values of the prolongator's smoother */
    u32s strength; /* of the entries of S: bits of floats */
    u32s state, owner;                 /* of nodes */
    uint32_t rounds;                   /* that found the roots */
    uint32_t aggregates;               /* 0: there are none */
    vks_matrix *T;                     /* the tentative prolongator of a constant */
    struct blocks smoother, tentative; /* S and T of blocks */
    vks_matrix *P, *R, *coarse;        /* without format, or in CSR */
    struct blocks next;                /* coarse as blocks */
    struct memory next_modes, next_reference;
};

/* nodes.c: makes the graph of nodes; and S of blocks. */
vks_status coarsen_nodes(struct coarsening *c);
vks_status coarsen_smoother(struct coarsening *c);
/* strength.c: makes S and the strengths of its entries. */
vks_status coarsen_strength(struct coarsening *c);
/* roots.c: chooses roots, more than two steps apart; a maximal set, unless it takes too many rounds: then
 * rounds is 0. */
vks_status coarsen_roots(struct coarsening *c);
/* aggregates.c: joins all rows with strong neighbours to roots, and makes T. */
vks_status coarsen_aggregates(struct coarsening *c);
/* nodes.c: makes T of blocks, and the modes of the next level; before[i]: how many roots come before node i.
 */
vks_status coarsen_tentative(struct coarsening *c, u32s before);
/* unsymmetric.c: makes the symmetric part the graph of nodes; and P and R, from A and A^T. */
vks_status coarsen_symmetric_part(struct coarsening *c);
vks_status coarsen_two_transfers(struct coarsening *c);
/* multiply.c: a product, and a transpose, in full width. After a failure, too, what was made is in *C. */
vks_status coarsen_multiply(const struct coarsening *c, const vks_matrix *A, const vks_matrix *B,
                            vks_matrix **C);
vks_status coarsen_transpose(const vks_matrix *P, vks_matrix **R);
/* galerkin.c: P = S T, R = P^T, and the matrix of the next level R (A P). */
vks_status coarsen_products(struct coarsening *c);
/* The values of the next level, from new ones of this one: c has A, P, R and the next level, and kept what
 * the products had kept. */
vks_status coarsen_refresh_products(struct coarsening *c);

/* reference.c: the reference diagonal of the finest level, from the inverse of its diagonal; it is the
 * caller's, also after a failure. These two take memory only where *reference or next_reference has none. */
vks_status coarsen_begin_reference(struct device *d, struct vec inverse, enum precision wide,
                                   struct memory *reference);
/* Makes that of the next level, and mends the unknowns of its matrix that stand for nothing. */
vks_status coarsen_mend(struct coarsening *c);

/* Releases all that is left in c. */
void coarsen_close(struct coarsening *c);

/* Records y = x, from either precision to the same or a higher one. */
static inline void widen(struct rec *r, struct vec x, struct vec y)
{
    if (x.precision == y.precision)
        copy(r, x, y);
    else
        widen_floats(r, x, y);
}

/* Of matrices with values of that precision. */
static inline vks_status coarsen_begin(const struct coarsening *c, uint32_t rows, uint32_t cols,
                                       vks_matrix **to)
{
    return matrix_begin(c->A->context, public_precision(c->precision), rows, cols, to);
}

#endif
