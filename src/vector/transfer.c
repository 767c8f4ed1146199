/* Asynchronous copies between vectors and host memory. */
#include "vksolve/transfer.h"
#include "device/call.h"
#include "vector/vec.h"
#include "vector/verbs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct vks_transfer {
    vks_context *context;
    struct memory memory; /* as the device accesses it */
    unsigned char *host;  /* as the caller accesses it */
    uint64_t bytes;
    uint64_t ticket; /* of the last copy */
    bool under_way;  /* a copy may be in progress */
    /* For memory that is not direct: the range that was read and that the host must still copy. */
    uint64_t at, left;
};

static vks_status make(vks_context *context, uint64_t bytes, vks_transfer **transfer)
{
    vks_transfer *t = *transfer = calloc(1, sizeof *t);
    if (!t)
        return fail_memory(&context->message, "a transfer", sizeof *t);
    context_retain(context);
    t->context = context;
    t->bytes = bytes;
    return VKS_OK;
}

static vks_status end(vks_status s, vks_transfer **transfer)
{
    if (!s)
        return s;
    vks_transfer_destroy(*transfer);
    *transfer = NULL;
    return s;
}

static vks_status stage(vks_transfer *t)
{
    return device_allocate(t->context->device, MEMORY_SHARED, t->bytes, "a transfer", &t->memory);
}

vks_status vks_transfer_create(vks_context *context, uint64_t bytes, vks_transfer **transfer)
{
    context_begin(context);
    vks_status s = make(context, bytes, transfer);
    IF_OK(s, stage(*transfer));
    if (!s)
        (*transfer)->host = (*transfer)->memory.mapped;
    return end(s, transfer);
}

static vks_status check_pages(vks_context *context, const void *memory, uint64_t bytes)
{
    struct message *m = context_begin(context);
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    if (bytes && !memory)
        return fail(m, VKS_INVALID_ARGUMENT, "the memory is NULL");
    if ((uintptr_t)memory % page || bytes % page)
        return fail(m, VKS_INVALID_ARGUMENT, "%llu bytes at 0x%llx are not whole pages of %llu",
                    (unsigned long long)bytes, (unsigned long long)(uintptr_t)memory,
                    (unsigned long long)page);
    return VKS_OK;
}

vks_status vks_transfer_create_in(vks_context *context, void *memory, uint64_t bytes, vks_transfer **transfer)
{
    *transfer = NULL;
    TRY(check_pages(context, memory, bytes));
    TRY(make(context, bytes, transfer));
    vks_transfer *t = *transfer;
    t->host = memory;
    vks_status s = bytes ? device_import(context->device, memory, bytes, &t->memory) : VKS_UNSUPPORTED;
    if (s == VKS_UNSUPPORTED) {
        context_begin(context);
        s = stage(t);
    }
    return end(s, transfer);
}

void vks_transfer_destroy(vks_transfer *transfer)
{
    if (!transfer)
        return;
    device_release(transfer->context->device, &transfer->memory);
    context_release(transfer->context);
    free(transfer);
}

void *vks_transfer_memory(const vks_transfer *transfer)
{
    return transfer->host;
}

uint64_t vks_transfer_bytes(const vks_transfer *transfer)
{
    return transfer->bytes;
}

bool vks_transfer_is_direct(const vks_transfer *transfer)
{
    return transfer->host == transfer->memory.mapped;
}

/* Waits for the last copy, and copies data that were read to the caller's memory. */
static vks_status settle(vks_transfer *t, double seconds)
{
    if (!t->under_way)
        return VKS_OK;
    TRY(call_wait(t->context, t->ticket, seconds));
    if (t->left)
        memcpy(t->host + t->at, (unsigned char *)t->memory.mapped + t->at, t->left);
    t->left = 0;
    t->under_way = false;
    return VKS_OK;
}

vks_status vks_transfer_wait(vks_transfer *transfer)
{
    context_begin(transfer->context);
    return settle(transfer, DEVICE_WAIT_SECONDS);
}

vks_status vks_transfer_done(vks_transfer *transfer, bool *done)
{
    context_begin(transfer->context);
    vks_status s = settle(transfer, 0);
    *done = !s;
    if (s != VKS_TIMEOUT)
        return s;
    context_begin(transfer->context);
    return VKS_OK;
}

static vks_status check(const vks_transfer *t, uint64_t at, const vks_vector *x, uint32_t first,
                        uint32_t count)
{
    struct message *m = context_begin(t->context);
    uint64_t element = real_bytes(precision_of(x->precision)), bytes = count * element;
    if (x->context != t->context)
        return fail(m, VKS_INVALID_ARGUMENT, "the transfer and the vector belong to different contexts");
    if (in_pairs(t->context->device, x->precision))
        return fail(m, VKS_UNSUPPORTED, "%s has no 64-bit floats: vectors of VKS_F64 have no transfers there",
                    t->context->device->info.name);
    TRY(context_check_range(t->context, first, count, "a vector", x->n));
    if (at % element || at > t->bytes || bytes > t->bytes - at)
        return fail(m, VKS_INVALID_ARGUMENT,
                    "%u elements of %llu bytes from byte %llu on, in a transfer of %llu bytes", count,
                    (unsigned long long)element, (unsigned long long)at, (unsigned long long)t->bytes);
    return VKS_OK;
}

/* The part of memory m that is copied, as a vector. */
static struct vec inside(const struct memory *m, uint64_t at, const vks_vector *x, uint32_t count)
{
    struct memory part = memory_part(m, at, count * real_bytes(precision_of(x->precision)));
    return vec_in(&part, count, precision_of(x->precision));
}

static struct vec range_of(const vks_vector *x, uint32_t first, uint32_t count)
{
    return inside(&x->memory, first * (uint64_t)real_bytes(precision_of(x->precision)), x, count);
}

static vks_status submit(vks_transfer *t, struct vec from, struct vec to)
{
    struct call *c = call_begin(t->context, from.precision);
    copy(&c->rec, from, to);
    uint64_t ticket;
    TRY(call_submit(c, &ticket));
    t->ticket = ticket;
    t->under_way = true;
    return VKS_OK;
}

/* Settles a read: memory that is not direct can hold only one read that the host must still copy. */
static vks_status settle_read(vks_transfer *t)
{
    return t->left ? settle(t, DEVICE_WAIT_SECONDS) : VKS_OK;
}

vks_status vks_transfer_write(vks_transfer *transfer, uint64_t at, vks_vector *x, uint32_t first,
                              uint32_t count)
{
    TRY(check(transfer, at, x, first, count));
    TRY(settle_read(transfer));
    if (!count)
        return VKS_OK;
    struct vec to = range_of(x, first, count);
    if (!vks_transfer_is_direct(transfer))
        memcpy((unsigned char *)transfer->memory.mapped + at, transfer->host + at, vec_bytes(to));
    return submit(transfer, inside(&transfer->memory, at, x, count), to);
}

vks_status vks_transfer_read(vks_transfer *transfer, uint64_t at, const vks_vector *x, uint32_t first,
                             uint32_t count)
{
    TRY(check(transfer, at, x, first, count));
    TRY(settle_read(transfer));
    if (!count)
        return VKS_OK;
    struct vec from = range_of(x, first, count);
    TRY(submit(transfer, from, inside(&transfer->memory, at, x, count)));
    if (!vks_transfer_is_direct(transfer)) {
        transfer->at = at;
        transfer->left = vec_bytes(from);
    }
    return VKS_OK;
}
