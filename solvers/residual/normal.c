/* The residual of least squares, A^T (b - A x), and the norm of A. */
#include "solvers/residual/image.h"
#include "solvers/residual/wide.h"

#include <math.h>

void normal_room(struct residual *e)
{
    struct room *w = &e->wide_room;
    uint32_t n = e->x.n, entries = e->columns.entries;
    rec_create(&e->measure_normal, e->where, e->b.precision);
    rec_create(&e->measure_A, e->where, e->b.precision);
    e->normal = room_vec(w, n, PRECISION_F64, "A^T r in double precision");
    e->normal_sums = room_reduction(w, n > entries ? n : entries, 1);
}

vks_status normal_record(struct residual *e)
{
    const struct csr *T = &e->columns;
    reals entries = (reals)(uintptr_t)T->val;
    image_record(&e->measure_normal, T, NULL, e->T, e->wide, e->normal);
    wide_record_square(&e->measure_normal, e, &e->normal_sums, e->normal, OF_NORMAL);
    wide_record_square(&e->measure_A, e, &e->normal_sums, vec_at(entries, T->entries, values_precision(e->T)),
                       OF_A);
    TRY(rec_prepare(&e->measure_normal));
    return rec_prepare(&e->measure_A);
}

vks_status residual_measure_normal(struct residual *e, uint64_t *ticket)
{
    return rec_submit(&e->measure_normal, ticket);
}

/* r = scale r, a power of two. */
static vks_status scale_residual(struct residual *e, double scale)
{
    struct rec r = rec_once(e->where, PRECISION_F64);
    narrow(&r, wide_scale_of_squares(e), e->wide, e->wide);
    vks_status status = wide_set_scale_of_squares(e, scale);
    status = rec_run_once(&r, status);
    return status ? status : wide_set_scale_of_squares(e, 1);
}

/* ||A^T (scale r)|| */
static vks_status scaled_normal(struct residual *e, double scale, double *normal)
{
    uint64_t ticket;
    TRY(scale_residual(e, scale));
    TRY(rec_submit(&e->measure_normal, &ticket));
    TRY(device_wait(e->where, ticket, DEVICE_WAIT_SECONDS));
    TRY(wide_read_norm(e, &e->measure_normal, OF_NORMAL, normal));
    return scale_residual(e, 1 / scale);
}

/* Beyond these exponents of ||A|| ||r||, products of entries and residuals may vanish or overflow. */
enum { MOST_EXPONENT = 900, LARGEST_SCALE = 1000 };

/* Below this, products of entries and residuals may vanish, and A^T r = 0 means nothing. */
static const double least_product = 1e-280;

vks_status residual_normal(struct residual *e, double norm, double *share)
{
    int of_A = 0, of_r = 0;
    double normal = 0, scale = 1;
    *share = isfinite(norm) ? 0 : NAN;
    if (!isfinite(norm) || norm == 0 || e->size == 0)
        return VKS_OK;
    frexp(e->size, &of_A);
    frexp(norm, &of_r);
    int exponent = of_A + of_r, bounded = exponent > LARGEST_SCALE    ? LARGEST_SCALE
                                          : exponent < -LARGEST_SCALE ? -LARGEST_SCALE
                                                                      : exponent;
    if (exponent < -MOST_EXPONENT || exponent > MOST_EXPONENT) {
        scale = ldexp(1, -bounded);
        TRY(scaled_normal(e, scale, &normal));
    } else
        TRY(wide_read_norm(e, &e->measure_normal, OF_NORMAL, &normal));
    bool vanishes = normal == 0 && !(e->size * (scale * norm) > least_product);
    *share = vanishes ? NAN : normal / e->size / scale / norm;
    return VKS_OK;
}
