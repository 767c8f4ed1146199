#include "solvers/residual/null_vector.h"
#include "solvers/residual/image.h"
#include "vector/verbs.h"
#include "vksolve/vector.h"

#include <math.h>
#include <stdlib.h>

/* v = D m, where B m = 0 and B = D A D. The squares of D are the inverse row sums of |A|, so the eigenvalues
 * of B are from -1 to 1. For a start s, m = s - y, where B y = B s: this system has a solution, so MINRES
 * solves it to the rounding of s, which it cannot do for an unsolvable one. If s is large relative to m, A v
 * is above its own rounding, and a second pass starts from m. */
struct search {
    const struct equation *q;
    struct device *device;
    struct room room;
    struct reduction sums;
    struct memory numbers;    /* host-visible */
    struct memory of_d, of_v; /* D; v at the end */
    struct vec d, s, y, zero;
    struct vec t;                     /* between products */
    struct vec lanczos, before, next; /* Lanczos vectors */
    struct vec p, p_before;           /* directions */
};

/* Numbers that recordings read and write. */
enum { FIRST, SECOND, THIRD, FOURTH, NUMBERS };

enum { MOST = 1000 /* iterations */ };
/* Share of ||s|| at which a residual of B y = B s is rounding. */
static const double negligible = 0x1p-50;
/* Factor by which the estimated rounding of a residual must exceed the target. */
static const double certain = 4;
/* Largest ||A v|| over || |A| |v| || that rounding of the entries of A and v explains. */
static const double rounding_of_image = 8 * 0x1p-53;

static number at(const struct search *w, int i)
{
    return (number)(uintptr_t)(w->numbers.address + 8 * (uint64_t)i);
}

static double *value(const struct search *w, int i)
{
    return (double *)w->numbers.mapped + i;
}

static vks_status open(struct search *w)
{
    struct vec *own[] = {&w->s,      &w->y,    &w->zero, &w->t,       &w->lanczos,
                         &w->before, &w->next, &w->p,    &w->p_before};
    uint32_t n = w->q->A->csr.n;
    room_open(&w->room, w->device);
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        *own[k] = room_vec(&w->room, n, PRECISION_F64, "a work vector");
    w->of_d = room_memory(&w->room, MEMORY_DEVICE, 8 * (uint64_t)n, "scales");
    w->of_v = room_memory(&w->room, MEMORY_DEVICE, 8 * (uint64_t)n, "a null vector");
    w->d = vec_in(&w->of_d, n, PRECISION_F64);
    w->sums = room_reduction(&w->room, n, 1);
    w->numbers = room_memory(&w->room, MEMORY_SHARED, 8 * NUMBERS, "numbers");
    return w->room.status;
}

static vks_status run_and_drop(struct rec *r)
{
    vks_status status = rec_run(r);
    rec_destroy(r);
    return status;
}

/* out = |A| |x| */
static void magnitudes(const struct search *w, struct rec *r, struct vec x, struct vec out)
{
    const vks_matrix *A = w->q->A;
    bool full = matrix_precision(A) == PRECISION_F64;
    enum precision before = rec_precision(r, full ? PRECISION_F64 : PRECISION_MIXED);
    csr_magnitudes(r, &A->csr, x, w->zero, out, false);
    r->precision = before;
}

/* out = B x */
static void scaled_image(const struct search *w, struct rec *r, struct vec x, struct vec out)
{
    multiply_each(r, w->d, x, w->t);
    image_record(r, &w->q->A->csr, NULL, w->q->A, w->t, out);
    multiply_each(r, w->d, out, out);
}

/* Computes D from the sums stored in its place. */
static vks_status take_roots(struct search *w)
{
    uint32_t n = w->d.n;
    double *d = malloc(8 * (size_t)n + 1);
    if (!d)
        return fail_memory(&w->q->A->context->message, "scales", 8 * (uint64_t)n);
    vks_status status = download_values(w->device, &w->of_d, VKS_F64, 0, n, VKS_F64, d);
    for (uint32_t i = 0; i < n && !status; i++)
        d[i] = d[i] > 0 ? 1 / sqrt(d[i]) : 1;
    IF_OK(status, upload_values(w->device, &w->of_d, VKS_F64, 0, n, VKS_F64, d));
    free(d);
    return status;
}

/* Computes D; s = D (b - A x). */
static vks_status begin(struct search *w)
{
    const struct equation *q = w->q;
    *value(w, FIRST) = 1;
    *value(w, SECOND) = 0;
    struct rec r = rec_once(w->device, PRECISION_F64);
    fill(&r, at(w, SECOND), w->zero);
    fill(&r, at(w, FIRST), w->t);
    magnitudes(w, &r, w->t, w->d);
    TRY(run_and_drop(&r));
    TRY(take_roots(w));
    rec_create(&r, w->device, PRECISION_F64);
    image_record_residual(&r, &q->A->csr, q->A, vec_of(q->x), vec_of(q->b), w->s, false);
    multiply_each(&r, w->d, w->s, w->s);
    return run_and_drop(&r);
}

/* Clears y and all directions; sets the first Lanczos vector to B s, not normalised. Returns ||s|| and ||B
 * s||. */
static vks_status begin_turn(struct search *w, double *of_s, double *norm)
{
    struct vec *zeros[] = {&w->y, &w->lanczos, &w->before, &w->p, &w->p_before};
    *value(w, THIRD) = 0;
    struct rec r = rec_once(w->device, PRECISION_F64);
    for (size_t k = 0; k < sizeof zeros / sizeof *zeros; k++)
        fill(&r, at(w, THIRD), *zeros[k]);
    norm2(&r, &w->sums, w->s, at(w, FIRST));
    scaled_image(w, &r, w->s, w->next);
    norm2(&r, &w->sums, w->next, at(w, SECOND));
    TRY(run_and_drop(&r));
    *of_s = *value(w, FIRST);
    *norm = *value(w, SECOND);
    return VKS_OK;
}

/* Computes the next Lanczos vector, next / beta; then the new `next`, B times it without its components along
 * the last two, with norm *beta. */
static vks_status lanczos(struct search *w, double *beta, double *alpha)
{
    struct vec v = w->before;
    *value(w, FIRST) = 1 / *beta;
    *value(w, SECOND) = 0;
    *value(w, THIRD) = *beta;
    struct rec r = rec_once(w->device, PRECISION_F64);
    axpby(&r, at(w, FIRST), w->next, at(w, SECOND), v);
    w->before = w->lanczos;
    w->lanczos = v;
    scaled_image(w, &r, v, w->next);
    subtract(&r, at(w, THIRD), w->before, w->next);
    dot(&r, &w->sums, v, w->next, at(w, FOURTH));
    subtract(&r, at(w, FOURTH), v, w->next);
    norm2(&r, &w->sums, w->next, at(w, FIRST));
    TRY(run_and_drop(&r));
    *alpha = *value(w, FOURTH);
    *beta = *value(w, FIRST);
    return VKS_OK;
}

/* p' = (v - epsilon p_before - delta p) / gamma, y += phi p' */
static vks_status step(struct search *w, double epsilon, double delta, double gamma, double phi)
{
    struct vec p = w->p_before;
    *value(w, FIRST) = 1 / gamma;
    *value(w, SECOND) = -epsilon / gamma;
    *value(w, THIRD) = delta / gamma;
    *value(w, FOURTH) = phi;
    struct rec r = rec_once(w->device, PRECISION_F64);
    axpby(&r, at(w, FIRST), w->lanczos, at(w, SECOND), p);
    subtract(&r, at(w, THIRD), w->p, p);
    axpy(&r, at(w, FOURTH), p, w->y);
    w->p_before = w->p;
    w->p = p;
    return run_and_drop(&r);
}

/* MINRES without a preconditioner, in the notation of C. C. Paige and M. A. Saunders (1975). */
static vks_status solve(struct search *w)
{
    double of_s, norm;
    TRY(begin_turn(w, &of_s, &norm));
    double beta = norm, rest = norm, alpha, c = -1, s = 0, bar = 0, epsilon = 0;
    for (int k = 0; k < MOST && rest > negligible * of_s && beta > 0; k++) {
        double before = epsilon;
        TRY(lanczos(w, &beta, &alpha));
        double delta = c * bar + s * alpha, down = s * bar - c * alpha;
        epsilon = s * beta;
        bar = -c * beta;
        double gamma = hypot(down, beta);
        if (!(gamma > 0 && isfinite(gamma)))
            break;
        c = down / gamma;
        s = beta / gamma;
        TRY(step(w, before, delta, gamma, c * rest));
        rest *= s;
    }
    return VKS_OK;
}

/* s becomes s - y; v = D s; returns the norms of v, A v and |A| |v|. */
static vks_status measure(struct search *w, double *of_v, double *image, double *magnitude)
{
    struct vec v = vec_in(&w->of_v, w->s.n, PRECISION_F64);
    *value(w, FIRST) = 1;
    struct rec r = rec_once(w->device, PRECISION_F64);
    subtract(&r, at(w, FIRST), w->y, w->s);
    multiply_each(&r, w->d, w->s, v);
    norm2(&r, &w->sums, v, at(w, SECOND));
    image_record(&r, &w->q->A->csr, NULL, w->q->A, v, w->next);
    norm2(&r, &w->sums, w->next, at(w, THIRD));
    magnitudes(w, &r, v, w->next);
    norm2(&r, &w->sums, w->next, at(w, FOURTH));
    TRY(run_and_drop(&r));
    *of_v = *value(w, SECOND);
    *image = *value(w, THIRD);
    *magnitude = *value(w, FOURTH);
    return VKS_OK;
}

/* Computes v . b, a bound of its rounding errors, and the row of the largest element of v. */
static vks_status multiply_by_b(struct search *w, double *product, double *error, uint32_t *row)
{
    uint32_t n = w->d.n;
    double *v = malloc(8 * (size_t)n + 1), *b = malloc(8 * (size_t)n + 1), largest = 0;
    vks_status status =
        v && b ? VKS_OK : fail_memory(&w->q->A->context->message, "a copy of b", 16 * (uint64_t)n);
    IF_OK(status, vks_vector_read(w->q->b, 0, n, VKS_F64, b));
    IF_OK(status, download_values(w->device, &w->of_v, VKS_F64, 0, n, VKS_F64, v));
    *product = *error = 0;
    for (uint32_t i = 0; i < n && !status; i++) {
        *product += v[i] * b[i];
        *error += n * 0x1p-52 * fabs(v[i] * b[i]);
        *row = fabs(v[i]) > largest ? i : *row;
        largest = fmax(largest, fabs(v[i]));
    }
    free(v);
    free(b);
    return status;
}

/* A solution has a norm of at least |v . b| / ||A v||; rounding leaves about u |A| |x| in its residual. */
static vks_status fill_part(struct search *w, double target, struct null_part *out)
{
    double of_v, image, magnitude, product, error;
    double unit = scalar_types[precision_of(w->q->x->precision)].roundoff;
    TRY(measure(w, &of_v, &image, &magnitude));
    TRY(multiply_by_b(w, &product, &error, &out->row));
    out->norm = fabs(product) / of_v;
    out->image = image / magnitude;
    out->solution = fabs(product) / image;
    out->is_out_of_reach = out->norm > target && fabs(product) > error &&
                           unit * out->norm > certain * target * out->image && isfinite(out->norm);
    out->is_proof = out->is_out_of_reach && out->image <= rounding_of_image;
    return VKS_OK;
}

static vks_status find(struct search *w, double target, struct null_part *out)
{
    TRY(solve(w));
    return fill_part(w, target, out);
}

vks_status null_part_find(const struct equation *q, double target, struct null_part *out)
{
    struct search w = {.q = q, .device = q->A->context->device};
    struct null_part second = {0};
    *out = second;
    if (matrix_in_pairs(q->A) || !w.device->info.f64 || !q->A->csr.n)
        return VKS_OK;
    vks_status status = open(&w);
    IF_OK(status, begin(&w));
    IF_OK(status, find(&w, target, out));
    if (!status && out->is_out_of_reach && !out->is_proof)
        status = find(&w, target, &second);
    if (second.is_proof)
        *out = second;
    room_close(&w.room);
    return status;
}
