#include "kernel.glsl"

/* result = x[0] x[1] ... x[n - 1], 2 x 2 matrices by rows. Their product does not commute, hence the tree of
 * neighbours, which keeps the order. */
#if REAL == 64
#define item dvec4
#else
#define item vec4
#endif
#define exchange subgroupShuffleXor
const uint pairing = 1;
TO_COME coherent buffer partials;
TO_COME coherent buffer tickets;
ARGS {
    reals    x; /* 4 n */
    partials s;
    tickets  t;
    reals    result; /* 4 */
    uint     n;
};

item nothing()
{
    return item(1, 0, 0, 1);
}

item combine(item a, item b)
{
    item left = a.xxzz * b.xyxy, right = a.yyww * b.zwzw;
    return left + right;
}

/* 4 i does not overflow, as n is at most a quarter of the largest index */
item term(uint i)
{
    return item(x.at[4 * i], x.at[4 * i + 1], x.at[4 * i + 2], x.at[4 * i + 3]);
}

#include "primitive/tree.glsl"

void finish(item v)
{
    for (uint k = 0; k < 4; k++)
        result.at[k] = v[k];
}

#include "primitive/reduce.glsl"
