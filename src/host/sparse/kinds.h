/* The kind of an entry, and its home in the hash table, as in shaders/sparse/kinds.glsl. */
#ifndef VKS_HOST_SPARSE_KINDS_H
#define VKS_HOST_SPARSE_KINDS_H

#include "shaders/sparse/kinds.h"

#include <stddef.h>
#include <stdint.h>

struct kind {
    uint32_t apart, low, high;
};

/* The kind of entry `at` of CSR, in row i; values have one or two words. */
static inline struct kind kind_of(const uint32_t *col, const uint32_t *val, uint32_t words, uint32_t at,
                                  uint32_t i)
{
    const uint32_t *v = val + (size_t)words * at;
    return (struct kind){col[at] - i, v[0], words == 2 ? v[1] : 0};
}

static inline uint32_t home_of(struct kind k)
{
    uint32_t h = KIND_HOME;
    KIND_HOME_TAKES(h, k.apart);
    KIND_HOME_TAKES(h, k.low);
    KIND_HOME_TAKES(h, k.high);
    KIND_ENDS(h);
    return h;
}

static inline uint32_t mark_of(struct kind k)
{
    uint32_t h = KIND_MARK;
    KIND_MARK_TAKES(h, k.high);
    KIND_MARK_TAKES(h, k.low);
    KIND_MARK_TAKES(h, k.apart);
    KIND_ENDS(h);
    return h ? h : 1;
}

#endif
