/* Construction of the next level of a multigrid hierarchy: smoothed aggregation. P. Vanek, J. Mandel, M.
 * Brezina, "Algebraic multigrid by smoothed aggregation for second and fourth order elliptic problems"
 * (1996). Everything is computed on the device; the host reads sizes. */
#ifndef VKS_SOLVERS_MULTIGRID_COARSEN_H
#define VKS_SOLVERS_MULTIGRID_COARSEN_H

#include "solvers/multigrid/multigrid.h"

/* A level is a matrix of numbers or of blocks. With blocks, each row of blocks is a node whose unknowns stay
 * together, and the next level must represent the near-null vectors. */
struct coarsening {
    struct device *device;
    const vks_matrix *A;         /* its CSR is held, with values of full width */
    const struct blocks *blocks; /* A as blocks; NULL: nodes have one unknown */
    const vks_matrix *transpose; /* A^T, held like A, if A is not symmetric; else NULL */
    reals modes;                 /* near-null vectors of blocks, row by row */
    uint32_t columns;            /* number of near-null vectors */
    reals reference;             /* the reference diagonal */
    enum precision precision;    /* of all values above */
    struct vec inverse;          /* inverse diagonal, possibly in a lower precision */
    double bound;                /* of the eigenvalues of D^-1 A */
    bool finest;
    struct kept_level *kept; /* receives the data for products with new values; NULL: nothing is kept */
    struct room room;        /* arrays that are unused once the next level is complete */
    struct csr graph;        /* of nodes: A, or the norms of its blocks */
    struct vec of_nodes;     /* the inverse diagonal of the graph */
    struct memory weight;    /* of the smoother of the prolongator */
    vks_matrix *S;           /* strong entries and diagonal, with the values of the prolongator's smoother */
    u32s strength;           /* of the entries of S: bits of floats */
    u32s state, owner;       /* of nodes */
    uint32_t rounds;         /* rounds that selected the roots */
    uint32_t aggregates;     /* 0: none */
    vks_matrix *T;           /* tentative prolongator of a constant */
    struct blocks smoother, tentative; /* S and T of blocks */
    vks_matrix *P, *R, *coarse;        /* without format, or in CSR */
    struct blocks next;                /* coarse as blocks */
    struct memory next_modes, next_reference;
};

/* nodes.c: makes the graph of nodes; makes S of blocks. */
vks_status coarsen_nodes(struct coarsening *c);
vks_status coarsen_smoother(struct coarsening *c);
/* strength.c: makes S and the strengths of its entries. */
vks_status coarsen_strength(struct coarsening *c);
/* roots.c: selects a maximal set of roots more than two steps apart. rounds = 0: it took too many rounds. */
vks_status coarsen_roots(struct coarsening *c);
/* aggregates.c: assigns all rows with strong neighbours to roots, and makes T. */
vks_status coarsen_aggregates(struct coarsening *c);
/* nodes.c: makes T of blocks, and the modes of the next level; before[i]: number of roots before node i. */
vks_status coarsen_tentative(struct coarsening *c, u32s before);
/* unsymmetric.c: makes the symmetric part the graph of nodes; makes P and R from A and A^T. */
vks_status coarsen_symmetric_part(struct coarsening *c);
vks_status coarsen_two_transfers(struct coarsening *c);
/* multiply.c: a product; a transpose; both in full width. The caller owns *C, even after a failure. */
vks_status coarsen_multiply(const struct coarsening *c, const vks_matrix *A, const vks_matrix *B,
                            vks_matrix **C);
vks_status coarsen_transpose(const vks_matrix *P, vks_matrix **R);
/* galerkin.c: P = S T, R = P^T, and the matrix of the next level R (A P). */
vks_status coarsen_products(struct coarsening *c);
/* Computes the values of the next level from new values of this one: c has A, P, R, the next level, and the
 * data kept by earlier products. */
vks_status coarsen_refresh_products(struct coarsening *c);

/* reference.c: the reference diagonal of the finest level, from its inverse diagonal. The caller owns it,
 * also after a failure. This and the next function allocate only if *reference, or next_reference, is
 * empty. */
vks_status coarsen_begin_reference(struct device *d, struct vec inverse, enum precision wide,
                                   struct memory *reference);
/* Makes the next level's reference diagonal, and repairs unknowns of its matrix that represent nothing. */
vks_status coarsen_mend(struct coarsening *c);

/* Releases everything left in c. */
void coarsen_close(struct coarsening *c);

/* Records y = x, from either precision to the same or a higher one. */
static inline void widen(struct rec *r, struct vec x, struct vec y)
{
    if (x.precision == y.precision)
        copy(r, x, y);
    else
        widen_floats(r, x, y);
}

/* Begins a matrix with values of that precision. */
static inline vks_status coarsen_begin(const struct coarsening *c, uint32_t rows, uint32_t cols,
                                       vks_matrix **to)
{
    return matrix_begin(c->A->context, public_precision(c->precision), rows, cols, to);
}

#endif
