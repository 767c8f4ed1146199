/* Radix sort of the nodes by their owners. It is stable, so the nodes of an aggregate ascend. */
#include "solvers/multigrid/members.h"
#include "primitive/pack_verbs.h"
#include "sparse/bits.h"

/* Returns the operands of the sort. */
static struct sorted sorted_of(const struct members *q)
{
    return (struct sorted){
        .keys = words_of(&q->key), .payload = words_of(&q->list), .n = q->nodes, .words = 1};
}

struct members members_room(struct room *kept, struct room *work, uint32_t nodes, uint32_t aggregates)
{
    struct members q = {.nodes = nodes, .aggregates = aggregates};
    uint64_t bytes = 4 * (uint64_t)nodes;
    q.offset = room_memory(kept, MEMORY_DEVICE, 4 * ((uint64_t)aggregates + 1), "the offsets of aggregates");
    q.list = room_memory(kept, MEMORY_DEVICE, bytes, "the nodes of aggregates");
    q.key = room_memory(work, MEMORY_DEVICE, bytes, "the owners of nodes");
    struct memory keys = room_memory(work, MEMORY_DEVICE, bytes, "the sorted owners of nodes");
    struct memory payload = room_memory(work, MEMORY_DEVICE, bytes, "the sorted nodes");
    struct sorted sorted = sorted_of(&q);
    q.sort = room_radix_with(work, &sorted, RADIX_MOST_BLOCKS, keys, payload);
    return q;
}

/* The sort uses only the bits of aggregate numbers; within those bits NO_AGGREGATE exceeds all numbers. */
void members_list(struct rec *r, const struct members *q, u32s owner)
{
    struct sorted sorted = sorted_of(q);
    copy_words(r, owner, sorted.keys, q->nodes);
    iota_words(r, sorted.payload, q->nodes);
    if (q->nodes > 1)
        radix_sort(r, &q->sort, &sorted, bits_below(q->aggregates + 1));
    lower_bounds(r, sorted.keys, q->nodes, words_of(&q->offset), q->aggregates + 1, 0);
}
