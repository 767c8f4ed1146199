/* How the rows that are not long are parted into tasks, each for a squad: rows of more than BALANCED_SHARE entries
 * alone, other rows with those around them that begin in the same share of entries and rows. */
#include "sparse/balanced.h"
#include "sparse/long.h"

uint length_of(u32s row, uint i)
{
    return row.at[i + 1u] - row.at[i];
}

bool is_alone(u32s row, uint i)
{
    uint length = length_of(row, i);
    return length > BALANCED_SHARE && length <= LONG_ROW;
}

/* Whether row i shares a task with others, and with the row before it. */
bool is_shared(u32s row, uint i)
{
    return length_of(row, i) <= BALANCED_SHARE;
}

bool follows(u32s row, uint i)
{
    return is_shared(row, i) && is_shared(row, i - 1u) &&
           (row.at[i] + i) / BALANCED_SHARE == (row.at[i - 1u] + i - 1u) / BALANCED_SHARE;
}
