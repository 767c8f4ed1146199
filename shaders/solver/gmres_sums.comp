#include "kernel.glsl"
#include "sum.glsl"
#include "solver/gmres.glsl"

/* h, the whole sums of V^T t: a workgroup for each column. Traffic: independent of n. */
ARGS {
    guard         stop;
    gmres_numbers w;
    scalars       h;
    sums          s; /* in rows, `stride` apart */
    uint          n;
    uint          stride;
};

void main()
{
    if (stopped(stop) || gl_WorkGroupID.x > w.column)
        return;
    scalar_t total[SUMS] = rest_of_stripes(s, tiles_of(n), gl_WorkGroupID.x * stride, stride, 1);
    if (ME == 0)
        h.at[gl_WorkGroupID.x] = total[0];
}
