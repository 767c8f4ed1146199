#include "device/host/isa.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum {
#define X(isa) ISA_##isa,
    VKS_ISAS(X)
#undef X
};

_Static_assert(VKS_TWINS_SCALARS == PRECISIONS, "the build has not read each row of SCALAR_TYPES");

static const struct host_isa isas[] = {
#define X(isa) [ISA_##isa].name = #isa,
    VKS_ISAS(X)
#undef X
#define X(NAME, name, isa) [ISA_##isa].twins[PRECISION_##NAME] = twins_##name##_##isa,
        VKS_TWINS(X)
#undef X
};

/* Checks the levels of the x86-64 psABI, as far as the twins' compiler flags use them. */
static bool runs(const char *name)
{
#if defined(__x86_64__)
    bool v3 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (!strcmp(name, "v3"))
        return v3;
    if (!strcmp(name, "v4"))
        return v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl");
#endif
    return !strcmp(name, "base");
}

const struct host_isa *host_isa_choose(const char *at_most)
{
    const struct host_isa *best = NULL;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        if (runs(isas[i].name))
            best = &isas[i];
        if (at_most && !strcmp(at_most, isas[i].name))
            return runs(at_most) ? best : NULL;
    }
    return at_most ? NULL : best;
}
