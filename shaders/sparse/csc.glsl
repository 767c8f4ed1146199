/* Entries of CSC and their columns. A workgroup takes 1,024 entries at a time, so columns of any length are shared
 * evenly, and it searches few columns. */
#include "sparse/bounds.glsl"

#define CSC_SHARE 1024u

/* The first and the last column of the entries first .. first + CSC_SHARE - 1. */
uvec2 share_columns(u32s start, uint cols, uint first, uint entries)
{
    return uvec2(row_of(start, cols, first), row_of(start, cols, min(first + CSC_SHARE, entries) - 1u));
}

/* The column of entry k, searched for in the range `columns`. */
uint column_of(u32s start, uvec2 columns, uint k)
{
    return lower_bound(start, columns.x + 1u, columns.y + 1u, k + 1u) - 1u;
}
