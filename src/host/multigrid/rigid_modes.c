#include "host/kernel.h"

/* The displacement along axis c of the rotation about `axis` at the coordinates x. */
static real rotation(const real *x, uint32_t c, uint32_t axis)
{
    if (c == axis)
        return 0;
    return c == (axis + 1) % 3 ? -x[(axis + 2) % 3] : x[(axis + 1) % 3];
}

KERNEL(rigid_modes)
{
    uint32_t size = a->size, columns = a->columns;
    PARALLEL_FOR (i, a->n) {
        uint32_t c = i % size;
        real *b = a->b + (size_t)i * columns;
        for (uint32_t k = 0; k < size; k++)
            b[k] = k == c;
        for (uint32_t k = size; k < columns; k++)
            b[k] = rotation(a->x + (i - c), c, size == 3 ? k - 3 : 2);
    }
}
