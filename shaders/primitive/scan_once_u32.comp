#include "kernel.glsl"

/* y = the prefix sums of x modulo 2^32, in one pass: Merrill, Garland, "Single-pass parallel prefix scan with
 * decoupled look-back" (2016). A workgroup takes the next tile, publishes its sum, and adds up the published sums of
 * earlier tiles, back to one that has published the sum of everything up to its end.
 *
 * Vulkan does not guarantee that a started workgroup makes progress while others run. So no workgroup waits for long:
 * after `polls` unsuccessful polls for the sum of a tile it sums that tile itself, and publishes the result (Smith,
 * Levien, Owens, "Decoupled fallback", 2025); with `polls` 0 it does not poll. Whatever the device does, the work of
 * each workgroup is bounded.
 *
 * A tile publishes its kind and its value in two words, each with the kind and half of the value: words of equal kind
 * belong together, whatever the order in which they become visible. No other data is exchanged, so memory barriers
 * are not needed. The words only grow (kinds too), so late writes do no harm.
 *
 * x and y are different arrays: other workgroups may reread a tile after its results have been written. */
#define item uint
#define quad uvec4
FORWARD buffer parts;
ADDRESS(4) coherent volatile buffer published { uint at[]; }; /* initially 0: tiles taken; unused; 2 words per tile */
ADDRESS(8) coherent volatile buffer published_pairs { uvec2 at[]; };
ARGS {
    parts     x;
    parts     y;
    published p;
    uint      n;
    uint      exclusive;
    uint      polls;
};
const uint segmented = 0;

#include "primitive/scan.glsl"

#define UNKNOWN 0u
#define OWN 1u  /* the sum of the tile */
#define UPTO 2u /* the sum of the tile and all before it */

shared uint taken_tile;
shared uint seen_sum, seen_next;

void publish(uint tile, uint kind, uint value)
{
    atomicMax(p.at[2u + 2u * tile], kind << 16 | value & 0xFFFFu);
    atomicMax(p.at[3u + 2u * tile], kind << 16 | value >> 16);
}

/* Neighbouring tiles, the nearest first: how many have published a sum, the total, and the kind of the last one. */
struct view {
    uint kind, count, sum;
};

view view_of(uint tile)
{
    uvec2 words = published_pairs(uvec2(p)).at[1u + tile];
    uint low = words.x, high = words.y;
    uint kind = low >> 16 == high >> 16 ? low >> 16 : UNKNOWN;
    return view(kind, uint(kind != UNKNOWN), kind == UNKNOWN ? 0 : low & 0xFFFFu | high << 16);
}

view joined(view near, view far)
{
    return near.kind == OWN ? view(far.kind, near.count + far.count, near.sum + far.sum) : near;
}

/* View of the tile `back` tiles before tile `next - 1`; before the first tile the sum is known to be zero. */
view view_before(uint next, uint back)
{
    if (back < next)
        return view_of(next - 1u - back);
    return view(UPTO, 0, 0);
}

/* The view back from tile `next`: over 32 tiles by a lane group that is a subgroup (on an H200 looking further costs
 * more than it gains), over one tile by a single invocation. */
view view_back(uint next)
{
#if SUBGROUP
    view v = view_before(next, LANE);
    for (uint apart = 1; apart < 32; apart *= 2) {
        view other = view(subgroupShuffleXor(v.kind, apart), subgroupShuffleXor(v.count, apart),
                          subgroupShuffleXor(v.sum, apart));
        v = (LANE & apart) == 0 ? joined(v, other) : joined(other, v);
    }
    return v;
#else
    return view_before(next, 0);
#endif
}

/* Sums the known tiles before tile `next`: seen_sum is the sum from tile seen_next on, and complete if that is 0. */
void look_back(uint next)
{
    uint sum = 0, asked = 0;
    while (next > 0 && asked < polls) {
        view v = view_back(next);
        sum += v.sum;
        next = v.kind == UPTO ? 0 : next - v.count;
        asked = v.count > 0 ? 0 : asked + 1u;
    }
    if (LANE == 0) {
        seen_sum = sum;
        seen_next = next;
    }
}

/* Sum of all tiles before `tile`. Called by the whole workgroup. */
uint sum_before(uint tile)
{
    uint sum = 0, next = tile;
    while (next > 0) {
        if (SUBGROUP != 0 ? SQUAD == 0 : ME == 0)
            look_back(next);
        barrier();
        sum += seen_sum;
        next = seen_next;
        barrier();
        if (next > 0) {
            next--;
            quad v[4] = load_tile(x, next, n);
            part before[4];
            uint own = tile_scan(v, uint[4](0, 0, 0, 0), before).sum;
            sum += own;
            if (ME == 0)
                publish(next, next == 0 ? UPTO : OWN, own);
        }
    }
    return sum;
}

void main()
{
    FOR_EACH_TILE(turn, n) {
        if (ME == 0)
            taken_tile = atomicAdd(p.at[0], 1u);
        barrier();
        uint tile = taken_tile;
        quad v[4] = load_tile(x, tile, n);
        part before[4];
        uint no_heads[4] = uint[4](0, 0, 0, 0), own = tile_scan(v, no_heads, before).sum;
        if (ME == 0 && tile > 0)
            publish(tile, OWN, own);
        uint offset = sum_before(tile);
        if (ME == 0)
            publish(tile, UPTO, offset + own);
        store_tile(y, tile, n, tile_result(v, no_heads, before, offset, exclusive));
    }
}
