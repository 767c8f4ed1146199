#version 460
#include "kernel.glsl"
#include "sum.glsl"
#define TEAM 32
#include "sparse/team.glsl"
#include "sparse/balanced.h"
#include "sparse/spmv_long.glsl"
#include "solver/control.glsl"

/* y = A x, A in CSR, in tasks of like size, each for a squad, for rows of very different lengths; within a solve (c is not
 * null) only while it is alive. First the pieces of long rows; of rows of several pieces their sums are left. Then the
 * other rows: a squad multiplies the entries of its task one beside the other into shared memory, and sums its rows from
 * there in the order of CSR. All loads of a task are under way at once. Traffic: the matrix, x and y once, the offsets
 * and 16 bytes for each task and piece.
 *
 * After J. L. Greathouse, M. Daga, "Efficient sparse matrix-vector multiplication on GPUs using the CSR storage format",
 * SC14 (2014), whose blocks are those of workgroups. */
ARGS {
    control c;
    u32s    row; /* n + 1 offsets into col and val */
    u32s    col;
    reals   val;
    reals   x;
    reals   y;
    u32s    task; /* balanced_tasks.comp: rows that are alone come first */
    u32s    list; /* the pieces of long rows */
    sums    sum;  /* one for each piece */
    uint    lanes; /* of a row's sum */
    uint    tasks;
    uint    pieces;
};

/* Entries of a task for each lane, and its row offsets. */
#define EACH (BALANCED_MOST / 32u)
#define BOUNDS ((BALANCED_SHARE + 32u) / 32u)

shared real product[8][BALANCED_MOST];
shared uint bound[8][32u * BOUNDS];

/* Rows from .. end - 1, entries begin .. stop - 1. */
struct rows {
    uint from, end, begin, stop;
};

/* Task t, an empty one beyond the last. */
rows task_at(uint t)
{
    uvec4 v = long_pieces(task).at[min(t, tasks - 1u)];
    return t < tasks ? rows(v.x, v.y, v.z, v.w) : rows(0, 0, 0, 0);
}

/* The products of the entries begin .. stop - 1, of which there is one, at most BALANCED_MOST of them. */
void multiply(csr A, reals_in x, uint begin, uint stop)
{
    uint k[EACH], c[EACH];
    real v[EACH], w[EACH];
    for (uint u = 0; u < EACH; u++)
        k[u] = min(begin + 32u * u + LANE, stop - 1u);
    for (uint u = 0; u < EACH; u++)
        c[u] = A.col.at[k[u]];
    for (uint u = 0; u < EACH; u++)
        v[u] = A.val.at[k[u]];
    for (uint u = 0; u < EACH; u++)
        w[u] = x.at[c[u]];
    for (uint u = 0; u < EACH; u++)
        product[SQUAD][32u * u + LANE] = v[u] * w[u];
}

/* sum and the products k, k + lanes ... before `stop`. */
real plus_products(real sum, uint k, uint stop)
{
    for (; k + 3u * lanes < stop; k += 4u * lanes) {
        real p0 = product[SQUAD][k], p1 = product[SQUAD][k + lanes], p2 = product[SQUAD][k + 2u * lanes],
             p3 = product[SQUAD][k + 3u * lanes];
        sum = (((sum + p0) + p1) + p2) + p3;
    }
    for (; k < stop; k += lanes)
        sum = sum + product[SQUAD][k];
    return sum;
}

/* The row of a task that has but one, and more entries than others take at once. Called by the whole workgroup. */
void row_alone(csr A, reals_in x, rows t)
{
    real sum = real(0);
    for (uint done = 0; done < LONG_ROW; done += BALANCED_MOST) {
        uint begin = t.begin + done, count = min(max(begin, t.stop) - begin, BALANCED_MOST);
        if (count > 0)
            multiply(A, x, begin, begin + count);
        meet();
        if (LANE < lanes)
            sum = plus_products(sum, LANE, count);
        meet();
    }
    sum = lanes_sum(sum, lanes);
    if (LANE == 0 && t.from < t.end)
        y.at[t.from] = sum;
}

/* Rows that share a task. Called by the whole workgroup. */
void rows_together(csr A, reals_in x, rows t)
{
    for (uint u = 0; u < BOUNDS; u++)
        bound[SQUAD][32u * u + LANE] = A.row.at[min(t.from + 32u * u + LANE, t.end)] - t.begin;
    if (t.begin < t.stop)
        multiply(A, x, t.begin, t.stop);
    meet();
    uint at_once = 32u / lanes, turns = most(groups_of(t.end - t.from, at_once));
    for (uint turn = 0; turn < turns; turn++) {
        uint j = turn * at_once + LANE / lanes;
        bool mine = j < t.end - t.from;
        real sum = mine ? plus_products(real(0), bound[SQUAD][j] + LANE % lanes, bound[SQUAD][j + 1u]) : real(0);
        sum = lanes_sum(sum, lanes);
        if (mine && LANE % lanes == 0)
            y.at[t.from + j] = sum;
    }
    meet();
}

bool is_alone(rows t)
{
    return t.end == t.from + 1u && t.stop - t.begin > BALANCED_SHARE;
}

/* The eight tasks from `first` on, of which the first ones are rows alone. What is not a squad's is empty there, so that
 * squads may meet as the workgroup. */
void eight_tasks(csr A, reals_in x, uint first)
{
    rows t = task_at(first + SQUAD), none = rows(0, 0, 0, 0);
    bool alone = is_alone(t);
    if (is_alone(task_at(first)))
        row_alone(A, x, alone ? t : none);
    if (!is_alone(task_at(first + 7u)))
        rows_together(A, x, alone ? none : t);
}

void main()
{
    csr A = csr(offsets_in(row), offsets_in(col), reals_in(val), 0);
    if (uvec2(c) != uvec2(0) && !alive(c))
        return;
    uint before = groups_of(pieces, 8u), groups = before + groups_of(tasks, 8u);
    for (uint g = gl_WorkGroupID.x; g < groups; g += gl_NumWorkGroups.x)
        if (g < before)
            sum_piece(A, reals_in(x), 8u * g + SQUAD, piece_at(list, 8u * g + SQUAD, pieces), u32s(uvec2(0)), sums(y), sum);
        else
            eight_tasks(A, reals_in(x), 8u * (g - before));
}
