/* A team works on one row at a time: a lane group if TEAM is 32, the workgroup if it is 256.
 *
 * If lane groups are not subgroups, only the whole workgroup can synchronise: loops with team barriers must then have
 * the same iteration count in all lane groups. `most` returns that count. `any_in_group` covers the workgroup. */
#if TEAM == 32
#define TEAMS 8u
#define MY_TEAM SQUAD
#define PLACE LANE
#else
#define TEAMS 1u
#define MY_TEAM 0u
#define PLACE ME
#endif

#define ALONE (TEAM == 32 && SUBGROUP == 1)

/* Barrier for the team; makes its writes to shared memory visible. */
void synchronise()
{
#if ALONE
    squad_sync();
#else
    barrier();
#endif
}

#if !ALONE
shared uint most_of_all;
#endif

/* v, which is the same throughout the team; or the largest of all teams, if they run in lockstep. */
uint most(uint v)
{
#if ALONE || TEAM == 256
    return v;
#else
    barrier();
    if (ME == 0)
        most_of_all = 0;
    barrier();
    atomicMax(most_of_all, v);
    barrier();
    return most_of_all;
#endif
}

/* Whether `mine` is true in any invocation of the team. */
bool any_in_group(bool mine)
{
#if ALONE
    return squad_ballot(mine) != 0u;
#else
    barrier();
    if (ME == 0)
        most_of_all = 0;
    barrier();
    if (mine)
        atomicMax(most_of_all, 1u);
    barrier();
    return most_of_all != 0;
#endif
}

#if !ALONE
shared uint passed_on[256];
#endif

/* The sum of v over the places up to and including this one. */
uint up_to(uint v)
{
#if ALONE
    [[unroll]] for (uint distance = 1u; distance < TEAM; distance *= 2u) {
        uint before = squad_shuffle(v, (LANE - distance) & 31u);
        v += LANE >= distance ? before : 0;
    }
#else
    [[unroll]] for (uint distance = 1u; distance < TEAM; distance *= 2u) {
        passed_on[ME] = v;
        barrier();
        v += PLACE >= distance ? passed_on[ME - distance] : 0;
        barrier();
    }
#endif
    return v;
}
