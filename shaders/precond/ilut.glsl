/* Triangular solves as a list of lines x_i = scale (x_i - sum of val x_col): first the lines of L, with a scale of 1,
 * then those of U, scaled by the reciprocal pivot. A step has one line for each group of `lanes` lanes of a workgroup;
 * its lines read only results of earlier steps, and lines without a row pad it. Row i is summed by `lanes` lanes as in
 * sparse/csr.glsl.
 *
 * A step waits only for x: its lines are loaded two steps ahead, and the first entry of each lane one step ahead.
 *
 * The kernel has row, at, scale, col, val and lanes, and defines X(i), an element of x, and WAIT, which makes the
 * workgroup's writes to x visible. */
#include "algebra.glsl"
#include "precond/ilut.h"

struct line {
    uint row, begin, end;
    scalar_t scale;
};

line line_of(uint s, uint end)
{
    uint p = s * (ILUT_GROUP / lanes) + ME / lanes;
    return s < end ? line(row.at[p], at.at[p], at.at[p + 1u], scale.at[p]) : line(ILUT_NONE, 0, 0, scalar_t(0));
}

struct entry {
    uint col;
    scalar_t val;
};

entry first_entry(line l)
{
    uint k = l.begin + ME % lanes;
    return k < l.end ? entry(col.at[k], val.at[k]) : entry(0, scalar_t(0));
}

/* Executes steps s, s + by ... before `end`. Called by the whole workgroup. */
void take_steps(uint s, uint end, uint by)
{
    uint lane = ME % lanes;
    line now = line_of(s, end), next = line_of(s + by, end);
    entry mine = first_entry(now);
    for (; s < end; s += by) {
        line later = line_of(s + 2u * by, end);
        entry soon = first_entry(next);
        scalar_t sum = scalar_t(0);
        if (now.begin + lane < now.end)
            sum = sum + mul(mine.val, X(mine.col));
        for (uint k = now.begin + lane + lanes; k < now.end; k += lanes)
            sum = sum + mul(val.at[k], X(col.at[k]));
        sum = lanes_sum(sum, lanes);
        if (lane == 0 && now.row != ILUT_NONE)
            X(now.row) = mul(now.scale, X(now.row) - sum);
        WAIT;
        now = next;
        next = later;
        mine = soon;
    }
}
