/* The rows of B that a row of A refers to, merged by one invocation: each entry of A has a head in its row of B. */
#define NO_COLUMN 0xFFFFFFFFu

/* How far a row of B has been read. */
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

uint least_column(head h[SPGEMM_LANE_MOST])
{
    uint least = NO_COLUMN;
    [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++)
        least = min(least, h[e].column);
    return least;
}

/* Heads of the `entries` entries of A starting at `first`; at most SPGEMM_LANE_MOST. */
head[SPGEMM_LANE_MOST] first_heads(uint first, uint entries)
{
    head h[SPGEMM_LANE_MOST];
    [[unroll]] for (uint e = 0; e < SPGEMM_LANE_MOST; e++) {
        h[e] = head(0, 0, NO_COLUMN);
        if (e < entries)
            h[e] = head_of_row(a_col.at[first + e]);
    }
    return h;
}
