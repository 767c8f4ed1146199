#include "kernel.glsl"
#include "sum.glsl"
#include "multigrid/rounding.glsl"
#include "sparse/bounds.glsl"

/* reference[c] = the sum of r_ci^2 fine[i] over row c of R: x' D x for the vector x of the finest level that unknown c
 * represents, treating the unknowns of each level as orthogonal. empty[c] is 1 if the diagonal element c of the next
 * matrix, x' A x, is zero up to rounding, else 0. That matrix has blocks of size x size. Lane l takes the entries l, l
 * + lanes ..., then the halving tree. Traffic: R once, the fine diagonal gathered; 2n, 12n bytes. */
ARGS {
    u32s  r_row; /* n + 1 offsets into r_col and r_val */
    u32s  r_col;
    reals r_val;
    reals fine;
    u32s  row; /* of the next matrix: n / size + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals reference;
    u32s  empty;
    uint  n;
};
CONSTANT(1, lanes); /* of a row of R: 1, 2 ... 32 */
CONSTANT(2, size);

bool is_empty(uint c, real m)
{
    uint i = c / size, end = row.at[i + 1u], at = lower_bound(col, row.at[i], end, i);
    return at < end && col.at[at] == i && is_rounding(val.at[size * size * at + (size + 1u) * (c % size)], m);
}

void main()
{
    uint rows = 256u / lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint c = first + ME / lanes, end = c < n ? r_row.at[c + 1u] : 0u;
        real sum = real(0);
        for (uint k = c < n ? r_row.at[c] + ME % lanes : 0u; k < end; k += lanes)
            sum = sum + (r_val.at[k] * r_val.at[k]) * fine.at[r_col.at[k]];
        sum = lanes_sum(sum, lanes);
        if (c < n && ME % lanes == 0u) {
            reference.at[c] = sum;
            empty.at[c] = is_empty(c, sum) ? 1u : 0u;
        }
    }
}
