/* The interface of a compiled shader, by SPIRV-Cross. */
#ifndef GENERATE_REFLECT_H
#define GENERATE_REFLECT_H

#include "device/kernel_limits.h"
#include "device/spirv.h"
#include "problems.h"

#include <spirv_cross/spirv_cross_c.h>

enum {
    MAX_SHARED_BYTES = 16384, /* available on every Vulkan device */
    MAX_ARGS = MAX_PUSH_BYTES / 4
};

struct arg {
    const char *name; /* owned by the SPIRV-Cross context, as is the type */
    const char *type; /* the buffer reference's block, or "uint32_t" */
    bool is_value;    /* the block has no array */
    uint32_t offset;  /* in the C struct, and in the push constants unless it is a specialisation constant */
};

struct interface {
    struct arg arg[MAX_ARGS + MAX_CONSTANTS]; /* members of ARGS, then specialisation constants by id */
    uint32_t args;
    uint32_t constants;  /* number of specialisation constants among these: the last ones */
    uint32_t push_bytes; /* of ARGS alone */
    uint32_t bytes;      /* of the C struct, its trailing padding included */
    uint32_t group_size;
};

/* The offset of the argument of type guard, or NO_GUARD. */
uint32_t guard_of(const struct interface *face);

/* Bit k: the eight bytes of ARGS from 8 k on are an address. */
uint32_t addresses_of(const struct interface *face);

/* Fills `out` and returns 1, or adds the problems of `shader` (its path, for messages) and returns 0. `spv`
 * is the compiled file, named if it is damaged. */
int reflect(spvc_context context, const struct spirv *code, const char *shader, const char *spv,
            struct interface *out, struct problems *p);

#endif
