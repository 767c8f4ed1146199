/* Declarations for the rows of an operator (vksolve/operator.h), and the product with them. */

ADDRESS(4) buffer floats { float at[]; };

/* Default types of the arrays; a program may define others. */
#ifndef ARRAY0
#define ARRAY0 u32s
#endif
#ifndef ARRAY1
#define ARRAY1 u32s
#endif
#ifndef ARRAY2
#define ARRAY2 u32s
#endif
#ifndef ARRAY3
#define ARRAY3 u32s
#endif

ARGS {
    guard  g;    /* of a solve, or null */
    u32s   call; /* what the twin calls (src/host/operator/call.h); shaders ignore it */
    reals  x;
    reals  y;
#ifdef WITH_DOT
    sums   s;
#endif
    ARRAY0 array0;
    ARRAY1 array1;
    ARRAY2 array2;
    ARRAY3 array3;
    zeros  none;
    uint   n;
    uint   word0;
    uint   word1;
    uint   word2;
    uint   word3;
    uint   word4;
    uint   word5;
    uint   word6;
    uint   word7;
};

real row(uint i); /* operator/row.glsl, which kernels include after their own text, so that no macro affects it */
