#include "kernel.glsl"

/* Sorts the columns of each row, with their places, for rows of up to 256 triplets: the position of each is the number
 * of smaller ones; equal ones keep their order. Triplets are sorted by row, which is key[i], and row r begins at
 * bound[r]. Longer rows are copied unchanged, and *longest, initially 0, becomes the length of the longest of them.
 * Traffic: 20 n bytes, and the columns of a row once more for each of them, which neighbours share. */
ARGS {
    u32s key;
    u32s bound;
    u32s col;
    u32s place;
    u32s to_col;
    u32s to_place;
    u32s longest;
    uint n;
};

#define RANK_MOST 256u

void main()
{
    FOR_EACH(i, n) {
        uint begin = bound.at[key.at[i]], end = bound.at[key.at[i] + 1u], column = col.at[i], at = i;
        if (end - begin <= RANK_MOST) {
            at = begin;
            for (uint other = begin; other < end; other++)
                at += uint(col.at[other] < column || (col.at[other] == column && other < i));
        } else if (i == begin)
            atomicMax(longest.at[0], end - begin);
        to_col.at[at] = column;
        to_place.at[at] = place.at[i];
    }
}
