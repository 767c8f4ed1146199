#include "kernel.glsl"

/* Copies rows of A to rows of `to`: row row_of[first + k] to row k, or with `scatter` row k to row row_of[first + k].
 * If `column` is given, element column[j] of the row goes to position j. Traffic: 2 rows cols. */
ARGS {
    guard g;
    u32s  row_of; /* null: rows in their order, starting at `first` */
    u32s  column; /* null: columns in their order */
    reals A;
    reals to;
    zeros none;
    uint  first;
    uint  rows;
    uint  cols;
    uint  ld_A;
    uint  ld_to;
    uint  scatter;
};
DEFINE_NO_ADDRESS

void main()
{
    if (stopped(g))
        return;
    FOR_EACH(e, rows * cols) {
        uint k = e / cols, j = e % cols, other = first + k;
        if (is_there(uvec2(row_of)))
            other = row_of.at[other];
        uint from = is_there(uvec2(column)) ? column.at[j] : j;
        uint row = scatter != 0 ? k : other, to_row = scatter != 0 ? other : k;
        to.at[to_row * ld_to + j] = A.at[row * ld_A + from];
    }
}
