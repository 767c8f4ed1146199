#include "kernel.glsl"
#include "sum.glsl"

/* Sums of chunks of 65,536 terms, for the host, from the `count` sums at s.at[from], of stripes, of tiles, or of
 * chunks already; in `rows` rows, `stride` apart. The resulting rows are contiguous. */
ARGS {
    sums    s;
    scalars to;
    uint    from;
    uint    count;
    uint    rows;
    uint    stride;
    uint    width; /* sums per chunk: 32 stripes, 256 tiles, or 1 */
};

scalar_t sum_of_chunk(uint at, uint chunk)
{
    if (width == 256u)
        return group_sum(s, at, chunk, count);
    uint j = width * chunk + LANE;
    scalar_t v = j < count && LANE < width ? s.at[at + j] : scalar_t(0);
    return squad_sum(v);
}

void main()
{
    uint chunks = groups_of(count, width);
    for (uint first = gl_WorkGroupID.x * 8u; first < chunks; first += gl_NumWorkGroups.x * 8u) {
        uint chunk = first + SQUAD;
        for (uint c = 0; c < rows; c++) {
            scalar_t sum = sum_of_chunk(from + c * stride, chunk);
            if (LANE == 0 && chunk < chunks)
                to.at[c * chunks + chunk] = sum;
        }
    }
}
