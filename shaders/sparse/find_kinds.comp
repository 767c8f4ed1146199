#include "kernel.glsl"
#include "sparse/slices.glsl"
#include "sparse/kinds.glsl"

/* Finds the kinds of the entries of CSR, ignoring long rows, and counts them; if there are more than `limit`, finds
 * some of them and soon stops. An invocation takes a row; a workgroup remembers marks that have a slot, so that the few
 * kinds of a stencil are not looked up by all invocations. The numbering of kinds is not deterministic. Traffic: CSR
 * once. */
ARGS {
    u32s row; /* n + 1 offsets into col and val */
    u32s col;
    u32s val;   /* `words` each */
    u32s slots; /* mask + 1 pairs, 0 before */
    u32s apart; /* of kind k: limit + 1 */
    u32s value; /* of kind k: `words` each */
    u32s count; /* one word, 0 before */
    uint n;
    uint mask; /* number of slots, a power of two, less one */
    uint limit;
    uint words;
};

ADDRESS(4) coherent buffer shared_words { uint at[]; };

#define REMEMBERED 2048u
shared uint remembered[REMEMBERED];

void publish_kind(uint code, kind k)
{
    apart.at[code] = k.apart;
    value.at[words * code] = k.low;
    if (words == 2u)
        value.at[words * code + 1u] = k.high;
}

/* Whether the kind has a slot; adds it if it has none. */
bool enter(kind k, uint mark)
{
    uint at = home_of(k) & mask;
    for (uint probe = 0; probe < KIND_PROBES; probe++, at = at + 1u & mask) {
        uint there = shared_words(slots).at[2u * at];
        if (there == 0) {
            if (shared_words(count).at[0] > limit)
                return false;
            there = atomicCompSwap(slots.at[2u * at], 0u, mark);
        }
        if (there == mark)
            return true;
        if (there != 0)
            continue;
        uint code = atomicAdd(count.at[0], 1u) + 1u;
        slots.at[2u * at + 1u] = code;
        if (code <= limit)
            publish_kind(code, k);
        return code <= limit;
    }
    atomicMax(count.at[0], limit + 1u);
    return false;
}

void main()
{
    for (uint at = ME; at < REMEMBERED; at += 256u)
        remembered[at] = 0;
    barrier();
    if (gl_WorkGroupID.x == 0 && ME == 0)
        publish_kind(0, kind(0, 0, 0));
    FOR_EACH(i, n) {
        uint begin = row.at[i], end = begin + stored_length(row, i);
        for (uint at = begin; at < end; at++) {
            kind k = kind_of(col, val, words, at, i);
            uint mark = mark_of(k);
            if (remembered[mark % REMEMBERED] == mark)
                continue;
            if (!enter(k, mark))
                return;
            remembered[mark % REMEMBERED] = mark;
        }
    }
}
