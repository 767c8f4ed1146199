#include "kernel.glsl"

/* B by rows: the translation along each of the `size` axes and, if there are more columns, the rotations: one in two
 * dimensions, one about each axis in three. A node has `size` rows of B and `size` coordinates in x, which is not read
 * without rotations. Traffic: x read, B written. */
ARGS {
    reals x;
    reals b;
    uint  n; /* rows */
    uint  size;
    uint  columns;
};

/* Displacement along axis c by the rotation about `axis`, at the coordinates from x.at[from] on. The plane rotates
 * about axis 2. */
real rotation(uint from, uint c, uint axis)
{
    if (c == axis)
        return real(0);
    bool next = c == (axis + 1u) % 3u;
    real v = x.at[from + (axis + (next ? 2u : 1u)) % 3u];
    return next ? -v : v;
}

void main()
{
    FOR_EACH(e, n * columns) {
        uint i = e / columns, k = e % columns, c = i % size;
        if (k < size)
            b.at[e] = real(k == c ? 1 : 0);
        else
            b.at[e] = rotation(i - c, c, size == 3u ? k - 3u : 2u);
    }
}
