#include "kernel.glsl"

/* A step of adaptive FSAI, one lane group per row of the factor (C. Janna, M. Ferronato, "Adaptive pattern research for
 * block FSAI preconditioning", 2011). Row i has the columns S < i, listed in the order in which they were added, and x,
 * which solves x A(S, S) = -A(i, S). The residual is the row (1, x) A(i + S, :) in the other columns j < i. The `add`
 * columns with the largest |residual_j| weight_j join S, ties by column, and x is solved for again. A row ends, and is
 * left unchanged, if there is nothing to add or the new x is rejected.
 *
 * The residual uses only the last 256 entries before column i of each row of A, which bounds the work. A column is
 * summed over row i and the rows of S in their order: each lane takes an entry of these rows, and searches for its
 * column in all of them. Traffic: the rows of A for each row, repeatedly, which caches hold. */
ARGS {
    u32s    row; /* n + 1 offsets into col and val: A */
    u32s    col;
    values  val;
    reals   weight; /* of columns */
    reals   size;   /* of rows: diagonal entries if `positive`, else the largest magnitudes */
    u32s    count;  /* entries of the factor's rows including the diagonal, initially 1 */
    u32s    ended;  /* 1: the row has ended */
    u32s    s_col;  /* stride for each row: S */
    scalars s_val;  /* and x */
    uint    n;
    uint    stride; /* at most 32 */
    uint    add;    /* at most stride */
};
CONSTANT(1, positive); /* 1: pivots are on the diagonal and positive, and all residuals are candidates */

#include "lanes.glsl"
#include "fsai/solve.glsl"

#define ABSENT 0xFFFFFFFFu

shared uint window_first[8][33], window_last[8][33]; /* of row i, and those of S */
shared scalar_t factor[8][33];                       /* 1, and x */
/* Scores, as elements, and columns of the best candidates so far, and of new ones; unused during elimination. */
#define SCORE(is_new, l) multipliers[is_new][FIRST + (l)]
#define COLUMN(is_new, l) scored[is_new][FIRST + (l)]
shared uint scored[2][256];

/* Sets position p to row q of A, with the factor x. */
void set_window(uint p, uint q, uint i, scalar_t x)
{
    uint first = row.at[q], last = lower_bound(col, first, row.at[q + 1u], i);
    window_first[SQUAD][p] = last - min(last - first, FSAI_WINDOW);
    window_last[SQUAD][p] = last;
    factor[SQUAD][p] = x;
}

/* Lists S, of `held` columns, and the windows of its rows. */
void list_row(uint i, uint held)
{
    if (LANE < held) {
        uint place = i * stride + LANE;
        listed[ME] = s_col.at[place];
        set_window(LANE + 1u, listed[ME], i, s_val.at[place]);
    }
    if (LANE == 0 && i < n)
        set_window(0, i, i, scalar_of(real(1)));
    SCORE(0, LANE) = scalar_of(real(-1));
    COLUMN(0, LANE) = ABSENT;
    block_barrier();
}

/* Whether column j is in the window of position p, and where. */
bool met(uint p, uint j, out uint k)
{
    uint last = window_last[SQUAD][p];
    k = window_first[SQUAD][p];
    [[unroll]] for (uint skip = FSAI_WINDOW / 2u; skip > 0; skip /= 2u)
        if (k + skip <= last && col.at[k + skip - 1u] < j)
            k += skip;
    return k < last && col.at[k] == j;
}

/* Score of entry e over all windows, and its column; -1 if it is no candidate, or not the first entry of its column. */
real weigh(uint e, uint held, real least, out uint j)
{
    uint q = 0, k;
    for (; e >= window_last[SQUAD][q] - window_first[SQUAD][q]; q++)
        e -= window_last[SQUAD][q] - window_first[SQUAD][q];
    j = col.at[window_first[SQUAD][q] + e];
    scalar_t sum = scalar_t(0);
    for (uint p = 0; p <= held; p++) {
        if (p > 0 && listed[FIRST + p - 1u] == j)
            return real(-1);
        if (met(p, j, k)) {
            if (p < q)
                return real(-1);
            sum = sum + mul(factor[SQUAD][p], scalar_t(val.at[k]));
        }
    }
    real got = magnitude(sum) * weight.at[j];
    return finite(got) && got > least ? got : real(-1);
}

bool ahead(real a, uint i, real b, uint j)
{
    return a > b || a == b && i < j;
}

/* Merges the new scores into the `add` best, each at the position given by its rank. */
void keep_best(real mine, uint j)
{
    real old = real_part(SCORE(0, LANE));
    uint old_column = COLUMN(0, LANE), old_rank = 0, new_rank = 0;
    SCORE(1, LANE) = scalar_of(mine);
    COLUMN(1, LANE) = j;
    block_barrier();
    for (uint o = 0; o < add + 32u; o++) {
        uint is_new = uint(o >= add), l = o - add * is_new;
        real other = real_part(SCORE(is_new, l));
        uint other_column = COLUMN(is_new, l);
        old_rank += uint(ahead(other, other_column, old, old_column));
        new_rank += uint(ahead(other, other_column, mine, j));
    }
    block_barrier();
    if (LANE < add && old_rank < add) {
        SCORE(0, old_rank) = scalar_of(old);
        COLUMN(0, old_rank) = old_column;
    }
    if (new_rank < add) {
        SCORE(0, new_rank) = scalar_of(mine);
        COLUMN(0, new_rank) = j;
    }
    block_barrier();
}

/* Finds the best candidates, and appends them to the list; returns their number. */
uint find_columns(uint i, uint held, bool at_work)
{
    uint entries = 0, found = 0;
    for (uint p = 0; p <= held && at_work; p++)
        entries += window_last[SQUAD][p] - window_first[SQUAD][p];
    real least = positive == 0 && at_work ? real(FSAI_DROP) * size.at[i] : real(0);
    uint turns = turns_together(groups_of(entries, 32u));
    for (uint turn = 0; turn < turns; turn++) {
        uint e = 32u * turn + LANE, j = ABSENT;
        real mine = e < entries ? weigh(e, held, least, j) : real(-1);
        j = mine > real(0) ? j : ABSENT;
        if (turns_together(uint(ahead(mine, j, real_part(SCORE(0, add - 1u)), COLUMN(0, add - 1u)))) != 0)
            keep_best(mine, j);
    }
    for (uint l = 0; l < add; l++)
        found += uint(real_part(SCORE(0, l)) > real(0));
    found = min(found, stride - held);
    if (LANE < found)
        listed[FIRST + held + LANE] = COLUMN(0, LANE);
    block_barrier();
    return found;
}

void main()
{
    rows_of_A A = rows_of_A(row, col, val, size);
    FOR_ROWS(i, n, 32u) {
        bool at_work = i < n && ended.at[i] == 0;
        if (turns_together(uint(at_work)) == 0)
            continue;
        uint held = at_work ? count.at[i] - 1u : 0;
        list_row(i, held);
        uint found = find_columns(i, held, at_work), all = found > 0 ? held + found : 0;
        bool holds = solve_row(A, i, all, stride) && found > 0;
        if (holds && LANE < all) {
            s_col.at[i * stride + LANE] = listed[ME];
            s_val.at[i * stride + LANE] = solution[ME];
        }
        if (LANE == 0 && at_work) {
            if (holds)
                count.at[i] = all + 1u;
            else
                ended.at[i] = 1;
        }
        block_barrier(); /* before the next row */
    }
}
