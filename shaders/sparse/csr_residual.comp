#version 460
#include "kernel.glsl"
#define WIDE_SUMS
#include "sum.glsl"

/* r = b - A x in doubles whatever the precision of A, b and x, each row summed in ascending order, and
 * result = r . r. Traffic: the matrix, x and b once, 8 bytes a row for r. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    reals   val;
    reals   x;
    reals   b;
    doubles r;
    sums64  s;
    tickets t;
    doubles result;
    uint    n;
};

double row_residual(uint i)
{
    double sum = 0;
    uint end = row.at[i + 1];
    for (uint k = row.at[i]; k < end; k++)
        sum = sum + double(val.at[k]) * double(x.at[col.at[k]]);
    return double(b.at[i]) - sum;
}

void main()
{
    uint tiles = tiles_of(n);
    FOR_SPANS(first, end, tiles, 8) {
        FOR_TILES(tile, first, end) {
            double v[8];
            for (uint k = 0; k < 8; k++) {
                uint i = 256u * tile + 32u * k + LANE;
                double e = 0;
                if (i < n) {
                    e = row_residual(i);
                    r.at[i] = e;
                }
                v[k] = e * e;
            }
            double sum = tile_sum(v);
            if (LANE == 0 && tile < tiles)
                s.at[tile] = sum;
        }
        if (sum_up(s, t, tiles, 0, 0, first, end - first, 1) && ME == 0)
            result.at[0] = sum_whole(s, tiles, 0);
    }
}
