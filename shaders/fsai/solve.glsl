/* Dense system of a row of a factor, solved by a lane group in registers: x A(S, S) = -A(i, S), where S are the columns
 * that the lane group has listed, up to 32 in any order. Lane l holds equation l, the entries of A in column S_l.
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

#define FIRST (32u * SQUAD) /* lane 0 of this lane group, in arrays of the workgroup */

/* After elimination: x times the right side, and x. */
#define product multipliers[0]
#define solution multipliers[1]

shared uint listed[256];    /* S */
shared scalar_t right_side[16]; /* of the pivot's equation, alternating */
shared uint failed[8];

/* A matrix, and the size of each of its rows. */
struct rows_of_A {
    u32s row, col;
    values val;
    reals size;
};

/* a_ij, or 0 */
scalar_t entry_of(rows_of_A A, uint i, uint j)
{
    uint last = A.row.at[i + 1u], k = lower_bound(A.col, A.row.at[i], last, j);
    return k < last && A.col.at[k] == j ? scalar_t(A.val.at[k]) : scalar_t(0);
}

/* Loads the equation of this lane, and its right side: `count` of them. */
void read_equation(rows_of_A A, uint i, uint count, out scalar_t a[WIDTH], out scalar_t b)
{
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
        a[j] = scalar_t(0);
    for (uint q = 0; q < WIDTH; q++) {
        [[unroll]] for (uint j = 1; j < WIDTH; j++)
            a[j - 1] = a[j];
        a[WIDTH - 1] = q < count && LANE < count ? entry_of(A, listed[FIRST + q], listed[ME]) : scalar_t(0);
    }
    b = LANE < count ? -entry_of(A, i, listed[ME]) : scalar_t(0);
}

/* Magnitude of this lane's pivot in step k, or -1 if it cannot be the pivot. `step`: when it was one. */
real pivot_key(rows_of_A A, scalar_t a, uint count, uint k, uint step)
{
    if (LANE >= count || !finite(a))
        return real(-1);
    if (positive != 0)
        return LANE == k && real_part(a) > real(FSAI_ROUNDING) * A.size.at[listed[ME]] ? real_part(a) : real(-1);
    return step == WIDTH ? magnitude(a) : real(-1);
}

/* Eliminates; x of each lane goes to `solution`. False if a pivot is lacking. `most`: the largest count of the
 * lane groups. */
bool eliminate_equations(rows_of_A A, uint count, uint most, inout scalar_t a[WIDTH], scalar_t b)
{
    uint step = WIDTH;
    bool lost = false;
    for (uint k = 0; k < most; k++) {
        uint turn = 8u * (k & 1u) + SQUAD;
        choice pivot = largest(pivot_key(A, a[0], count, k, step));
        lost = lost || k < count && !(pivot.key > real(0));
        bool at_work = k < count && !lost, is_pivot = at_work && pivot.lane == LANE;
        if (is_pivot) {
            scalar_t inverse = divide(scalar_of(real(1)), a[0]);
            [[unroll]] for (uint j = 1; j < WIDTH; j++)
                multipliers[k & 1u][FIRST | (j - 1)] = a[j - 1] = mul(a[j], inverse);
            right_side[turn] = b = mul(b, inverse);
            step = k;
        }
        block_barrier();
        if (!at_work || is_pivot)
            continue;
        scalar_t f = a[0];
        [[unroll]] for (uint j = 1; j < WIDTH; j++)
            a[j - 1] = a[j] - mul(f, multipliers[k & 1u][FIRST | (j - 1)]);
        b = b - mul(f, right_side[turn]);
    }
    block_barrier(); /* all multipliers are read */
    if (step < WIDTH)
        solution[FIRST + step] = b;
    block_barrier();
    return !lost;
}

/* Whether x is finite and not too large; with `positive`, also whether the resulting pivot, a_ii + x A(S, i), exceeds
 * rounding. b of this lane is -A(i, S). */
bool solution_holds(rows_of_A A, uint i, uint count, bool solved, scalar_t b)
{
    scalar_t x = LANE < count && solved ? solution[ME] : scalar_t(0);
    real size = count > 0 ? A.size.at[i] : real(1);
    bool held = solved && finite(x);
    if (positive == 0 && LANE < count && !(magnitude(x) * A.size.at[listed[ME]] < real(FSAI_LARGEST) * size))
        held = false;
    if (LANE == 0)
        failed[SQUAD] = 0;
    product[ME] = mul(x, b);
    block_barrier();
    if (!held)
        failed[SQUAD] = 1;
    block_barrier();
    real d = size;
    for (uint q = 0; q < count && positive != 0; q++)
        d = d - real_part(product[FIRST + q]);
    return failed[SQUAD] == 0 && (positive == 0 || finite(d) && d > real(FSAI_ROUNDING) * size);
}

/* Solves for row i, with x in `solution`. False: no usable solution. Called by the whole workgroup; `most` is the same
 * in all lane groups. */
bool solve_row(rows_of_A A, uint i, uint count, uint most)
{
    scalar_t a[WIDTH], b;
    read_equation(A, i, count, a, b);
    bool solved = eliminate_equations(A, count, most, a, b);
    return solution_holds(A, i, count, solved, b);
}
