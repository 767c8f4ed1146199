#include "kernel.glsl"

/* result = the sum (or product) of x modulo 2^32, in either pairing: tree.glsl */
#define item uint
#define exchange subgroupShuffleXor
FORWARD coherent buffer partials;
FORWARD coherent buffer tickets;
ARGS {
    u32s     x;
    partials s;
    tickets  t;
    u32s     result;
    uint     n;
    uint     product; /* 0: the sum */
    uint     pairing; /* vks_pairing */
};

item nothing()
{
    return product != 0 ? 1 : 0;
}

item combine(item a, item b)
{
    return product != 0 ? a * b : a + b;
}

item term(uint i)
{
    return x.at[i];
}

#include "primitive/tree.glsl"

void finish(item v)
{
    result.at[0] = v;
}

#include "primitive/reduce.glsl"
