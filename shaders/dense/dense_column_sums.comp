#include "kernel.glsl"
#include "algebra.glsl"

/* sums[j] = sum of |A[i][j]| over the rows. A workgroup takes 32 columns, its lane group q the rows q, q + 8 ... in
 * ascending order; a halving tree joins the eight sums. Traffic: A once. */
ARGS {
    scalars A;
    reals   sums;
    uint    rows;
    uint    cols;
    uint    ld;
};

shared real part[8][32];

void main()
{
    for (uint col = gl_WorkGroupID.x * 32u; col < cols; col += gl_NumWorkGroups.x * 32u) {
        uint j = col + LANE;
        real sum = real(0);
        for (uint i = SQUAD; i < rows && j < cols; i += 8u)
            sum = sum + magnitude(A.at[i * ld + j]);
        barrier(); /* the last columns' sums have been read */
        part[SQUAD][LANE] = sum;
        barrier();
        if (SQUAD == 0 && j < cols) {
            real s0 = part[0][LANE] + part[4][LANE], s1 = part[1][LANE] + part[5][LANE];
            real s2 = part[2][LANE] + part[6][LANE], s3 = part[3][LANE] + part[7][LANE];
            s0 = s0 + s2;
            s1 = s1 + s3;
            sums.at[j] = s0 + s1;
        }
    }
}
