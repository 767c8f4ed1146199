/* Rigid body modes of a cube of nodes, for suites. */
#ifndef VKS_TESTS_MODES_H
#define VKS_TESTS_MODES_H

#include "solvers/multigrid/modes.h"
#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vector/vector.h"

enum { SIDE = 4, NODES = SIDE * SIDE * SIDE, UNKNOWNS = 3 * NODES };

static inline double epsilon_of(enum precision p)
{
    return p == PRECISION_F32 ? 0x1p-24 : 0x1p-53;
}

static inline void read_reals(vks_context *c, const struct memory *m, enum precision p, uint64_t count,
                              double *to)
{
    must_work(c, download_values(c->device, m, public_precision(p), 0, count, VKS_F64, to));
}

/* The coordinates of SIDE x SIDE x SIDE nodes, far from the origin. */
static inline double *cube(uint32_t dim)
{
    double *x = room((size_t)NODES * dim, 8);
    for (uint32_t node = 0; node < NODES; node++) {
        uint32_t at[] = {node / SIDE / SIDE, node / SIDE % SIDE, node % SIDE};
        for (uint32_t a = 0; a < dim; a++)
            x[node * dim + a] = 0.25 * at[a] + (a == 0 ? 1000 : -3);
    }
    return x;
}

/* B on the host, `columns` values for each unknown. */
static inline double *rigid(vks_context *c, enum precision p, const double *x, uint32_t nodes, uint32_t dim)
{
    OWNED_BY(room_close) struct room w;
    struct modes b;
    room_open(&w, c->device);
    must_work(c, modes_rigid(&w, p, x, nodes, dim, &b));
    cr_assert(b.rows == nodes * dim && b.columns == (dim == 3 ? 6 : 3) && b.size == dim && b.precision == p);
    double *B = room((size_t)b.rows * b.columns, 8);
    read_reals(c, &b.value, p, (uint64_t)b.rows * b.columns, B);
    return B;
}

#endif
