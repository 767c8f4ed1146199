#version 460
#include "kernel.glsl"
#include "fused.glsl"
#include "dense/alive.glsl"
#include "dense/pivot.glsl"

/* One column of Gauss-Jordan elimination in a panel of at most 16, from `from` to `to`. The pivot p, in row r and column
 * `column`, is the best of the candidates. Row r becomes row r / p, in its column 1 / p; any other row i with m in that column
 * becomes row i - m (row r / p), in its column -m / p: what the elimination does to columns that are not there stands in place
 * of those that it has made the identity's (in-place inversion; N. J. Higham, "Accuracy and stability of numerical
 * algorithms", 2002, section 14.3). Rows stay where they are: step and row_of tell the order. Candidates for the next column
 * are left. A zero pivot, or one that is not finite, ends the elimination.
 *
 * Every workgroup reads row r and all candidates: hence two panels and two lists, which take turns. Traffic: 2 n width. */
ARGS {
    u32s  state;
    u32s  step;
    u32s  row_of; /* of each pivot: its row */
    reals pivots;
    reals from;
    reals to;
    u32s  list;
    u32s  next_list;
    uint  n;
    uint  width;
    uint  column;
    uint  index; /* of the pivot in the whole matrix */
    uint  ld_from;
    uint  ld_to;
    uint  candidates;
};

/* How the elimination ends with such a pivot, 0: not. */
uint ending_of(candidate c)
{
#if REAL == 64
    const uint special = 0x7FF00000u;
#else
    const uint special = 0x7F800000u;
#endif
    if (c.high >= special)
        return PIVOT_SPECIAL;
    return (c.high | c.low) == 0 ? PIVOT_ZERO : 0;
}

void main()
{
    if (!eliminates(state))
        return;
    candidate best = best_of_all(ME < candidates ? read_candidate(list, ME) : nobody());
    uint r = best.row, ending = ending_of(best), x = ME % PIVOT_WIDTH;
    bool first = gl_WorkGroupID.x == 0 && ME == 0;
    if (ending != 0) {
        if (first) {
            state.at[PIVOT_COLUMN] = index;
            state.at[PIVOT_ENDING] = ending;
        }
        return;
    }
    real pivot = from.at[r * ld_from + column], inverse = divide(real(1), pivot);
    real scaled_x = x < width ? from.at[r * ld_from + x] * inverse : real(0);
    if (first) {
        row_of.at[index] = r;
        pivots.at[index] = pivot;
    }
    best = nobody();
    for (uint i = gl_WorkGroupID.x * 16u + ME / PIVOT_WIDTH; i < n; i += gl_NumWorkGroups.x * 16u) {
        if (x >= width)
            continue;
        real m = from.at[i * ld_from + column], v = from.at[i * ld_from + x];
        real result = x == column ? -(m * inverse) : fused(-m, scaled_x, v);
        if (i == r)
            result = x == column ? inverse : scaled_x;
        to.at[i * ld_to + x] = result;
        if (i == r && x == column)
            step.at[i] = index;
        if (x == column + 1 && i != r && step.at[i] == PIVOT_NONE) {
            candidate c = candidate_of(result, i);
            if (better(c, best))
                best = c;
        }
    }
    leave_candidate(next_list, best_of_all(best));
}
