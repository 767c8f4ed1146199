/* A singular A with a null space N that is known: A x = b has a solution where b is orthogonal to N, and then
 * many. Residuals and x are kept orthogonal to N, x - N (N^T x), which leaves the solution of least norm and
 * takes from b what no x can give: P. Bochev, R. B. Lehoucq, "On the finite element solution of the pure
 * Neumann problem", SIAM Review 47 (2005), section 4. The directions of conjugate gradients stay as they are:
 * A does not see what of N is in them. */
#include "operator/operator.h"
#include "solvers/solver.h"
#include "sparse/algebra.h"

#include <math.h>
#include <stdlib.h>

/* Below this share of what they were before those before them were taken out, vectors are dependent. */
static const double least_left[PRECISIONS] = {1e-4, 1e-8, 1e-8};
/* ||A v|| of a v that is in the null space, relative to the norm of the largest entries of all rows. */
static const double most_image[PRECISIONS] = {1e-3, 1e-5, 1e-5};

/* Where the parts of A x begin, behind those of other vectors. */
enum { OF_IMAGE = VKS_LARGEST_NULL_SPACE };

static reals vector_at(const struct memory *m, uint32_t n, uint32_t i, uint64_t real)
{
    return (reals)(uintptr_t)(m->address + i * (uint64_t)n * real);
}

static doubles part_at(const struct null_space *z, uint32_t i)
{
    return (doubles)(uintptr_t)(z->parts.address + 8 * (uint64_t)i);
}

/* y - N (N^T y), whose parts along N are left in `parts`. */
static void keep_out(struct rec *r, const struct solve *s, const struct memory *of, reals y, uint32_t count)
{
    const struct null_space *z = &s->null_space;
    for (uint32_t i = 0; i < count; i++) {
        reals v = vector_at(of, s->n, i, real_bytes(r->precision));
        number part = (number)part_at(z, i);
        dot(r, &z->reduction, v, y, part, s->n);
        subtract(r, part, v, y, s->n);
    }
}

void null_space_record(struct rec *r, const struct solve *s, doubles y)
{
    enum precision p = r->precision;
    r->precision = PRECISION_F64;
    keep_out(r, s, &s->null_space.wide, (reals)y, s->null_space.count);
    r->precision = p;
}

/* The part of A x along each v, v . (A x): what the true residual has there once b has left its own part out.
 * It is zero if v is in the left null space of A, too, as with a symmetric A. Where A is not singular, or not
 * symmetric, no iteration on projected residuals changes it. */
void null_space_record_image(struct rec *r, const struct solve *s, doubles image)
{
    const struct null_space *z = &s->null_space;
    enum precision p = r->precision;
    r->precision = PRECISION_F64;
    for (uint32_t i = 0; i < z->count; i++)
        dot(r, &z->reduction, vector_at(&z->wide, s->n, i, sizeof(double)), (reals)image,
            (number)part_at(z, OF_IMAGE + i), s->n);
    r->precision = p;
}

double null_space_part_of_image(const struct solve *s)
{
    const struct null_space *z = &s->null_space;
    const double *part = z->parts.mapped;
    double norm = 0;
    for (uint32_t i = 0; i < z->count; i++)
        norm = hypot(norm, part[OF_IMAGE + i]);
    return norm;
}

/* v = scale v, in doubles; the scale takes the place of a part. */
static vks_status scale(struct solve *s, reals v, double by)
{
    struct null_space *z = &s->null_space;
    struct rec r;
    rec_create(&r, s->device, PRECISION_F64);
    *(double *)z->parts.mapped = by;
    narrow(&r, part_at(z, 0), (doubles)v, v, s->n);
    vks_status status = rec_run(&r);
    rec_destroy(&r);
    return status;
}

static vks_status norm_of(struct solve *s, reals v, double *norm)
{
    struct null_space *z = &s->null_space;
    struct rec r;
    rec_create(&r, s->device, PRECISION_F64);
    norm2(&r, &z->reduction, v, (number)part_at(z, 0), s->n);
    vks_status status = rec_run(&r);
    rec_destroy(&r);
    *norm = *(const double *)z->parts.mapped;
    return status;
}

/* Vector i orthonormal to those before it: Gram-Schmidt, twice, which is enough (L. Giraud et al., "The loss
 * of orthogonality in the Gram-Schmidt orthogonalization process", 2005). */
static vks_status orthonormalise(struct solve *s, uint32_t i)
{
    struct null_space *z = &s->null_space;
    reals v = vector_at(&z->wide, s->n, i, sizeof(double));
    double before = 0, norm = 0;
    struct rec r;
    rec_create(&r, s->device, PRECISION_F64);
    keep_out(&r, s, &z->wide, v, i);
    vks_status status = norm_of(s, v, &before);
    for (int pass = 0; pass < 2 && !status; pass++) {
        status = rec_run(&r);
        if (!status)
            status = norm_of(s, v, &norm);
        if (!status && !(norm > least_left[s->given] * before && isfinite(norm)))
            status = fail(s->message, VKS_INVALID_ARGUMENT,
                          "vector %u of the null space is zero, not finite, or made of those before it", i);
        if (!status)
            status = scale(s, v, 1 / norm);
        before = 1;
    }
    rec_destroy(&r);
    return status;
}

/* The caller's vector i, or ones, as doubles. */
static vks_status take(struct solve *s, uint32_t i)
{
    struct memory *wide = &s->null_space.wide;
    const vks_vector *const *given = s->options.null_space;
    uint64_t first = i * (uint64_t)s->n;
    double *values = malloc(8 * (uint64_t)s->n + 1);
    if (!values)
        return fail_memory(s->message, "a vector of the null space", 8 * (uint64_t)s->n);
    vks_status status = VKS_OK;
    for (uint32_t k = 0; !given && k < s->n; k++)
        values[k] = 1;
    if (given)
        status = download_values(s->device, &given[i]->memory, given[i]->precision, 0, s->n, VKS_F64, values);
    if (!status)
        status = device_write(s->device, wide, 8 * first, values, 8 * (uint64_t)s->n);
    free(values);
    return status;
}

static vks_status check_vectors(const struct solve *s)
{
    const vks_vector *const *v = s->options.null_space;
    uint32_t count = s->null_space.count;
    if (count > VKS_LARGEST_NULL_SPACE)
        return fail(s->message, VKS_INVALID_ARGUMENT, "a null space of %u vectors; at most %d", count,
                    VKS_LARGEST_NULL_SPACE);
    if (!s->device->info.f64)
        return fail(s->message, VKS_UNSUPPORTED,
                    "a null space is kept out in 64-bit floats, which %s has not", s->device->info.name);
    for (uint32_t i = 0; v && i < count; i++)
        if (v[i]->context != s->A->context || v[i]->n != s->n)
            return fail(s->message, VKS_INVALID_ARGUMENT,
                        "vector %u of the null space has %u elements, or is of another context; A is %u x %u",
                        i, v[i]->n, s->n, s->n);
    return VKS_OK;
}

static vks_status allocate(struct solve *s)
{
    struct null_space *z = &s->null_space;
    struct device *d = s->device;
    uint64_t elements = z->count * (uint64_t)s->n;
    vks_status status = device_allocate(d, MEMORY_DEVICE, 8 * elements, "the null space", &z->wide);
    if (!status && s->given == PRECISION_F32)
        status = device_allocate(d, MEMORY_DEVICE, 4 * elements, "the null space in f32", &z->narrow);
    if (!status)
        status = device_allocate(d, MEMORY_SHARED, 2 * 8 * VKS_LARGEST_NULL_SPACE, "parts in the null space",
                                 &z->parts);
    return status ? status : reduction_create(d, s->n, 1, &z->reduction);
}

static const struct memory *beside_x(const struct solve *s)
{
    return s->given == PRECISION_F32 ? &s->null_space.narrow : &s->null_space.wide;
}

/* x - N (N^T x), in the precision of x. */
static vks_status record(struct solve *s, reals x)
{
    struct null_space *z = &s->null_space;
    rec_create(&z->keep_x_out, s->device, real_precision(s->given));
    keep_out(&z->keep_x_out, s, beside_x(s), x, z->count);
    return rec_prepare(&z->keep_x_out);
}

static vks_status narrow_all(struct solve *s)
{
    struct null_space *z = &s->null_space;
    struct rec r;
    if (s->given != PRECISION_F32)
        return VKS_OK;
    rec_create(&r, s->device, PRECISION_F32);
    *(double *)z->parts.mapped = 1;
    for (uint32_t i = 0; i < z->count; i++)
        narrow(&r, part_at(z, 0), (doubles)vector_at(&z->wide, s->n, i, 8), vector_at(&z->narrow, s->n, i, 4),
               s->n);
    vks_status status = rec_run(&r);
    rec_destroy(&r);
    return status;
}

/* ||y|| in doubles, also where the square of it is none, for which it is scaled. */
static vks_status wide_norm(struct solve *s, enum precision p, reals y, double *norm)
{
    static const double scales[] = {1, 0x1p900, 0x1p-600};
    struct null_space *z = &s->null_space;
    double *number = z->parts.mapped;
    struct rec r;
    rec_create(&r, s->device, p);
    wide_square(&r, &z->reduction, part_at(z, 0), y, part_at(z, 1), s->n);
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

/* ||A v||; A v is left in y. */
static vks_status measure_image(struct solve *s, reals v, reals y, double *image)
{
    struct rec r;
    rec_create(&r, s->device, s->given);
    image_record(&r, s, operator_of(s->A), (doubles)v, (doubles)y);
    vks_status status = rec_run(&r);
    rec_destroy(&r);
    return status ? status : wide_norm(s, PRECISION_F64, y, image);
}

/* The norm of the entries of an operator, which has none to look at: on average, that of its image of random
 * numbers of mean 0 and variance 1 (M. F. Hutchinson, "A stochastic estimator of the trace of the influence
 * matrix", 1990). They are uniform: signs alone could lie in the null space of a small A. */
static vks_status estimate_entries(struct solve *s, reals y, double *norm)
{
    struct memory probe = {0};
    double *values = malloc(8 * (uint64_t)s->n + 1);
    if (!values)
        return fail_memory(s->message, "random numbers", 8 * (uint64_t)s->n);
    uint64_t state = 1; /* of Knuth's MMIX generator */
    for (uint32_t i = 0; i < s->n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        values[i] = 3.4641016151377544 * ((double)(state >> 11) * 0x1p-53 - 0.5);
    }
    vks_status status =
        device_allocate(s->device, MEMORY_DEVICE, 8 * (uint64_t)s->n, "a work vector", &probe);
    if (!status)
        status = upload_values(s->device, &probe, VKS_F64, 0, s->n, VKS_F64, values);
    if (!status)
        status = measure_image(s, (reals)(uintptr_t)probe.address, y, norm);
    device_release(s->device, &probe);
    free(values);
    return status;
}

/* Of A, the norm of the largest magnitudes of all rows. */
static vks_status measure_largest(struct solve *s, reals y, double *largest)
{
    if (operator_of(s->A))
        return estimate_entries(s, y, largest);
    enum precision p = values_precision(s->A);
    struct rec r;
    rec_create(&r, s->device, p);
    csr_row_maxima(&r, &s->A->csr, y);
    vks_status status = rec_run(&r);
    rec_destroy(&r);
    return status ? status : wide_norm(s, p, y, largest);
}

vks_status null_space_check(struct solve *s)
{
    struct null_space *z = &s->null_space;
    double largest = 0, image = 0;
    struct memory m = {0};
    if (!z->count)
        return VKS_OK;
    vks_status status = device_allocate(s->device, MEMORY_DEVICE, 8 * (uint64_t)s->n, "a work vector", &m);
    reals y = (reals)(uintptr_t)m.address;
    if (!status)
        status = measure_largest(s, y, &largest);
    largest /= sqrt(s->n ? s->n : 1); /* entries of v are about one over that root */
    z->image = 0;
    for (uint32_t i = 0; i < z->count && !status; i++) {
        status = measure_image(s, vector_at(&z->wide, s->n, i, sizeof(double)), y, &image);
        z->image = fmax(z->image, image);
        if (!status && !(image <= most_image[s->given] * largest))
            status = fail(s->message, VKS_INVALID_ARGUMENT,
                          "A is not singular as was said: A times %s is not zero, but %.3g times its entries",
                          s->options.null_space ? "a vector of the null space" : "the constant vector",
                          image / largest);
    }
    device_release(s->device, &m);
    return status;
}

vks_status null_space_setup(struct solve *s, reals x)
{
    struct null_space *z = &s->null_space;
    if (!s->options.singular)
        return VKS_OK;
    z->count = s->options.null_space ? s->options.null_space_count : 1;
    vks_status status = check_vectors(s);
    if (!status)
        status = allocate(s);
    for (uint32_t i = 0; i < z->count && !status && s->n; i++) {
        status = take(s, i);
        if (!status)
            status = orthonormalise(s, i);
    }
    if (!status)
        status = narrow_all(s);
    return status ? status : record(s, x);
}

void null_space_release(struct solve *s)
{
    struct null_space *z = &s->null_space;
    rec_destroy(&z->keep_x_out);
    device_release(s->device, &z->wide);
    device_release(s->device, &z->narrow);
    device_release(s->device, &z->parts);
    reduction_destroy(s->device, &z->reduction);
}
