/* The 1-norm of an inverse, estimated from products with it and its transpose: N. J. Higham, "FORTRAN codes
 * for estimating the one-norm of a real or complex matrix", ACM TOMS 14 (1988), algorithm 4.1, as in LAPACK's
 * dlacon. Between the products, the vectors are copied to the host. */
#include "solvers/dense/elimination.h"

#include <math.h>

struct estimate {
    const struct elimination *e;
    struct room room;
    struct memory vector, ordered, scratch;
    double *x, *y, *sign;
};

static struct block column_of(const struct estimate *w, const struct memory *m)
{
    return (struct block){m->address, w->e->n, 1, 1};
}

static void make(struct estimate *w)
{
    uint64_t n = w->e->n, real = real_bytes(w->e->precision);
    w->vector = room_memory(&w->room, MEMORY_DEVICE, n * real, "a vector");
    w->ordered = room_memory(&w->room, MEMORY_DEVICE, n * real, "a vector");
    w->scratch = room_memory(&w->room, MEMORY_DEVICE, STRIP * real, "sums");
    w->x = room_host(&w->room, 8 * n, "vectors");
    w->y = room_host(&w->room, 8 * n, "vectors");
    w->sign = room_host(&w->room, 8 * n, "vectors");
}

/* Runs r, after copying `from` into `in`; then copies `out` into `to`. */
static vks_status through(const struct estimate *w, struct rec *r, struct memory *in, const double *from,
                          const struct memory *out, double *to)
{
    const struct elimination *e = w->e;
    vks_precision p = public_precision(e->precision);
    vks_status s = upload_values(e->device, in, p, 0, e->n, VKS_F64, from);
    IF_OK(s, rec_run(r));
    IF_OK(s, download_values(e->device, out, p, 0, e->n, VKS_F64, to));
    rec_destroy(r);
    return s;
}

/* y = A^-1 x */
static vks_status multiply(struct estimate *w, const double *x, double *y)
{
    struct rec r = rec_once(w->e->device, w->e->precision);
    elimination_apply(&r, w->e, column_of(w, &w->vector));
    pivot_rows(&r, &w->e->pivots, 0, column_of(w, &w->vector), column_of(w, &w->ordered));
    return through(w, &r, &w->vector, x, &w->ordered, y);
}

/* y = A^-T x */
static vks_status multiply_transposed(struct estimate *w, const double *x, double *y)
{
    const struct elimination *e = w->e;
    struct block row = {w->vector.address, 1, e->n, e->n}, scratch = {w->scratch.address, 1, STRIP, STRIP};
    struct rec r = rec_once(e->device, e->precision);
    dense_rows(&r, column_of(w, &w->ordered), (struct rows){.row_of = e->pivots.step},
               column_of(w, &w->vector));
    elimination_apply_transposed(&r, e, row, scratch);
    return through(w, &r, &w->ordered, x, &w->vector, y);
}

static double sum_of(const double *v, uint32_t n)
{
    double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += fabs(v[i]);
    return sum;
}

/* Stores the signs of v; returns whether they are unchanged. */
static bool take_signs(const double *v, double *sign, uint32_t n)
{
    bool same = true;
    for (uint32_t i = 0; i < n; i++) {
        double s = v[i] < 0 ? -1 : 1;
        same &= s == sign[i];
        sign[i] = s;
    }
    return same;
}

static uint32_t largest_of(const double *v, uint32_t n)
{
    uint32_t at = 0;
    for (uint32_t i = 1; i < n; i++)
        if (fabs(v[i]) > fabs(v[at]))
            at = i;
    return at;
}

/* Tries unit vectors e_j where the gradient is largest, while the norm grows. */
static vks_status climb(struct estimate *w, double *norm)
{
    enum { MOST = 5 };
    uint32_t n = w->e->n, j = UINT32_MAX;
    vks_status s = VKS_OK;
    take_signs(w->y, w->sign, n);
    for (int turn = 1; turn < MOST && !s; turn++) {
        s = multiply_transposed(w, w->sign, w->y);
        uint32_t next = s ? j : largest_of(w->y, n);
        if (next == j)
            break;
        j = next;
        for (uint32_t i = 0; i < n; i++)
            w->x[i] = i == j;
        s = multiply(w, w->x, w->y);
        double now = s ? 0 : sum_of(w->y, n);
        bool grows = now > *norm;
        *norm = grows ? now : *norm;
        if (s || take_signs(w->y, w->sign, n) || !grows)
            break;
    }
    return s;
}

/* Tries growing entries of alternating signs, to catch cases that mislead the steps above. */
static vks_status try_alternating(struct estimate *w, double *norm)
{
    uint32_t n = w->e->n;
    for (uint32_t i = 0; i < n; i++)
        w->x[i] = (i % 2 ? -1 : 1) * (1 + (n > 1 ? (double)i / (n - 1) : 0));
    vks_status s = multiply(w, w->x, w->y);
    double other = s ? 0 : 2 * sum_of(w->y, n) / (3.0 * n);
    *norm = other > *norm ? other : *norm;
    return s;
}

vks_status elimination_inverse_norm(const struct elimination *e, double *norm)
{
    struct estimate w = {.e = e, .room.device = e->device};
    make(&w);
    vks_status s = w.room.status;
    for (uint32_t i = 0; i < e->n && !s; i++)
        w.x[i] = 1.0 / e->n;
    IF_OK(s, multiply(&w, w.x, w.y));
    *norm = s ? 0 : sum_of(w.y, e->n);
    if (!s && e->n > 1)
        s = climb(&w, norm);
    if (!s && e->n > 1)
        s = try_alternating(&w, norm);
    room_close(&w.room);
    return s;
}
