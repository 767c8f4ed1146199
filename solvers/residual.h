/* The true residual b - A x in double precision, and its norm. If the solve's device has 64-bit floats, the
 * residual is computed there. Otherwise the host computes it, from copies of A and b made once, and a copy of
 * x made each time. In pairs of floats the device computes it, and the host confirms it. */
#ifndef VKS_SOLVERS_RESIDUAL_H
#define VKS_SOLVERS_RESIDUAL_H

#include "solvers/distributed/allreduce.h"
#include "solvers/method.h"

struct residual;
struct projection;

struct residual_ops {
    /* Allocates its own memory, before the residual in doubles is recorded. NULL: none is needed. */
    vks_status (*open)(struct residual *e);
    /* Update for new values of A, or of b. NULL: nothing to do. */
    vks_status (*update_values)(struct residual *e);
    vks_status (*take_b)(struct residual *e);
    /* Submits the recordings that compute the norm of b - A x, which is ready once the ticket has ended.
     * `scale` approximates the inverse of the norm. */
    vks_status (*measure)(struct residual *e, double scale, uint64_t *ticket);
    /* Reads the norm; a norm of at most `target` was computed in doubles. */
    vks_status (*norm)(struct residual *e, double target, double *norm);
    /* Computes the norm in doubles, if `norm` may be less accurate. NULL: it never is. */
    vks_status (*confirm)(struct residual *e, double *norm);
    /* Prepares a recording of hand_over: b - A x times `scale`. */
    vks_status (*set_hand_over)(struct residual *e, double scale);
    /* Records r = scale (b - A x), from the measured residual. */
    void (*hand_over)(struct rec *r, const struct residual *e);
    /* Records x = 0; `zero` is a number 0 for the recording. */
    void (*clear)(struct rec *r, const struct residual *e, number zero);
    /* Sets the factor of `gather`, which records x += factor y, and y = 0 if x is in f64. */
    void (*set_gather)(struct residual *e, double factor);
    void (*gather)(struct rec *r, const struct residual *e, struct vec y);
    /* Frees memory outside e->room. NULL: nothing else to free. */
    void (*close)(struct residual *e);
};

extern const struct residual_ops residual_on_device, residual_on_host, residual_in_pairs;

/* Extent of the rows of A: the least and the greatest of the rows' largest magnitudes, as logarithms of
 * exponents.h, ignoring empty rows; and the first rows that attain them; UINT32_MAX: not determined. */
struct row_extent {
    double least, largest;
    uint32_t least_row, largest_row;
    uint32_t longest; /* most entries of a row */
};

/* Squares of norms that recordings compute: of r = b - A x, of b, of both with rows divided by their
 * magnitudes, of |A| |x| + |b| with and without that division, of x, of A^T r, and of A. */
enum square {
    OF_R,
    OF_B,
    OF_SCALED_R,
    OF_SCALED_B,
    OF_MAGNITUDES,
    OF_SCALED_MAGNITUDES,
    OF_X,
    OF_NORMAL,
    OF_A,
    SQUARES,
    SHARED_SQUARES = OF_NORMAL /* squares that partners can share */
};

struct residual {
    const struct residual_ops *ops;
    struct device *device; /* of the solve */
    struct message *message;
    struct equation equation;
    struct vec r; /* destination of hand_over */
    struct memory *r_memory;
    vks_norm asked;                /* the norms that decide */
    struct projection *projection; /* NULL: A is not declared singular */
    struct partners *partners;     /* NULL: this process has all rows */
    const vks_matrix *T;           /* A^T, for least squares only, together with: */
    struct csr columns;            /* its entries, on the device of the residual */
    struct vec normal;             /* A^T (b - A x) */
    struct reduction normal_sums;
    struct rec measure_normal, measure_A;
    double size;                      /* ||A||_F */
    struct row_extent own_rows, rows; /* of this process; of all */
    struct room room;                 /* on `device` */

    /* Data in doubles (wide.c), on the device that computes the residual: */
    struct device *where;
    struct room wide_room;
    struct csr A;
    struct user_operator *product; /* for an operator; NULL: A has entries */
    struct vec b, x;
    struct vec wide, wide_x; /* b - A x; x in doubles, if x is in f32 and A x is computed separately */
    bool scales;             /* a scaled norm exists */
    struct vec weights;      /* of rows, if there are any */
    struct room weights_room;
    struct rec extent_rec, weigh;   /* computes the extent of the rows; computes the weights */
    struct memory words;            /* logarithms of the largest magnitudes of rows, or scratch */
    struct vec magnitudes, scratch; /* |A| |x| + |b|; weighted elements, or backward errors */
    struct memory numbers, box;
    struct reduction sums;
    bool exact;     /* b - A x is computed in pairs of doubles */
    bool has_exact; /* measure_exact is recorded */
    struct rec measure, measure_exact, measure_b, assess;
    struct vec shared_x; /* with partners: x, including the partners' elements */
    struct allreduce of_all[SHARED_SQUARES];

    void *copies; /* of on_host.c */
    void *pairs;  /* of in_pairs.c */
    struct memory factor, factor_box;
};

/* Opens the residual of an equation. e is zeroed except ops, device, message, equation, r, r_memory, asked,
 * projection, partners and, for least squares, T. The caller holds the CSR of A if A has entries. The caller
 * calls residual_close, also after a failure. */
vks_status residual_open(struct residual *e);
void residual_close(struct residual *e);

vks_status residual_update_values(struct residual *e);
/* Begins a solve: residuals are computed in doubles, and partners agree on the norms that decide. */
vks_status residual_begin(struct residual *e);
vks_status residual_take_b(struct residual *e);

/* Measure and read the norm of b, without its part in the null space if there is one, and its scaled norm;
 * NaN: no scaled norm. */
vks_status residual_measure_b(struct residual *e, uint64_t *ticket);
vks_status residual_norm_of_b(struct residual *e, double *norm, double *scaled);
/* Whether the x whose residual was measured is finite: an unknown in no row does not affect the residual. */
vks_status residual_x_is_finite(struct residual *e, bool *is);
/* Reads the scaled norm of the measured residual, in doubles; NaN: no scaled norm. */
vks_status residual_scaled_norm(struct residual *e, double *norm);

/* Bounds of the rounding errors in b - A x (assess.c), with y = |A| |x| + |b|. */
struct assessment {
    double magnitude, scaled; /* ||y||; the same with rows divided by their magnitudes, or 0 */
    double underflow,
        scaled_underflow; /* additional bounds, for products below the range of normal numbers */
    double error;         /* times y, it bounds the rounding errors of the computed b - A x */
    double unit;          /* half an ulp of x, relative; times y, it bounds b - A x of the exact x, rounded */
    double
        backward; /* max |b - A x| / y; W. Oettli, W. Prager, "Compatibility of approximate solution of
                     linear equations with given error bounds for coefficients and right-hand sides" (1964) */
    uint32_t row; /* row of that maximum; UINT32_MAX: a partner's row */
};

/* The largest row magnitude over the smallest; NaN: A has no entries. */
double residual_row_range(const struct residual *e);
/* Whether an assessment is possible: A has entries. */
static inline bool residual_has_assessment(const struct residual *e)
{
    return e->ops && !e->product && (e->partners || e->b.n > 0);
}

/* Assesses the measured residual, and reads the assessment. */
vks_status residual_assess(struct residual *e, uint64_t *ticket);
vks_status residual_assessment(struct residual *e, struct assessment *a);
/* Computes residuals in pairs of doubles until the solve ends. */
vks_status residual_set_exact(struct residual *e);
/* Determines the least and largest row in e->rows, for this process. */
vks_status residual_find_rows(struct residual *e);

/* For least squares: submit the recording of ||A^T r|| after the one of r = b - A x, and read ||A^T r|| /
 * (||A||_F ||r||), given the norm of r; 0 for 0 / 0. ||A||_F is measured and read with b. */
vks_status residual_measure_normal(struct residual *e, uint64_t *ticket);
vks_status residual_normal(struct residual *e, double norm, double *share);

/* The norms of the parts of b and of A x in the null space; 0: no null space. */
double residual_part_of_b(const struct residual *e);
double residual_part_of_image(const struct residual *e);
/* The largest ||A v|| over the unit vectors v of the null space. */
double residual_largest_image(const struct residual *e);

#endif
