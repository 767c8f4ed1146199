/* The place of an invocation in a batch of small systems: `squads` lane groups, 1 or all 8 of a workgroup, have a
 * system, and a lane has 1 << spread of its rows. Sums over the rows are in the canonical order (sum.glsl), which no
 * arrangement changes. Systems with up to BATCH_FEW rows have one lane group, which needs no barrier of the workgroup
 * if subgroups exist.
 *
 * Included after ARGS, which must have place, col, val, first and end (of the systems), and the constants squads and
 * spread. Functions marked TOGETHER are called by all lanes that share a barrier, also those without a system. */
#include "solver/together.h"
#include "solver/spread.glsl"

/* Loops over this lane's rows. CPU compilers take a long time to unroll them. */
#if SUBGROUP
#define EACH_ROW(u) [[unroll]] for (uint u = 0; u < TOGETHER_TILES; u++)
#else
#define EACH_ROW(u) [[dont_unroll]] for (uint u = 0; u < TOGETHER_TILES; u++)
#endif

shared scalar_t held[BATCH_ROWS]; /* a vector of each system of the workgroup */
shared uint extremes[8];
shared uint votes;

uint me;       /* number of the system */
bool exists;   /* whether there is one */
uint rows;     /* of the system */
uint width, at, values_at, columns_at; /* PLACE_... */

void find_system()
{
    me = first + (squads == 1u ? 8u * gl_WorkGroupID.x + SQUAD : gl_WorkGroupID.x);
    exists = me < end;
    uint words = PLACE_WORDS * me;
    rows = exists ? place.at[words + PLACE_ROWS] : 0u;
    width = exists ? place.at[words + PLACE_WIDTH] : 0u;
    at = exists ? place.at[words + PLACE_AT] : 0u;
    values_at = exists ? place.at[words + PLACE_VALUES] : 0u;
    columns_at = exists ? place.at[words + PLACE_COLUMNS] : 0u;
}

/* Row number u of this lane; not below `rows`: none. */
uint row_of(uint u)
{
    uint parts = 8u >> spread;
    if (u >= 1u << spread)
        return BATCH_ROWS;
    return squads == 1u ? 32u * u + LANE : 256u * (SQUAD / parts) + 32u * (SQUAD % parts + parts * u) + LANE;
}

/* Whether this lane writes the words and numbers of the system. */
bool leads()
{
    return LANE == 0u && (squads == 1u || SQUAD == 0u);
}

/* Place in shared memory: of the system's vector, and of its word. */
uint held_from()
{
    return squads == 1u ? BATCH_FEW * SQUAD : 0u;
}

uint slot()
{
    return squads == 1u ? SQUAD : 0u;
}

/* TOGETHER. Barrier for the lanes of a system. */
void system_sync()
{
#if SUBGROUP
    if (squads == 1u) {
        squad_sync();
        return;
    }
#endif
    barrier();
}

/* TOGETHER. Whether a loop goes on, for this system or, where lane groups share barriers, for any. */
bool some(bool mine)
{
#if !SUBGROUP
    if (squads == 1u) {
        barrier();
        if (ME == 0)
            votes = 0;
        barrier();
        if (mine)
            atomicOr(votes, 1u);
        barrier();
        return votes != 0u;
    }
#endif
    return mine;
}

/* TOGETHER. The largest value of the system. */
uint system_max(uint mine)
{
    system_sync();
    if (leads())
        extremes[slot()] = 0;
    system_sync();
    atomicMax(extremes[slot()], mine);
    system_sync();
    return extremes[slot()];
}

/* TOGETHER. The sums of the first `count` (at most SUMS) values over all rows. Values without a row are zero. */
scalar_t[SUMS] system_sums(scalar_t v[SUMS][TOGETHER_TILES], uint count)
{
    scalar_t total[SUMS];
    for (uint c = 0; c < count; c++) {
        scalar_t mine = spread_sum(v[c][0], v[c][1], v[c][2], v[c][3]);
        if (squads == 1u)
            total[c] = squad_sum(mine);
        else
            terms[c][ME] = mine;
    }
    if (squads == 1u)
        return total;
    sum_tiles(count);
    for (uint c = 0; c < count; c++) {
        uint from = c * TOGETHER_TILES;
        total[c] = spread_sum(tile_sums[from], tile_sums[from + 1u], tile_sums[from + 2u], tile_sums[from + 3u]);
    }
    return total;
}

/* TOGETHER. Shares a vector with the other lanes of the system. */
void hold(scalar_t v[TOGETHER_TILES])
{
    system_sync();
    EACH_ROW(u)
        if (row_of(u) < rows)
            held[held_from() + row_of(u)] = v[u];
    system_sync();
}

/* Row i of A times the vector that hold() shared: entries in their order. 0 without a row. */
scalar_t row_of_product(uint i)
{
    scalar_t sum = scalar_t(0);
    for (uint k = 0; i < rows && k < width; k++) {
        uint e = k * rows + i;
        sum = sum + mul(val.at[values_at + e], held[held_from() + col.at[columns_at + e]]);
    }
    return sum;
}
