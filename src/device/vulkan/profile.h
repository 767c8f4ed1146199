/* The properties and abilities of a physical device, and whether they suffice. */
#ifndef VKS_VULKAN_PROFILE_H
#define VKS_VULKAN_PROFILE_H

#include "device/vulkan/instance.h"

/* The largest array, in bytes, that kernels can index without 64-bit integers. */
#define LARGEST_NARROW ((uint64_t)1 << 32)

struct vulkan_extensions {
    bool subgroup_size_control;
    bool atomic_float;
    bool memory_budget;
    bool maintenance4;
    bool external_memory_host;
    bool pci_bus_info;
    bool sm_builtins; /* VK_NV_shader_sm_builtins, whose device properties are read */
};

/* The memory types of arrays. */
struct vulkan_memory_types {
    uint32_t device; /* MEMORY_DEVICE */
    uint32_t shared; /* MEMORY_SHARED and the staging ring */
    bool unified;    /* the host accesses `device` directly and fast */
};

/* Subgroups as kernels use them. */
struct vulkan_subgroups {
    uint32_t width;   /* 32, or 64, which is two lane groups of 32; 0: unusable */
    bool is_required; /* pipelines require that width, which is one of several */
    bool are_full; /* pipelines require full subgroups; else subgroups of whole workgroups are assumed full */
    uint32_t most; /* invocations of a workgroup */
};

struct vulkan_profile {
    VkPhysicalDevice physical;
    struct device_listing listing;
    uint32_t version; /* of Vulkan: the lower of the device's and the instance's */
    bool is_nvidia;   /* with NVIDIA's own driver */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    struct vulkan_memory_types types;
    struct vulkan_extensions extensions;
    vks_vulkan_features features; /* supported by the device, or enabled by the program */
    struct vulkan_subgroups subgroups;
    uint32_t family;             /* index of the queue family */
    uint32_t timestamp_bits;     /* 0: its queues have no timestamps */
    bool binds;                  /* its queues bind memory to buffers */
    uint64_t largest_allocation; /* bytes of memory */
    uint64_t import_alignment;   /* of imported pages, if it has external_memory_host */
};

/* Fills the profile. A missing ability is not a failure: listing.why_not names it. With `own`, the program's
 * device, only its enabled features and its queue family count. */
vks_status vulkan_profile_read(struct message *m, const struct vulkan_instance *instance,
                               VkPhysicalDevice physical, uint32_t index, const vks_vulkan_device *own,
                               struct vulkan_profile *p);

/* features.c: reads the support of the features that vksolve uses. */
void vulkan_features_read(const struct vulkan_api *vk, struct vulkan_profile *p);
/* Removes the features that the program has not enabled. */
void vulkan_features_restrict(vks_vulkan_features *f, const VkDeviceCreateInfo *created_with);
/* Chooses the features and extensions with which to create a device. */
void vulkan_features_choose(const struct vulkan_profile *p, bool f64, vks_vulkan_features *f);

/* The best types in the mask `allowed`; false if there are none. */
bool vulkan_memory_types_choose(const VkPhysicalDeviceMemoryProperties *memory, enum device_kind kind,
                                uint32_t allowed, struct vulkan_memory_types *types);

/* The listings of the profiles, for the layers above; the caller frees *out. */
vks_status vulkan_listings(struct message *m, const struct vulkan_profile *profiles, uint32_t count,
                           struct device_listing **out);

/* named.c: how well a name fits a device; larger is better. */
enum vulkan_fit { FITS_NOT, FITS_PART, FITS_NAME, FITS_ADDRESS, FITS_UUID };
enum vulkan_fit vulkan_fits(const struct device_info *d, const char *name);
/* Whether UUID or PCI address distinguish the devices. */
bool vulkan_distinguishes(const struct device_info *a, const struct device_info *b);

/* Finds the device that `name` (see device.h) means. */
vks_status vulkan_choose(struct message *m, const struct device_listing *list, uint32_t count,
                         const char *name, uint32_t *index);

/* The devices that were opened but do not work. An automatic choice takes the next device. */
enum { PASSED_OVER_MOST = 8 };
struct passed_over {
    struct device_listing *chosen; /* in `device`: the last choice; NULL if there was none */
    uint32_t count;
    struct device_listing device[PASSED_OVER_MOST + 1];
};

/* vulkan_choose excluding the devices passed over; records the choice. */
vks_status vulkan_choose_but(struct message *m, struct device_listing *list, uint32_t count, const char *name,
                             struct passed_over *passed, uint32_t *index);

/* Whether the chosen device does not work, given the status of opening it. If so, moves the message, which
 * has the reason, to `passed`. */
bool vulkan_pass_over(struct passed_over *passed, vks_status s, struct message *m);
/* Reports the devices passed over, with the reasons. */
void vulkan_report_passed_over(const struct passed_over *passed, struct message *m);

/* The profiles of all devices; the caller frees *list. */
vks_status vulkan_profiles_read(struct message *m, const struct vulkan_instance *instance,
                                struct vulkan_profile **list, uint32_t *count);

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
