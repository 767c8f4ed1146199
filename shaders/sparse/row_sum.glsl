/* Sums over the entries of a row in the order of a lane group: lane l takes the entries l, l + 32 ..., then the halving
 * tree. `lanes` lanes (4, 8, 16 or 32) do the work of a lane group: each keeps the sums of all lanes at multiples of
 * `lanes` from it. Requires sum.glsl. */
#define KEPT_MOST 8u
#define KEPT (32u / lanes)

/* The sum, from the kept sums. Called by the whole workgroup. */
sum_t row_sum(sum_t kept[KEPT_MOST])
{
    for (uint half_way = KEPT / 2u; half_way > 0; half_way /= 2u)
        for (uint j = 0; j < half_way; j++)
            kept[j] = kept[j] + kept[j + half_way];
    return lanes_sum(kept[0], lanes);
}

/* Loop over entries e of row i for this lane, with the number j of the sum of each. */
#define FOR_ENTRIES(e, j, begin, end)                                                                                 \
    for (uint e##_turn = (begin) + ME % lanes; e##_turn < (end); e##_turn += 32u)                                     \
        [[unroll]] for (uint j = 0, e = e##_turn; j < KEPT; j++, e += lanes)                                          \
            if (e < (end))
