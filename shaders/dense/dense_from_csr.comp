#include "kernel.glsl"

/* Writes the entries of a sparse matrix into a dense one that is already zero. A lane group takes a row. Traffic: the
 * matrix read, an element written for each entry. */
ARGS {
    u32s    row;
    u32s    col;
    values  val;
    scalars A;
    uint    n; /* rows */
    uint    ld;
};

void main()
{
    for (uint i = gl_WorkGroupID.x * 8u + SQUAD; i < n; i += gl_NumWorkGroups.x * 8u)
        for (uint k = row.at[i] + LANE; k < row.at[i + 1]; k += 32u)
            A.at[i * ld + col.at[k]] = scalar_t(val.at[k]);
}
