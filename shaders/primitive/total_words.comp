#include "kernel.glsl"

/* total[0 .. 1] = x[0] + ... + x[n - 1] with its carry, the low word first. Both are initially 0. An integer sum does
 * not depend on its order. Traffic: 4 n bytes. */
ARGS {
    u32s x;
    u32s total;
    uint n;
};

shared uint low, high;

void main()
{
    uint sum = 0, carries = 0;
    FOR_EACH(i, n) {
        uint carry;
        sum = uaddCarry(sum, x.at[i], carry);
        carries += carry;
    }
    if (ME == 0)
        low = high = 0;
    barrier();
    uint before = atomicAdd(low, sum);
    atomicAdd(high, carries + uint(before + sum < before));
    barrier();
    if (ME != 0)
        return;
    before = atomicAdd(total.at[0], low);
    atomicAdd(total.at[1], high + uint(before + low < before));
}
