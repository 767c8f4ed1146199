/* A recording becomes one command buffer, plus a query pool if it is timed. A unit becomes a secondary
 * command buffer, or nothing if it is copied into the recordings that include it. */
#include "device/vulkan/vulkan.h"

#include <stdlib.h>

struct recording {
    VkCommandBuffer commands; /* VK_NULL_HANDLE for a copied unit */
    bool is_primary;
    VkQueryPool clock; /* timestamps before the first dispatch, and after each dispatch or only the last */
    uint32_t stamps;   /* number of timestamps, 0: none */
    uint32_t stamped;  /* during recording: timestamps recorded so far */
    uint32_t most;     /* the capacity of the clock */
    uint64_t ticket;   /* of the last submission */
    struct recording *next; /* among discarded ones that may still be in use */
};

static void stamp(const struct vulkan *v, struct recording *b)
{
    if (b->stamped < b->stamps)
        v->instance.vk.CmdWriteTimestamp(b->commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, b->clock,
                                         b->stamped++);
}

/* Lets a program record its own dispatches. */
static vks_status record_own(struct vulkan *v, VkCommandBuffer commands, const struct dispatch *d)
{
    if (d->program->record(d->program, commands, d->precision, d->args))
        return fail(v->device.message, VKS_UNSUPPORTED, "the program's own product cannot be recorded in %s",
                    scalar_types[real_precision(d->precision)].name);
    return VKS_OK;
}

vks_status vulkan_commands_dispatch(struct vulkan *v, VkCommandBuffer commands, const struct dispatch *d)
{
    const struct vulkan_api *vk = &v->instance.vk;
    const struct kernel *k = &kernels[d->kernel];
    uint64_t pushed[MAX_PUSH_BYTES / 8];
    VkPipeline pipeline;
    if (d->program && d->program->record)
        return record_own(v, commands, d);
    TRY(d->program ? vulkan_program_pipeline(v, d->program, d->precision, &pipeline)
                   : vulkan_pipeline(v, d->kernel, d->precision, d->args, &pipeline));
    vk->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
    vulkan_push_of(v, k, d->args, pushed);
    if (k->push_bytes)
        vk->CmdPushConstants(commands, v->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, k->push_bytes, pushed);
    vk->CmdDispatch(commands, d->groups, 1, 1);
    return VKS_OK;
}

static vks_status record_list(struct vulkan *v, struct recording *b, const struct rec *r)
{
    vks_status s = VKS_OK;
    for (uint32_t i = 0; i < r->count && !s; i++) {
        const struct dispatch *d = &r->list[i];
        const struct recording *unit = d->unit ? d->unit->backend : NULL;
        if (unit && unit->commands && b->is_primary) {
            v->instance.vk.CmdExecuteCommands(b->commands, 1, &unit->commands);
        } else if (unit) {
            s = record_list(v, b, d->unit);
        } else {
            s = vulkan_commands_dispatch(v, b->commands, d);
            vulkan_barrier(v, b->commands);
            if (v->timestamps)
                stamp(v, b);
        }
    }
    return s;
}

static vks_status record(struct vulkan *v, struct recording *b, const struct rec *r)
{
    TRY(vulkan_commands_begin(v, b->commands, VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT));
    if (b->stamps)
        v->instance.vk.CmdResetQueryPool(b->commands, b->clock, 0, b->stamps);
    b->stamped = 0;
    stamp(v, b);
    TRY(record_list(v, b, r));
    if (!v->timestamps)
        stamp(v, b);
    return vulkan_commands_end(v, b->commands);
}

/* Records a unit. The including recordings provide the barrier before it; a barrier follows each of its
 * dispatches. */
static vks_status record_unit(struct vulkan *v, struct recording *b, const struct rec *r)
{
    const struct vulkan_api *vk = &v->instance.vk;
    VkCommandBufferInheritanceInfo alone = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
    VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
        .pInheritanceInfo = &alone,
    };
    VkResult begun = vk->BeginCommandBuffer(b->commands, &info);
    TRY(begun ? vulkan_fail(v, begun, "recording commands") : record_list(v, b, r));
    VkResult ended = vk->EndCommandBuffer(b->commands);
    return ended ? vulkan_fail(v, ended, "recording commands") : VKS_OK;
}

/* Whether r contains a program's own recording, which needs a primary command buffer. */
static bool records_itself(const struct rec *r)
{
    bool does = false;
    for (uint32_t i = 0; i < r->count && !does; i++) {
        const struct dispatch *d = &r->list[i];
        does = d->unit ? records_itself(d->unit) : d->program && d->program->record;
    }
    return does;
}

static bool is_copied(const struct vulkan *v, const struct rec *r)
{
    return r->is_unit && (r->dispatches < v->long_unit || records_itself(r));
}

static uint32_t stamps_of(const struct vulkan *v, const struct rec *r)
{
    if (v->timestamps)
        return r->dispatches + 1;
    return r->spanned && v->profile.timestamp_bits ? 2 : 0;
}

static vks_status make_clock(struct vulkan *v, struct recording *b)
{
    if (b->stamps <= b->most)
        return VKS_OK;
    v->instance.vk.DestroyQueryPool(v->logical, b->clock, NULL);
    b->clock = VK_NULL_HANDLE;
    b->most = 0;
    VkQueryPoolCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
        .queryType = VK_QUERY_TYPE_TIMESTAMP,
        .queryCount = b->stamps,
    };
    VkResult r = v->instance.vk.CreateQueryPool(v->logical, &info, NULL, &b->clock);
    if (r)
        return vulkan_fail(v, r, "making timestamps");
    b->most = b->stamps;
    return VKS_OK;
}

static vks_status create(struct rec *r)
{
    struct recording *b = r->backend = calloc(1, sizeof *b);
    return b ? VKS_OK : fail_memory(r->device->message, "a recording", sizeof *b);
}

static vks_status create_commands(struct vulkan *v, struct recording *b, bool is_unit)
{
    b->is_primary = !is_unit;
    return vulkan_commands_create(
        v, is_unit ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &b->commands);
}

/* Waits until no submission uses r. For a unit, waits for all submissions. */
static bool is_settled(struct vulkan *v, const struct rec *r)
{
    const struct recording *b = r->backend;
    return vulkan_settled(v, r->is_unit ? v->submitted : b->ticket);
}

static void release(struct vulkan *v, struct recording *b)
{
    if (b->commands)
        v->instance.vk.FreeCommandBuffers(v->logical, v->pool, 1, &b->commands);
    v->instance.vk.DestroyQueryPool(v->logical, b->clock, NULL);
    free(b);
}

static vks_status prepare(struct vulkan *v, struct rec *r)
{
    struct recording *b = r->backend;
    vks_status s = b->commands ? VKS_OK : create_commands(v, b, r->is_unit);
    if (s || r->is_unit)
        return s ? s : record_unit(v, b, r);
    b->stamps = stamps_of(v, r);
    s = make_clock(v, b);
    return s ? s : record(v, b, r);
}

vks_status vulkan_prepare(struct rec *r)
{
    struct vulkan *v = vulkan_of(r->device);
    if (r->backend && !is_settled(v, r))
        r->backend = NULL; /* the device hangs: leak the recording */
    bool copied = is_copied(v, r);
    if (r->backend && copied)
        vulkan_discard(r); /* an earlier version of r may have had commands */
    vks_status s = r->backend ? VKS_OK : create(r);
    if (!s && !copied)
        s = prepare(v, r);
    if (s && r->backend)
        vulkan_discard(r);
    return s;
}

void vulkan_discarded_release(struct vulkan *v)
{
    for (struct recording **link = &v->discarded; *link;) {
        struct recording *b = *link;
        if (b->ticket > v->completed) {
            link = &b->next;
            continue;
        }
        *link = b->next;
        release(v, b);
    }
}

vks_status vulkan_submit(struct rec *r, uint64_t *ticket)
{
    struct recording *b = r->backend;
    vulkan_discarded_release(vulkan_of(r->device));
    TRY(vulkan_commands_submit(vulkan_of(r->device), b->commands, ticket));
    b->ticket = *ticket;
    return VKS_OK;
}

void vulkan_discard(struct rec *r)
{
    struct vulkan *v = vulkan_of(r->device);
    struct recording *b = r->backend;
    if (!r->is_unit && b->ticket > v->completed) {
        b->next = v->discarded;
        v->discarded = b;
    } else if (is_settled(v, r)) {
        release(v, b);
    }
    r->backend = NULL;
}

static vks_status read_clock(struct vulkan *v, const struct recording *b, uint32_t query, uint64_t *ticks)
{
    VkResult r = v->instance.vk.GetQueryPoolResults(v->logical, b->clock, query, 1, sizeof *ticks, ticks,
                                                    sizeof *ticks, VK_QUERY_RESULT_64_BIT);
    return r ? vulkan_fail(v, r, "reading timestamps") : VKS_OK;
}

/* The clock may wrap round; the masked difference is still right. */
static double seconds_between(const struct vulkan *v, uint64_t from, uint64_t to)
{
    uint32_t bits = v->profile.timestamp_bits;
    uint64_t mask = bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
    return 1e-9 * (double)v->profile.properties.limits.timestampPeriod * (double)((to - from) & mask);
}

static vks_status wait_for_last(const struct rec *r)
{
    const struct recording *b = r->backend;
    if (!b || !b->ticket)
        return fail(r->device->message, VKS_INVALID_ARGUMENT,
                    "the times of a recording that was never submitted");
    return vulkan_wait(r->device, b->ticket, r->device->patience);
}

vks_status vulkan_times(struct rec *r, double *seconds)
{
    struct vulkan *v = vulkan_of(r->device);
    if (!v->timestamps)
        return fail(r->device->message, VKS_UNSUPPORTED, "%s was opened without timestamps, or has none",
                    r->device->info.name);
    uint64_t from = 0, to = 0;
    TRY(wait_for_last(r));
    TRY(read_clock(v, r->backend, 0, &from));
    for (uint32_t i = 0; i < r->dispatches; i++, from = to) {
        TRY(read_clock(v, r->backend, i + 1, &to));
        seconds[i] = seconds_between(v, from, to);
    }
    return VKS_OK;
}

vks_status vulkan_span(struct rec *r, double *seconds)
{
    struct vulkan *v = vulkan_of(r->device);
    const struct recording *b = r->backend;
    uint64_t from = 0, to = 0;
    TRY(wait_for_last(r));
    if (!b->stamps)
        return VKS_OK;
    TRY(read_clock(v, b, 0, &from));
    TRY(read_clock(v, b, b->stamps - 1, &to));
    *seconds = seconds_between(v, from, to);
    return VKS_OK;
}
