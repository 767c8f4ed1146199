#include "kernel.glsl"

/* The keys of the products of `rows` listed rows of A B: the number in the list, shifted, and the column. Products
 * start[s] up to start[s + 1] belong to row list[s], in the order of k; before[e] of them, modulo 2^32, precede the
 * products of entry e of A. Traffic: a key and a column of B for each product, and reads that neighbours share. */
ARGS {
    u32s list;
    u32s start;
    u32s before;
    u32s a_row;
    u32s a_col;
    u32s b_row;
    u32s b_col;
    u32s key;
    uint rows;
    uint products;
    uint shift; /* up to 32, if there is one row */
};

/* The row that product p belongs to: the last that starts at p or before. */
uint row_of(uint p)
{
    uint from = 0, to = rows;
    while (to - from > 1u) {
        uint middle = from + (to - from) / 2u;
        if (start.at[middle] <= p)
            from = middle;
        else
            to = middle;
    }
    return from;
}

/* The entry of row i of A that gives product p of the row. */
uint entry_of(uint i, uint p)
{
    uint from = a_row.at[i], to = a_row.at[i + 1u], base = before.at[from];
    while (to - from > 1u) {
        uint middle = from + (to - from) / 2u;
        if (before.at[middle] - base <= p)
            from = middle;
        else
            to = middle;
    }
    return from;
}

void main()
{
    FOR_EACH(p, products) {
        uint s = row_of(p), i = list.at[s], of_row = p - start.at[s], e = entry_of(i, of_row);
        uint of_entry = of_row - (before.at[e] - before.at[a_row.at[i]]);
        key.at[p] = s << (shift / 2u) << (shift - shift / 2u) | b_col.at[b_row.at[a_col.at[e]] + of_entry];
    }
}
