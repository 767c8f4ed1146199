#include "kernel.glsl"
#include "sparse/long.glsl"

/* The list of the pieces of long rows, and the length of each. Traffic: 20 bytes for each piece written, and log2(n)
 * reads that neighbours share. */
ARGS {
    u32s row;    /* n + 1 offsets */
    u32s before; /* n + 1: pieces of the rows before each */
    u32s list;   /* four words for each piece */
    u32s length;
    uint n;
    uint pieces;
};

/* The row of piece p: the last with no more than p pieces before it. */
uint row_of(uint p)
{
    uint from = 0, to = n; /* the next row lies in from .. to */
    while (from < to) {
        uint middle = from + (to - from) / 2u;
        if (before.at[middle] <= p)
            from = middle + 1u;
        else
            to = middle;
    }
    return from - 1u;
}

void main()
{
    FOR_EACH(p, pieces) {
        uint i = row_of(p), first = before.at[i], begin = row.at[i] + LONG_PIECE * (p - first), end = row.at[i + 1];
        uint some = min(end - begin, LONG_PIECE);
        list.at[4u * p] = begin;
        list.at[4u * p + 1u] = begin + some;
        list.at[4u * p + 2u] = i;
        list.at[4u * p + 3u] = before.at[i + 1] - first;
        length.at[p] = some;
    }
}
