/* The finalizer of MurmurHash3: a bijection of words with pseudorandom results; C includes this, too. */
#ifndef VKS_HASH
#define VKS_HASH

INLINE uint hash(uint h)
{
    h = (h ^ (h >> 16)) * 0x85EBCA6Bu;
    h = (h ^ (h >> 13)) * 0xC2B2AE35u;
    return h ^ (h >> 16);
}

#endif
