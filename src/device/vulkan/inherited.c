/* Tracks whether NVIDIA's driver was in use when this process was forked. Driver 580 then opens no device in
 * the child: vkCreateDevice fails with VK_ERROR_INITIALIZATION_FAILED, or hangs if a thread of the parent was
 * using the driver. Mesa's drivers open one. */
#include "device/vulkan/api.h"

#include <stdatomic.h>
#include <unistd.h>

/* The process, whether a device was open in an ancestor at a fork, and the number of open devices. One atomic
 * word, because a lock may stay held for ever in a forked child. */
static _Atomic uint64_t use;
#define INHERITED ((uint64_t)1 << 31)
#define DEVICES (INHERITED - 1)

static uint64_t count(int change)
{
    uint64_t process = (uint64_t)getpid() << 32, old = atomic_load(&use), now;
    do {
        bool is_forked = (old & ~(INHERITED | DEVICES)) != process;
        now = is_forked ? process | (old & (INHERITED | DEVICES) ? INHERITED : 0) : old;
        now += (uint64_t)(int64_t)change;
    } while (!atomic_compare_exchange_weak(&use, &old, now));
    return now;
}

void vulkan_count_devices(int change)
{
    count(change);
}

bool vulkan_is_inherited(void)
{
    return count(0) & INHERITED;
}
