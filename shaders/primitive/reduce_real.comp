#include "kernel.glsl"

/* result = the sum (or product) of x, in either pairing: tree.glsl */
#define item real
#define exchange subgroupShuffleXor
FORWARD coherent buffer partials;
FORWARD coherent buffer tickets;
ARGS {
    reals    x;
    partials s;
    tickets  t;
    number   result;
    uint     n;
    uint     product; /* 0: the sum */
    uint     pairing; /* vks_pairing */
};

item nothing()
{
    return product != 0 ? real(1) : real(0);
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
    result.value = v;
}

#include "primitive/reduce.glsl"
