/* Inverses of small blocks by Gauss-Jordan with partial pivoting, in registers: WIDTH (4, 8, 16 or 32) lanes take a
 * block of at most WIDTH rows. Lane l takes column l, so that a row is read and written as it is stored.
 *
 * The transpose is eliminated: each pivot is the largest element of a row of the block among the columns that have not
 * been a pivot, the first of equal ones. Columns do not move; their pivot steps determine the order of the rows of the
 * inverse (H. Anzt et al., "Batched Gauss-Jordan elimination for block-Jacobi preconditioner generation on GPUs",
 * 2017). The pivot's column becomes the multipliers, in shared memory: s_j = a_j / pivot by way of the reciprocal, and
 * 1 / pivot at the pivot; then in every other column a_j -= f s_j, and -f / pivot at the pivot. Each step rotates a
 * column by one position, so that the current row is always register 0. No multiply is fused with an add. */
#include "algebra.glsl"
#include "block/invert.h"
#include "exact.glsl"

#define BLOCKS (256u / WIDTH) /* blocks per workgroup */

shared scalar_t multipliers[2][256];
shared uint pivots[256]; /* the column that was the pivot of each step */
#if !SUBGROUP
shared real keys[256];
#endif

/* Barrier for all lanes of a block; makes their writes to shared memory visible. */
void block_barrier()
{
#if SUBGROUP
    squad_sync();
#else
    barrier();
#endif
}

/* Index of this block's first lane in the workgroup. */
uint block_begin()
{
    return ME & ~(WIDTH - 1u);
}

struct choice {
    real key;  /* the largest key of the block */
    uint lane; /* the first lane that has it */
};

real larger(real a, real b)
{
    return b > a ? b : a;
}

/* Exchange masks are unrolled literals: see squad_sum in sum.glsl. */
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

/* A column of a block of n rows, during elimination. */
struct column {
    scalar_t a[WIDTH];
    uint n;
    uint step; /* step in which this column was the pivot; WIDTH: none yet */
    uint lost; /* the row that lacked a pivot; WIDTH: none */
};

column read_column(scalars from, uint at, uint n)
{
    column c;
    uint lane = ME % WIDTH;
    [[unroll]] for (uint i = 0; i < WIDTH; i++)
        c.a[i] = lane < n && i < n ? from.at[at + i * n + lane] : scalar_t(0);
    c.n = n;
    c.step = c.lost = WIDTH;
    return c;
}

/* Publishes 1 / pivot times the column, and 1 / pivot, for the other lanes. */
void leave_multipliers(inout column c, uint k)
{
    scalar_t inverse = divide(scalar_of(real(1)), c.a[0]);
    [[unroll]] for (uint j = 1; j < WIDTH; j++)
        c.a[j - 1] = mul(c.a[j], inverse);
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
    real size = finite(c.a[0]) ? magnitude(c.a[0]) : real(0);
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
    scalar_t f = c.a[0];
    [[unroll]] for (uint j = 1; j < WIDTH; j++)
        c.a[j - 1] = c.a[j] - mul(f, multipliers[k & 1u][ME & ~(WIDTH - 1u) | (j - 1)]);
    c.a[WIDTH - 1] = -mul(f, multipliers[k & 1u][ME & ~(WIDTH - 1u) | (WIDTH - 1)]);
}

/* Writes the row of the inverse held by this column to its pivot's position; zeros if there is no inverse. After n
 * rotations row i is in register WIDTH - n + i. */
void write_column(scalars to, uint at, column c)
{
    if (ME % WIDTH >= c.n)
        return;
    bool lost = c.lost != WIDTH;
    [[unroll]] for (uint j = 0; j < WIDTH; j++)
        if (j + c.n >= WIDTH) {
            uint i = j + c.n - WIDTH;
            if (lost)
                to.at[at + i * c.n + ME % WIDTH] = scalar_t(0);
            else
                to.at[at + pivots[block_begin() + i] * c.n + c.step] = c.a[j];
        }
}

/* Inverts the blocks with more than LEAST and up to WIDTH rows. If `size` is 0, `rows` and `at` have sizes and
 * offsets. */
void invert(u32s rows, u32s at, scalars from, scalars to, u32s fault, uint count, uint size)
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
        block_barrier(); /* before the next pivots are written */
    }
}
