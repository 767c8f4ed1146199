/* Transfers. Where host and device share their memory they are copies by the host. Elsewhere they go through
 * a ring of chunks: while the device copies one, the host fills or empties the next. */
#include "device/vulkan/vulkan.h"

#include <string.h>

#define STAGING_BYTES ((uint64_t)32 << 20)

static vks_status open_ring(struct vulkan *v)
{
    struct staging *ring = &v->staging;
    if (ring->block)
        return VKS_OK;
    uint64_t bytes = v->staging_bytes ? v->staging_bytes : STAGING_BYTES;
    ring->chunk_bytes = bytes / STAGING_CHUNKS ? bytes / STAGING_CHUNKS : 1;
    vks_status s = VKS_OK;
    if (!ring->commands[0])
        s = vulkan_commands_create(v, STAGING_CHUNKS, ring->commands);
    if (!s)
        s = vulkan_block_create(v, v->profile.types.shared, ring->chunk_bytes * STAGING_CHUNKS, true,
                                "the staging ring", &ring->block);
    return s;
}

static unsigned char *chunk_at(const struct staging *ring, uint32_t chunk)
{
    return ring->block->mapped + chunk * ring->chunk_bytes;
}

static vks_status chunk_free(struct vulkan *v, uint32_t chunk)
{
    return vulkan_wait(&v->device, v->staging.tickets[chunk], DEVICE_WAIT_SECONDS);
}

static vks_status copy(struct vulkan *v, uint32_t chunk, VkBuffer from, VkBuffer to, VkBufferCopy range)
{
    struct staging *ring = &v->staging;
    VkCommandBuffer commands = ring->commands[chunk];
    vks_status s = vulkan_commands_begin(v, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    if (s)
        return s;
    v->instance.vk.CmdCopyBuffer(commands, from, to, 1, &range);
    s = vulkan_commands_end(v, commands);
    return s ? s : vulkan_commands_submit(v, commands, &ring->tickets[chunk]);
}

/* Returns when `from` has been read; the device may still copy, which all that is submitted later waits for.
 */
static vks_status write_staged(struct vulkan *v, const struct array *a, uint64_t offset,
                               const unsigned char *from, uint64_t bytes)
{
    struct staging *ring = &v->staging;
    for (uint64_t done = 0; done < bytes;) {
        uint32_t chunk = ring->next;
        uint64_t part = least(ring->chunk_bytes, bytes - done);
        vks_status s = chunk_free(v, chunk);
        if (s)
            return s;
        memcpy(chunk_at(ring, chunk), from + done, part);
        s = copy(v, chunk, ring->block->buffer, a->block->buffer,
                 (VkBufferCopy){chunk * ring->chunk_bytes, a->offset + offset + done, part});
        if (s)
            return s;
        ring->next = (chunk + 1) % STAGING_CHUNKS;
        done += part;
    }
    return VKS_OK;
}

/* Part k of a read goes through the chunk of its number. All chunks are asked for before the first is
 * awaited. */
static vks_status read_staged(struct vulkan *v, const struct array *a, uint64_t offset, unsigned char *to,
                              uint64_t bytes)
{
    struct staging *ring = &v->staging;
    uint64_t size = ring->chunk_bytes, parts = (bytes - 1) / size + 1;
    for (uint64_t k = 0; k < parts + STAGING_CHUNKS; k++) {
        uint32_t chunk = (uint32_t)(k % STAGING_CHUNKS);
        vks_status s = chunk_free(v, chunk);
        if (s)
            return s;
        if (k >= STAGING_CHUNKS && k - STAGING_CHUNKS < parts) {
            uint64_t at = (k - STAGING_CHUNKS) * size;
            memcpy(to + at, chunk_at(ring, chunk), least(size, bytes - at));
        }
        if (k < parts)
            s = copy(
                v, chunk, a->block->buffer, ring->block->buffer,
                (VkBufferCopy){a->offset + offset + k * size, chunk * size, least(size, bytes - k * size)});
        if (s)
            return s;
    }
    return VKS_OK;
}

vks_status vulkan_write(struct device *d, struct memory *m, uint64_t offset, const void *from, uint64_t bytes)
{
    struct vulkan *v = vulkan_of(d);
    const struct array *a = m->handle;
    if (a->block->mapped) {
        vks_status s = vulkan_wait(d, v->submitted, DEVICE_WAIT_SECONDS);
        if (!s)
            memcpy(a->block->mapped + a->offset + offset, from, bytes);
        return s;
    }
    vks_status s = open_ring(v);
    return s ? s : write_staged(v, a, offset, from, bytes);
}

vks_status vulkan_read(struct device *d, const struct memory *m, uint64_t offset, void *to, uint64_t bytes)
{
    struct vulkan *v = vulkan_of(d);
    const struct array *a = m->handle;
    if (a->block->mapped) {
        vks_status s = vulkan_wait(d, v->submitted, DEVICE_WAIT_SECONDS);
        if (!s)
            memcpy(to, a->block->mapped + a->offset + offset, bytes);
        return s;
    }
    vks_status s = open_ring(v);
    return s ? s : read_staged(v, a, offset, to, bytes);
}
