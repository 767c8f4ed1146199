#version 460
#include "kernel.glsl"
#include "fused.glsl"
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

/* Row i of the panel as this invocation has to know it. */
struct element {
    real value, factor; /* in its own column; in the column that is eliminated */
    uint step;
};

element load(uint i, uint x)
{
    if (i >= n || x >= width)
        return element(real(0), real(0), 0);
    return element(from.at[i * ld_from + x], from.at[i * ld_from + column], step.at[i]);
}

void main()
{
    /* What need not wait for the pivot is on its way first. */
    uint i = gl_WorkGroupID.x * 16u + ME / PIVOT_WIDTH, x = ME % PIVOT_WIDTH, ended = state.at[PIVOT_ENDING];
    element now = load(i, x);
    candidate best = best_of_all(ME < candidates ? read_candidate(list, ME) : nobody());
    if (ended != 0)
        return;
    uint r = best.row, ending = ending_of(best);
    bool first = gl_WorkGroupID.x == 0 && ME == 0;
    if (ending != 0) {
        if (first) {
            state.at[PIVOT_COLUMN] = index;
            state.at[PIVOT_ENDING] = ending;
        }
        return;
    }
    real pivot = from.at[r * ld_from + column], of_row = x < width ? from.at[r * ld_from + x] : real(0);
    real inverse = reciprocal(pivot), scaled_x = of_row * inverse;
    if (first) {
        row_of.at[index] = r;
        pivots.at[index] = pivot;
    }
    best = nobody();
    for (; i < n; i += gl_NumWorkGroups.x * 16u) {
        element next = load(i + gl_NumWorkGroups.x * 16u, x);
        real result = x == column ? -(now.factor * inverse) : fused(-now.factor, scaled_x, now.value);
        if (i == r)
            result = x == column ? inverse : scaled_x;
        if (x < width)
            to.at[i * ld_to + x] = result;
        if (i == r && x == column)
            step.at[i] = index;
        if (x == column + 1 && x < width && i != r && now.step == PIVOT_NONE) {
            candidate c = candidate_of(result, i);
            if (better(c, best))
                best = c;
        }
        now = next;
    }
    leave_candidate(next_list, best_of_all(best));
}
