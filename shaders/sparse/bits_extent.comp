#include "kernel.glsl"

/* Adds the number of set bits to count, and raises the maximum to the number of the last one. Traffic: the bits. */
ARGS {
    u32s bits;
    u32s count;
    u32s last;
    uint n; /* words */
};

shared uint count_here, last_here;

void main()
{
    uint set = 0, top = 0;
    FOR_EACH(w, n) {
        uint word = bits.at[w];
        set += uint(bitCount(word));
        top = word != 0u ? 32u * w + uint(findMSB(word)) : top;
    }
    if (ME == 0)
        count_here = last_here = 0;
    barrier();
    atomicAdd(count_here, set);
    atomicMax(last_here, top);
    barrier();
    if (ME == 0) {
        atomicAdd(count.at[0], count_here);
        atomicMax(last.at[0], last_here);
    }
}
