/* Tiles of 256 elements, their distribution to workgroups, and the tickets that show the last of several workgroups
 * that it is the last. */
ADDRESS(4) coherent buffer tickets { uint at[]; };

uint tiles_of(uint n)
{
    return max(1u, groups_of(n, 256u));
}

/* Neighbouring tiles per workgroup, eight or more, so that tickets are few. They lie in one group. */
uint span_of(uint tiles)
{
    uint span = 8;
    while (span < 256u && tiles / span > 8192u)
        span *= 2;
    return span;
}

/* Loop over spans of tiles, from first up to, not including, end, shared by all workgroups. */
#define FOR_SPANS(first, end, tiles)                                                                          \
    for (uint span_ = span_of(tiles), first = gl_WorkGroupID.x * span_, end = min(first + span_, tiles);      \
         first < (tiles); first += gl_NumWorkGroups.x * span_, end = min(first + span_, tiles))

/* Loop over the tiles of a span, eight at a time, one per lane group, whose `tile` may be beyond the last. */
#define FOR_TILES(tile, first, end)                                                                           \
    for (uint turn_ = first, tile = first + SQUAD; turn_ < (end); turn_ += 8u, tile += 8u)

shared uint ticket_complete;

/* Counts `done` of the `members` of a ticket, after this workgroup's writes; true in the workgroup that completes it,
 * to which the others' writes are then visible. The ticket is left at zero, ready for the next run. Called by the
 * whole workgroup. */
bool completes(tickets t, uint ticket, uint done, uint members)
{
    controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsBuffer | gl_StorageSemanticsShared,
                   gl_SemanticsAcquireRelease);
    if (ME == 0) {
        memoryBarrierBuffer(); /* also releases to the device the writes of others that this workgroup has seen */
        uint before = atomicAdd(t.at[ticket], done);
        ticket_complete = uint(before + done == members);
        if (before + done == members)
            t.at[ticket] = 0;
    }
    barrier();
    if (ticket_complete == 0)
        return false;
    memoryBarrierBuffer();
    return true;
}
