/* The nodes of each aggregate, in a list. */
#ifndef VKS_MULTIGRID_MEMBERS_H
#define VKS_MULTIGRID_MEMBERS_H

#include "primitive/sort.h"
#include "shaders/multigrid/strength.h"

struct members {
    uint32_t nodes, aggregates;
    struct memory offset; /* where the nodes of each aggregate begin in the list; then the end of the last */
    struct memory list;   /* nodes of each aggregate, ascending; then those in no aggregate */
    struct memory key;    /* these and the following are for the sort */
    struct radix sort;
};

/* Allocates the nodes of `aggregates` aggregates. The offsets and the list are in `kept`. `work` has memory
 * that only the recording needs; it may be closed after that. Failures are sticky in the rooms. */
struct members members_room(struct room *kept, struct room *work, uint32_t nodes, uint32_t aggregates);

/* Fills in the offsets and the list. owner[i]: aggregate of node i, < `aggregates`, or NO_AGGREGATE. */
void members_list(struct rec *r, const struct members *q, u32s owner);

#endif
