/* Arrays. A large array has its own block (block.c), possibly a spare one (spare.c). Small arrays share
 * blocks, since a device may allow only 4,096 memory allocations. */
#include "device/vulkan/vulkan.h"

#include <stdio.h>
#include <stdlib.h>

#define SMALL_BYTES ((uint64_t)1 << 20) /* arrays of this size or more are not small */
#define BLOCK_BYTES ((uint64_t)4 << 20)
#define ALIGNMENT ((uint64_t)256)

/* The memory types that suit a buffer, as a mask. */
static vks_status allowed_types(struct vulkan *v, enum block_memory how, uint32_t *allowed)
{
    struct block probe = {.bytes = SMALL_BYTES, .how = how};
    VkMemoryRequirements needs = {0};
    VkResult r = vulkan_block_buffer(v, &probe);
    if (r)
        return vulkan_fail(v, r, "making a buffer");
    v->instance.vk.GetBufferMemoryRequirements(v->logical, probe.buffer, &needs);
    v->instance.vk.DestroyBuffer(v->logical, probe.buffer, NULL);
    *allowed = needs.memoryTypeBits;
    return VKS_OK;
}

/* Disables splitting if the memory type of arrays cannot be bound in pieces. */
static vks_status open_split(struct vulkan *v)
{
    struct device_info *info = &v->device.info;
    uint32_t allowed = 0;
    vks_status s = info->not_split ? VKS_OK : allowed_types(v, BLOCK_SPLIT, &allowed);
    if (s || info->not_split || allowed >> v->profile.types.device & 1)
        return s;
    info->not_split = "its memory for arrays is not for sparse binding";
    info->largest_array = least(info->largest_array, v->profile.largest_allocation);
    return VKS_OK;
}

vks_status vulkan_memory_open(struct vulkan *v)
{
    uint32_t allowed = 0;
    vks_status s = allowed_types(v, BLOCK_PLAIN, &allowed);
    if (s)
        return s;
    if (!vulkan_memory_types_choose(&v->profile.memory, v->device.info.kind, allowed, &v->profile.types))
        return fail(v->device.message, VKS_NO_DEVICE, "%s has no memory for arrays", v->device.info.name);
    return open_split(v);
}

static vks_status refuse_block(struct vulkan *v, VkResult r, uint32_t type, uint64_t bytes, const char *what)
{
    if (r == VK_ERROR_DEVICE_LOST || r == VK_ERROR_OUT_OF_HOST_MEMORY)
        return vulkan_fail(v, r, "making an array");
    if (r == VK_TIMEOUT)
        return fail(v->device.message, VKS_TIMEOUT, "%s did not bind the memory of %s within %g seconds",
                    v->device.info.name, what, v->device.patience);
    char room[24], free_text[64] = "";
    uint64_t free_bytes;
    if (vulkan_block_room(v, type, &free_bytes))
        snprintf(free_text, sizeof free_text, " (%llu bytes are free)", (unsigned long long)free_bytes);
    return fail(v->device.message, VKS_DEVICE_MEMORY, "%s has no room for %s, %llu bytes%s: %s",
                v->device.info.name, what, (unsigned long long)bytes, free_text, vulkan_result_name(r, room));
}

/* Makes a block. After any failure it drops the spare blocks and tries again: device memory, host memory or
 * the number of allocations may have run short. It drops them first if the block would exceed the memory
 * budget, since a driver may then page instead of failing. */
static VkResult make_with_spares(struct vulkan *v, uint32_t type, struct block *b)
{
    uint64_t free_bytes;
    if (v->spare && vulkan_block_room(v, type, &free_bytes) && b->bytes > free_bytes)
        vulkan_spare_drop(v);
    VkResult r = vulkan_block_make(v, type, b);
    if (r && r != VK_ERROR_DEVICE_LOST && r != VK_TIMEOUT && vulkan_spare_drop(v))
        r = vulkan_block_make(v, type, b);
    return r;
}

vks_status vulkan_block_create(struct vulkan *v, uint32_t type, uint64_t bytes, enum block_memory how,
                               const char *what, struct block **out)
{
    *out = NULL;
    if (v->lost)
        return vulkan_fail(v, VK_ERROR_DEVICE_LOST, "making an array");
    struct block *b = calloc(1, sizeof *b);
    if (!b)
        return fail_memory(v->device.message, what, sizeof *b);
    b->bytes = bytes;
    b->how = how;
    VkResult r = make_with_spares(v, type, b);
    if (r) {
        free(b);
        return refuse_block(v, r, type, bytes, what);
    }
    VkBufferDeviceAddressInfo address = {
        .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
        .buffer = b->buffer,
    };
    b->address = v->instance.vk.GetBufferDeviceAddress(v->logical, &address);
    vulkan_name(v, VK_OBJECT_TYPE_BUFFER, (uint64_t)b->buffer, what);
    *out = b;
    return VKS_OK;
}

static vks_status new_block(struct vulkan *v, enum memory_kind kind, uint64_t bytes, const char *what,
                            struct block **out)
{
    const struct vulkan_memory_types *types = &v->profile.types;
    bool shared = kind == MEMORY_SHARED;
    uint32_t type = shared ? types->shared : types->device;
    bool split = !shared && !v->device.info.not_split && bytes > v->piece_bytes;
    enum block_memory how = split                              ? BLOCK_SPLIT
                            : shared || v->device.info.unified ? BLOCK_MAPPED
                                                               : BLOCK_PLAIN;
    TRY(vulkan_block_create(v, type, bytes, how, what, out));
    (*out)->kind = kind;
    return VKS_OK;
}

static struct array *new_array(struct vulkan *v, struct block *b, uint64_t offset, uint64_t bytes)
{
    struct array *a = malloc(sizeof *a);
    if (a)
        *a = (struct array){.block = b, .offset = offset, .bytes = bytes};
    else
        (void)fail_memory(v->device.message, "an array", sizeof *a);
    return a;
}

/* The link to the first free range of the block that is long enough, or NULL. */
static struct array **find_free(struct block *b, uint64_t bytes)
{
    for (struct array **link = &b->free; *link; link = &(*link)->next)
        if ((*link)->bytes >= bytes)
            return link;
    return NULL;
}

/* Cuts an array off a free range. */
static struct array *take(struct vulkan *v, struct array **link, uint64_t bytes)
{
    struct array *hole = *link;
    if (hole->bytes == bytes) {
        *link = hole->next;
        return hole;
    }
    struct array *a = new_array(v, hole->block, hole->offset, bytes);
    if (a) {
        hole->offset += bytes;
        hole->bytes -= bytes;
    }
    return a;
}

static vks_status small_array(struct vulkan *v, enum memory_kind kind, uint64_t bytes, const char *what,
                              struct array **out)
{
    struct array **link = NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    for (struct block *b = v->blocks; b && !link; b = b->next)
        if (b->kind == kind)
            link = find_free(b, bytes);
    if (!link) {
        struct block *b;
        TRY(new_block(v, kind, BLOCK_BYTES, what, &b));
        b->free = new_array(v, b, 0, BLOCK_BYTES);
        if (!b->free) {
            vulkan_block_destroy(v, b);
            return VKS_OUT_OF_MEMORY;
        }
        vulkan_name(v, VK_OBJECT_TYPE_BUFFER, (uint64_t)b->buffer, "small arrays");
        b->small = true;
        b->next = v->blocks;
        v->blocks = b;
        link = &b->free;
    }
    *out = take(v, link, bytes);
    return *out ? VKS_OK : VKS_OUT_OF_MEMORY;
}

/* Waits for submitted work, which may still use the block. If the device hangs, the block is leaked. */
static void destroy_unused(struct vulkan *v, struct block *b)
{
    if (vulkan_settled(v, v->submitted))
        vulkan_block_destroy(v, b);
}

static vks_status large_array(struct vulkan *v, enum memory_kind kind, uint64_t bytes, const char *what,
                              struct array **out)
{
    struct block *b = vulkan_spare_take(v, kind, bytes, what);
    if (!b)
        TRY(new_block(v, kind, bytes, what, &b));
    *out = new_array(v, b, 0, bytes);
    if (*out)
        return VKS_OK;
    destroy_unused(v, b);
    return VKS_OUT_OF_MEMORY;
}

vks_status vulkan_allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    struct vulkan *v = vulkan_of(d);
    struct array *a = NULL;
    TRY(bytes < SMALL_BYTES ? small_array(v, kind, bytes, what, &a) : large_array(v, kind, bytes, what, &a));
    struct block *b = a->block;
    b->arrays++;
    v->wide_arrays += a->bytes > v->wide_bytes;
    *out = (struct memory){.address = b->address + a->offset, .bytes = bytes, .handle = a};
    if (kind == MEMORY_SHARED)
        out->mapped = b->mapped + a->offset;
    return VKS_OK;
}

bool vulkan_room(struct device *d, uint64_t *bytes)
{
    struct vulkan *v = vulkan_of(d);
    if (!vulkan_block_room(v, v->profile.types.device, bytes))
        return false;
    *bytes += v->spare_bytes;
    return true;
}

vks_status vulkan_wrap(struct vulkan *v, uint64_t address, uint64_t bytes, struct memory *out)
{
    struct array *a = new_array(v, NULL, 0, bytes);
    if (!a)
        return VKS_OUT_OF_MEMORY;
    v->wide_arrays += a->bytes > v->wide_bytes;
    *out = (struct memory){.address = address, .bytes = bytes, .handle = a};
    device_count(&v->device, bytes);
    return VKS_OK;
}

/* Returns a range to its block's free list, and joins it with adjacent ones. */
static void give_back(struct array *a)
{
    struct array **link = &a->block->free, *before = NULL;
    while (*link && (*link)->offset < a->offset) {
        before = *link;
        link = &before->next;
    }
    a->next = *link;
    *link = a;
    struct array *after = a->next;
    if (after && a->offset + a->bytes == after->offset) {
        a->bytes += after->bytes;
        a->next = after->next;
        free(after);
    }
    if (before && before->offset + before->bytes == a->offset) {
        before->bytes += a->bytes;
        before->next = a->next;
        free(a);
    }
}

/* Drops the block if it is empty and not the last of its kind, which stays for the next small array. */
static void drop_if_spare(struct vulkan *v, struct block *b)
{
    uint32_t same = 0;
    struct block **link = NULL;
    for (struct block **l = &v->blocks; *l; l = &(*l)->next) {
        same += (*l)->kind == b->kind;
        if (*l == b)
            link = l;
    }
    if (b->arrays || same < 2 || !link)
        return;
    *link = b->next;
    free(b->free);
    destroy_unused(v, b);
}

/* Submitted work may still use the array. Memory reused on the device is safe without a wait, because later
 * submissions run after it. If the host can access the memory, it waits here. */
void vulkan_release(struct device *d, struct memory *m)
{
    struct vulkan *v = vulkan_of(d);
    struct array *a = m->handle;
    struct block *b = a->block;
    if ((!b || b->mapped) && !vulkan_settled(v, v->submitted))
        return;
    v->wide_arrays -= a->bytes > v->wide_bytes;
    if (!b) {
        free(a);
        return;
    }
    b->arrays--;
    if (!b->small) {
        if (!vulkan_spare_keep(v, b))
            destroy_unused(v, b);
        free(a);
        return;
    }
    give_back(a);
    drop_if_spare(v, b);
}

void vulkan_memory_close(struct vulkan *v)
{
    if (v->zeros)
        vulkan_block_destroy(v, v->zeros);
    if (v->staging.block)
        vulkan_block_destroy(v, v->staging.block);
    vulkan_spare_drop(v);
    while (v->blocks) {
        struct block *b = v->blocks;
        v->blocks = b->next;
        free(b->free);
        vulkan_block_destroy(v, b);
    }
}
