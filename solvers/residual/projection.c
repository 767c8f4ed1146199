/* A singular A with a known null space N: A x = b has a solution if b is orthogonal to N, and then many.
 * Residuals and x are kept orthogonal to N, x - N (N^T x). This gives the solution of least norm, and ignores
 * the part of b that no x can produce: P. Bochev, R. B. Lehoucq, "On the finite element solution of the pure
 * Neumann problem", SIAM Review 47 (2005), section 4. The directions of conjugate gradients are not
 * projected: A maps their parts in N to zero. */
#include "solvers/residual/projection.h"
#include "solvers/residual/image.h"
#include "sparse/algebra.h"

#include <math.h>
#include <stdlib.h>

/* Vectors are dependent if less than this share of their norm is left after removing the earlier ones. */
static const double least_left[REAL_PRECISIONS] = {1e-4, 1e-8};
/* Largest ||A v|| of a v in the null space, relative to the norm of the largest entries of all rows. */
static const double most_image[REAL_PRECISIONS] = {1e-3, 1e-5};

/* Index of the components of A x, after those of other vectors. */
enum { OF_IMAGE = VKS_LARGEST_NULL_SPACE };

static doubles part_at(const struct projection *z, uint32_t i)
{
    return (doubles)(uintptr_t)(z->parts.address + 8 * (uint64_t)i);
}

/* Records y - N (N^T y) with the first `count` columns, and stores the components in `parts`. */
static void keep_out(struct rec *r, const struct projection *z, struct vec columns, struct vec y,
                     uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        number part = (number)part_at(z, i);
        dot(r, &z->sums, vec_column(columns, i), y, part);
        subtract(r, part, vec_column(columns, i), y);
    }
}

void projection_apply(struct rec *r, const struct projection *z, struct vec y)
{
    keep_out(r, z, z->wide, y, z->wide.cols);
}

/* Records the components v . (A x) of A x, which are those of the true residual, since the components of b
 * are removed. They are zero if v is also in the left null space of A, as for a symmetric A. If A is not
 * singular, or not symmetric, iterations on projected residuals do not change them. */
void projection_measure_image(struct rec *r, const struct projection *z, struct vec image)
{
    for (uint32_t i = 0; i < z->wide.cols; i++)
        dot(r, &z->sums, vec_column(z->wide, i), image, (number)part_at(z, OF_IMAGE + i));
}

double projection_part_of_image(const struct projection *z)
{
    const double *part = z->parts.mapped;
    double norm = 0;
    for (uint32_t i = 0; i < z->wide.cols; i++)
        norm = hypot(norm, part[OF_IMAGE + i]);
    return norm;
}

/* v = scale v, in doubles; the scale overwrites a component. */
static vks_status scale(struct projection *z, struct vec v, double by)
{
    struct rec r = rec_once(z->device, PRECISION_F64);
    *(double *)z->parts.mapped = by;
    narrow(&r, part_at(z, 0), v, v);
    return rec_run_once(&r, VKS_OK);
}

static vks_status norm_of(struct projection *z, struct vec v, double *norm)
{
    struct rec r = rec_once(z->device, PRECISION_F64);
    norm2(&r, &z->sums, v, (number)part_at(z, 0));
    vks_status status = rec_run_once(&r, VKS_OK);
    *norm = *(const double *)z->parts.mapped;
    return status;
}

/* Makes vector i orthonormal to the earlier ones: Gram-Schmidt, twice, which is enough (L. Giraud et al.,
 * "The loss of orthogonality in the Gram-Schmidt orthogonalization process", 2005). */
static vks_status orthonormalise(struct projection *z, uint32_t i)
{
    struct vec v = vec_column(z->wide, i);
    double before = 0, norm = 0;
    struct rec r = rec_once(z->device, PRECISION_F64);
    keep_out(&r, z, z->wide, v, i);
    vks_status status = norm_of(z, v, &before);
    for (int pass = 0; pass < 2 && !status; pass++) {
        status = rec_run(&r);
        IF_OK(status, norm_of(z, v, &norm));
        if (!status && !(norm > least_left[magnitude_precision(z->x.precision)] * before && isfinite(norm)))
            status =
                fail(z->message, VKS_INVALID_ARGUMENT,
                     "vector %u of the null space is zero, not finite, or a combination of earlier ones", i);
        IF_OK(status, scale(z, v, 1 / norm));
        before = 1;
    }
    rec_destroy(&r);
    return status;
}

/* Stores the caller's vector i, or ones, as doubles in `memory`. */
static vks_status take(struct projection *z, const vks_vector *const *given, uint32_t i,
                       struct memory *memory)
{
    uint32_t n = z->x.n;
    double *values = malloc(8 * (uint64_t)n + 1);
    if (!values)
        return fail_memory(z->message, "a vector of the null space", 8 * (uint64_t)n);
    vks_status status = VKS_OK;
    for (uint32_t k = 0; !given && k < n; k++)
        values[k] = 1;
    if (given)
        status = download_values(z->device, &given[i]->memory, given[i]->precision, 0, n, VKS_F64, values);
    IF_OK(status, device_write(z->device, memory, 8 * (i * (uint64_t)n), values, 8 * (uint64_t)n));
    free(values);
    return status;
}

static vks_status check_vectors(const struct projection *z, const vks_vector *const *v, uint32_t count)
{
    if (count > VKS_LARGEST_NULL_SPACE)
        return fail(z->message, VKS_INVALID_ARGUMENT, "a null space of %u vectors; at most %d", count,
                    VKS_LARGEST_NULL_SPACE);
    if (!z->device->info.f64)
        return fail(z->message, VKS_UNSUPPORTED, "a null space needs 64-bit floats, which %s lacks",
                    z->device->info.name);
    for (uint32_t i = 0; v && i < count; i++)
        if (v[i]->context != z->A->context || v[i]->n != z->x.n)
            return fail(
                z->message, VKS_INVALID_ARGUMENT,
                "vector %u of the null space has %u elements, or belongs to another context; A is %u x %u", i,
                v[i]->n, z->x.n, z->x.n);
    return VKS_OK;
}

/* Records x - N (N^T x), in the precision of x. */
static vks_status record(struct projection *z)
{
    rec_create(&z->of_x, z->device, z->x.precision);
    keep_out(&z->of_x, z, z->beside_x, z->x, z->wide.cols);
    return rec_prepare(&z->of_x);
}

/* Copies the columns in the precision of x, if that differs. */
static vks_status narrow_all(struct projection *z)
{
    if (z->beside_x.at == z->wide.at)
        return VKS_OK;
    struct rec r = rec_once(z->device, z->x.precision);
    *(double *)z->parts.mapped = 1;
    for (uint32_t i = 0; i < z->wide.cols; i++)
        narrow(&r, part_at(z, 0), vec_column(z->wide, i), vec_column(z->beside_x, i));
    return rec_run_once(&r, VKS_OK);
}

/* Computes ||y|| in doubles. If its square leaves the range of doubles, y is scaled. */
static vks_status safe_norm_of(struct projection *z, struct vec y, double *norm)
{
    static const double scales[] = {1, 0x1p900, 0x1p-600};
    double *number = z->parts.mapped;
    struct rec r = rec_once(z->device, y.precision);
    wide_square(&r, &z->sums, part_at(z, 0), y, part_at(z, 1));
    vks_status status = VKS_OK;
    bool whole = false;
    for (int i = 0; i < 3 && !status && !whole; i++) {
        number[0] = scales[i];
        status = rec_run(&r);
        *norm = sqrt(number[1]) / scales[i];
        whole = square_is_whole(number[1]);
    }
    rec_destroy(&r);
    return status;
}

/* Computes ||A v||; leaves A v in y. */
static vks_status measure_image(struct projection *z, struct vec v, struct vec y, double *image)
{
    struct rec r = rec_once(z->device, y.precision);
    image_record(&r, &z->A->csr, operator_of(z->A), z->A, v, y);
    vks_status status = rec_run_once(&r, VKS_OK);
    return status ? status : safe_norm_of(z, y, image);
}

/* Estimates the norm of the entries of an operator from the norm of its image of random numbers of mean 0 and
 * variance 1 (M. F. Hutchinson, "A stochastic estimator of the trace of the influence matrix", 1990). They
 * are uniform: signs alone could lie in the null space of a small A. */
static vks_status estimate_entries(struct projection *z, struct vec y, double *norm)
{
    uint32_t n = z->x.n;
    struct memory probe = {0};
    double *values = malloc(8 * (uint64_t)n + 1);
    if (!values)
        return fail_memory(z->message, "random numbers", 8 * (uint64_t)n);
    uint64_t state = 1; /* of Knuth's MMIX generator */
    for (uint32_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = 3.4641016151377544 * ((double)(state >> 11) * 0x1p-53 - 0.5);
    }
    vks_status status = device_allocate(z->device, MEMORY_DEVICE, 8 * (uint64_t)n, "a work vector", &probe);
    IF_OK(status, upload_values(z->device, &probe, VKS_F64, 0, n, VKS_F64, values));
    IF_OK(status, measure_image(z, vec_in(&probe, n, PRECISION_F64), y, norm));
    device_release(z->device, &probe);
    free(values);
    return status;
}

/* Computes the norm of the largest magnitudes of all rows of A. */
static vks_status measure_largest(struct projection *z, struct vec y, double *largest)
{
    if (operator_of(z->A))
        return estimate_entries(z, y, largest);
    struct rec r = rec_once(z->device, values_precision(z->A));
    struct vec maxima = vec_at(vec_reals(y), y.n, values_precision(z->A));
    csr_row_maxima(&r, &z->A->csr, vec_reals(maxima));
    vks_status status = rec_run_once(&r, VKS_OK);
    return status ? status : safe_norm_of(z, maxima, largest);
}

vks_status projection_check(struct projection *z, bool ones)
{
    double largest = 0, image = 0;
    struct memory m = {0};
    uint32_t n = z->x.n;
    vks_status status = device_allocate(z->device, MEMORY_DEVICE, 8 * (uint64_t)n, "a work vector", &m);
    struct vec y = vec_in(&m, n, PRECISION_F64);
    IF_OK(status, measure_largest(z, y, &largest));
    largest /= sqrt(n ? n : 1); /* entries of v are about one over that root */
    z->image = z->deviation = 0;
    for (uint32_t i = 0; i < z->wide.cols && !status; i++) {
        status = measure_image(z, vec_column(z->wide, i), y, &image);
        z->image = fmax(z->image, image);
        double deviation = largest != 0 ? image / largest : 0;
        z->deviation = fmax(z->deviation, deviation);
        if (!status && !(image <= most_image[magnitude_precision(z->x.precision)] * largest))
            status = fail(
                z->message, VKS_INVALID_ARGUMENT,
                "A does not have the given null space: A times %s is not zero, but %.3g times its entries",
                ones ? "the constant vector" : "a vector of the null space", deviation);
    }
    device_release(z->device, &m);
    return status;
}

/* Allocates `count` vectors. */
static vks_status allocate(struct projection *z, uint32_t count, struct memory *wide)
{
    struct room *w = &z->room;
    uint64_t elements = count * (uint64_t)z->x.n;
    room_open(w, z->device);
    *wide = room_memory(w, MEMORY_DEVICE, 8 * elements, "the null space");
    z->wide = vecs_at(wide->address, z->x.n, count, PRECISION_F64);
    z->beside_x = z->wide;
    if (z->x.precision != z->wide.precision)
        z->beside_x = room_vecs(w, z->x.n, count, z->x.precision, "the null space in f32");
    z->parts = room_memory(w, MEMORY_SHARED, 2 * 8 * VKS_LARGEST_NULL_SPACE, "parts in the null space");
    z->sums = room_reduction(w, z->x.n, 1);
    return w->status;
}

vks_status projection_open(struct projection *z, const vks_matrix *A, struct vec x,
                           const vks_solve_options *o)
{
    uint32_t count = o->null_space ? o->null_space_count : 1;
    struct memory wide = {0};
    *z = (struct projection){.device = A->context->device, .message = &A->context->message, .A = A, .x = x};
    TRY(check_vectors(z, o->null_space, count));
    TRY(allocate(z, count, &wide));
    for (uint32_t i = 0; i < count && x.n; i++) {
        TRY(take(z, o->null_space, i, &wide));
        TRY(orthonormalise(z, i));
    }
    TRY(narrow_all(z));
    return record(z);
}

void projection_close(struct projection *z)
{
    rec_destroy(&z->of_x);
    if (z->room.device)
        room_close(&z->room);
}
