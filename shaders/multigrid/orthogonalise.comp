#include "kernel.glsl"
#include "exact.glsl"
#include "sum.glsl"

/* The rows of B that belong to the nodes of an aggregate are Q R: the columns of Q are orthonormal or zero, and R is
 * upper triangular. Q goes to the same rows of T, R to `coarse`, by rows. Gram-Schmidt: from each column, in order,
 * its components along the earlier columns are subtracted, one after another, and all of this is done twice. The rest
 * is divided by its norm. If at most 1e-10 of the squared norm is left, the column and its diagonal element of R
 * become zero.
 *
 * A lane group takes an aggregate. The rows of an aggregate are those of its nodes in the order of the list. Lane l
 * sums the terms of the rows l, l + 32 ...; a halving tree over the lanes follows. No lane reads elements that another
 * has written. Traffic: B read, T and R written, the list and the offsets read. */
ARGS {
    u32s  offset; /* of each aggregate into the list; and the end of the last */
    u32s  node;   /* the list */
    reals b;
    reals t;
    reals coarse;
    uint  aggregates;
};
CONSTANT(1, size);    /* rows of a node */
CONSTANT(2, columns); /* at most 32 */

#if REAL == 64
#define LOST 1e-10lf
#else
#define LOST 1e-10
#endif

/* An aggregate: its rows, and the start of its nodes in the list. */
struct aggregate {
    uint first, rows;
};

/* This lane's rows. */
#define FOR_ROWS(row, g) for (uint row = LANE; row < g.rows; row += 32u)

/* Where a row begins in B and T. */
uint place(aggregate g, uint row)
{
    return (node.at[g.first + row / size] * size + row % size) * columns;
}

void copy_rows(aggregate g)
{
    FOR_ROWS(row, g) {
        uint at = place(g, row);
        for (uint k = 0; k < columns; k++)
            t.at[at + k] = b.at[at + k];
    }
}

/* Column i times column k. Called by the whole workgroup. */
real product(aggregate g, uint i, uint k)
{
    real sum = real(0);
    FOR_ROWS(row, g) {
        uint at = place(g, row);
        sum = sum + t.at[at + i] * t.at[at + k];
    }
    return squad_sum(sum);
}

/* Subtracts s times column i from column k. */
void take(aggregate g, uint i, uint k, real s)
{
    FOR_ROWS(row, g) {
        uint at = place(g, row);
        t.at[at + k] = t.at[at + k] - s * t.at[at + i];
    }
}

/* Divides column k by its norm, or clears it if that is zero. */
void normalise(aggregate g, uint k, real norm)
{
    real s = norm > real(0) ? divide(real(1), norm) : real(0);
    FOR_ROWS(row, g) {
        uint at = place(g, row) + k;
        t.at[at] = norm > real(0) ? t.at[at] * s : real(0);
    }
}

/* Makes column k of Q. Returns row LANE of column k of R. Called by the whole workgroup. */
real orthogonalise(aggregate g, uint k)
{
    real before = product(g, k, k), own = real(0);
    for (uint turn = 0; turn < 2u * k; turn++) {
        uint i = turn < k ? turn : turn - k;
        real s = product(g, i, k);
        take(g, i, k, s);
        own = LANE == i ? own + s : own;
    }
    real after = product(g, k, k);
    real norm = after > LOST * before ? square_root(after) : real(0);
    normalise(g, k, norm);
    return LANE == k ? norm : own;
}

void main()
{
    for (uint first = gl_WorkGroupID.x * 8u; first < aggregates; first += gl_NumWorkGroups.x * 8u) {
        uint a = first + SQUAD;
        aggregate g = aggregate(0, 0);
        if (a < aggregates) {
            g.first = offset.at[a];
            g.rows = (offset.at[a + 1u] - g.first) * size;
        }
        copy_rows(g);
        for (uint k = 0; k < columns; k++) {
            real r = orthogonalise(g, k);
            if (a < aggregates && LANE < columns)
                coarse.at[(a * columns + LANE) * columns + k] = r;
        }
    }
}
