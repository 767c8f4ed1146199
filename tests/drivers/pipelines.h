/* A Vulkan device that only compiles, such as one of Mesa's drivers without its hardware, and what its driver
 * says of the pipelines that the library makes there. */
#ifndef VKS_TESTS_DRIVERS_PIPELINES_H
#define VKS_TESTS_DRIVERS_PIPELINES_H

#include "device/vulkan/vulkan.h"

/* Of the worst executable of a pipeline. Drivers count what they have: spilled registers, or stores of them.
 */
struct statistics {
    uint64_t spills;
    uint64_t scratch;   /* bytes of memory for what does not fit into registers */
    uint64_t waves;     /* that run at once on a core; 0: the driver does not say */
    uint64_t registers; /* of an invocation */
};

/* A device of the first driver that the loader finds, opened in a VkDevice with statistics. Nothing runs on
 * it. */
struct compiler {
    struct message message;
    struct device *device;
    const char
        *lacking; /* after a pipeline that was not made: the capability that the device lacks, or NULL */
    struct statistics statistics; /* of the last pipeline */
};

/* opening.c. One at a time. */
vks_status compiler_open(struct compiler **out);

/* statistics.c: what the driver says of a pipeline that was made to say it. */
void statistics_read(const struct vulkan *v, VkPipeline p, struct statistics *out);

/* capabilities.c: a capability of the code that was not enabled, or NULL. */
const char *capability_lacking(const VkShaderModuleCreateInfo *code, const vks_vulkan_features *enabled);

/* constants.c: the values of a constant that stand for all of them; the first is the usual one. */
uint32_t constant_values(const struct kernel *k, uint32_t constant, const uint32_t **values);

#endif
