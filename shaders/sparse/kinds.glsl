/* The kind of an entry, and its position in the hash table (sparse/kinds.h). */
#include "sparse/kinds.h"

struct kind {
    uint apart, low, high; /* column minus row; the bits of the value: a float has only the low word */
};

/* The kind of entry `at` of CSR, in row i; values have one word or two. */
kind kind_of(u32s col, u32s val, uint words, uint at, uint i)
{
    uvec2 v = words == 2u ? pairs_in(val).at[at] : uvec2(val.at[at], 0);
    return kind(col.at[at] - i, v.x, v.y);
}

uint home_of(kind k)
{
    uint h = KIND_HOME;
    KIND_HOME_TAKES(h, k.apart);
    KIND_HOME_TAKES(h, k.low);
    KIND_HOME_TAKES(h, k.high);
    KIND_ENDS(h);
    return h;
}

uint mark_of(kind k)
{
    uint h = KIND_MARK;
    KIND_MARK_TAKES(h, k.high);
    KIND_MARK_TAKES(h, k.low);
    KIND_MARK_TAKES(h, k.apart);
    KIND_ENDS(h);
    return max(h, 1u);
}
