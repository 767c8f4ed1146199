/* Dense matrices for validation: hard ones by formula, and real ones. */
#ifndef VKS_BENCH_SPECIMEN_H
#define VKS_BENCH_SPECIMEN_H

#include "entries/host_csr.h"
#include "vksolve/vector.h"

/* X(name, text); kinds of any order n */
#define SPECIMENS(X)                                                                                 \
    X(random, "elements from -1 to 1")                                                               \
    X(rows, "random, its rows falling off by 12 powers of ten")                                      \
    X(columns, "random, its columns falling off by 12 powers of ten")                                \
    X(scaled, "random, rows and columns each scaled by up to 6 powers of ten")                       \
    X(hilbert, "1 / (i + j - 1), nearly singular from order 12 on")                                  \
    X(wilkinson, "1 on the diagonal and in the last column, -1 below: elements double in each step") \
    X(permuted, "a permuted identity, and noise of 1e-6")                                            \
    X(orthogonal, "Q of a random matrix")

enum { RIGHT_SIDES = 2 };

struct specimen {
    char name[64];
    uint32_t n;
    vks_precision precision; /* A and b hold values of this precision */
    double *A;               /* n x n, by rows */
    double *b;               /* n x RIGHT_SIDES by rows: random, and A times a random vector */
};

/* `what` is "random:300", or a name that square_load accepts. VKS_LIMIT as for square_load. specimen_free is
 * valid even after a failure. */
vks_status specimen_load(struct message *m, const char *what, vks_precision precision, uint32_t most,
                         struct specimen *s);
void specimen_free(struct specimen *s);

/* The largest sum of magnitudes in a row, or in a column. */
double norm_rows(const double *A, uint32_t n);
double norm_columns(const double *A, uint32_t n);

/* The largest over the right-hand sides of max |b - A x| / (|A| max |x| + max |b|), with |A| by rows;
 * residuals in long double. x has the shape of b. */
double backward_error(const struct specimen *s, const double *x);

/* |A X - I| / (|A| |X|) with column sums; and |X A - I| / (|A| |X|) with row sums, which transposes both and
 * back. In long double, for up to 64 evenly spaced columns (rows). */
double right_error(const struct specimen *s, const double *X);
double left_error(struct specimen *s, double *X);

#endif
