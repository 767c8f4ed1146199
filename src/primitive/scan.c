/* Public calls for prefix sums. */
#include "primitive/call.h"
#include "primitive/scan_verbs.h"

struct scan_space room_scan(struct room *w, uint32_t n, uint32_t item_bytes, bool segmented)
{
    uint64_t words = segmented ? (uint64_t)head_words(n) + scan_tiles(n) : 0;
    return (struct scan_space){
        .sums = room_memory(w, MEMORY_DEVICE, (uint64_t)scan_tiles(n) * item_bytes, "sums of tiles"),
        .heads = room_memory(w, MEMORY_DEVICE, 4 * words, "heads of segments"),
        .n = n};
}

static vks_status check(const vks_array *x, vks_scan_kind kind, const vks_array *y)
{
    struct message *m = context_begin(x->context);
    TRY(array_check(x, x->context, FLOATS | WORDS, "elements to be added up"));
    TRY(array_check(y, x->context, 1u << x->type, "prefix sums"));
    TRY(array_check_length(y, x->n, "prefix sums"));
    if ((unsigned)kind >= VKS_SCAN_COUNT_)
        return fail(m, VKS_INVALID_ARGUMENT, "%d is not a vks_scan_kind", (int)kind);
    return VKS_OK;
}

/* Scans in three steps; heads may be NULL. */
static vks_status scan_in_steps(const vks_array *x, const vks_array *heads, bool exclusive, vks_array *y)
{
    struct device *d = x->context->device;
    struct room room = {.device = d};
    struct rec r = rec_once(d, precision_for(x->type));
    struct scan_space w = room_scan(&room, x->n, vks_type_bytes(x->type), heads);
    if (heads)
        mark_heads(&r, &w, array_words(heads), heads->n);
    if (x->type == VKS_TYPE_U32)
        scan_u32(&r, &w, array_words(x), array_words(y), heads, exclusive);
    else
        scan_real(&r, &w, array_reals(x), array_reals(y), heads, exclusive);
    vks_status s = rec_run_once(&r, room.status);
    room_close(&room);
    return s;
}

static vks_status scan_at_once(const vks_array *x, bool exclusive, vks_array *y)
{
    struct device *d = x->context->device;
    bool words = x->type == VKS_TYPE_U32;
    uint64_t room = words ? scan_once_words(x->n) : scan_once_real_words(x->n, vks_type_bytes(x->type));
    struct memory space;
    struct rec r = rec_once(d, precision_for(x->type));
    vks_status s = device_allocate(d, MEMORY_DEVICE, 4 * room, "sums of tiles", &space);
    u32s published = (u32s)(uintptr_t)space.address;
    if (words)
        scan_once_u32(&r, published, array_words(x), array_words(y), x->n, exclusive, SCAN_POLLS);
    else
        scan_once_real(&r, published, array_reals(x), array_reals(y), x->n, exclusive, SCAN_POLLS);
    s = rec_run_once(&r, s);
    device_release(d, &space);
    return s;
}

/* Whether to use one pass: only if running workgroups keep making progress, as on GPUs. Threads of software
 * devices may be descheduled; other threads would then add up their tiles. */
static bool passes_once(const vks_array *x, const vks_array *y)
{
    return x->memory.address != y->memory.address && x->context->device->info.kind != DEVICE_SOFTWARE;
}

vks_status vks_scan(const vks_array *x, vks_scan_kind kind, vks_array *y)
{
    TRY(check(x, kind, y));
    bool exclusive = kind == VKS_SCAN_EXCLUSIVE;
    return passes_once(x, y) ? scan_at_once(x, exclusive, y) : scan_in_steps(x, NULL, exclusive, y);
}

vks_status vks_scan_segments(const vks_array *x, const vks_array *offsets, vks_scan_kind kind, vks_array *y)
{
    TRY(check(x, kind, y));
    TRY(array_check(offsets, x->context, WORDS, "offsets of segments"));
    return scan_in_steps(x, offsets, kind == VKS_SCAN_EXCLUSIVE, y);
}
