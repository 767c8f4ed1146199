#include "kernel.glsl"
#include "sparse/bounds.glsl"
#include "sparse/exponents.glsl"

/* The values of the matrix whose row i is row place[i] of diag(2^left) A diag(2^right). They are exact, except that
 * denormal results become zero, and results beyond the range become its largest number. Zeros and values that are not
 * finite are unchanged. Traffic: values read and written, columns, row offsets, places, exponents. */
ARGS {
    u32s  row; /* of A */
    reals val;
    u32s  place; /* null: rows keep their order */
    u32s  left;  /* integers, by the rows of A */
    u32s  right;
    u32s  to_row; /* n + 1 offsets into to_col and to_val */
    u32s  to_col;
    reals to_val;
    zeros none;
    uint  n;
    uint  entries;
};
DEFINE_NO_ADDRESS

void main()
{
    bool moves = is_there(uvec2(place));
    FOR_EACH(e, entries) {
        uint i = row_of(to_row, n, e), from = i;
        if (moves)
            from = place.at[i];
        uint at = row.at[from] + (e - to_row.at[i]);
        parts p = parts_of(bits(val).at[at]);
        p.exponent += int(left.at[from]) + int(right.at[to_col.at[e]]);
        if (p.counts)
            bits(to_val).at[e] = joined(p);
        else
            bits(to_val).at[e] = bits(val).at[at];
    }
}
