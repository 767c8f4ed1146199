#include "kernel.glsl"
#include "algebra.glsl"
#include "fused.glsl"
#include "dense/pivot.glsl"

/* One column of Gauss-Jordan elimination in a panel of at most PIVOT_WIDTH, from `from` to `to`. The pivot p, in row r
 * and column `column`, is the best of the candidates. Row r becomes row r / p, with 1 / p in `column`; any other row i,
 * with m in `column`, becomes row i - m (row r / p), with -m / p in `column`: the effect of the elimination on columns
 * outside the panel replaces the identity's columns (in-place inversion; N. J. Higham, "Accuracy and stability of
 * numerical algorithms", 2002, section 14.3). Rows do not move: step and row_of record the order. Leaves candidates for
 * the next column. A zero pivot, or one that is not finite, ends the elimination.
 *
 * Every workgroup reads row r and all candidates: hence two panels and two lists, used alternately. Traffic: 2 n
 * width. */
ARGS {
    u32s    state;
    u32s    step;
    u32s    row_of; /* row of each pivot */
    scalars pivots;
    scalars from;
    scalars to;
    u32s    list;
    u32s    next_list;
    uint    n;
    uint    width;
    uint    column;
    uint    index; /* number of the pivot in the whole matrix */
    uint    ld_from;
    uint    ld_to;
    uint    candidates;
};

#define MINE (PIVOT_WIDTH / 16u) /* columns of an invocation: every 16th */

void main()
{
    uint lane = ME % 16u, ended = state.at[PIVOT_ENDING];
    candidate best = best_of_all(ME < candidates ? read_candidate(list, ME) : no_candidate(), 0);
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
    scalar_t pivot = from.at[r * ld_from + column], inverse = reciprocal(pivot), scaled_row[MINE];
    [[unroll]] for (uint u = 0; u < MINE; u++)
        scaled_row[u] = lane + 16u * u < width ? mul(from.at[r * ld_from + lane + 16u * u], inverse) : scalar_t(0);
    if (first) {
        row_of.at[index] = r;
        pivots.at[index] = pivot;
    }
    best = no_candidate();
    for (uint i = gl_WorkGroupID.x * 16u + ME / 16u; i < n; i += gl_NumWorkGroups.x * 16u) {
        scalar_t m = from.at[i * ld_from + column];
        bool is_candidate = i != r && step.at[i] == PIVOT_NONE;
        [[dont_unroll]] for (uint u = 0; u < MINE; u++) {
            uint x = lane + 16u * u;
            if (x >= width)
                break;
            scalar_t result = x == column ? -mul(m, inverse) : fused(-m, scaled_row[u], from.at[i * ld_from + x]);
            if (i == r)
                result = x == column ? inverse : scaled_row[u];
            to.at[i * ld_to + x] = result;
            if (x == column + 1 && is_candidate) {
                candidate c = candidate_of(result, i);
                if (better(c, best))
                    best = c;
            }
        }
        if (i == r && lane == column % 16u)
            step.at[i] = index;
    }
    leave_candidate(next_list, best_of_all(best, 1));
}
