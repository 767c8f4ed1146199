/* Eliminates all columns of a panel like pivot_column, with the same bits, in one dispatch whose workgroups
 * synchronise: only if a trial found them co-resident (solvers/dense/co_resident.c). A workgroup holds PANEL_ROWS rows
 * of the panel in registers, 64 or 128, with 16 of the columns per invocation. For every column each workgroup
 * publishes its candidate and the candidate's row, in words that carry the column's number, so the order in which they
 * become visible does not matter; then it reads the best candidate. Two buffers alternate: a workgroup at the next
 * column has read everything of the previous one.
 *
 * Waiting is bounded: after `polls` polls a workgroup ends the elimination, and so do the others. With width 0 they
 * only synchronise. A single workgroup publishes nothing. Traffic: 2 n width, and the published words. */
#include "algebra.glsl"
#include "fused.glsl"
#include "halves.glsl"
#include "in_all.glsl"
#include "dense/pivot.glsl"

#define TEAM 8u                     /* invocations per row: column x belongs to lane x mod 8 */
#define MINE (PIVOT_WIDTH / TEAM)   /* columns of an invocation */
#define SLOTS (256u / TEAM)         /* rows at a time */
#define ROWS (PANEL_ROWS / SLOTS)   /* per invocation: every 32nd */

/* Loops over registers. Compilers for CPUs take seconds to unroll all of them. */
#if SUBGROUP
#define EACH [[unroll]] for
#else
#define EACH [[dont_unroll]] for
#endif

ADDRESS(WORDS_BYTES) coherent volatile buffer posted_values { words_t at[]; };
ARGS {
    u32s    state;
    u32s    step;
    u32s    row_of; /* row of each pivot */
    scalars pivots;
    scalars A;
    u32s    posted; /* PIVOT_POSTED values of each workgroup, twice; initially no upper half of a word is in first + 1
                       .. first + width */
    scalars factors; /* for the twin only: PIVOT_BLOCK per row */
    uint    n;
    uint    width;
    uint    first; /* pivot of the panel's first column */
    uint    ld;
    uint    polls;
};

shared scalar_t factor_of[2][PANEL_ROWS], pivot_row[PIVOT_WIDTH], inverse_size;
shared uint ended; /* how the elimination ended, before this dispatch or in another workgroup */
shared uint alone[2]; /* whether a workgroup timed out: on candidates; on the row */

/* Columns of this invocation, in the order of elimination; restored to the initial order at the end. */
scalar_t v[ROWS][MINE];
uint had_pivot; /* one bit per row */

uint lane_of()
{
    return ME % TEAM;
}

uint row_at(uint r)
{
    return gl_WorkGroupID.x * PANEL_ROWS + r * SLOTS + ME / TEAM;
}

void load()
{
    had_pivot = 0;
    EACH (uint r = 0; r < ROWS; r++) {
        uint i = row_at(r);
        if (i >= n || step.at[i] != PIVOT_NONE)
            had_pivot |= 1u << r;
        EACH (uint x = 0; x < MINE; x++) {
            uint column = x * TEAM + lane_of();
            v[r][x] = i < n && column < width ? A.at[i * ld + column] : scalar_t(0);
        }
    }
}

void leave()
{
    EACH (uint r = 0; r < ROWS; r++) {
        uint i = row_at(r);
        EACH (uint x = 0; x < MINE; x++) {
            uint column = x * TEAM + lane_of();
            if (i < n && column < width)
                A.at[i * ld + column] = v[r][x];
        }
    }
}

/* Moves the first of an invocation's columns after the others. */
void rotate()
{
    EACH (uint r = 0; r < ROWS; r++) {
        scalar_t done = v[r][0];
        EACH (uint x = 0; x < MINE - 1u; x++)
            v[r][x] = v[r][x + 1u];
        v[r][MINE - 1u] = done;
    }
}

/* ---- Publishing: value k of workgroup g for a column, in words that carry the column's number ---- */

uint place(uint g, uint column, uint k)
{
    return ((column & 1u) * gl_NumWorkGroups.x + g) * PIVOT_POSTED + k;
}

uint tag_of(uint column)
{
    return (first + column + 1u) << 16;
}

void post(uint column, uint k, words_t halves)
{
    posted_values(uvec2(posted)).at[place(gl_WorkGroupID.x, column, k)] = halves | tag_of(column);
}

bool bears(words_t words, uint tag)
{
    return (words & 0xFFFF0000u) == words_t(tag);
}

void post_candidate(uint column, candidate c)
{
    if (ME == 0) {
#if REAL == 64
        post(column, PIVOT_WIDTH, halves_of(packDouble2x32(uvec2(c.low, c.high))));
#else
        post(column, PIVOT_WIDTH, halves_of(uintBitsToFloat(c.high)));
#endif
        post(column, PIVOT_WIDTH + 1u, words_t(c.row & 0xFFFFu));
    }
}

/* Candidate of workgroup ME. A subgroup leaves the loop as one, since shuffles follow. */
candidate await_candidate(uint column)
{
    uint at = place(ME, column, PIVOT_WIDTH), tag = tag_of(column);
    bool has_arrived = ME >= gl_NumWorkGroups.x;
    candidate c = no_candidate();
    for (uint poll = 0; poll < polls && !in_all(has_arrived); poll++)
        if (!has_arrived) {
            words_t value = posted_values(uvec2(posted)).at[at], row = posted_values(uvec2(posted)).at[at + 1u];
            has_arrived = bears(value, tag) && bears(row, tag);
            if (has_arrived && (row.x & 0xFFFFu) != 0xFFFFu)
                c = candidate_of(of_halves(value), row.x & 0xFFFFu);
        }
    if (!has_arrived)
        alone[0] = 1;
    return c;
}

/* Element ME of the row that workgroup g has published. */
void await_row(uint g, uint column)
{
    uint at = place(g, column, ME), tag = tag_of(column);
    for (uint poll = 0; poll < polls; poll++) {
        words_t value = posted_values(uvec2(posted)).at[at];
        if (bears(value, tag)) {
            pivot_row[ME] = of_halves(value);
            return;
        }
    }
    alone[1] = 1;
}

/* ---- A column ---- */

/* Best candidate of this workgroup, found by lane q of each row; publishes the factors of its rows in shared memory. */
candidate find(uint column, uint q)
{
    candidate best = no_candidate();
    if (lane_of() == q)
        EACH (uint r = 0; r < ROWS; r++) {
            candidate c = candidate_of(v[r][0], row_at(r));
            factor_of[column & 1u][r * SLOTS + ME / TEAM] = v[r][0];
            if ((had_pivot >> r & 1u) == 0 && better(c, best))
                best = c;
        }
    return best_of_all(best, 2u * (column & 1u));
}

/* Publishes row i of this workgroup; for this workgroup alone if there are no others. */
void post_row(uint column, uint i)
{
    scalar_t mine[MINE];
    EACH (uint x = 0; x < MINE; x++) {
        mine[x] = v[0][x];
        EACH (uint r = 1u; r < ROWS; r++)
            mine[x] = row_at(r) == i ? v[r][x] : mine[x];
    }
    if (i / PANEL_ROWS != gl_WorkGroupID.x || i % SLOTS != ME / TEAM)
        return;
    EACH (uint x = 0; x < MINE; x++)
        if (gl_NumWorkGroups.x > 1u)
            post(column, x * TEAM + lane_of(), halves_of(mine[x]));
        else
            pivot_row[x * TEAM + lane_of()] = mine[x];
}

/* Best candidate of all workgroups; copies its row to pivot_row. */
candidate exchange(uint column, candidate best)
{
    post_candidate(column, best);
    best = best_of_all(await_candidate(column), 2u * (column & 1u) + 1u);
    if (ending_of(best) == 0 && alone[0] == 0 && ME < PIVOT_WIDTH)
        await_row(best.row / PANEL_ROWS, column);
    return best;
}

void eliminate_rows(uint column, uint q, uint pivot_at, scalar_t inverse)
{
    scalar_t m[ROWS];
    EACH (uint r = 0; r < ROWS; r++)
        m[r] = factor_of[column & 1u][r * SLOTS + ME / TEAM];
    EACH (uint x = 0; x < MINE; x++) {
        scalar_t scaled_x = mul(pivot_row[x * TEAM + lane_of()], inverse);
        EACH (uint r = 0; r < ROWS; r++)
            v[r][x] = fused(-m[r], scaled_x, v[r][x]);
    }
    EACH (uint r = 0; r < ROWS; r++) {
        if (row_at(r) == pivot_at) {
            had_pivot |= 1u << r;
            EACH (uint x = 0; x < MINE; x++)
                v[r][x] = mul(pivot_row[x * TEAM + lane_of()], inverse);
        }
        if (lane_of() == q)
            v[r][0] = row_at(r) == pivot_at ? inverse : -mul(m[r], inverse);
    }
    if (ME == 0 && pivot_at / PANEL_ROWS == gl_WorkGroupID.x)
        step.at[pivot_at] = first + column;
}

/* How the elimination has ended at this column, equal in all invocations; 0: it continues. */
uint eliminate(uint column, uint q)
{
    candidate best = find(column, q);
    post_row(column, best.row);
    if (gl_NumWorkGroups.x > 1u)
        best = exchange(column, best);
    if (alone[0] != 0)
        return PIVOT_ALONE;
    uint ending = ending_of(best);
    if (ending != 0)
        return ending;
    if (ME == 255u) { /* this lane reads no row */
#if REAL == 64
        inverse_size = reciprocal(packDouble2x32(uvec2(best.low, best.high)));
#else
        inverse_size = reciprocal(uintBitsToFloat(best.high));
#endif
    }
    barrier();
    if (alone[1] != 0)
        return PIVOT_ALONE;
    scalar_t pivot = pivot_row[q], inverse = negative(pivot) ? -inverse_size : inverse_size;
    if (gl_WorkGroupID.x == 0 && ME == 0) {
        row_of.at[first + column] = best.row;
        pivots.at[first + column] = pivot;
    }
    eliminate_rows(column, q, best.row, inverse);
    return 0;
}

void end(uint ending, uint column)
{
    if (ending == PIVOT_ALONE ? ME == 0 : gl_WorkGroupID.x == 0 && ME == 0) {
        state.at[PIVOT_COLUMN] = first + column;
        atomicMax(state.at[PIVOT_ENDING], ending); /* PIVOT_ALONE prevails over another workgroup's reason */
    }
}

void main()
{
    if (ME == 0)
        ended = state.at[PIVOT_ENDING]; /* others may write it: all invocations must use the same value */
    if (ME < 2u)
        alone[ME] = 0;
    barrier();
    if (ended != 0)
        return;
    if (width == 0) {
        exchange(0, no_candidate());
        if (alone[0] != 0)
            end(PIVOT_ALONE, 0);
        return;
    }
    load();
    for (uint x = 0; x < MINE; x++) {
        for (uint q = 0; q < TEAM && x * TEAM + q < width; q++) {
            uint ending = eliminate(x * TEAM + q, q);
            if (ending != 0) {
                end(ending, x * TEAM + q);
                return;
            }
        }
        rotate();
    }
    leave();
}
