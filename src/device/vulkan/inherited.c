/* Whether the driver was in use when this process was forked. NVIDIA's driver 580 then opens no device in the
 * child: vkCreateDevice fails with VK_ERROR_INITIALIZATION_FAILED, or hangs where a thread of the parent was
 * at work. Mesa's drivers open one. */
#include "device/vulkan/api.h"

#include <unistd.h>

/* Of this process, or until the first call after a fork, of its parent. */
static struct {
    pid_t process;
    int devices; /* that are open */
    bool inherited;
} use;

static void begin(void)
{
    pid_t process = getpid();
    if (use.process == process)
        return;
    use.inherited |= use.devices > 0;
    use.devices = 0;
    use.process = process;
}

void vulkan_count_devices(int change)
{
    bool locked = vulkan_lock();
    begin();
    use.devices += change;
    vulkan_unlock(locked);
}

bool vulkan_is_inherited(void)
{
    bool locked = vulkan_lock();
    begin();
    bool inherited = use.inherited;
    vulkan_unlock(locked);
    return inherited;
}
