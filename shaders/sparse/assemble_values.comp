#version 460
#include "kernel.glsl"

/* sum[i] = the terms of entry i added one after the other, begun with the first: val[place[k]] for k from start[i] to
 * start[i + 1] - 1; 0 where there are none. Traffic: an offset and a sum for each entry, a place and a value, which
 * is a random read, for each term.
 *
 * An entry is its invocation's, whose loads are four terms ahead: matrices of elements have a few. A long one would
 * leave all others waiting for memory, one load after the other; so the workgroup loads its terms, and one
 * invocation adds them up. */
ARGS {
    u32s  start;
    u32s  place;
    reals val;
    reals sum;
    uint  n;
};

ADDRESS(4) readonly restrict buffer words_in { uint at[]; };
ADDRESS(REAL_BYTES) readonly restrict buffer reals_in { real at[]; };

#define LONG 64u /* terms: more are loaded by the workgroup */

shared uint long_entry[256], longs;
shared real terms[256];

real term_at(uint k)
{
    return reals_in(val).at[words_in(place).at[k]];
}

real sum_of(uint begin, uint end)
{
    real sum = real(0);
    for (uint k = begin; k < end; k += 4u) {
        bool is1 = k + 1u < end, is2 = k + 2u < end, is3 = k + 3u < end;
        uint p0 = words_in(place).at[k], p1 = is1 ? words_in(place).at[k + 1u] : p0;
        uint p2 = is2 ? words_in(place).at[k + 2u] : p0, p3 = is3 ? words_in(place).at[k + 3u] : p0;
        real v0 = reals_in(val).at[p0], v1 = is1 ? reals_in(val).at[p1] : v0;
        real v2 = is2 ? reals_in(val).at[p2] : v0, v3 = is3 ? reals_in(val).at[p3] : v0;
        sum = k == begin ? v0 : sum + v0;
        sum = is1 ? sum + v1 : sum;
        sum = is2 ? sum + v2 : sum;
        sum = is3 ? sum + v3 : sum;
    }
    return sum;
}

/* llvmpipe ends all loops of an invocation once they have turned 65,535 times: so 32 terms in a turn. */
real add_terms(real total, uint count)
{
    uint t = 0;
    for (; t + 32u <= count; t += 32u) {
        [[unroll]] for (uint u = 0; u < 32u; u++)
            total = total + terms[t + u];
    }
    for (; t < count; t++)
        total = total + terms[t];
    return total;
}

/* By the whole workgroup; the next terms are on their way while one invocation adds. */
void sum_together(uint i)
{
    uint begin = start.at[i] + 1u, end = start.at[i + 1u];
    real total = term_at(begin - 1u), next = begin + ME < end ? term_at(begin + ME) : real(0);
    for (uint k = begin; k < end; k += 256u) {
        barrier();
        terms[ME] = next;
        barrier();
        next = k + 256u + ME < end ? term_at(k + 256u + ME) : real(0);
        if (ME == 0)
            total = add_terms(total, min(end - k, 256u));
    }
    if (ME == 0)
        sum.at[i] = total;
}

void main()
{
    for (uint first = 256u * gl_WorkGroupID.x; first < n; first += 256u * gl_NumWorkGroups.x) {
        uint i = first + ME, begin = start.at[min(i, n)], end = start.at[min(i + 1u, n)];
        if (ME == 0)
            longs = 0;
        barrier();
        if (end - begin > LONG)
            long_entry[atomicAdd(longs, 1u)] = i;
        else if (i < n)
            sum.at[i] = sum_of(begin, end);
        barrier();
        for (uint l = 0; l < longs; l++)
            sum_together(long_entry[l]);
        barrier();
    }
}
