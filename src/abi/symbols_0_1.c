/* The symbols that programs with headers of 0.1.0 call: those have its structs. */
#include "abi/layout.h"

#define VKS_NO_SHORT_NAMES
#define VKS_CALL_0_1(name, arguments, ...)                     \
    VKS_API vks_status name##_2(uint32_t header, __VA_ARGS__); \
    VKS_API vks_status name(__VA_ARGS__);                      \
    vks_status name(__VA_ARGS__)                               \
    {                                                          \
        return name##_2(HEADER_0_1, VKS_LIST_ arguments);      \
    }

#include "vksolve/vksolve.h"
#ifdef VKS_HAVE_VULKAN
#include "vksolve/vulkan.h"
#endif
