/* C = A B, C + A B or C - A B: A is m x k, B k x n, C m x n, each stored by rows with its own leading dimension. An
 * element of C adds its k products in ascending order, each by one fused multiply-add, so the bits depend on nothing
 * else. With `step` the products are summed separately, and then added to C; rows i with step[i] - first < k become
 * these sums alone: Gauss-Jordan's pivot rows (solvers/dense/elimination.c).
 *
 * A workgroup takes a tile of TILE x TILE of C, an invocation (TILE / 16) x (TILE / 16) of it in registers. A and B
 * pass through shared memory, DEPTH columns of A and rows of B at a time, while the next ones are loaded to registers.
 * A is transposed there, with rows permuted so that writes avoid bank conflicts. If addresses and leading dimensions
 * are multiples of 16 bytes, vectors of 16 are read, which makes an H200 1.5 times as fast; elements of such a vector
 * beyond the columns of B are within the leading dimension, and affect columns of C that are not written.
 *
 * Work: 2 m n k; traffic: C once or twice, A n / TILE times, B m / TILE times, mostly served by caches. */
#include "algebra.glsl"
#include "fused.glsl"

ARGS {
    guard   g;
    scalars A;
    scalars B;
    scalars C;
    u32s    step; /* null: none */
    zeros   none;
    uint    first;
    uint    m;
    uint    n;
    uint    k;
    uint    lda;
    uint    ldb;
    uint    ldc;
    uint    mode; /* GEMM_... */
};
DEFINE_NO_ADDRESS

#if REAL == 64
#define WIDTH 2u /* of a vector of 16 bytes */
#define vector dvec2
#else
#define WIDTH 4u
#define vector vec4
#endif
ADDRESS(16) buffer vectors { vector at[]; };
#define T (TILE / 16u)              /* rows and columns of an invocation */
#define SPAN (16u * WIDTH)          /* span of 16 invocations */
#define MINE (TILE * DEPTH / 256u)  /* elements of A, and of B, that an invocation fetches */
#define ACROSS_A (DEPTH / WIDTH)    /* vectors of a row */
#define ACROSS_B (TILE / WIDTH)

shared vector tile_A[DEPTH][TILE / WIDTH];
shared vector tile_B[DEPTH][TILE / WIDTH];

scalar_t acc[T][T];
scalar_t next_A[MINE], next_B[MINE];

/* The first row and column of the tile. */
uint row0, col0;

/* Position of vector v of column d of A. */
uint place(uint v, uint d)
{
    return v ^ (d / WIDTH * 2u & 15u);
}

/* ---- By vectors: columns d0 .. d0 + DEPTH - 1 of A and rows of B, all within the matrices ---- */

void fetch_vectors(uint d0)
{
    [[unroll]] for (uint u = 0; u < MINE / WIDTH; u++) {
        uint e = ME + 256u * u;
        uint i = min(row0 + e / ACROSS_A, m - 1u), j = min(col0 + e % ACROSS_B * WIDTH, (n - 1u) / WIDTH * WIDTH);
        vector a = vectors(uvec2(A)).at[(i * lda + d0) / WIDTH + e % ACROSS_A];
        vector b = vectors(uvec2(B)).at[((d0 + e / ACROSS_B) * ldb + j) / WIDTH];
        [[unroll]] for (uint w = 0; w < WIDTH; w++) {
            next_A[u * WIDTH + w] = a[w];
            next_B[u * WIDTH + w] = b[w];
        }
    }
}

scalar_t signed(scalar_t a)
{
    return mode == GEMM_SUBTRACT ? -a : a;
}

void put_vectors()
{
    [[unroll]] for (uint u = 0; u < MINE / WIDTH; u++) {
        uint e = ME + 256u * u, i = e / ACROSS_A, d = e % ACROSS_A * WIDTH;
        vector b;
        [[unroll]] for (uint w = 0; w < WIDTH; w++) {
            tile_A[d + w][place(i / WIDTH, d)][i % WIDTH] = signed(next_A[u * WIDTH + w]);
            b[w] = next_B[u * WIDTH + w];
        }
        tile_B[e / ACROSS_B][e % ACROSS_B] = b;
    }
}

/* ---- Element by element, with zeros beyond the matrices ---- */

void fetch(uint d0)
{
    [[unroll]] for (uint u = 0; u < MINE; u++) {
        uint e = ME + 256u * u, i = row0 + e / DEPTH, j = col0 + e % TILE, d = d0 + e % DEPTH, b = d0 + e / TILE;
        next_A[u] = i < m && d < k ? A.at[i * lda + d] : scalar_t(0);
        next_B[u] = j < n && b < k ? B.at[b * ldb + j] : scalar_t(0);
    }
}

void put()
{
    [[unroll]] for (uint u = 0; u < MINE; u++) {
        uint e = ME + 256u * u, i = e / DEPTH, d = e % DEPTH, j = e % TILE;
        tile_A[d][place(i / WIDTH, d)][i % WIDTH] = signed(next_A[u]);
        tile_B[e / TILE][j / WIDTH][j % WIDTH] = next_B[u];
    }
}

/* ---- Adding the products of shared memory ---- */

/* Column of this invocation in the 16 x 16 grid: a lane group is 8 x 4 of it, ordered so that neither of the two
 * vectors is read twice. */
uint across()
{
    return (SQUAD & 3u) * 4u + (LANE >> 3 & 2u) + (LANE & 1u);
}

uint down()
{
    return (SQUAD >> 2) * 8u + (LANE >> 1 & 7u);
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
    vector a[T / WIDTH], b[T / WIDTH];
    [[unroll]] for (uint i = 0; i < T / WIDTH; i++) {
        a[i] = tile_A[d][place(i * 16u + down(), d)];
        b[i] = tile_B[d][i * 16u + across()];
    }
    if (FUSES) {
        [[unroll]] for (uint i = 0; i < T; i++)
            [[unroll]] for (uint j = 0; j < T; j++)
                acc[i][j] = mul_add(a[i / WIDTH][i % WIDTH], b[j / WIDTH][j % WIDTH], acc[i][j]);
#if !SUBGROUP
    } else {
        [[dont_unroll]] for (uint i = 0; i < T; i++)
            [[dont_unroll]] for (uint j = 0; j < T; j++)
                acc[i][j] = emulated_fma(a[i / WIDTH][i % WIDTH], b[j / WIDTH][j % WIDTH], acc[i][j]);
#endif
    }
}

void add_tile()
{
    if (FUSES) {
        [[unroll]] for (uint d = 0; d < DEPTH; d++)
            add_column(d);
    } else {
        [[dont_unroll]] for (uint d = 0; d < DEPTH; d++)
            add_column(d);
    }
}

/* Adds no columns beyond the matrix: they would turn -0 into 0. */
void add_some(uint depth)
{
    [[dont_unroll]] for (uint d = 0; d < depth; d++)
        add_column(d);
}

/* ---- Tiles of C ---- */

bool eliminating()
{
    return is_there(uvec2(step));
}

void begin()
{
    [[unroll]] for (uint i = 0; i < T; i++) {
        uint r = row0 + row_of(i);
        bool zero = r >= m || mode == GEMM_SET || eliminating();
        [[unroll]] for (uint j = 0; j < T; j++) {
            uint c = col0 + col_of(j);
            acc[i][j] = zero || c >= n ? scalar_t(0) : C.at[r * ldc + c];
        }
    }
}

/* Elimination: acc + C except in pivot rows. Loads half of the tile at a time. */
void add_C()
{
    [[unroll]] for (uint half_tile = 0; half_tile < 2u; half_tile++) {
        scalar_t old[T / 2u][T];
        [[unroll]] for (uint i = 0; i < T / 2u; i++)
            [[unroll]] for (uint j = 0; j < T; j++)
                old[i][j] = C.at[min(row0 + row_of(half_tile * T / 2u + i), m - 1u) * ldc + min(col0 + col_of(j), n - 1u)];
        [[unroll]] for (uint i = 0; i < T / 2u; i++) {
            uint at = half_tile * T / 2u + i, r = row0 + row_of(at);
            bool adds = r < m && step.at[r] - first >= k;
            [[unroll]] for (uint j = 0; j < T; j++)
                acc[at][j] = adds ? old[i][j] + acc[at][j] : acc[at][j];
        }
    }
}

void leave()
{
    if (eliminating())
        add_C();
    [[unroll]] for (uint i = 0; i < T; i++) {
        uint r = row0 + row_of(i);
        [[unroll]] for (uint j = 0; j < T; j++) {
            uint c = col0 + col_of(j);
            if (r < m && c < n)
                C.at[r * ldc + c] = acc[i][j];
        }
    }
}

bool of_vectors(scalars X, uint ld)
{
    return (uvec2(X).x & 15u) == 0 && ld % WIDTH == 0;
}

/* Leading columns of A that can be read by vectors. */
uint by_vectors()
{
    return of_vectors(A, lda) && of_vectors(B, ldb) ? k / DEPTH * DEPTH : 0;
}

void add_products()
{
    uint whole = by_vectors(), last = whole - DEPTH;
    if (whole > 0)
        fetch_vectors(0);
    for (uint d = 0; d < whole; d += DEPTH) {
        barrier(); /* the last columns have been used */
        put_vectors();
        barrier();
        fetch_vectors(min(d + DEPTH, last));
        add_tile();
    }
    if (whole < k)
        fetch(whole);
    for (uint d = whole; d < k; d += DEPTH) {
        barrier();
        put();
        barrier();
        fetch(d + DEPTH);
        if (k - d >= DEPTH)
            add_tile();
        else
            add_some(k - d);
    }
}

void main()
{
    if (stopped(g))
        return;
    uint high = groups_of(m, TILE), wide = groups_of(n, TILE);
    for (uint tile = gl_WorkGroupID.x; tile < high * wide; tile += gl_NumWorkGroups.x) {
        row0 = tile / wide * TILE;
        col0 = tile % wide * TILE;
        begin();
        add_products();
        leave();
    }
}
