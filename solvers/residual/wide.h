/* The residual in doubles, from operands on one device: the common part of all kinds of residuals. */
#ifndef VKS_SOLVERS_RESIDUAL_WIDE_H
#define VKS_SOLVERS_RESIDUAL_WIDE_H

#include "operator/operator.h"
#include "solvers/residual.h"

/* Makes arrays and recordings. e->where, A or product, b and x must be set. */
vks_status wide_open(struct residual *e);
void wide_close(struct residual *e);
/* Updates to new values of A, which are already in place. */
vks_status wide_update_values(struct residual *e);

/* Submits the projection of x, if there is a null space. */
vks_status wide_begin(struct residual *e, uint64_t *ticket);
/* Submits the recording that computes the norm of b - A x. */
vks_status wide_measure(struct residual *e, uint64_t *ticket);
/* Reads the norm, once the recording has ended. */
vks_status wide_norm(struct residual *e, double *norm);

/* Record the computation and publication of the square of v; read its root after the recording `measure`. */
void wide_record_square(struct rec *r, struct residual *e, const struct reduction *sums, struct vec v,
                        enum square which);
vks_status wide_read_norm(struct residual *e, struct rec *measure, enum square which, double *norm);
/* The published square. */
double wide_square_of(const struct residual *e, enum square which);

/* Device address of the factor of squared vectors, which is 1 between calls; sets that factor. */
doubles wide_scale_of_squares(const struct residual *e);
vks_status wide_set_scale_of_squares(struct residual *e, double scale);

/* normal.c: allocates memory for the residual of least squares; records it. */
void normal_room(struct residual *e);
vks_status normal_record(struct residual *e);

/* Largest exponent of a weight of rows, which is a normal number. */
enum { LARGEST_EXPONENT = 1000 };

/* Offsets in e->numbers and e->box, after the squares that recordings compute and publish: the scale for
 * squares, set on the device; the scale of the hand-over, set in the box; the range of backward errors; the
 * extent of the rows. After them, in the box, the components of b in the null space. */
enum {
    WIDE_SCALE = 8 * SQUARES,
    WIDE_HAND_OVER = WIDE_SCALE + 8,
    WIDE_RANGE = WIDE_HAND_OVER + 8,
    WIDE_RANGE_BYTES = 24,
    WIDE_ROWS = WIDE_RANGE + WIDE_RANGE_BYTES,
    WIDE_ROWS_BYTES = 16,
    WIDE_NUMBERS_BYTES = WIDE_ROWS + WIDE_ROWS_BYTES,
    WIDE_PARTS_OF_B = WIDE_NUMBERS_BYTES,
    WIDE_BOX_BYTES = WIDE_NUMBERS_BYTES + 8 * VKS_LARGEST_NULL_SPACE
};
/* Records the publication of these words. */
void wide_publish(struct rec *r, const struct residual *e, uint64_t offset, uint32_t words);
/* assess.c: records the assessment. */
vks_status wide_record_assessment(struct residual *e);

/* Sets the scale for a recording of wide_hand_over. */
void wide_set_scale(struct residual *e, double scale);
/* Records to = scale (b - A x), from the measured residual. */
void wide_hand_over(struct rec *r, const struct residual *e, struct vec to);

/* The factor of a gather, in both precisions. */
struct factor {
    double wide;
    float narrow, unused;
};

/* Sets the factor of a gather; records the gather on the device of the solve, for x in f64, or f32 like y. */
void wide_set_gather(struct residual *e, double factor);
void wide_gather(struct rec *r, const struct residual *e, struct vec y);

#endif
