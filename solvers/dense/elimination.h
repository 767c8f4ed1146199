/* Recording of blocked Gauss-Jordan elimination of one matrix on a device, for gauss_jordan.c. */
#ifndef VKS_SOLVERS_ELIMINATION_H
#define VKS_SOLVERS_ELIMINATION_H

#include "dense/pivot_verbs.h"
#include "device/room.h"
#include "vksolve/gauss_jordan.h"

/* Columns of a strip: several panels that are applied to the other columns at once, because wider products
 * are faster. This number affects the order of operations, and so the bits. */
enum { STRIP = 512 };

struct elimination {
    struct device *device;
    enum precision precision;
    uint32_t n;
    struct block W; /* the matrix; eliminated panels hold their effect on other columns */
    struct pivots pivots;
    struct room room; /* owns the memory */
    struct memory matrix, words, numbers, panels, rows, posted, mailbox[2];
    struct rec rec[2]; /* alternate: one is made while the other runs */
    uint64_t ticket[2];
    number one;              /* 1 on the device */
    uint32_t ending, column; /* PIVOT_..., and the column where it occurred */
    uint32_t *row_of;        /* after success: the row of each pivot, and the pivots */
    double *values;
};

/* Allocates an n x n matrix and right-hand sides of up to `cols` columns. The caller calls
 * elimination_release, also after a failure. */
vks_status elimination_create(struct elimination *e, vks_context *context, vks_precision precision,
                              uint32_t n, uint32_t cols);
void elimination_release(struct elimination *e);

/* Eliminates A, and applies the elimination to B, if B has columns, with the result in X. `whole`: panels are
 * applied to all other columns, which inverts A; otherwise only to those to the right, which suffices for
 * solving. Sets ending and column and, unless the elimination ends early, the pivots. */
vks_status elimination_run(struct elimination *e, struct block A, struct block B, struct block X, bool whole);

/* Records the effect of the elimination of A on X; the transposed effect on one column x, stored as a row,
 * with `scratch` of STRIP reals. Only after a run that was not `whole`. */
void elimination_apply(struct rec *r, const struct elimination *e, struct block X);
void elimination_apply_transposed(struct rec *r, const struct elimination *e, struct block x,
                                  struct block scratch);

/* condition.c: estimates the 1-norm of the inverse, after such a run. */
vks_status elimination_inverse_norm(const struct elimination *e, double *norm);

#endif
