/* VK_KHR_pipeline_executable_properties: each driver has its own names for statistics. */
#include "pipelines.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The member for each name that a driver uses. */
static const struct {
    const char *name;
    size_t member;
} known[] = {
    {"Spilled SGPRs", offsetof(struct statistics, spills)}, /* RADV */
    {"Spilled VGPRs", offsetof(struct statistics, spills)},
    {"Scratch size", offsetof(struct statistics, scratch)},
    {"Subgroups per SIMD", offsetof(struct statistics, waves)},
    {"VGPRs", offsetof(struct statistics, registers)},
    {"Spills to memory", offsetof(struct statistics, spills)}, /* NVK */
    {"SLM size", offsetof(struct statistics, scratch)},
    {"Max warps/SM", offsetof(struct statistics, waves)},
    {"Number of GPRs", offsetof(struct statistics, registers)},
    {"Spills", offsetof(struct statistics, spills)}, /* Honeykrisp */
    {"Scratch", offsetof(struct statistics, scratch)},
    {"Threads", offsetof(struct statistics, waves)},
    {"GPRs", offsetof(struct statistics, registers)},
    {"STP Count", offsetof(struct statistics, spills)}, /* Turnip */
    {"Max Waves Per Core", offsetof(struct statistics, waves)},
    {"Registers used", offsetof(struct statistics, registers)},
};

static uint64_t value_of(const VkPipelineExecutableStatisticKHR *s)
{
    return s->format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR ? (uint64_t)s->value.f64
                                                                            : s->value.u64;
}

/* Adds values that a driver reports under several names, such as spilled registers of two kinds. */
static void take(struct statistics *out, const VkPipelineExecutableStatisticKHR *s)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(s->name, known[i].name))
            *(uint64_t *)(void *)((char *)out + known[i].member) += value_of(s);
}

/* A compute pipeline has one executable. */
void statistics_read(const struct vulkan *v, VkPipeline p, struct statistics *out)
{
    PFN_vkGetPipelineExecutableStatisticsKHR get =
        (PFN_vkGetPipelineExecutableStatisticsKHR)v->instance.vk.GetDeviceProcAddr(
            v->logical, "vkGetPipelineExecutableStatisticsKHR");
    VkPipelineExecutableStatisticKHR list[64] = {0};
    uint32_t count = sizeof list / sizeof *list;
    for (uint32_t i = 0; i < count; i++)
        list[i].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    VkPipelineExecutableInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
                                        .pipeline = p};
    *out = (struct statistics){0};
    if (!get || get(v->logical, &info, &count, list) < 0)
        return;
    for (uint32_t i = 0; i < count; i++)
        take(out, &list[i]);
}
