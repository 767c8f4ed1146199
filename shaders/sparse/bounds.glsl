/* Binary searches, for kernels that process a matrix entry by entry, for any row lengths. Neighbouring entries take
 * nearly the same path, so their reads are shared. */

/* First index at or after `from`, and before `to`, whose key is at least `key`, or `to`; keys ascend. */
INLINE uint lower_bound(u32s keys, uint from, uint to, uint key)
{
    while (from < to) {
        uint middle = from + (to - from) / 2u;
        if (keys.at[middle] < key)
            from = middle + 1u;
        else
            to = middle;
    }
    return from;
}

/* The row of an entry, where `row` are the offsets of n rows: the first that ends after it. */
INLINE uint row_of(u32s row, uint n, uint entry)
{
    return lower_bound(row, 1u, n, entry + 1u) - 1u;
}
