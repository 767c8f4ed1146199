/* A row of C, or a piece of one, while its values are summed: up to HELD entries (a power of two), this team's
 * starting at HELD_FIRST; HELD_BY teams per workgroup. */
#define ABSENT 0xFFFFFFFFu

shared uint column[HELD * HELD_BY];
shared scalar_t value[HELD * HELD_BY];

/* Index of the column among the `length` entries, or ABSENT. */
uint entry_of(uint c, uint length)
{
    uint at = 0;
    [[unroll]] for (uint step = HELD / 2u; step > 0; step /= 2u)
        at += at + step < length && column[HELD_FIRST + at + step] <= c ? step : 0;
    return at < length && column[HELD_FIRST + at] == c ? at : ABSENT;
}
