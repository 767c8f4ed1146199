/* A multigrid hierarchy: levels of smaller and smaller matrices, and a cycle over them. It is set up in the
 * precision of the matrix, and its levels are then rounded to that of the cycle. */
#ifndef VKS_SOLVERS_MULTIGRID_H
#define VKS_SOLVERS_MULTIGRID_H

#include "solvers/bounds/lanczos.h"
#include "solvers/finding.h"

enum {
    MULTIGRID_LEVELS = VKS_LARGEST_LEVELS,
    MULTIGRID_COARSEST = 512, /* rows of a level that is not made coarser */
    MULTIGRID_STEPS = 2       /* of the smoother, before and after the coarser levels */
};

/* What is known of the unknowns of A. */
struct multigrid_nodes {
    uint32_t size;    /* unknowns of a node: rows that follow each other */
    uint32_t columns; /* near-null vectors */
    reals modes; /* these, on the device, in the precision of the set-up, row by row; NULL: one unknown, and
                    the constants */
};

struct multigrid_level {
    const vks_matrix *A;     /* in the precision of the cycle */
    vks_matrix *own, *P, *R; /* own: A, but for the finest level */
    struct precond *jacobi;  /* of A */
    double bound;            /* of the eigenvalues of D^-1 A */
    struct memory weights;   /* of the steps of the smoother */
    struct vec b, x;         /* but for the finest level */
    struct vec t;            /* a residual, and an iterate of the smoother */
    uint32_t rounds;         /* that found the roots of its aggregates */
};

struct multigrid {
    struct device *device;
    struct room room;
    enum precision wide, precision; /* of the set-up, and of the cycle */
    struct multigrid_nodes nodes;   /* of the finest level */
    const vks_matrix *A;            /* the caller's, */
    vks_matrix *copy;               /* and rounded, if it is needed */
    const vks_matrix *finest;       /* the one that the cycle takes */
    uint32_t count;
    vks_hierarchy facts;
    struct multigrid_level level[MULTIGRID_LEVELS];
    struct coarsest {
        struct vec inverse; /* of the last matrix, row by row; no elements: the smoother takes its place */
        reals strips;       /* for the product with it */
        struct vec b, x;    /* in the precision of the inverse, if the cycle has another one */
        doubles one;
    } coarsest;
};

/* memory.c: bytes of device memory that a set-up takes at its peak, beside A. */
struct multigrid_needs {
    uint64_t least, expected;
};
/* For cycles in precision p. `blocks`: nodes have several unknowns or near-null vectors. */
struct multigrid_needs multigrid_needs(const vks_matrix *A, enum precision p, bool blocks);
/* VKS_DEVICE_MEMORY: the device has less than the least. */
vks_status multigrid_check_memory(struct device *d, struct multigrid_needs needs);

/* Makes the hierarchy of A for cycles in precision p. The CSR of A is held during the call. f refuses A if it
 * cannot be positive definite. After a failure multigrid_close is to be called, too. */
vks_status multigrid_open(const vks_matrix *A, enum precision p, const struct multigrid_nodes *nodes,
                          struct finding *f, struct multigrid *g);
void multigrid_close(struct multigrid *g); /* a zeroed struct is fine */
/* Bytes of device memory. */
uint64_t multigrid_bytes(const struct multigrid *g);

/* Records x = the result of a V-cycle for A x = b, or nothing where there are no levels, since A was refused.
 * Both are different vectors in the precision of the cycle. */
void multigrid_cycle(struct rec *r, const struct multigrid *g, struct vec b, struct vec x);

/* The inverse diagonal of a level. */
static inline const struct diagonal *multigrid_diagonal(const struct multigrid_level *l)
{
    return &l->jacobi->diagonal;
}

/* coarsest.c: makes the inverse of the last level, whose matrix in full width is A. It stays in full width:
 * rounded, it could be indefinite. */
vks_status multigrid_invert(struct multigrid *g, const vks_matrix *A);
/* Records x = the inverse times b. */
void multigrid_solve_coarsest(struct rec *r, const struct multigrid *g, struct vec b, struct vec x);

#endif
