#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* a_ij = (left_i a_ij) right_j; a null vector stands for ones. Traffic: the values twice, the columns, the vectors. */
ARGS {
    u32s  row; /* n + 1 offsets into col and val */
    u32s  col;
    reals val;
    reals left;
    reals right;
    zeros none;
    uint  n;
    uint  entries;
};
DEFINE_NO_ADDRESS

void main()
{
    bool has_left = is_there(uvec2(left)), has_right = is_there(uvec2(right));
    FOR_EACH(e, entries) {
        real v = val.at[e];
        if (has_left)
            v = left.at[row_of(row, n, e)] * v;
        if (has_right)
            v = v * right.at[col.at[e]];
        val.at[e] = v;
    }
}
