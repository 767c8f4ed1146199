/* Gauss-Jordan elimination of one matrix on a device, blocked, as it is recorded: solvers/gauss_jordan.c
 * decides what for. */
#ifndef VKS_SOLVERS_ELIMINATION_H
#define VKS_SOLVERS_ELIMINATION_H

#include "dense/pivot_verbs.h"
#include "vksolve/gauss_jordan.h"

/* Columns that are told to the others at once, some panels: products with more of them are faster. Part of
 * the order of operations, and so of the bits. */
enum { STRIP = 512 };

struct elimination {
    struct device *device;
    enum precision precision;
    uint32_t n;
    struct block W; /* the matrix; where a panel has been eliminated, what that does to other columns */
    struct pivots pivots;
    struct memory matrix, words, numbers, panels, rows, told, mailbox[2];
    struct rec rec[2]; /* take turns: one is made while the other runs */
    uint64_t ticket[2];
    number one;              /* 1 on the device */
    uint32_t ending, column; /* PIVOT_..., and where */
    uint32_t *row_of;        /* once it has ended well: of each pivot its row, and the pivots */
    double *values;
};

/* Room for an n x n matrix and right-hand sides of up to `cols` columns. elimination_release frees all, also
 * after a failure. */
vks_status elimination_create(struct elimination *e, vks_context *context, vks_precision precision,
                              uint32_t n, uint32_t cols);
void elimination_release(struct elimination *e);

/* Eliminates A, and with it B, if that has columns, into X; `whole`: all columns, which inverts; otherwise
 * only those to the right, which is what solving takes. Fills in ending and column, and unless it ends early
 * the pivots. */
vks_status elimination_run(struct elimination *e, struct block A, struct block B, struct block X, bool whole);

/* Records what the elimination of A does to X; and the same transposed, for one column x that lies in a row,
 * where `scratch` has room for STRIP reals. After a run that was not of all columns. */
void elimination_apply(struct rec *r, const struct elimination *e, struct block X);
void elimination_apply_transposed(struct rec *r, const struct elimination *e, struct block x,
                                  struct block scratch);

/* condition.c: an estimate of the 1-norm of the inverse, after such a run. */
vks_status elimination_inverse_norm(const struct elimination *e, struct message *m, double *norm);

#endif
