#include "each.glsl"

/* y[i] = step i. Traffic: 4 n bytes. */
ARGS {
    u32s y;
    uint n;
    uint step;
};

void main()
{
    FOR_EACH(i, n)
        y.at[i] = step * i;
}
