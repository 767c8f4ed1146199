/* A multigrid hierarchy: levels of smaller and smaller matrices, and a cycle over them. It is set up in the
 * precision of the matrix, and its levels are then rounded to the precision of the cycle. */
#ifndef VKS_SOLVERS_MULTIGRID_H
#define VKS_SOLVERS_MULTIGRID_H

#include "device/scratch.h"
#include "solvers/bounds/lanczos.h"
#include "solvers/diagnosis.h"
#include "sparse/blocks.h"

enum {
    MULTIGRID_LEVELS = VKS_LARGEST_LEVELS,
    MULTIGRID_COARSEST = 512, /* rows of a level that is not coarsened further; at most SWEEP_MOST */
    MULTIGRID_STEPS = 2       /* smoother steps before, and after, the coarser levels */
};

/* Structure of the unknowns of A. */
struct multigrid_nodes {
    uint32_t size;    /* unknowns per node, in consecutive rows */
    uint32_t columns; /* near-null vectors */
    reals modes; /* near-null vectors, on the device, in the precision of the set-up, row by row; NULL: one
                    unknown, and the constants */
};

/* Data from which a level is recomputed for new values, all in full width. */
struct kept_level {
    vks_matrix *A, *P, *R, *AP;      /* A, P and R only if the cycle uses others */
    struct blocks blocks;            /* A */
    struct blocks of_P, of_R, of_AP; /* of blocks, in place of AP */
    struct memory reference;         /* diagonal */
};

struct multigrid_level {
    const vks_matrix *A;     /* in the precision of the cycle */
    vks_matrix *own, *P, *R; /* own: A, except on the finest level */
    struct precond *jacobi;  /* of A */
    double bound;            /* of the eigenvalues of D^-1 A */
    struct memory weights;   /* of the steps of the smoother */
    struct vec b, x;         /* except on the finest level */
    struct vec t;            /* for a residual, and an iterate of the smoother */
    uint32_t rounds;         /* rounds that selected the roots of its aggregates */
    struct kept_level kept;
};

struct multigrid {
    struct device *device;
    struct room room;
    enum precision wide, precision; /* of the set-up, and of the cycle */
    struct multigrid_nodes nodes;   /* of the finest level */
    bool symmetric;                 /* A is symmetric; else its nodes have one unknown and the constant */
    bool keeps;                     /* keeps the data for updates to new values */
    struct scratch scratch;         /* memory for such updates */
    bool was_narrow;                /* A stored narrow values at the set-up */
    bool stalled;                   /* the last level has strong entries, but is too large for an inverse */
    const vks_matrix *A;            /* the caller's matrix */
    vks_matrix *copy;               /* A in lower precision, if needed */
    const vks_matrix *finest;       /* the A that the cycle uses */
    uint32_t count;
    vks_hierarchy facts;
    struct multigrid_level level[MULTIGRID_LEVELS];
    struct coarsest {
        struct vec inverse; /* of the last matrix, row by row; no elements: the smoother replaces it */
        reals strips;       /* scratch of the product with it */
        struct vec b, x;    /* in the precision of the inverse, if the cycle has another one */
        doubles one;
    } coarsest;
};

/* memory.c: peak device memory of a set-up, in bytes, excluding A and including memory that remains
 * afterwards. */
struct multigrid_needs {
    uint64_t least, expected;
};
/* For cycles in precision p. `blocks`: nodes have several unknowns or near-null vectors; `keeps`: new values
 * will follow. The symmetry of A affects only `expected`. */
struct multigrid_needs multigrid_needs(const vks_matrix *A, enum precision p, bool blocks, bool symmetric,
                                       bool keeps);
/* VKS_DEVICE_MEMORY: the device has less than needs.least. */
vks_status multigrid_check_memory(struct device *d, struct multigrid_needs needs);

/* Makes the hierarchy of A for cycles in precision p. The caller holds the CSR of A during the call. f
 * refuses A if it cannot be positive definite. `symmetric`: A is symmetric, or treated as such; always true
 * if nodes have several unknowns or near-null vectors. The caller calls multigrid_close, also after a
 * failure. */
vks_status multigrid_open(const vks_matrix *A, enum precision p, const struct multigrid_nodes *nodes,
                          bool symmetric, bool keeps, struct diagnosis *f, struct multigrid *g);
/* refresh.c: updates to new values of A, with the same aggregates and prolongators. Does nothing, and sets
 * *done to false, if g keeps no data for this or A now stores its values differently. After a failure, or if
 * f refuses A, the caller must close the hierarchy. */
vks_status multigrid_refresh(struct multigrid *g, struct diagnosis *f, bool *done);
/* Changes when arrays of its matrices are replaced: recordings of its cycle are then stale. */
uint32_t multigrid_layout(const struct multigrid *g);
void multigrid_close(struct multigrid *g); /* accepts a zeroed struct */
/* Bytes of device memory. */
uint64_t multigrid_bytes(const struct multigrid *g);
/* Entries of the matrices that a cycle multiplies by, with repetition. */
uint64_t multigrid_entries(const struct multigrid *g);

/* Records x = the result of a V-cycle for A x = b; records nothing if there are no levels because A was
 * refused. b and x are distinct vectors in the precision of the cycle. */
void multigrid_cycle(struct rec *r, const struct multigrid *g, struct vec b, struct vec x);

/* The inverse diagonal of a level. */
static inline const struct diagonal *multigrid_diagonal(const struct multigrid_level *l)
{
    return &l->jacobi->diagonal;
}

/* range.c: f refuses an inverse diagonal that is too large or too small for cycles in f32. */
vks_status multigrid_check_range(struct device *device, struct vec d, struct diagnosis *f);

/* level.c: computes the diagonal of level `at` and its bound; computes the weights of its smoother. */
vks_status multigrid_measure(struct multigrid *g, uint32_t at, struct diagnosis *f);
vks_status multigrid_weigh(struct multigrid *g, struct multigrid_level *l);
/* Warns that coarsening stalled at level `at`. */
void multigrid_warn_stalled(const struct multigrid *g, uint32_t at, struct diagnosis *f);

/* coarsest.c: inverts the last level, whose matrix in full width is A, using its reference diagonal. The
 * inverse stays in full width: rounded, it could be indefinite. f refuses a singular nonsymmetric matrix. */
vks_status multigrid_invert(struct multigrid *g, const vks_matrix *A, reals reference, struct diagnosis *f);
/* Records x = the inverse times b. */
void multigrid_solve_coarsest(struct rec *r, const struct multigrid *g, struct vec b, struct vec x);

#endif
