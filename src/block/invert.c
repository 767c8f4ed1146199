/* Public calls for batched inversion. */
#include "abi/abi.h"
#include "block/verbs.h"
#include "primitive/call.h"
#include "vksolve/block.h"

#include <stdlib.h>

_Static_assert(VKS_LARGEST_INVERTED_BLOCK == BLOCK_MOST, "as documented");

static vks_status check_blocks(uint64_t count, uint64_t entries, const vks_array *in, const vks_array *out)
{
    struct message *m = &in->context->message;
    TRY(array_check(in, in->context, FLOATS, "the blocks"));
    TRY(array_check(out, in->context, 1u << in->type, "the inverses"));
    if (count > BLOCKS_MOST)
        return fail(m, VKS_LIMIT, "%llu blocks are more than %u", (unsigned long long)count, BLOCKS_MOST);
    if (in->n != entries || out->n != entries)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%llu blocks have %llu elements; the array of blocks has %u, that of inverses %u",
                    (unsigned long long)count, (unsigned long long)entries, in->n, out->n);
    return VKS_OK;
}

static vks_status invert(const struct block_batch *q, const vks_array *in, vks_array *out,
                         vks_block_report *report)
{
    struct primitive_call c;
    uint32_t fault = BLOCK_FAULT_NONE;
    vks_status s = primitive_begin(&c, in, sizeof fault, 0, 0);
    IF_OK(s, device_write(in->context->device, &c.result, 0, &fault, sizeof fault));
    invert_blocks(&c.rec, q, array_reals(in), array_reals(out), words_of(&c.result));
    s = primitive_end(&c, s, &fault, sizeof fault);
    bool all = fault == BLOCK_FAULT_NONE;
    if (!s)
        *report =
            (vks_block_report){all ? UINT32_MAX : fault / BLOCK_MOST, all ? UINT32_MAX : fault % BLOCK_MOST};
    return s;
}

vks_status vks_invert_blocks_as(uint32_t header, uint32_t count, uint32_t size, const vks_array *in,
                                vks_array *out, vks_block_report *report)
{
    struct message *m = &in->context->message;
    struct block_batch q = {.count = count, .size = size, .entries = (uint64_t)count * size * size};
    vks_block_report found;
    TRY(context_begin_as(in->context, header));
    if (size < 1 || size > BLOCK_MOST)
        return fail(m, VKS_INVALID_ARGUMENT, "blocks of %u rows; 1 to %u are allowed", size, BLOCK_MOST);
    TRY(check_blocks(count, q.entries, in, out));
    TRY(invert(&q, in, out, &found));
    vks_block_report_out(header, &found, report);
    return VKS_OK;
}

/* Computes the position of each block, and in *q the totals over all blocks. */
static vks_status places(struct message *m, const uint32_t *rows, uint32_t *at, struct block_batch *q)
{
    for (uint32_t b = 0; b < q->count; b++) {
        uint32_t n = rows[b + 1] - rows[b];
        at[b] = (uint32_t)q->entries;
        if (n < 1 || n > BLOCK_MOST)
            return fail(m, VKS_INVALID_ARGUMENT,
                        "block %u, from 0, goes from row %u to %u; blocks have 1 to %u rows", b, rows[b],
                        rows[b + 1], BLOCK_MOST);
        q->entries += (uint64_t)n * n;
        q->most = n > q->most ? n : q->most;
        if (q->entries > UINT32_MAX)
            return fail(m, VKS_LIMIT, "the first %u blocks have more than %u elements", b + 1, UINT32_MAX);
    }
    return VKS_OK;
}

static vks_status invert_of_sizes(const vks_array *rows, uint32_t *host, const vks_array *in, vks_array *out,
                                  vks_block_report *report)
{
    struct device *d = in->context->device;
    uint32_t count = rows->n - 1, *at = host + rows->n;
    struct block_batch q = {.count = count, .rows = array_words(rows)};
    struct memory m = {0};
    vks_status s = device_read(d, &rows->memory, 0, host, 4 * (uint64_t)rows->n);
    IF_OK(s, places(&in->context->message, host, at, &q));
    IF_OK(s, check_blocks(count, q.entries, in, out));
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, 4 * (uint64_t)count, "the places of blocks", &m));
    IF_OK(s, device_write(d, &m, 0, at, 4 * (uint64_t)count));
    q.at = words_of(&m);
    IF_OK(s, invert(&q, in, out, report));
    device_release(d, &m);
    return s;
}

vks_status vks_invert_blocks_of_sizes_as(uint32_t header, const vks_array *rows, const vks_array *in,
                                         vks_array *out, vks_block_report *report)
{
    struct message *m = &in->context->message;
    vks_block_report found;
    TRY(context_begin_as(in->context, header));
    TRY(array_check(rows, in->context, WORDS, "the rows of the blocks"));
    if (rows->n == 0)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "the rows of the blocks are an empty array; no blocks have one offset");
    uint64_t bytes = 8 * (uint64_t)rows->n;
    uint32_t *host = malloc(bytes);
    vks_status s =
        host ? invert_of_sizes(rows, host, in, out, &found) : fail_memory(m, "the places of blocks", bytes);
    free(host);
    if (!s)
        vks_block_report_out(header, &found, report);
    return s;
}
