/* Zeros passed to kernels instead of a null address. */
#include "device/vulkan/vulkan.h"

#include <string.h>

/* Some drivers read an absent array speculatively in a branch not taken. In systems of up to 131,072 rows
 * such a read stays within these bytes. */
enum { ZEROS_BYTES = 1 << 20 };

static vks_status fill(struct vulkan *v)
{
    VkCommandBuffer commands;
    uint64_t ticket;
    TRY(vulkan_commands_create(v, VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1, &commands)); /* freed with the pool */
    TRY(vulkan_commands_begin(v, commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT));
    v->instance.vk.CmdFillBuffer(commands, v->zeros->buffer, 0, VK_WHOLE_SIZE, 0);
    TRY(vulkan_commands_end(v, commands));
    return vulkan_commands_submit(v, commands, &ticket);
}

vks_status vulkan_zeros_open(struct vulkan *v)
{
    enum block_memory how = v->device.info.unified ? BLOCK_MAPPED : BLOCK_PLAIN;
    TRY(vulkan_block_create(v, v->profile.types.device, ZEROS_BYTES, how, "zeros", &v->zeros));
    if (how == BLOCK_PLAIN)
        return fill(v);
    memset(v->zeros->mapped, 0, ZEROS_BYTES);
    return VKS_OK;
}

void vulkan_push_of(const struct vulkan *v, const struct kernel *k, const uint64_t *args,
                    uint64_t pushed[MAX_PUSH_BYTES / 8])
{
    memcpy(pushed, args, k->push_bytes);
    for (uint32_t i = 0; k->addresses >> i; i++)
        if (k->addresses >> i & 1 && !pushed[i])
            pushed[i] = v->zeros->address;
}
