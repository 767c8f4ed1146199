/* The queue: command buffers, barriers, and the timeline that signals their completion. */
#include "abi/environment.h"
#include "device/vulkan/vulkan.h"
#include "report/clock.h"

enum { COMPUTE = 1, TRANSFER = 2, HOST = 4 };

/* Records a barrier, as all of vksolve's: makes the writes of `from` visible to `to`. A barrier covers all
 * memory, since only the addresses of a dispatch's arrays are known. */
static void separate(const struct vulkan *v, VkCommandBuffer commands, unsigned from, unsigned to)
{
    VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    VkPipelineStageFlags before = 0, after = 0;
    if (from & COMPUTE) {
        before |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        memory.srcAccessMask |= VK_ACCESS_SHADER_WRITE_BIT;
    }
    if (from & TRANSFER) {
        before |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        memory.srcAccessMask |= VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    if (to & COMPUTE) {
        after |= VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
        memory.dstAccessMask |= VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    }
    if (to & TRANSFER) {
        after |= VK_PIPELINE_STAGE_TRANSFER_BIT;
        memory.dstAccessMask |= VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    }
    if (to & HOST) {
        after |= VK_PIPELINE_STAGE_HOST_BIT;
        memory.dstAccessMask |= VK_ACCESS_HOST_READ_BIT;
    }
    v->instance.vk.CmdPipelineBarrier(commands, before, after, 0, 1, &memory, 0, NULL, 0, NULL);
}

void vulkan_barrier(const struct vulkan *v, VkCommandBuffer commands)
{
    separate(v, commands, COMPUTE, COMPUTE);
}

vks_status vulkan_commands_create(struct vulkan *v, VkCommandBufferLevel level, uint32_t count,
                                  VkCommandBuffer *commands)
{
    VkCommandBufferAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = v->pool,
        .level = level,
        .commandBufferCount = count,
    };
    VkResult r = v->instance.vk.AllocateCommandBuffers(v->logical, &info, commands);
    return r ? vulkan_fail(v, r, "making command buffers") : VKS_OK;
}

vks_status vulkan_commands_begin(struct vulkan *v, VkCommandBuffer commands, VkCommandBufferUsageFlags usage)
{
    VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = usage,
    };
    VkResult r = v->instance.vk.BeginCommandBuffer(commands, &info);
    if (r)
        return vulkan_fail(v, r, "recording commands");
    separate(v, commands, COMPUTE | TRANSFER, COMPUTE | TRANSFER);
    return VKS_OK;
}

vks_status vulkan_commands_end(struct vulkan *v, VkCommandBuffer commands)
{
    separate(v, commands, COMPUTE | TRANSFER, HOST);
    VkResult r = v->instance.vk.EndCommandBuffer(commands);
    return r ? vulkan_fail(v, r, "recording commands") : VKS_OK;
}

/* Calls the program's function that locks or unlocks the queue, which other threads may use. */
static void call_program(const struct vulkan *v, void (*function)(void *user))
{
    struct visit visit = callers_enter();
    function(v->own.user);
    callers_leave(visit);
}

static void lock_queue(const struct vulkan *v)
{
    if (v->own.lock_queue)
        call_program(v, v->own.lock_queue);
}

static void unlock_queue(const struct vulkan *v)
{
    if (v->own.unlock_queue)
        call_program(v, v->own.unlock_queue);
}

static VkResult submit_locked(const struct vulkan *v, const VkSubmitInfo *info)
{
    lock_queue(v);
    VkResult r = v->instance.vk.QueueSubmit(v->queue, 1, info, VK_NULL_HANDLE);
    unlock_queue(v);
    return r;
}

/* A semaphore and the value to wait for or to signal. */
struct point {
    VkSemaphore semaphore;
    uint64_t value;
};

/* Submits one batch. Absent parts are null. */
static vks_status submit(struct vulkan *v, VkCommandBuffer commands, struct point wait, struct point signal)
{
    uint64_t ticket = v->submitted + 1;
    VkSemaphore signalled[] = {signal.semaphore, v->timeline}; /* ours is last if signals are ordered */
    uint64_t values[] = {signal.value, ticket};
    uint32_t waits = wait.semaphore != VK_NULL_HANDLE, first = signal.semaphore == VK_NULL_HANDLE;
    VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = waits,
        .pWaitSemaphoreValues = &wait.value,
        .signalSemaphoreValueCount = 2 - first,
        .pSignalSemaphoreValues = values + first,
    };
    VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = waits,
        .pWaitSemaphores = &wait.semaphore,
        .pWaitDstStageMask = &all,
        .commandBufferCount = commands != VK_NULL_HANDLE,
        .pCommandBuffers = &commands,
        .signalSemaphoreCount = 2 - first,
        .pSignalSemaphores = signalled + first,
    };
    VkResult r = v->lost ? VK_ERROR_DEVICE_LOST : submit_locked(v, &info);
    if (r)
        return vulkan_fail(v, r, "submitting work");
    v->submitted = ticket;
    return VKS_OK;
}

vks_status vulkan_commands_submit(struct vulkan *v, VkCommandBuffer commands, uint64_t *ticket)
{
    struct point none = {0};
    TRY(submit(v, commands, none, none));
    *ticket = v->submitted;
    return VKS_OK;
}

/* A batch's wait applies to all later submissions to the queue, and its signal follows all earlier ones. So
 * batches without commands suffice. */
vks_status vulkan_semaphore_wait(struct vulkan *v, VkSemaphore semaphore, uint64_t value)
{
    return submit(v, VK_NULL_HANDLE, (struct point){semaphore, value}, (struct point){0});
}

vks_status vulkan_semaphore_signal(struct vulkan *v, VkSemaphore semaphore, uint64_t value)
{
    return submit(v, VK_NULL_HANDLE, (struct point){0}, (struct point){semaphore, value});
}

/* Polls the timeline for up to 1 ms, and no longer than `seconds`, since a wake-up costs more than most waits
 * last. Does not poll a software device, which needs the host's cores. */
static bool poll_timeline(struct vulkan *v, uint64_t ticket, double seconds)
{
    static const double longest_seconds = 1e-3;
    double longest = seconds < longest_seconds ? seconds : longest_seconds;
    if (v->device.info.kind == DEVICE_SOFTWARE || v->hung)
        return false;
    for (double begun = clock_seconds(); clock_seconds() - begun < longest;) {
        uint64_t value = 0;
        if (v->instance.vk.GetSemaphoreCounterValue(v->logical, v->timeline, &value))
            return false;
        if (value >= ticket) {
            v->completed = value;
            return true;
        }
    }
    return false;
}

static VkResult reach(struct vulkan *v, uint64_t ticket, double seconds)
{
    if (v->lost)
        return VK_ERROR_DEVICE_LOST;
    if (ticket <= v->completed)
        return VK_SUCCESS;
    if (poll_timeline(v, ticket, seconds))
        return VK_SUCCESS;
    uint64_t most = 1000000000; /* seconds: a larger value overflows in nanoseconds */
    uint64_t nanoseconds =
        seconds > 0 ? (seconds < (double)most ? (uint64_t)(seconds * 1e9) : UINT64_MAX) : 0;
    VkSemaphoreWaitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
        .semaphoreCount = 1,
        .pSemaphores = &v->timeline,
        .pValues = &ticket,
    };
    VkResult r = v->instance.vk.WaitSemaphores(v->logical, &info, v->hung ? 0 : nanoseconds);
    if (!r)
        v->completed = ticket;
    v->hung = r == VK_TIMEOUT && (v->hung || seconds >= v->device.patience);
    v->lost = r == VK_ERROR_DEVICE_LOST;
    return r;
}

/* A queue orders batches, but not bindings. The timeline must count upwards, so a binding waits for the last
 * ticket, and nothing is submitted until it has ended. Returns VK_TIMEOUT if it may not have ended, whatever
 * error the wait returned. */
VkResult vulkan_bind(struct vulkan *v, const VkSparseBufferMemoryBindInfo *binds)
{
    uint64_t before = v->submitted, ticket = before + 1;
    VkTimelineSemaphoreSubmitInfo timeline = {
        .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
        .waitSemaphoreValueCount = 1,
        .pWaitSemaphoreValues = &before,
        .signalSemaphoreValueCount = 1,
        .pSignalSemaphoreValues = &ticket,
    };
    VkBindSparseInfo info = {
        .sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
        .pNext = &timeline,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &v->timeline,
        .bufferBindCount = 1,
        .pBufferBinds = binds,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &v->timeline,
    };
    lock_queue(v);
    VkResult r = v->instance.vk.QueueBindSparse(v->queue, 1, &info, VK_NULL_HANDLE);
    unlock_queue(v);
    if (r)
        return r;
    v->submitted = ticket;
    r = reach(v, ticket, v->device.patience);
    return r && r != VK_ERROR_DEVICE_LOST ? VK_TIMEOUT : r;
}

vks_status vulkan_wait(struct device *d, uint64_t ticket, double seconds)
{
    struct vulkan *v = vulkan_of(d);
    if (ticket > v->submitted)
        return fail(d->message, VKS_INVALID_ARGUMENT, "a wait for submission %llu, but there are only %llu",
                    (unsigned long long)ticket, (unsigned long long)v->submitted);
    VkResult r = reach(v, ticket, seconds);
    if (r == VK_TIMEOUT)
        return fail(d->message, VKS_TIMEOUT, "%s did not finish within %g seconds", d->info.name, seconds);
    return r ? vulkan_fail(v, r, "waiting for it") : VKS_OK;
}

bool vulkan_settled(struct vulkan *v, uint64_t ticket)
{
    VkResult r = reach(v, ticket, v->device.patience);
    return r == VK_SUCCESS || r == VK_ERROR_DEVICE_LOST;
}
