/* Rounding errors of a residual, bounded from |A| |x| + |b|; and the backward error of each row. */
#include "primitive/verbs.h"
#include "shaders/sparse/long.h"
#include "solvers/residual/wide.h"

#include <math.h>
#include <string.h>

_Static_assert(sizeof(struct range_words) == WIDE_RANGE_BYTES, "wide.c has room for a range");

vks_status wide_record_assessment(struct residual *e)
{
    struct rec *r = &e->assess;
    struct vec x = e->partners ? partners_wide(e->partners, e->shared_x) : e->x, y = e->magnitudes;
    rec_clear(r);
    enum precision before = rec_precision(r, matrix_precision(e->equation.A));
    csr_magnitudes(r, &e->A, x, e->b, y, e->equation.fixed_point);
    rec_precision(r, PRECISION_F64);
    backward_errors(r, e->wide, y, e->scratch);
    if (y.n) /* false for a partner without rows */
        min_max_real(r, &e->sums, vec_reals(e->scratch), words_in(&e->numbers, WIDE_RANGE / 4), y.n);
    wide_publish(r, e, WIDE_RANGE, WIDE_RANGE_BYTES / 4);
    r->precision = before;
    wide_record_square(r, e, &e->sums, y, OF_MAGNITUDES);
    if (e->scales) {
        multiply_each(r, e->weights, y, y);
        wide_record_square(r, e, &e->sums, y, OF_SCALED_MAGNITUDES);
    }
    return rec_prepare(r);
}

/* Fewest lanes of a row; levels of a tree over the most lanes. All partners have the same bound. */
static double least_lanes(const struct residual *e)
{
    return e->partners ? 1 : e->A.lanes;
}

static double levels_of_lanes(const struct residual *e)
{
    return e->partners ? 5 : log2(e->A.lanes);
}

/* Roundings in a sum: in a lane's terms, and in the tree over lanes and pieces of a long row. */
static double terms_of_sum(const struct residual *e)
{
    double longest = e->rows.longest, lanes = least_lanes(e);
    if (longest <= LONG_ROW)
        return ceil(longest / lanes) + levels_of_lanes(e) + 2;
    return fmax(ceil(LONG_ROW / lanes), LONG_PIECE / 32.0) + 32;
}

/* In pairs of doubles lanes sum a row of any length, and an operation has an error of 3 2^-106. */
static double error_of(const struct residual *e)
{
    return e->exact ? (ceil(e->rows.longest / least_lanes(e)) + 8) * 0x1p-104 : terms_of_sum(e) * 0x1p-53;
}

/* Bound of the norm of underflow over all rows: half a denormal number per product, times the largest
 * possible number of rows. */
static double underflow_of(const struct residual *e)
{
    return ldexp(e->rows.longest + 2.0, -1075 + 16);
}

/* Factor by which the scaled norm enlarges the error: the least row has the largest weight. */
static double largest_weight(const struct residual *e)
{
    return ldexp(1, (int)fmin(fmax(-e->rows.least + 1, 0), LARGEST_EXPONENT));
}

vks_status residual_assess(struct residual *e, uint64_t *ticket)
{
    double norm;
    if (e->ops->confirm)
        TRY(e->ops->confirm(e, &norm)); /* computes x and the residual in doubles */
    return rec_submit(&e->assess, ticket);
}

/* The largest backward error of all processes. */
static vks_status find_worst_partner(struct residual *e, struct assessment *a)
{
    double most[2] = {a->backward, 0};
    TRY(partners_largest(e->partners, most));
    if (most[0] > a->backward)
        a->row = UINT32_MAX;
    a->backward = most[0];
    return VKS_OK;
}

vks_status residual_assessment(struct residual *e, struct assessment *a)
{
    struct range_words range;
    memcpy(&range, (const char *)e->box.mapped + WIDE_RANGE, sizeof range);
    *a = (struct assessment){.underflow = underflow_of(e),
                             .scaled_underflow = e->scales ? underflow_of(e) * largest_weight(e) : 0,
                             .error = error_of(e),
                             .unit = scalar_types[e->x.precision].roundoff,
                             .row = range.high_at};
    if (e->b.n)
        value_of_key(VKS_TYPE_F64, range.high, &a->backward);
    TRY(wide_read_norm(e, &e->assess, OF_MAGNITUDES, &a->magnitude));
    if (e->scales)
        TRY(wide_read_norm(e, &e->assess, OF_SCALED_MAGNITUDES, &a->scaled));
    return e->partners ? find_worst_partner(e, a) : VKS_OK;
}
