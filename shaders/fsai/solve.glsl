/* Dense system of a row of a factor, solved by a squad in registers: x A(S, S) = -A(i, S), where S are the columns
 * that the squad has listed, up to 32 in any order. Lane l holds equation l, the entries of A in column S_l.
 *
 * Gauss-Jordan: the pivot's equation is divided by the pivot (by way of the reciprocal) and subtracted from all
 * others. With `positive` pivots are on the diagonal; otherwise the pivot is the largest entry of its column among the
 * equations that have not been a pivot, the first of equal ones. Each step rotates the entries of a lane by one
 * position, so that the current column is always register 0. No multiply is fused with an add. */
#define WIDTH 32
#define LEAST 0u
#include "block/invert.glsl"
#include "sparse/bounds.glsl"
#include "fsai/fsai.h"

#define FIRST (32u * SQUAD) /* lane 0 of this squad, in arrays of the workgroup */

/* After elimination: x times the right side, and x. */
#define product multipliers[0]
#define solution multipliers[1]

shared uint listed[256];    /* S */
shared real right_side[16]; /* of the pivot's equation, alternating */
shared uint failed[8];

/* A matrix, and the size of each of its rows. */
struct rows_of_A {
    u32s row, col;
    values val;
    reals size;
};

/* a_ij, or 0 */
real entry_of(rows_of_A A, uint i, uint j)
{
    uint last = A.row.at[i + 1u], k = lower_bound(A.col, A.row.at[i], last, j);
    return k < last && A.col.at[k] == j ? real(A.val.at[k]) : real(0);
}

/* Loads the equation of this lane, and its right side: `count` of them. */
void read_equation(rows_of_A A, uint i, uint count, out real a[WIDTH], out real b)
{
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
        a[j] = real(0);
    for (uint q = 0; q < WIDTH; q++) {
        [[unroll]] for (uint j = 1; j < WIDTH; j++)
            a[j - 1] = a[j];
        a[WIDTH - 1] = q < count && LANE < count ? entry_of(A, listed[FIRST + q], listed[ME]) : real(0);
    }
    b = LANE < count ? -entry_of(A, i, listed[ME]) : real(0);
}

/* Magnitude of this lane's pivot in step k, or -1 if it cannot be the pivot. `step`: when it was one. */
real pivot_key(rows_of_A A, real a, uint count, uint k, uint step)
{
    if (LANE >= count || !finite(a))
        return real(-1);
    if (positive != 0)
        return LANE == k && a > real(FSAI_ROUNDING) * A.size.at[listed[ME]] ? a : real(-1);
    return step == WIDTH ? abs(a) : real(-1);
}

/* Eliminates; x of each lane goes to `solution`. False if a pivot is lacking. `most`: the largest count of the
 * squads. */
bool eliminate_equations(rows_of_A A, uint count, uint most, inout real a[WIDTH], real b)
{
    uint step = WIDTH;
    bool lost = false;
    for (uint k = 0; k < most; k++) {
        uint turn = 8u * (k & 1u) + SQUAD;
        choice pivot = largest(pivot_key(A, a[0], count, k, step));
        lost = lost || k < count && !(pivot.key > real(0));
        bool at_work = k < count && !lost, is_pivot = at_work && pivot.lane == LANE;
        if (is_pivot) {
            real inverse = divide(real(1), a[0]);
            [[unroll]] for (uint j = 1; j < WIDTH; j++)
                multipliers[k & 1u][FIRST | (j - 1)] = a[j - 1] = a[j] * inverse;
            right_side[turn] = b = b * inverse;
            step = k;
        }
        block_barrier();
        if (!at_work || is_pivot)
            continue;
        real f = a[0];
        [[unroll]] for (uint j = 1; j < WIDTH; j++)
            a[j - 1] = a[j] - f * multipliers[k & 1u][FIRST | (j - 1)];
        b = b - f * right_side[turn];
    }
    block_barrier(); /* all multipliers are read */
    if (step < WIDTH)
        solution[FIRST + step] = b;
    block_barrier();
    return !lost;
}

/* Whether x is finite and not too large; with `positive`, also whether the resulting pivot, a_ii + x A(S, i), exceeds
 * rounding. b of this lane is -A(i, S). */
bool solution_holds(rows_of_A A, uint i, uint count, bool solved, real b)
{
    real x = LANE < count && solved ? solution[ME] : real(0), size = count > 0 ? A.size.at[i] : real(1);
    bool held = solved && finite(x);
    if (positive == 0 && LANE < count && !(abs(x) * A.size.at[listed[ME]] < real(FSAI_LARGEST) * size))
        held = false;
    if (LANE == 0)
        failed[SQUAD] = 0;
    product[ME] = x * b;
    block_barrier();
    if (!held)
        failed[SQUAD] = 1;
    block_barrier();
    real d = size;
    for (uint q = 0; q < count && positive != 0; q++)
        d = d - product[FIRST + q];
    return failed[SQUAD] == 0 && (positive == 0 || finite(d) && d > real(FSAI_ROUNDING) * size);
}

/* Solves for row i, with x in `solution`. False: no usable solution. Called by the whole workgroup; `most` is the same
 * in all squads. */
bool solve_row(rows_of_A A, uint i, uint count, uint most)
{
    real a[WIDTH], b;
    read_equation(A, i, count, a, b);
    bool solved = eliminate_equations(A, count, most, a, b);
    return solution_holds(A, i, count, solved, b);
}
