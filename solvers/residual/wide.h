/* The residual in doubles, from operands on one device: the common part of all kinds of residuals. */
#ifndef VKS_SOLVERS_RESIDUAL_WIDE_H
#define VKS_SOLVERS_RESIDUAL_WIDE_H

#include "operator/operator.h"
#include "solvers/residual.h"

/* Makes arrays and recordings. e->where, A or product, b and x must be set. */
vks_status wide_open(struct residual *e);
void wide_close(struct residual *e);
/* Takes new values of A, which are in their place. */
vks_status wide_update_values(struct residual *e);

/* Submits the projection of x, if there is a null space. */
vks_status wide_begin(struct residual *e, uint64_t *ticket);
/* Submits the recording that finds the norm of b - A x. */
vks_status wide_measure(struct residual *e, uint64_t *ticket);
/* Reads the norm, once that has ended. */
vks_status wide_norm(struct residual *e, double *norm);

/* Records that the square of v is left and published; reads its root, once `measure`, the recording, has
 * ended. */
void wide_record_square(struct rec *r, struct residual *e, const struct reduction *sums, struct vec v,
                        enum square which);
vks_status wide_read_norm(struct residual *e, struct rec *measure, enum square which, double *norm);
/* As it was published. */
double wide_square_of(const struct residual *e, enum square which);

/* The factor of what is squared, which is 1 between calls, on the device; sets it. */
doubles wide_scale_of_squares(const struct residual *e);
vks_status wide_set_scale_of_squares(struct residual *e, double scale);

/* normal.c: takes memory for the residual of least squares, and records it. */
void normal_room(struct residual *e);
vks_status normal_record(struct residual *e);

/* The largest exponent of a weight of rows, which is an ordinary number. */
enum { LARGEST_EXPONENT = 1000 };

/* Offsets in e->numbers and e->box, behind the squares that recordings leave and publish: the scale that they
 * take, which is set on the device; the scale of the hand-over, which is set in the box; the range of
 * backward errors; the extent of the rows. Behind them, in the box, the parts of b in the null space. */
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
/* Publishes words of these. */
void wide_publish(struct rec *r, const struct residual *e, uint64_t offset, uint32_t words);
/* assess.c: records the assessment. */
vks_status wide_record_assessment(struct residual *e);

/* Sets the scale that a recording of wide_hand_over takes. */
void wide_set_scale(struct residual *e, double scale);
/* Records to = scale (b - A x), from the residual that was measured. */
void wide_hand_over(struct rec *r, const struct residual *e, struct vec to);

/* The factor of a gather, in both precisions. */
struct factor {
    double wide;
    float narrow, unused;
};

/* Sets the factor of a gather, and records the gather on the device of the solve, where x is in f64, or in
 * f32 as y is. */
void wide_set_gather(struct residual *e, double factor);
void wide_gather(struct rec *r, const struct residual *e, struct vec y);

#endif
