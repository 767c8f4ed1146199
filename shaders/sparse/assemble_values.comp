#include "kernel.glsl"

/* sum[i] = the terms of entry i added in order, starting with the first: val[place[k]] for k from start[i] to start[i
 * + 1] - 1; 0 if there are none. Traffic: an offset and a sum for each entry, a place and a value, which is a random
 * read, for each term.
 *
 * An invocation sums an entry, and loads four terms ahead: in matrices assembled from elements an entry has few terms.
 * A long entry would keep the others waiting for memory, one load after another; so the workgroup loads its terms, and
 * one invocation adds them up. */
ARGS {
    u32s    start;
    u32s    place;
    scalars val;
    scalars sum;
    uint    n;
};

ADDRESS(4) readonly restrict buffer words_in { uint at[]; };
ADDRESS(SCALAR_BYTES) readonly restrict buffer scalars_in { scalar_t at[]; };

#define LONG 64u /* entries with more terms are loaded by the workgroup */

shared uint long_entry[256], longs;
shared scalar_t terms[256];

scalar_t term_at(uint k)
{
    return scalars_in(val).at[words_in(place).at[k]];
}

scalar_t sum_of(uint begin, uint end)
{
    scalar_t sum = scalar_t(0);
    for (uint k = begin; k < end; k += 4u) {
        bool is1 = k + 1u < end, is2 = k + 2u < end, is3 = k + 3u < end;
        uint p0 = words_in(place).at[k], p1 = is1 ? words_in(place).at[k + 1u] : p0;
        uint p2 = is2 ? words_in(place).at[k + 2u] : p0, p3 = is3 ? words_in(place).at[k + 3u] : p0;
        scalar_t v0 = scalars_in(val).at[p0], v1 = is1 ? scalars_in(val).at[p1] : v0;
        scalar_t v2 = is2 ? scalars_in(val).at[p2] : v0, v3 = is3 ? scalars_in(val).at[p3] : v0;
        sum = k == begin ? v0 : sum + v0;
        sum = is1 ? sum + v1 : sum;
        sum = is2 ? sum + v2 : sum;
        sum = is3 ? sum + v3 : sum;
    }
    return sum;
}

/* llvmpipe ends all loops of an invocation after 65,535 iterations: hence 32 terms per iteration. */
scalar_t add_terms(scalar_t total, uint count)
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

/* Called by the whole workgroup; the next terms are loaded while one invocation adds. */
void sum_together(uint i)
{
    uint begin = start.at[i] + 1u, end = start.at[i + 1u];
    scalar_t total = term_at(begin - 1u), next = begin + ME < end ? term_at(begin + ME) : scalar_t(0);
    for (uint k = begin; k < end; k += 256u) {
        barrier();
        terms[ME] = next;
        barrier();
        next = k + 256u + ME < end ? term_at(k + 256u + ME) : scalar_t(0);
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
