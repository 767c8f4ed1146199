/* The tasks of balanced CSR on the host, as in shaders/sparse/balanced.glsl. */
#ifndef VKS_HOST_SPARSE_BALANCED_H
#define VKS_HOST_SPARSE_BALANCED_H

#include "../../../shaders/sparse/balanced.h"
#include "../../../shaders/sparse/long.h"
#include "host/kernel.h"

static inline bool is_alone(const uint32_t *row, uint32_t i)
{
    uint32_t length = row[i + 1] - row[i];
    return length > BALANCED_SHARE && length <= LONG_ROW;
}

/* Whether row i shares a task with others, and with the row before it. */
static inline bool is_shared(const uint32_t *row, uint32_t i)
{
    return row[i + 1] - row[i] <= BALANCED_SHARE;
}

static inline bool follows(const uint32_t *row, uint32_t i)
{
    return is_shared(row, i) && is_shared(row, i - 1) &&
           (row[i] + i) / BALANCED_SHARE == (row[i - 1] + i - 1) / BALANCED_SHARE;
}

#endif
