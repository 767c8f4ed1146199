/* A Vulkan device that only compiles, such as one of Mesa's drivers without its hardware, and its driver's
 * statistics of the library's pipelines. */
#ifndef VKS_TESTS_DRIVERS_PIPELINES_H
#define VKS_TESTS_DRIVERS_PIPELINES_H

#include "device/vulkan/vulkan.h"

/* For the worst executable of a pipeline. Drivers count differently: spilled registers, or stores of them. */
struct statistics {
    uint64_t spills;
    uint64_t scratch;   /* bytes of memory for what does not fit into registers */
    uint64_t waves;     /* that run concurrently on a core; 0 if the driver does not say */
    uint64_t registers; /* of an invocation */
};

/* A device of the first driver that the loader finds, opened in a VkDevice with statistics. Nothing is
 * executed on it. */
struct compiler {
    struct message message;
    struct device *device;
    const char *lacking;          /* after a failed pipeline: the capability that the device lacks, or NULL */
    struct statistics statistics; /* of the last pipeline */
};

/* opening.c. Only one can be open at a time. */
vks_status compiler_open(struct compiler **out);

/* statistics.c: the statistics of a pipeline that was made to capture them. */
void statistics_read(const struct vulkan *v, VkPipeline p, struct statistics *out);

/* capabilities.c: a capability of the code that was not enabled, or NULL. */
const char *capability_lacking(const VkShaderModuleCreateInfo *code, const vks_vulkan_features *enabled);

/* constants.c: representative values of a constant; the first is the usual one. */
uint32_t constant_values(const struct kernel *k, uint32_t constant, const uint32_t **values);

#endif
