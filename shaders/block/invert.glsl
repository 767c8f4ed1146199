/* Inverses of small blocks by Gauss-Jordan with partial pivoting, all of it in registers: WIDTH (4, 8, 16 or
 * 32) lanes take a block of up to as many rows, lane l its column l, so that a row is read and written as it
 * lies in memory.
 *
 * What is eliminated is the transpose: pivots are sought in a row of the block, among the columns that
 * have been no pivot yet, the first of the largest. Columns do not move; where they have been pivots is
 * where the rows of the inverse go (H. Anzt et al., "Batched Gauss-Jordan elimination for block-Jacobi
 * preconditioner generation on GPUs", 2017). The column of the pivot becomes the multipliers, over shared
 * memory: s_j = a_j / pivot by way of the reciprocal, and 1 / pivot in its own place; then in every other
 * column a_j -= f s_j, and -f / pivot in that place. A column is turned by a place in each step, so that
 * the row at hand is always register 0. No multiply is fused with an add. */
#include "block/invert.h"
#include "exact.glsl"

#define BLOCKS (256u / WIDTH) /* that a workgroup has in its hands */

shared real multipliers[2][256];
shared uint pivots[256]; /* which column was the pivot of a step */
#if !SUBGROUP
shared real keys[256];
#endif

/* All lanes of a block have come here, and see what the others have written to shared memory. */
void block_barrier()
{
#if SUBGROUP
    squad_sync();
#else
    barrier();
#endif
}

/* Where the block of this lane begins among all invocations of the workgroup. */
uint block_begin()
{
    return ME & ~(WIDTH - 1u);
}

struct choice {
    real key;  /* the largest of the block */
    uint lane; /* the first that has it */
};

real larger(real a, real b)
{
    return b > a ? b : a;
}

/* Masks of exchanges are literals, one after the other: see squad_sum in sum.glsl. */
choice largest(real key)
{
    choice c = choice(key, 0);
#if SUBGROUP
#if WIDTH > 16
    c.key = larger(c.key, subgroupShuffleXor(c.key, 16u));
#endif
#if WIDTH > 8
    c.key = larger(c.key, subgroupShuffleXor(c.key, 8u));
#endif
#if WIDTH > 4
    c.key = larger(c.key, subgroupShuffleXor(c.key, 4u));
#endif
    c.key = larger(c.key, subgroupShuffleXor(c.key, 2u));
    c.key = larger(c.key, subgroupShuffleXor(c.key, 1u));
    uint votes = squad_ballot(key == c.key) >> (LANE & ~(WIDTH - 1u));
    c.lane = uint(findLSB(votes));
#else
    keys[ME] = key;
    barrier();
    c.key = keys[block_begin()];
    for (uint l = 1; l < WIDTH; l++) {
        real other = keys[block_begin() + l];
        if (other > c.key)
            c = choice(other, l);
    }
#endif
    return c;
}

/* A column of a block of n rows, and what has become of it. */
struct column {
    real a[WIDTH];
    uint n;
    uint step; /* in which it was the pivot; WIDTH: in none yet */
    uint lost; /* the row in which there was no pivot; WIDTH: none */
};

column read_column(reals from, uint at, uint n)
{
    column c;
    uint lane = ME % WIDTH;
    [[unroll]] for (uint i = 0; i < WIDTH; i++)
        c.a[i] = lane < n && i < n ? from.at[at + i * n + lane] : real(0);
    c.n = n;
    c.step = c.lost = WIDTH;
    return c;
}

/* Leaves 1 / pivot times the column, and 1 / pivot, for the others. */
void leave_multipliers(inout column c, uint k)
{
    real inverse = divide(real(1), c.a[0]);
    [[unroll]] for (uint j = 1; j < WIDTH; j++)
        c.a[j - 1] = c.a[j] * inverse;
    c.a[WIDTH - 1] = inverse;
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
        multipliers[k & 1u][ME & ~(WIDTH - 1u) | j] = c.a[j];
    pivots[block_begin() + k] = ME % WIDTH;
    c.step = k;
}

/* Step k. Called by the whole workgroup. */
void eliminate(inout column c, uint k)
{
    uint lane = ME % WIDTH;
    bool at_work = k < c.n && c.lost == WIDTH;
    real size = finite(c.a[0]) ? abs(c.a[0]) : real(0);
    choice pivot = largest(lane < c.n && c.step == WIDTH ? size : real(-1));
    if (at_work && !(pivot.key > real(0))) {
        c.lost = k;
        at_work = false;
    }
    bool is_pivot = at_work && pivot.lane == lane;
    if (is_pivot)
        leave_multipliers(c, k);
    block_barrier();
    if (!at_work || is_pivot)
        return;
    real f = c.a[0];
    [[unroll]] for (uint j = 1; j < WIDTH; j++)
        c.a[j - 1] = c.a[j] - f * multipliers[k & 1u][ME & ~(WIDTH - 1u) | (j - 1)];
    c.a[WIDTH - 1] = -(f * multipliers[k & 1u][ME & ~(WIDTH - 1u) | (WIDTH - 1)]);
}

/* The row of the inverse that this column has become goes where its pivot was; zeros where there is none.
 * After n turns row i stands in register WIDTH - n + i. */
void write_column(reals to, uint at, column c)
{
    if (ME % WIDTH >= c.n)
        return;
    bool lost = c.lost != WIDTH;
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
        if (j + c.n >= WIDTH) {
            uint i = j + c.n - WIDTH;
            if (lost)
                to.at[at + i * c.n + ME % WIDTH] = real(0);
            else
                to.at[at + pivots[block_begin() + i] * c.n + c.step] = c.a[j];
        }
}

/* The blocks with more than LEAST rows, up to WIDTH. `size` 0: rows and at have their sizes and places. */
void invert(u32s rows, u32s at, reals from, reals to, u32s fault, uint count, uint size)
{
    for (uint first = gl_WorkGroupID.x * BLOCKS; first < count; first += gl_NumWorkGroups.x * BLOCKS) {
        uint b = first + ME / WIDTH, n = 0, place = 0;
        if (b < count) {
            n = size != 0 ? size : rows.at[b + 1] - rows.at[b];
            place = size != 0 ? b * size * size : at.at[b];
        }
        n = n > LEAST && n <= WIDTH ? n : 0;
        column c = read_column(from, place, n);
        uint steps = size != 0 ? size : WIDTH;
        for (uint k = 0; k < steps; k++)
            eliminate(c, k);
        block_barrier(); /* the last pivot is known */
        write_column(to, place, c);
        if (n > 0 && ME % WIDTH == 0 && c.lost != WIDTH)
            atomicMin(fault.at[0], b * BLOCK_MOST + c.lost);
        block_barrier(); /* before the next pivots */
    }
}
