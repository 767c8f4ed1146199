/* What a compiled shader says of itself, by SPIRV-Cross. */
#ifndef GENERATE_REFLECT_H
#define GENERATE_REFLECT_H

#include "device/spirv.h"
#include "problems.h"

#include <spirv_cross/spirv_cross_c.h>

enum {
    MAX_ARGS_BYTES = 128,     /* what every Vulkan device has of push constants */
    MAX_SHARED_BYTES = 16384, /* and of shared memory */
    MAX_ARGS = MAX_ARGS_BYTES / 4,
    MAX_CONSTANTS = 8 /* specialisation constants of a kernel */
};

struct arg {
    const char *name; /* owned by the SPIRV-Cross context, as is the type */
    const char *type; /* the buffer reference's block, or "uint32_t" */
    uint32_t offset;  /* in the C struct, and in the push constants unless it is a specialisation constant */
};

struct interface {
    struct arg arg[MAX_ARGS + MAX_CONSTANTS]; /* members of ARGS, then specialisation constants by id */
    uint32_t args;
    uint32_t constants;  /* how many of these are specialisation constants: the last ones */
    uint32_t push_bytes; /* of ARGS alone */
    uint32_t bytes;      /* of the C struct, its trailing padding included */
    uint32_t group_size;
};

/* Fills `out` and returns 1, or adds the problems of `shader` (its path, to be named) and returns 0. `spv` is
 * the compiled file, named where it is damaged. */
int reflect(spvc_context context, const struct spirv *code, const char *shader, const char *spv,
            struct interface *out, struct problems *p);

#endif
