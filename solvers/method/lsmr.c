/* LSMR: D. C.-L. Fong, M. Saunders, "LSMR: An iterative algorithm for sparse least-squares problems" (2011).
 * The notation is theirs. A has m rows and n columns, and any shape and rank. ||r|| and ||A^T r|| both fall.
 *
 *   beta u = A v - alpha u               u.u      matrix + m + n, 3m    spmv, lsmr_left
 *   alpha v = C A^T u - beta v           v.v      matrix + m + n, 4n    spmv, lsmr_right
 *   hbar = h - f hbar    x += g C hbar
 *   h = v - e h    p = C v                        9n                    lsmr_step
 *
 * The unknowns are y = C^-1 x, where C scales the columns of A to norms between 1 and 2. C consists of powers
 * of two, so A C y has the bits of A x. If A has more columns than rows, C is the identity, or one power of
 * two if the squares of A's entries are near the ends of the range: with unequal scales the solution would
 * not have the least norm.
 *
 * k->r holds u times beta, and v is stored times alpha: the divisors are known when the next kernel reads
 * them. p is A^T u between the two products, and C v afterwards. */
#include "shaders/solver/lsmr.h"
#include "solvers/method.h"
#include "sparse/matrix.h"
#include "vector/verbs.h"

#include <math.h>
#include <stdlib.h>

/* In the order of shaders/solver/lsmr.glsl; the scalars follow, twice. */
enum { FAULT = NORMAL_NUMBERS, BETA, SCALARS, NUMBERS = SCALARS + 2 * LSMR_SCALARS };

struct lsmr {
    const vks_matrix *T;      /* A^T, owned by A */
    struct vec v, h, hbar, p; /* n elements */
    struct vec q;             /* A p, m elements */
    struct vec scale;         /* C */
    struct memory size;       /* ||A C||_F */
    struct memory power;      /* the number of C, if it is the same in all columns */
    lsmr_numbers w;
};

static struct vec column_vec(struct krylov *k)
{
    return room_vec(k->room, k->x.n, k->r.precision, "a work vector");
}

static void room(struct krylov *k)
{
    struct lsmr *own = k->own = room_host(k->room, sizeof *own, "LSMR");
    if (!own)
        return;
    struct vec *all[] = {&own->v, &own->h, &own->hbar, &own->p, &own->scale};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        *all[i] = column_vec(k);
    own->q = krylov_vec(k);
    own->size = room_memory(k->room, MEMORY_DEVICE, real_bytes(k->r.precision), "a norm");
    own->power = room_memory(k->room, MEMORY_DEVICE, real_bytes(k->r.precision), "a scale");
    own->w = (lsmr_numbers)(uintptr_t)state_method(k->state);
}

static number size_of(const struct lsmr *own)
{
    return (number)(uintptr_t)own->size.address;
}

/* Records C = 2^shift in all columns, and the column norms times that in v. */
static vks_status scale_equally(struct rec *r, const struct krylov *k, int shift)
{
    struct lsmr *own = k->own;
    double power = ldexp(1, shift);
    TRY(upload_values(k->device, &own->power, public_precision(k->r.precision), 0, 1, VKS_F64, &power));
    fill(r, (number)(uintptr_t)own->power.address, own->scale);
    multiply_each(r, own->scale, own->v, own->v);
    return VKS_OK;
}

static bool has_equal_scales(const struct lsmr *own)
{
    return own->T->csr.n > own->T->csr.cols;
}

/* Computes C and, from the column norms, ||A C||_F. */
static vks_status measure(struct krylov *k, int shift, double *size)
{
    struct lsmr *own = k->own;
    const struct csr *columns = &own->T->csr;
    struct rec r = rec_once(k->device, matrix_precision(own->T));
    run(&r, lsmr_columns, few_groups((columns->n + 7ull) / 8), .row = columns->row, .val = columns->val,
        .scale = vec_reals(own->scale), .norm = vec_reals(own->v), .n = columns->n,
        .equal = has_equal_scales(own));
    vks_status status = shift ? scale_equally(&r, k, shift) : VKS_OK;
    norm2(&r, &k->sums, own->v, size_of(own));
    status = rec_run_once(&r, status);
    if (!status && has_equal_scales(own))
        status =
            download_values(k->device, &own->size, public_precision(k->r.precision), 0, 1, VKS_F64, size);
    return status;
}

/* Exponents: of a norm whose square and its inverse are far from the ends of the range; and one that brings
 * any norm near enough to 1 to be measured. */
static const int usual[REAL_PRECISIONS] = {32, 256}, far[REAL_PRECISIONS] = {70, 600};

static vks_status update_values(struct krylov *k, struct diagnosis *f)
{
    struct lsmr *own = k->own;
    double size = 1;
    int shift = 0, exponent = 0;
    enum precision p = magnitude_precision(k->r.precision);
    (void)f;
    TRY(matrix_transposed(k->A));
    own->T = k->A->transposed.T;
    TRY(measure(k, 0, &size));
    if (size == 0 || isinf(size)) {
        shift = size == 0 ? far[p] : -far[p];
        TRY(measure(k, shift, &size));
    }
    frexp(size, &exponent);
    bool is_usual = abs(exponent - shift) <= usual[p];
    if (size == 0 || !isfinite(size) || is_usual)
        return shift ? measure(k, 0, &size) : VKS_OK;
    return measure(k, shift - exponent, &size);
}

/* Records alpha v from the u in k->r, and the step that follows. */
static void right(struct rec *r, const struct krylov *k, bool first)
{
    const struct lsmr *own = k->own;
    spmv(r, own->T, k->r, own->p);
    run_always(r, lsmr_right, few_groups(stripes_of_elements(k->x.n)), .c = krylov_control(k), .w = own->w,
               .p = vec_reals(own->p), .scale = vec_reals(own->scale), .v = vec_reals(own->v),
               .s = reduction_sums(&k->sums), .m = k->r.n, .n = k->x.n, .stride = k->sums.stride,
               .first = first);
    stripe_levels(r, &k->sums, k->x.n, LSMR_V, 1);
    run_always(r, lsmr_step, few_groups(groups_each(k->x.n)), .c = krylov_control(k), .w = own->w,
               .size = size_of(own), .v = vec_reals(own->v), .h = vec_reals(own->h),
               .hbar = vec_reals(own->hbar), .p = vec_reals(own->p), .scale = vec_reals(own->scale),
               .x = vec_reals(k->x), .history = vec_reals(k->history), .s = reduction_sums(&k->sums),
               .n = k->x.n, .stride = k->sums.stride, .kept = k->history.n, .first = first);
    bill(r, 13 * vec_bytes(k->x));
}

static void start(struct rec *r, const struct krylov *k)
{
    dot_stripes(r, &k->sums, LSMR_U, k->r, k->r);
    stripe_levels(r, &k->sums, k->r.n, LSMR_U, 1);
    right(r, k, true);
}

static void unit(struct rec *r, const struct krylov *k)
{
    const struct lsmr *own = k->own;
    spmv(r, k->A, own->p, own->q);
    run_always(r, lsmr_left, few_groups(stripes_of_elements(k->r.n)), .c = krylov_control(k), .w = own->w,
               .q = vec_reals(own->q), .u = vec_reals(k->r), .s = reduction_sums(&k->sums), .n = k->r.n,
               .stride = k->sums.stride);
    bill(r, 3 * vec_bytes(k->r));
    stripe_levels(r, &k->sums, k->r.n, LSMR_U, 1);
    right(r, k, false);
}

static void explain(const struct ending *e, struct diagnosis *f)
{
    uint32_t k = e->last->control.iteration + 1;
    if (e->reason == VKS_REASON_BREAKDOWN)
        diagnosis_detail(
            f, "iteration %u: A^T r, or a length of the bidiagonalization, is zero up to rounding", k);
    else if (e->reason == VKS_REASON_NOT_FINITE)
        diagnosis_detail(f, "a NaN or an infinity appeared in iteration %u", k);
    else if (e->target > 0 && isfinite(e->norm / e->target) && isfinite(e->normal))
        diagnosis_detail(f, "||b - A x|| is %.3g of the tolerance, and ||A^T r|| is %.3g ||A|| ||r||",
                         e->norm / e->target, e->normal);
}

const struct method method_lsmr = {.least_squares = true,
                                   .rows = LSMR_ROWS,
                                   .numbers = NUMBERS,
                                   .products = 2,
                                   .room = room,
                                   .update_values = update_values,
                                   .start = start,
                                   .unit = unit,
                                   .explain = explain};
