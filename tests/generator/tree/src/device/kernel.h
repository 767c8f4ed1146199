#pragma once
#include "device/spirv.h"
#include "scalar/scalar.h"
struct kernel_code {
    const uint32_t *words;
    uint32_t count;
    uint32_t module;
};
struct kernel {
    const char *name;
    uint32_t args_bytes;
    uint32_t push_bytes;
    uint32_t group_size;
    uint32_t guard_at;
    uint32_t addresses;
    uint32_t values;
    uint32_t constants;
    const char *constant[8];
    struct kernel_code code[3][2];
    struct packed pack;
};
extern const struct kernel kernels[];
