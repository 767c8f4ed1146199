/* What a physical device is and can do, and whether that is enough. */
#ifndef VKS_VULKAN_PROFILE_H
#define VKS_VULKAN_PROFILE_H

#include "device/vulkan/instance.h"

/* Bytes of an array that kernels reach without 64-bit integers. */
#define LARGEST_NARROW ((uint64_t)1 << 32)

struct vulkan_extensions {
    bool subgroup_size_control;
    bool atomic_float;
    bool memory_budget;
    bool maintenance4;
    bool external_memory_host;
    bool pci_bus_info;
    bool sm_builtins; /* VK_NV_shader_sm_builtins, for what it tells of the device */
};

/* The types of memory that arrays live in. */
struct vulkan_memory_types {
    uint32_t device; /* MEMORY_DEVICE */
    uint32_t shared; /* MEMORY_SHARED and the staging ring */
    bool unified;    /* the host reaches `device` directly, and quickly */
};

/* Subgroups, as kernels use them. */
struct vulkan_subgroups {
    uint32_t width;   /* 32, or 64: of two squads; 0: they cannot be used */
    bool is_required; /* pipelines ask for that width, which is one of several */
    bool are_full; /* pipelines ask for full ones; else a workgroup of whole ones is trusted to have them */
    uint32_t most; /* invocations of a workgroup */
};

struct vulkan_profile {
    VkPhysicalDevice physical;
    struct device_listing listing;
    uint32_t version; /* of Vulkan, the instance's counted in */
    bool is_nvidia;   /* by its own driver */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    struct vulkan_memory_types types;
    struct vulkan_extensions extensions;
    vks_vulkan_features features; /* that it has, or that the program has enabled */
    struct vulkan_subgroups subgroups;
    uint32_t family;             /* of queues */
    uint32_t timestamp_bits;     /* 0: its queues cannot tell the time */
    bool binds;                  /* its queues bind memory to buffers */
    uint64_t largest_allocation; /* bytes of memory */
    uint64_t import_alignment;   /* of pages that it imports, where it has external_memory_host */
};

/* Fills the profile. What the device lacks is no failure: it stands in listing.why_not. With `own`, of the
 * program's device: only the features that it was created with count, and only its family of queues. */
vks_status vulkan_profile_read(struct message *m, const struct vulkan_instance *instance,
                               VkPhysicalDevice physical, uint32_t index, const vks_vulkan_device *own,
                               struct vulkan_profile *p);

/* features.c: what the driver has of the features that vksolve uses. */
void vulkan_features_read(const struct vulkan_api *vk, struct vulkan_profile *p);
/* Takes away from those what the program has not enabled. */
void vulkan_features_restrict(vks_vulkan_features *f, const VkDeviceCreateInfo *created_with);
/* What a device is to be created with. */
void vulkan_features_choose(const struct vulkan_profile *p, bool f64, vks_vulkan_features *f);

/* The best types among those of the mask `allowed`; false when there are none. */
bool vulkan_memory_types_choose(const VkPhysicalDeviceMemoryProperties *memory, enum device_kind kind,
                                uint32_t allowed, struct vulkan_memory_types *types);

/* What the layers above see of the profiles; the caller frees *out. */
vks_status vulkan_listings(struct message *m, const struct vulkan_profile *profiles, uint32_t count,
                           struct device_listing **out);

/* named.c: how a name fits a device, the better the larger. */
enum vulkan_fit { FITS_NOT, FITS_PART, FITS_NAME, FITS_ADDRESS, FITS_UUID };
enum vulkan_fit vulkan_fits(const struct device_info *d, const char *name);
/* Whether UUID or PCI address do. */
bool vulkan_tell_apart(const struct device_info *a, const struct device_info *b);

/* The one that `name` (see device.h) means. */
vks_status vulkan_choose(struct message *m, const struct device_listing *list, uint32_t count,
                         const char *name, uint32_t *index);

/* The devices that were opened and do not work. An automatic choice takes the next one. */
enum { PASSED_OVER_MOST = 8 };
struct passed_over {
    struct device_listing *chosen; /* in `device`: the last choice; NULL: there was none */
    uint32_t count;
    struct device_listing device[PASSED_OVER_MOST + 1];
};

/* vulkan_choose among the others; notes the choice. */
vks_status vulkan_choose_but(struct message *m, struct device_listing *list, uint32_t count, const char *name,
                             struct passed_over *passed, uint32_t *index);

/* Whether the device that was chosen does not work, by the status of its opening. Then the message, which
 * says why, is moved to what was passed over. */
bool vulkan_pass_over(struct passed_over *passed, vks_status s, struct message *m);
/* Tells what was passed over, and why. */
void vulkan_tell_passed_over(const struct passed_over *passed, struct message *m);

/* The profiles of all devices; the caller frees *list. */
vks_status vulkan_profiles_read(struct message *m, const struct vulkan_instance *instance,
                                struct vulkan_profile **list, uint32_t *count);

static inline uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

#endif
