/* Blocks of large arrays that were released and are kept for the next ones: an allocation of memory takes the
 * driver longer than many a kernel runs, and work that is repeated asks for the same sizes again. */
#include "device/vulkan/vulkan.h"

/* The share of the device's memory that may lie spare. */
enum { SPARE_SHARE = 8 };

static void unlink_spare(struct vulkan *v, struct block **link)
{
    v->spare_bytes -= (*link)->bytes;
    *link = (*link)->next;
}

bool vulkan_spare_keep(struct vulkan *v, struct block *b)
{
    uint64_t most = v->device.info.memory / SPARE_SHARE;
    if (b->kind != MEMORY_DEVICE || b->bytes > most)
        return false;
    struct block **last = &v->spare;
    while (*last)
        last = &(*last)->next;
    *last = b;
    b->next = NULL;
    v->spare_bytes += b->bytes;
    while (v->spare_bytes > most) { /* the oldest go */
        struct block *oldest = v->spare;
        unlink_spare(v, &v->spare);
        vulkan_block_destroy(v, oldest);
    }
    return true;
}

struct block *vulkan_spare_take(struct vulkan *v, enum memory_kind kind, uint64_t bytes)
{
    struct block **best = NULL;
    for (struct block **link = &v->spare; *link; link = &(*link)->next) {
        uint64_t has = (*link)->bytes;
        if (has >= bytes && has - bytes <= bytes / 8 && (!best || has < (*best)->bytes))
            best = link;
    }
    if (!best || kind != MEMORY_DEVICE)
        return NULL;
    struct block *b = *best;
    unlink_spare(v, best);
    b->next = NULL;
    return b;
}

bool vulkan_spare_drop(struct vulkan *v)
{
    bool any = v->spare;
    while (v->spare) {
        struct block *b = v->spare;
        unlink_spare(v, &v->spare);
        vulkan_block_destroy(v, b);
    }
    return any;
}
