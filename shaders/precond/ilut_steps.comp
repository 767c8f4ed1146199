#version 460
#include "kernel.glsl"
#include "sum.glsl"

/* Some steps of z = U^-1 L^-1 r for a matrix that is not cut into blocks, in place: all of one level, by any number of
 * workgroups, or of several levels, by one workgroup alone. Traffic: their lines and entries, x at random. */
ARGS {
    guard g;
    u32s  row; /* of each line */
    u32s  at;  /* where the entries of each line begin, and the last ones end */
    reals scale;
    u32s  col;
    reals val;
    sums  x;
    uint  begin; /* the first step */
    uint  end;
};
CONSTANT(1, lanes); /* of a line's sum */

#define X(i) x.at[i]
#define WAIT controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer, gl_SemanticsAcquireRelease)
#include "precond/ilut.glsl"

void main()
{
    if (!stopped(g))
        take_steps(begin + gl_WorkGroupID.x, end, gl_NumWorkGroups.x);
}
