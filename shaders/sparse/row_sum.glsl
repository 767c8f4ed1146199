/* Sums over the entries of a row as a squad takes them: its lane l the entries l, l + 32 ..., then the halving tree. So
 * many lanes as `lanes` (4, 8, 16 or 32) do the work of a squad: each keeps the sums of all lanes that are a multiple of
 * `lanes` away from it. Needs sum.glsl. */
#define KEPT_MOST 8u
#define KEPT (32u / lanes)

/* The sum, from the sums that are kept. Called by the whole workgroup. */
sum_t row_sum(sum_t kept[KEPT_MOST])
{
    for (uint half_way = KEPT / 2u; half_way > 0; half_way /= 2u)
        for (uint j = 0; j < half_way; j++)
            kept[j] = kept[j] + kept[j + half_way];
    return lanes_sum(kept[0], lanes);
}

/* Entries e of row i for this lane, and the number j of the sum that each belongs to. */
#define FOR_ENTRIES(e, j, begin, end)                                                                                 \
    for (uint e##_turn = (begin) + ME % lanes; e##_turn < (end); e##_turn += 32u)                                     \
        [[unroll]] for (uint j = 0, e = e##_turn; j < KEPT; j++, e += lanes)                                          \
            if (e < (end))
