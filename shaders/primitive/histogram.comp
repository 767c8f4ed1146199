#include "kernel.glsl"
#include "primitive/histogram.h"

/* Adds to bin v one for each value v, or its weight; values outside the bins count in `outside`. Each workgroup counts
 * in shared memory, and finally adds its counts to the bins. Few bins have several copies each, side by side, so that
 * lanes with equal values use different banks. Bins that do not fit in shared memory are counted in place. */
ARGS {
    u32s from; /* LENGTHS: offsets, one more than n */
    u32s weights;
    u32s bins;
    u32s outside; /* one word */
    uint n;
    uint count; /* of bins */
    uint kind;
};

const uint ROOM = 2048u;
shared uint own[ROOM];
shared uint own_outside;

uint value_at(uint i)
{
    return kind == LENGTHS ? from.at[i + 1] - from.at[i] : from.at[i];
}

void count_in_place()
{
    FOR_EACH(i, n) {
        uint v = value_at(i), weight = kind == WEIGHTS ? weights.at[i] : 1u;
        if (v < count)
            atomicAdd(bins.at[v], weight);
        else
            atomicAdd(outside.at[0], weight);
    }
}

/* Eight elements of each invocation are loaded together. */
void count_apart(uint copies)
{
    uint copy = LANE % copies;
    for (uint first = gl_WorkGroupID.x * 2048u; first < n; first += gl_NumWorkGroups.x * 2048u) {
        uint v[8], weight[8];
        [[unroll]] for (uint k = 0; k < 8; k++) {
            uint i = first + 256u * k + ME;
            v[k] = i < n ? value_at(i) : 0;
            weight[k] = i < n ? 1u : 0;
            if (kind == WEIGHTS && i < n)
                weight[k] = weights.at[i];
        }
        [[unroll]] for (uint k = 0; k < 8; k++) {
            if (first + 256u * k + ME >= n)
                continue;
            if (v[k] < count)
                atomicAdd(own[v[k] * copies + copy], weight[k]);
            else
                atomicAdd(own_outside, weight[k]);
        }
    }
}

void main()
{
    if (count > ROOM) {
        count_in_place();
        return;
    }
    uint copies = 32;
    while (copies * count > ROOM)
        copies /= 2;
    for (uint k = ME; k < copies * count; k += 256u)
        own[k] = 0;
    if (ME == 0)
        own_outside = 0;
    barrier();
    count_apart(copies);
    barrier();
    for (uint b = ME; b < count; b += 256u) {
        uint sum = 0;
        for (uint c = 0; c < copies; c++)
            sum += own[b * copies + c];
        if (sum != 0)
            atomicAdd(bins.at[b], sum);
    }
    if (ME == 0 && own_outside != 0)
        atomicAdd(outside.at[0], own_outside);
}
