/* Blocks of released large arrays, kept for reuse. An allocation takes longer than many kernels run, and
 * repeated work needs the same sizes again. */
#include "device/vulkan/vulkan.h"

/* Limits on kept blocks: their number, since a device may allow only 4,096 allocations, and 1 / SPARE_SHARE
 * of device memory. */
enum { SPARE_BLOCKS = 512, SPARE_SHARE = 8 };

static struct block *unlink_spare(struct vulkan *v, struct block **link)
{
    struct block *b = *link;
    *link = b->next;
    b->next = NULL;
    v->spare_bytes -= b->bytes;
    v->spares--;
    return b;
}

bool vulkan_spare_keep(struct vulkan *v, struct block *b)
{
    uint64_t most = v->device.info.memory / SPARE_SHARE;
    if (v->lost || b->kind != MEMORY_DEVICE || b->bytes > most)
        return false;
    while (v->spares >= SPARE_BLOCKS || v->spare_bytes > most - b->bytes) { /* drop the oldest */
        if (!vulkan_settled(v, v->submitted))
            return false;
        vulkan_block_destroy(v, unlink_spare(v, &v->spare));
    }
    struct block **last = &v->spare;
    while (*last)
        last = &(*last)->next;
    *last = b;
    b->next = NULL;
    v->spare_bytes += b->bytes;
    v->spares++;
    vulkan_name(v, VK_OBJECT_TYPE_BUFFER, (uint64_t)b->buffer, "spare memory");
    return true;
}

struct block *vulkan_spare_take(struct vulkan *v, enum memory_kind kind, uint64_t bytes, const char *what)
{
    if (v->lost || kind != MEMORY_DEVICE)
        return NULL;
    struct block **best = NULL;
    for (struct block **link = &v->spare; *link; link = &(*link)->next) {
        uint64_t has = (*link)->bytes;
        if (has >= bytes && has - bytes <= has / 8 && (!best || has < (*best)->bytes))
            best = link;
    }
    if (!best)
        return NULL;
    struct block *b = unlink_spare(v, best);
    vulkan_name(v, VK_OBJECT_TYPE_BUFFER, (uint64_t)b->buffer, what);
    return b;
}

bool vulkan_spare_drop(struct vulkan *v)
{
    bool any = v->spare && vulkan_settled(v, v->submitted);
    while (any && v->spare)
        vulkan_block_destroy(v, unlink_spare(v, &v->spare));
    return any;
}
