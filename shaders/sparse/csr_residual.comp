#define WIDE_SUMS
#include "kernel.glsl"
#include "sum.glsl"
#include "sparse/csr.glsl"

/* r = b - A x in doubles for any precision of A, b and x; with `fixpoint`, b + A x - x. In long rows r is already A x.
 * Traffic: the matrix, x and b once, 8 bytes a row for r. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    values  val;
    scalars x;
    scalars b;
    wides   r;
    uint    n;
    uint    fixpoint;
};
CONSTANT(1, lanes); /* per row */

void main()
{
    csr A = csr(offsets_in(row), offsets_in(col), values_in(val), n);
    uint rows = 256u / lanes, place = ME / lanes, lane = ME % lanes;
    for (uint first = gl_WorkGroupID.x * rows; first < n; first += gl_NumWorkGroups.x * rows) {
        uint i = first + place;
        uvec2 range = row_range(A, i);
        wide_t sum = lanes_sum(row_terms(A, scalars_in(x), range_if_short(range), lane, lanes), lanes);
        if (i < n && lane == 0) {
            sum = is_long(range) ? r.at[i] : sum;
            r.at[i] = fixpoint != 0 ? (wide_t(b.at[i]) + sum) - wide_t(x.at[i]) : wide_t(b.at[i]) - sum;
        }
    }
}
