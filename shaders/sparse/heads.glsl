/* The rows of B that a short row of A meets, merged by one invocation: how far each has been read. Before it is
 * included: b_row, b_col. */
#include "sparse/spgemm.h"

#define NO_COLUMN 0xFFFFFFFFu

struct head {
    uint at, end; /* entries of B */
    uint column;  /* of entry `at`, or NO_COLUMN at the end */
};

head head_at(uint at, uint end)
{
    return head(at, end, at < end ? b_col.at[at] : NO_COLUMN);
}

head head_of_row(uint k)
{
    return head_at(b_row.at[k], b_row.at[k + 1u]);
}

head next_head(head h)
{
    return head_at(h.at + 1u, h.end);
}
