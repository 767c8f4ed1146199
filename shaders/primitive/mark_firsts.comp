#include "each.glsl"

/* flag[i] = 1 if (x[i], y[i]) differs from (x[i - 1], y[i - 1]), and for i = 0; else 0. In sorted pairs this marks the
 * first of each run of equal pairs. x and y may be the same array. Traffic: 12 n bytes. */
ARGS {
    u32s x;
    u32s y;
    u32s flag;
    uint n;
};

void main()
{
    FOR_EACH(i, n)
        flag.at[i] = uint(i == 0 || x.at[i] != x.at[i - 1u] || y.at[i] != y.at[i - 1u]);
}
