/* Prefix sums by tiles of 4,096 elements: a lane group has 512 neighbours, in 4 rows of 128; a lane has 4 neighbours in
 * each row, which it loads and stores at once. Tiles form groups of 32. The order of every sum is fixed:
 *
 *   run     the lane's 4 elements, in order
 *   row     over the 32 runs: v[l] = v[l - 1] + v[l], then 2, 4, 8, 16 apart (Hillis, Steele, "Data parallel
 *           algorithms", 1986)
 *   tile    the rows of a lane group in order, then the lane groups
 *   group   its tiles in order
 *   offset  of a tile: the groups before its own in order + the tiles before it in its group in order
 *   result  (offset + (before the lane group + (before the row + before the run))) + within the run; exclusive: the
 *           result of the previous element, and for the first of a run the sum before the run
 *
 * Sums in order start from zero. The result is the same whether a workgroup continues another's partial sum or starts
 * again; so workgroups can look back on each other and keep the order.
 *
 * A segment begins at each element that is a head, where sums restart. A sum is therefore a `part`: the sum
 * since the last head, and whether there was one (Blelloch, "Prefix sums and their applications", 1990).
 *
 * Requires before its inclusion: item, quad (four items), DOUBLES if items are, segmented (0: there are no heads). */
#define TILE 4096u
#define GROUP 32u /* tiles */

struct part {
    item sum;
    uint head;
};
ADDRESS(16) buffer quads { quad at[]; };
ADDRESS(8) buffer parts { item at[]; };

#if !SUBGROUP
shared part squad_shared[256];
#endif
shared part squad_totals[8];

part none()
{
    return part(item(0), 0);
}

/* a, then b */
part follow(part a, part b)
{
    return part(b.head != 0 ? b.sum : a.sum + b.sum, a.head | b.head);
}

/* The part of another lane. Called by the whole workgroup at once. */
part squad_get(part v, uint lane)
{
#if SUBGROUP
    v.sum = squad_shuffle(v.sum, lane);
    if (segmented != 0)
        v.head = squad_shuffle(v.head, lane);
    return v;
#else
    barrier();
    squad_shared[ME] = v;
    barrier();
    return squad_shared[32u * SQUAD + lane];
#endif
}

/* First of the four elements of this lane in a row. */
uint own_first(uint tile, uint row)
{
    return TILE * tile + 512u * SQUAD + 128u * row + 4u * LANE;
}

bool is_full(uint tile, uint n)
{
    return n - TILE * tile >= TILE;
}

#if defined(DOUBLES) && SUBGROUP
/* A lane accesses four doubles as two vectors of 16 bytes. Neither access should leave a gap between neighbouring
 * lanes: so the first takes the run of the even lane of a pair, and the second the run of the odd lane. */
ADDRESS(16) buffer couples { dvec2 at[]; };

bool is_odd()
{
    return (LANE & 1u) != 0;
}

/* Indices of the couples that this lane accesses, of the run that begins at `first`. */
uvec2 couple_places(uint first)
{
    uint run_of_even = first - 4u * (LANE & 1u);
    return uvec2(run_of_even / 2u + (LANE & 1u)) + uvec2(0, 2);
}

dvec4 load_run(parts x, uint first)
{
    couples from = couples(uvec2(x));
    uvec2 at = couple_places(first);
    dvec2 a = from.at[at.x], b = from.at[at.y], other = subgroupShuffleXor(is_odd() ? a : b, 1u);
    return is_odd() ? dvec4(other, b) : dvec4(a, other);
}

void store_run(parts y, uint first, dvec4 v)
{
    couples to = couples(uvec2(y));
    uvec2 at = couple_places(first);
    dvec2 other = subgroupShuffleXor(is_odd() ? v.xy : v.zw, 1u);
    to.at[at.x] = is_odd() ? other : v.xy;
    to.at[at.y] = is_odd() ? v.zw : other;
}
#else
quad load_run(parts x, uint first)
{
    return quads(uvec2(x)).at[first / 4u];
}

void store_run(parts y, uint first, quad v)
{
    quads(uvec2(y)).at[first / 4u] = v;
}
#endif

/* The lane's elements; zeros beyond n. */
quad[4] load_tile(parts x, uint tile, uint n)
{
    quad v[4];
    if (is_full(tile, n)) {
        [[unroll]] for (uint row = 0; row < 4; row++)
            v[row] = load_run(x, own_first(tile, row));
        return v;
    }
    [[unroll]] for (uint row = 0; row < 4; row++) {
        uint i = own_first(tile, row);
        v[row] = quad(0);
        [[unroll]] for (uint j = 0; j < 4; j++)
            if (i + j < n)
                v[row][j] = x.at[i + j];
    }
    return v;
}

void store_tile(parts y, uint tile, uint n, quad v[4])
{
    if (is_full(tile, n)) {
        [[unroll]] for (uint row = 0; row < 4; row++)
            store_run(y, own_first(tile, row), v[row]);
        return;
    }
    [[unroll]] for (uint row = 0; row < 4; row++) {
        uint i = own_first(tile, row);
        [[unroll]] for (uint j = 0; j < 4; j++)
            if (i + j < n)
                y.at[i + j] = v[row][j];
    }
}

/* Replaces a run by its prefix sums, and returns the last. Bit j of `heads`: element j is a head. */
part run_scan(inout quad v, uint heads)
{
    [[unroll]] for (uint j = 1; j < 4; j++)
        v[j] = (heads >> j & 1u) != 0 ? v[j] : v[j - 1] + v[j];
    return part(v[3], uint(heads != 0));
}

/* Runs become their prefix sums; before[row] is all of the tile before the run. Returns the whole tile. Called by
 * the whole workgroup. */
part tile_scan(inout quad v[4], uint heads[4], out part before[4])
{
    part squad = none();
    [[unroll]] for (uint row = 0; row < 4; row++) {
        part run = run_scan(v[row], heads[row]);
        [[unroll]] for (uint apart = 1; apart < 32; apart *= 2) {
            part other = squad_get(run, (LANE - apart) & 31u);
            if (LANE >= apart)
                run = follow(other, run);
        }
        part lanes = squad_get(run, (LANE - 1u) & 31u), whole = squad_get(run, 31u);
        if (LANE == 0)
            lanes = none();
        before[row] = follow(squad, lanes);
        squad = follow(squad, whole);
    }
    barrier(); /* the totals of the last tile have been read */
    if (LANE == 0)
        squad_totals[SQUAD] = squad;
    barrier();
    part all = none(), squads = none();
    [[unroll]] for (uint other = 0; other < 8; other++) {
        if (other == SQUAD)
            squads = all;
        all = follow(all, squad_totals[other]);
    }
    [[unroll]] for (uint row = 0; row < 4; row++)
        before[row] = follow(squads, before[row]);
    return all;
}

/* The results of a run, from its prefix sums and the sum before it. */
quad run_result(quad v, uint heads, item before, uint exclusive)
{
    quad result;
    item last = before;
    bool restarts = false;
    [[unroll]] for (uint j = 0; j < 4; j++) {
        bool head = (heads >> j & 1u) != 0;
        restarts = restarts || head;
        item with = restarts ? v[j] : before + v[j];
        result[j] = exclusive == 0 ? with : head ? item(0) : last;
        last = with;
    }
    return result;
}

/* The four results of a tile whose elements follow `offset`. */
quad[4] tile_result(quad v[4], uint heads[4], part before[4], item offset, uint exclusive)
{
    [[unroll]] for (uint row = 0; row < 4; row++) {
        item sum = follow(part(offset, 0), before[row]).sum;
        v[row] = run_result(v[row], heads[row], sum, exclusive);
    }
    return v;
}

/* The heads among the lane's elements, one bit for each element in `bits`. */
uint[4] load_heads(u32s bits, uint tile, uint n)
{
    uint heads[4] = uint[4](0, 0, 0, 0);
    [[unroll]] for (uint row = 0; row < 4; row++) {
        uint i = own_first(tile, row);
        if (segmented != 0 && i < n)
            heads[row] = bits.at[i / 32u] >> (i & 31u) & 15u;
    }
    return heads;
}

uint scan_tiles(uint n)
{
    return groups_of(n, TILE);
}

#define FOR_EACH_TILE(tile, n)                                                                                \
    for (uint tile = gl_WorkGroupID.x; tile < scan_tiles(n); tile += gl_NumWorkGroups.x)
