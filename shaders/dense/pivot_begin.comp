#include "kernel.glsl"
#include "dense/pivot.glsl"

/* Copies the next `width` (at most PIVOT_WIDTH) columns of A to `panel`, and finds candidates for the pivot of the
 * first. Traffic: these columns, read and written. */
ARGS {
    guard   g;
    u32s    step; /* for each row: the pivot that it was, or PIVOT_NONE */
    scalars A;
    scalars panel; /* PIVOT_WIDTH elements per row */
    u32s    list;  /* a candidate of each workgroup */
    uint    n;
    uint    width;
    uint    ld;
    uint    candidates; /* workgroups */
};

void main()
{
    if (stopped(g))
        return;
    candidate best = no_candidate();
    for (uint i = gl_WorkGroupID.x * 16u + ME / 16u; i < n; i += gl_NumWorkGroups.x * 16u)
        for (uint x = ME % 16u; x < width; x += 16u) {
            scalar_t v = A.at[i * ld + x];
            panel.at[i * PIVOT_WIDTH + x] = v;
            if (x == 0 && step.at[i] == PIVOT_NONE) {
                candidate c = candidate_of(v, i);
                if (better(c, best))
                    best = c;
            }
        }
    leave_candidate(list, best_of_all(best, 0));
}
