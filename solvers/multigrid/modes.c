/* Rigid body modes for multigrid: P. Vanek, J. Mandel, M. Brezina, "Algebraic multigrid by smoothed
 * aggregation for second and fourth order elliptic problems" (1996), section 5. */
#include "solvers/multigrid/modes.h"
#include "device/context.h"
#include "device/groups.h"
#include "vector/vector.h"

#include <math.h>
#include <stdlib.h>

static vks_status check_finite(struct message *m, const double *coordinates, uint32_t nodes, uint32_t dim)
{
    for (uint64_t i = 0; i < (uint64_t)nodes * dim; i++)
        if (!isfinite(coordinates[i]))
            return fail(m, VKS_INVALID_ARGUMENT, "coordinate %u of node %u is not finite",
                        (uint32_t)(i % dim) + 1, (uint32_t)(i / dim) + 1);
    return VKS_OK;
}

/* to = the distances to the centroid along each axis, over the largest; zeros if all nodes coincide. */
static vks_status centre(struct message *m, const double *from, uint32_t nodes, uint32_t dim, double *to)
{
    uint64_t count = (uint64_t)nodes * dim;
    double at[3] = {0}, largest = 0;
    for (uint64_t i = 0; i < nodes; i++)
        for (uint32_t c = 0; c < dim; c++)
            at[c] += from[i * dim + c];
    for (uint32_t c = 0; c < dim && nodes; c++)
        at[c] /= nodes;
    for (uint64_t i = 0; i < nodes; i++)
        for (uint32_t c = 0; c < dim; c++) {
            double distance = to[i * dim + c] = from[i * dim + c] - at[c];
            largest = fabs(distance) > largest ? fabs(distance) : largest;
        }
    if (!isfinite(largest))
        return fail(m, VKS_INVALID_ARGUMENT, "the coordinates of the nodes are too large to have a centroid");
    for (uint64_t i = 0; i < count && largest > 0; i++)
        to[i] /= largest;
    return VKS_OK;
}

/* Allocates B. */
static vks_status make_room(struct room *w, const char *what, struct modes *b)
{
    uint64_t elements = (uint64_t)b->rows * b->columns;
    if (elements > VKS_LARGEST_INDEX)
        return fail(w->device->message, VKS_LIMIT, "%u %s of %u unknowns have %llu elements; the most is %u",
                    b->columns, what, b->rows, (unsigned long long)elements, VKS_LARGEST_INDEX);
    b->value = room_memory(w, MEMORY_DEVICE, elements * real_bytes(b->precision), what);
    return w->status;
}

static vks_status fill_in(struct device *d, const struct modes *b, const struct memory *x)
{
    struct rec r = rec_once(d, b->precision);
    run(&r, rigid_modes, groups_each((uint64_t)b->rows * b->columns), .x = (reals)(uintptr_t)x->address,
        .b = modes_reals(b), .n = b->rows, .size = b->size, .columns = b->columns);
    bill(&r,
         ((uint64_t)b->rows * b->columns + (b->columns > b->size ? b->rows : 0)) * real_bytes(b->precision));
    return rec_leave_once(&r, VKS_OK);
}

/* Computes rotations from distances to the centroid, which are on the device only during the call. */
static vks_status rotate(struct device *d, const double *distances, const struct modes *b)
{
    struct memory x = {0};
    vks_status s = device_allocate(d, MEMORY_DEVICE, (uint64_t)b->rows * real_bytes(b->precision),
                                   "the coordinates of nodes", &x);
    IF_OK(s, upload_values(d, &x, public_precision(b->precision), 0, b->rows, VKS_F64, distances));
    IF_OK(s, fill_in(d, b, &x));
    device_release(d, &x);
    return s;
}

static vks_status check_shape(struct message *m, uint32_t nodes, uint32_t size)
{
    uint64_t rows = (uint64_t)nodes * size;
    return rows <= VKS_LARGEST_INDEX
               ? VKS_OK
               : fail(m, VKS_LIMIT, "%u nodes with %u unknowns each have %llu; the most is %u", nodes, size,
                      (unsigned long long)rows, VKS_LARGEST_INDEX);
}

vks_status modes_rigid(struct room *w, enum precision p, const double *coordinates, uint32_t nodes,
                       uint32_t dim, struct modes *out)
{
    struct message *m = w->device->message;
    *out = (struct modes){.precision = p, .size = dim, .columns = dim == 3 ? 6 : 3};
    if (dim != 2 && dim != 3)
        return fail(m, VKS_INVALID_ARGUMENT, "nodes have 2 or 3 coordinates, not %u", dim);
    TRY(check_shape(m, nodes, dim));
    TRY(check_finite(m, coordinates, nodes, dim));
    out->rows = nodes * dim;
    uint64_t bytes = ((uint64_t)out->rows + 1) * sizeof(double);
    double *distances = malloc(bytes);
    if (!distances)
        return fail_memory(m, "the coordinates of nodes", bytes);
    vks_status s = centre(m, coordinates, nodes, dim, distances);
    IF_OK(s, make_room(w, "rigid body modes", out));
    IF_OK(s, rotate(w->device, distances, out));
    free(distances);
    return s;
}

vks_status modes_constant(struct room *w, enum precision p, uint32_t nodes, uint32_t size, struct modes *out)
{
    *out = (struct modes){.precision = p, .size = size, .columns = size};
    TRY(check_shape(w->device->message, nodes, size));
    out->rows = nodes * size;
    TRY(make_room(w, "constants", out));
    return fill_in(w->device, out, &(struct memory){0});
}

/* Returns the power of two that makes the largest magnitude of a vector about 1: products of its elements
 * then neither overflow nor vanish in f32. 0: all elements are 0. */
static double scale_of(const double *v, uint32_t rows)
{
    enum { MOST = 1000 };
    double largest = 0;
    int e;
    for (uint64_t i = 0; i < rows; i++)
        largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
    if (largest == 0)
        return 0;
    (void)frexp(largest, &e);
    return ldexp(1, e < -MOST ? MOST : -e);
}

/* to = the vectors, row by row, scaled. */
static vks_status transpose(struct message *m, const double *vectors, uint32_t rows, uint32_t columns,
                            double *to)
{
    for (uint32_t k = 0; k < columns; k++) {
        const double *v = vectors + k * (uint64_t)rows;
        for (uint64_t i = 0; i < rows; i++)
            if (!isfinite(v[i]))
                return fail(m, VKS_INVALID_ARGUMENT, "element %u of near-null vector %u is not finite",
                            (uint32_t)i + 1, k + 1);
        double scale = scale_of(v, rows);
        if (scale == 0 && rows)
            return fail(m, VKS_INVALID_ARGUMENT, "near-null vector %u is zero", k + 1);
        for (uint64_t i = 0; i < rows; i++)
            to[i * columns + k] = scale * v[i];
    }
    return VKS_OK;
}

vks_status modes_given(struct room *w, enum precision p, const double *vectors, uint32_t rows, uint32_t size,
                       uint32_t columns, struct modes *out)
{
    struct message *m = w->device->message;
    *out = (struct modes){.precision = p, .rows = rows, .size = size, .columns = columns};
    TRY(make_room(w, "near-null vectors", out));
    uint64_t elements = (uint64_t)rows * columns, bytes = (elements + 1) * sizeof(double);
    double *by_rows = malloc(bytes);
    if (!by_rows)
        return fail_memory(m, "near-null vectors", bytes);
    vks_status s = transpose(m, vectors, rows, columns, by_rows);
    IF_OK(s, upload_values(w->device, &out->value, public_precision(p), 0, elements, VKS_F64, by_rows));
    free(by_rows);
    return s;
}
