#include "kernel.glsl"
#include "lanes.glsl"
#include "primitive/trial.h"

/* Tests device properties that Vulkan does not report: whether `fma` rounds once, whether lane groups are as in
 * kernel.glsl, and whether some workgroups run concurrently. Up to TRIAL_GROUPS workgroups; negligible traffic. */
ARGS {
    reals a; /* a b + c of each case */
    reals b;
    reals c;
    reals fused;
    u32s  words; /* TRIAL_...; places are initially TRIAL_WRONG, the others 0 */
    uint  polls; /* polls for the other workgroups */
};

/* Whether this lane receives registers and votes of other lanes. Called by the whole workgroup. */
bool exchanges()
{
    uint half_a_squad_off = WORD_XOR(ME, 16u), next = WORD_FROM(ME, (LANE + 1u) & 31u);
#if SUBGROUP
    uint odd = squad_ballot((LANE & 1u) != 0);
#else
    uint odd = 0xAAAAAAAAu;
#endif
    return half_a_squad_off == (ME ^ 16u) && next == 32u * SQUAD + ((LANE + 1u) & 31u) && odd == 0xAAAAAAAAu;
}

void synchronise()
{
    uint came = atomicAdd(words.at[TRIAL_BEGUN], 1u) + 1u;
    for (uint poll = 0; poll < polls && came < gl_NumWorkGroups.x; poll++)
        came = atomicAdd(words.at[TRIAL_BEGUN], 0u);
    if (came >= gl_NumWorkGroups.x)
        atomicAdd(words.at[TRIAL_CO_RESIDENT], 1u);
}

void main()
{
    bool good = exchanges();
    for (uint g = gl_WorkGroupID.x; g < TRIAL_GROUPS && ME < 256u; g += gl_NumWorkGroups.x)
        words.at[TRIAL_PLACES + 256u * g + ME] = good ? ME : TRIAL_WRONG;
    if (gl_WorkGroupID.x == 0 && ME < TRIAL_CASES)
        fused.at[ME] = fma(a.at[ME], b.at[ME], c.at[ME]);
    if (ME == 0)
        synchronise();
}
