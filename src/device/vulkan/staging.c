/* Transfers. If host and device share memory, the host copies. Otherwise transfers use a ring of chunks:
 * while the device copies one, the host fills or empties the next. */
#include "device/vulkan/vulkan.h"
#include "team/team.h"

#include <string.h>

#define STAGING_BYTES ((uint64_t)32 << 20)

/* Host copies are divided among threads: one thread reaches only a fraction of the bus bandwidth. */
enum { PIECE_BYTES = 1 << 18, MANY_PIECES = 4 };

struct bytes {
    unsigned char *to;
    const unsigned char *from;
    uint64_t count;
};

static void copy_pieces(const void *bytes, struct member *me)
{
    const struct bytes *b = bytes;
    TEAM_FOR(me, k, (uint32_t)((b->count + PIECE_BYTES - 1) / PIECE_BYTES), MANY_PIECES, 1)
    {
        uint64_t at = (uint64_t)k * PIECE_BYTES;
        memcpy(b->to + at, b->from + at, least(PIECE_BYTES, b->count - at));
    }
}

static void copy_on_host(struct vulkan *v, void *to, const void *from, uint64_t count)
{
    team_run(v->device.team, copy_pieces, &(struct bytes){to, from, count});
}

static vks_status open_ring(struct vulkan *v)
{
    struct staging *ring = &v->staging;
    if (ring->block)
        return VKS_OK;
    uint64_t bytes = v->staging_bytes ? v->staging_bytes : STAGING_BYTES;
    ring->chunk_bytes = bytes / STAGING_CHUNKS / 4 ? bytes / STAGING_CHUNKS / 4 * 4 : 4; /* whole words */
    if (!ring->commands[0])
        TRY(vulkan_commands_create(v, VK_COMMAND_BUFFER_LEVEL_PRIMARY, STAGING_CHUNKS, ring->commands));
    return vulkan_block_create(v, v->profile.types.shared, ring->chunk_bytes * STAGING_CHUNKS, BLOCK_MAPPED,
                               "the staging ring", &ring->block);
}

static unsigned char *chunk_at(const struct staging *ring, uint32_t chunk)
{
    return ring->block->mapped + chunk * ring->chunk_bytes;
}

static vks_status chunk_free(struct vulkan *v, uint32_t chunk)
{
    return vulkan_wait(&v->device, v->staging.tickets[chunk], v->device.patience);
}

/* One end of a copy. The program's own memory has only an address. */
struct end {
    VkBuffer buffer;
    uint64_t offset, address;
};

/* The offset of an array, or of a part of one, in its block. */
static uint64_t place_of(const struct memory *m)
{
    const struct array *a = m->handle;
    return m->address - a->block->address;
}

static struct end end_at(const struct memory *m, uint64_t offset)
{
    const struct array *a = m->handle;
    struct end e = {.address = m->address + offset};
    if (a->block) {
        e.buffer = a->block->buffer;
        e.offset = place_of(m) + offset;
    }
    return e;
}

static struct end end_in_ring(const struct staging *ring, uint32_t chunk)
{
    uint64_t offset = chunk * ring->chunk_bytes;
    return (struct end){ring->block->buffer, offset, ring->block->address + offset};
}

/* Copies whole words by a kernel. */
static vks_status copy_words(struct vulkan *v, VkCommandBuffer commands, struct end from, struct end to,
                             uint64_t bytes)
{
    struct dispatch d = {.kernel = KERNEL_copy_words, .precision = PRECISION_F32};
    struct copy_words_args args = {
        .x = (u32s)(uintptr_t)from.address, .y = (u32s)(uintptr_t)to.address, .n = (uint32_t)(bytes / 4)};
    d.groups = (uint32_t)least((args.n - 1) / 256 + 1, v->device.info.max_groups);
    memcpy(d.args, &args, sizeof args);
    return vulkan_commands_dispatch(v, commands, &d);
}

static vks_status copy(struct vulkan *v, uint32_t chunk, struct end from, struct end to, uint64_t bytes)
{
    struct staging *ring = &v->staging;
    VkCommandBuffer commands = ring->commands[chunk];
    bool by_kernel = !from.buffer || !to.buffer;
    VkPipeline pipeline;
    vks_status s = VKS_OK;
    if (by_kernel) /* compiled before recording begins, which cannot be undone */
        s = vulkan_pipeline(v, KERNEL_copy_words, PRECISION_F32, NULL, &pipeline);
    IF_OK(s, vulkan_commands_begin(v, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    if (s)
        return s;
    if (by_kernel)
        s = copy_words(v, commands, from, to, bytes);
    else
        v->instance.vk.CmdCopyBuffer(commands, from.buffer, to.buffer, 1,
                                     &(VkBufferCopy){from.offset, to.offset, bytes});
    IF_OK(s, vulkan_commands_end(v, commands));
    return s ? s : vulkan_commands_submit(v, commands, &ring->tickets[chunk]);
}

/* Returns once `from` has been read. The device may still be copying; later submissions wait for it. */
static vks_status write_staged(struct vulkan *v, const struct memory *m, uint64_t offset,
                               const unsigned char *from, uint64_t bytes)
{
    struct staging *ring = &v->staging;
    for (uint64_t done = 0; done < bytes;) {
        uint32_t chunk = ring->next;
        uint64_t part = least(ring->chunk_bytes, bytes - done);
        TRY(chunk_free(v, chunk));
        copy_on_host(v, chunk_at(ring, chunk), from + done, part);
        TRY(copy(v, chunk, end_in_ring(ring, chunk), end_at(m, offset + done), part));
        ring->next = (chunk + 1) % STAGING_CHUNKS;
        done += part;
    }
    return VKS_OK;
}

/* Part k of a read uses chunk k modulo STAGING_CHUNKS. All chunks are requested before the first wait. */
static vks_status read_staged(struct vulkan *v, const struct memory *m, uint64_t offset, unsigned char *to,
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
            copy_on_host(v, to + at, chunk_at(ring, chunk), least(size, bytes - at));
        }
        if (k < parts)
            s = copy(v, chunk, end_at(m, offset + k * size), end_in_ring(ring, chunk),
                     least(size, bytes - k * size));
        if (s)
            return s;
    }
    return VKS_OK;
}

/* The host's address of the memory; NULL if the host cannot access it. */
static unsigned char *seen(const struct memory *m)
{
    const struct array *a = m->handle;
    return a->block && a->block->mapped ? a->block->mapped + place_of(m) : NULL;
}

vks_status vulkan_write(struct device *d, struct memory *m, uint64_t offset, const void *from, uint64_t bytes)
{
    struct vulkan *v = vulkan_of(d);
    unsigned char *there = seen(m);
    if (there) {
        vks_status s = vulkan_wait(d, v->submitted, d->patience);
        if (!s)
            copy_on_host(v, there + offset, from, bytes);
        return s;
    }
    TRY(open_ring(v));
    return write_staged(v, m, offset, from, bytes);
}

vks_status vulkan_read(struct device *d, const struct memory *m, uint64_t offset, void *to, uint64_t bytes)
{
    struct vulkan *v = vulkan_of(d);
    const unsigned char *there = seen(m);
    if (there) {
        vks_status s = vulkan_wait(d, v->submitted, d->patience);
        if (!s)
            copy_on_host(v, to, there + offset, bytes);
        return s;
    }
    TRY(open_ring(v));
    return read_staged(v, m, offset, to, bytes);
}
