/* Vectors in or near the null space of an operator without boundary conditions: the columns of B, which
 * smoothed aggregation keeps in the range of its prolongators. */
#ifndef VKS_MULTIGRID_MODES_H
#define VKS_MULTIGRID_MODES_H

#include "device/record.h"
#include "device/room.h"

struct modes {
    enum precision precision;
    uint32_t rows; /* unknowns: `size` of each node */
    uint32_t size;
    uint32_t columns;
    struct memory value; /* B, row by row */
};

static inline reals modes_reals(const struct modes *b)
{
    return (reals)(uintptr_t)b->value.address;
}

/* The rigid body modes of nodes with `dim` (2 or 3) coordinates each, stored node by node, whose unknowns are
 * displacements along the axes: `dim` translations, then one rotation in two dimensions, one about each axis
 * in three. Rotations are about the centroid, and the distances to it are divided by their largest component.
 * The host computes the centroid, each component as the sum over the nodes in their order divided by their
 * number, and the distances, in double precision, and rounds the distances to p.
 *
 * VKS_INVALID_ARGUMENT: another dim, or coordinates that are not finite or too large to be added up;
 * VKS_LIMIT: more than VKS_LARGEST_INDEX elements; memory and the device can fail. */
vks_status modes_rigid(struct room *w, enum precision p, const double *coordinates, uint32_t nodes,
                       uint32_t dim, struct modes *out);

/* For each of the `size` unknowns of a node, the mode in which this one is 1 and all others are 0. VKS_LIMIT,
 * as above; memory and the device can fail. */
vks_status modes_constant(struct room *w, enum precision p, uint32_t nodes, uint32_t size, struct modes *out);

/* `columns` vectors of `rows` elements, stored one after another; they are copied, and each is multiplied by
 * a power of two. VKS_INVALID_ARGUMENT: an element is not finite, or a vector is zero; VKS_LIMIT, as above;
 * memory and the device can fail. */
vks_status modes_given(struct room *w, enum precision p, const double *vectors, uint32_t rows, uint32_t size,
                       uint32_t columns, struct modes *out);

#endif
