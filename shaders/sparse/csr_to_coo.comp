#include "kernel.glsl"
#include "sparse/bounds.glsl"

/* The entries of CSR, except long rows, in order: the row of each, its position in CSR, its column and its value, as
 * requested; or columns and values back into CSR. Traffic: the arrays read and written; for rows log2(n) reads that
 * neighbours share, and with long rows a search among their pieces. */
ARGS {
    u32s  list;  /* of the pieces of long rows: long.glsl */
    u32s  start; /* number of entries of long rows before each piece, and in all */
    u32s  row;   /* n + 1 offsets */
    u32s  col;
    reals val;
    u32s  to_row; /* these may be null */
    u32s  to_place;
    u32s  to_col;
    reals to_val;
    zeros none;
    uint  n;
    uint  entries; /* entries outside long rows */
    uint  pieces;
    uint  back; /* 1: copies back into CSR */
};
DEFINE_NO_ADDRESS

/* Position of entry e in CSR: after the long rows that at most e of these entries precede. */
uint place_of(uint e)
{
    uint from = 0, to = pieces;
    while (from < to) {
        uint middle = from + (to - from) / 2u;
        if (list.at[4u * middle] - start.at[middle] <= e)
            from = middle + 1u;
        else
            to = middle;
    }
    return pieces == 0 ? e : e + start.at[from];
}

void main()
{
    FOR_EACH(e, entries) {
        uint k = place_of(e);
        if (back != 0) {
            col.at[k] = to_col.at[e];
            val.at[k] = to_val.at[e];
            continue;
        }
        if (is_there(uvec2(to_row)))
            to_row.at[e] = row_of(row, n, k);
        if (is_there(uvec2(to_place)))
            to_place.at[e] = k;
        if (is_there(uvec2(to_col)))
            to_col.at[e] = col.at[k];
        if (is_there(uvec2(to_val)))
            to_val.at[e] = val.at[k];
    }
}
