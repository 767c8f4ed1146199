#include "kernel.glsl"
#include "sum.glsl"

/* Some steps of z = U^-1 L^-1 r for a matrix that is a single block, in place: all steps of one level, by any number of
 * workgroups, or steps of several levels, by a single workgroup. Traffic: their lines and entries, x in random
 * order. */
ARGS {
    guard   g;
    u32s    row; /* of each line */
    u32s    at;  /* start of each line's entries, and the end of the last */
    scalars scale;
    u32s    col;
    scalars val;
    sums    x;
    uint    begin; /* the first step */
    uint    end;
};
CONSTANT(1, lanes); /* lanes per line */

#define X(i) x.at[i]
#define WAIT controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease)
#include "precond/ilut.glsl"

void main()
{
    if (!stopped(g))
        take_steps(begin + gl_WorkGroupID.x, end, gl_NumWorkGroups.x);
}
