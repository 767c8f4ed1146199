/* Long rows on the host, as in shaders/sparse/long.glsl. */
#ifndef VKS_HOST_SPARSE_LONG_H
#define VKS_HOST_SPARSE_LONG_H

#include "host/kernel.h"
#include "shaders/sparse/long.h"

/* A piece: entries begin .. end - 1 of CSR, in row `row`, which has `of` pieces. */
struct long_piece {
    uint32_t begin, end, row, of;
};

static inline struct long_piece piece_at(const uint32_t *list, uint32_t p)
{
    const uint32_t *v = list + 4 * (size_t)p;
    return (struct long_piece){v[0], v[1], v[2], v[3]};
}

/* Whether row i is long. `bits` has a bit for each row; NULL: no row is long. */
static inline bool is_long(const uint32_t *bits, uint32_t i)
{
    return bits && (bits[i / 32] >> i % 32 & 1);
}

/* Loops over pieces. A piece is a thousand times the work of an element. */
#define FOR_PIECES(p, pieces) TEAM_FOR(me, p, pieces, 8, 1)

#endif
