#version 460
#include "kernel.glsl"
#include "fused.glsl"
#include "dense/gemm.h"
#include "dense/alive.glsl"

/* C = A B, C + A B or C - A B: A is m x k, B k x n, C m x n, each by rows of its leading dimension. An element of C takes
 * its k products in ascending order, each by one fused multiply-add: the bits depend on nothing else. With `step`, a row i
 * of C for which step[i] - first < k begins at zero all the same: Gauss-Jordan's pivot rows (dense/pivot_row.comp).
 *
 * A workgroup takes a tile of 128 x 128 (f32) or 128 x 64 (f64) of C, an invocation 8 x 8 or 8 x 4 of it in registers. A and B
 * come through shared memory, 16 (8) columns of A and rows of B at a time; the next ones are on their way to registers
 * meanwhile. A stands there transposed, its rows exchanged so that neither writing nor reading meets in a bank. Vectors of
 * 16 bytes are read.
 *
 * Work: 2 m n k; traffic: C once or twice, A n / 128 (n / 64) times, B m / 128 times, most of which the caches serve. */
ARGS {
    u32s  state; /* null, or the elimination's: it ends where this one has */
    reals A;
    reals B;
    reals C;
    u32s  step; /* null: none */
    uint  first;
    uint  m;
    uint  n;
    uint  k;
    uint  lda;
    uint  ldb;
    uint  ldc;
    uint  mode; /* GEMM_... */
};

#define TM 8u /* rows of an invocation */
#if REAL == 64
#define TN 4u     /* columns of an invocation */
#define DEPTH 8u  /* columns of A at a time */
#define WIDTH 2u  /* of a vector of 16 bytes */
#define vector dvec2
#define COLS GEMM_COLS
#else
#define TN 8u
#define DEPTH 16u
#define WIDTH 4u
#define vector vec4
#define COLS GEMM_COLS_WIDE
#endif
#define SPAN (16u * WIDTH)                /* neighbouring elements of 16 invocations */
#define OF_A (GEMM_ROWS * DEPTH / 256u)   /* elements of A that an invocation fetches */
#define OF_B (COLS * DEPTH / 256u)

shared vector tile_A[DEPTH][GEMM_ROWS / WIDTH];
shared vector tile_B[DEPTH][COLS / WIDTH];

real acc[TM][TN];
real next_A[OF_A], next_B[OF_B];

/* Where vector v of column d of A stands. */
uint place(uint v, uint d)
{
    return v ^ (d & 7u);
}

/* The first row and column of the tile. */
uint row0, col0;

/* Columns d0 .. d0 + DEPTH - 1 of A and rows of B, zero beyond the matrices: a column that does not exist is not used. */
void fetch(uint d0)
{
    [[unroll]] for (uint u = 0; u < OF_A; u++) {
        uint e = ME + 256u * u, i = row0 + e / DEPTH, d = d0 + e % DEPTH;
        next_A[u] = i < m && d < k ? A.at[i * lda + d] : real(0);
    }
    [[unroll]] for (uint u = 0; u < OF_B; u++) {
        uint e = ME + 256u * u, d = d0 + e / COLS, j = col0 + e % COLS;
        next_B[u] = j < n && d < k ? B.at[d * ldb + j] : real(0);
    }
}

void put()
{
    [[unroll]] for (uint u = 0; u < OF_A; u++) {
        uint e = ME + 256u * u, i = e / DEPTH, d = e % DEPTH;
        tile_A[d][place(i / WIDTH, d)][i % WIDTH] = mode == GEMM_SUBTRACT ? -next_A[u] : next_A[u];
    }
    [[unroll]] for (uint u = 0; u < OF_B; u++) {
        uint e = ME + 256u * u, d = e / COLS, j = e % COLS;
        tile_B[d][j / WIDTH][j % WIDTH] = next_B[u];
    }
}

/* This invocation's place among 16 x 16: a squad is 8 x 4 of them. */
uint across()
{
    return (SQUAD & 3u) * 4u + (LANE & 3u);
}

uint down()
{
    return (SQUAD >> 2) * 8u + (LANE >> 2);
}

/* Row i and column j of this invocation's part of the tile. */
uint row_of(uint i)
{
    return (i / WIDTH) * SPAN + down() * WIDTH + i % WIDTH;
}

uint col_of(uint j)
{
    return (j / WIDTH) * SPAN + across() * WIDTH + j % WIDTH;
}

/* acc + column d of A times row d of B */
void add_column(uint d)
{
    vector a[TM / WIDTH], b[TN / WIDTH];
    [[unroll]] for (uint i = 0; i < TM / WIDTH; i++)
        a[i] = tile_A[d][place(i * 16u + down(), d)];
    [[unroll]] for (uint j = 0; j < TN / WIDTH; j++)
        b[j] = tile_B[d][j * 16u + across()];
    if (FUSES) {
        [[unroll]] for (uint i = 0; i < TM; i++)
            [[unroll]] for (uint j = 0; j < TN; j++)
                acc[i][j] = fma(a[i / WIDTH][i % WIDTH], b[j / WIDTH][j % WIDTH], acc[i][j]);
#if !SUBGROUP
    } else {
        [[dont_unroll]] for (uint i = 0; i < TM; i++)
            [[dont_unroll]] for (uint j = 0; j < TN; j++)
                acc[i][j] = emulated_fma(a[i / WIDTH][i % WIDTH], b[j / WIDTH][j % WIDTH], acc[i][j]);
#endif
    }
}

void add_tile(uint depth)
{
    if (FUSES && depth >= DEPTH) {
        [[unroll]] for (uint d = 0; d < DEPTH; d++)
            add_column(d);
    } else {
        [[dont_unroll]] for (uint d = 0; d < min(depth, DEPTH); d++)
            add_column(d);
    }
}

bool begins_at_zero(uint i)
{
    return mode == GEMM_SET || (uvec2(step) != uvec2(0) && step.at[i] - first < k);
}

void begin()
{
    [[unroll]] for (uint i = 0; i < TM; i++) {
        uint r = row0 + row_of(i);
        bool zero = r >= m || begins_at_zero(r);
        [[unroll]] for (uint j = 0; j < TN; j++) {
            uint c = col0 + col_of(j);
            acc[i][j] = zero || c >= n ? real(0) : C.at[r * ldc + c];
        }
    }
}

void leave()
{
    [[unroll]] for (uint i = 0; i < TM; i++) {
        uint r = row0 + row_of(i);
        [[unroll]] for (uint j = 0; j < TN; j++) {
            uint c = col0 + col_of(j);
            if (r < m && c < n)
                C.at[r * ldc + c] = acc[i][j];
        }
    }
}

void main()
{
    if (!eliminates(state))
        return;
    uint high = groups_of(m, GEMM_ROWS), wide = groups_of(n, COLS);
    for (uint tile = gl_WorkGroupID.x; tile < high * wide; tile += gl_NumWorkGroups.x) {
        row0 = tile / wide * GEMM_ROWS;
        col0 = tile % wide * COLS;
        begin();
        fetch(0);
        for (uint d = 0; d < k; d += DEPTH) {
            barrier(); /* the last ones have been used */
            put();
            barrier();
            fetch(d + DEPTH);
            add_tile(k - d);
        }
        leave();
    }
}
