/* y[i] += v, in any order: the order of these sums, and so their last bits, are not deterministic. y is initially zero.
 *
 * Define ATOMIC_ADD first if the device has float additions (VK_EXT_shader_atomic_float). Otherwise floats are swapped
 * as words. A swap fails only if another one came first: `most` additions in all bound the iterations. */
#ifdef ATOMIC_ADD

#extension GL_EXT_shader_atomic_float : require

void add_to(scalars y, uint i, scalar_t v, uint most)
{
    atomicAdd(y.at[i], v);
}

#else

#if REAL == 64
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_EXT_shader_atomic_int64 : require
#define word uint64_t
#define word_of(v) doubleBitsToUint64(v)
#define real_of(w) uint64BitsToDouble(w)
#else
#define word uint
#define word_of(v) floatBitsToUint(v)
#define real_of(w) uintBitsToFloat(w)
#endif

ADDRESS(REAL_BYTES) coherent buffer swapped { word at[]; };

void add_to(scalars y, uint i, scalar_t v, uint most)
{
    swapped words = swapped(y);
    word old = words.at[i];
    for (uint turn = 0; turn <= most; turn++) {
        word was = atomicCompSwap(words.at[i], old, word_of(real_of(old) + v));
        if (was == old)
            return;
        old = was;
    }
}

#endif
