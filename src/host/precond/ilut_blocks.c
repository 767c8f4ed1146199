#include "host/precond/ilut.h"

KERNEL(ilut_blocks)
{
    struct lines l = {a->row, a->at, a->col, a->scale, a->val};
    uint32_t blocks = a->n / a->size + (a->n % a->size != 0), pitch = ILUT_GROUP / a->lanes;
    FOR_TILES (b, blocks) {
        uint32_t begin = b * a->size, rows = a->n - begin < a->size ? a->n - begin : a->size;
        const uint32_t *order = a->order + begin;
        scalar_t x[ILUT_BLOCK];
        for (uint32_t i = 0; i < rows; i++)
            x[i] = a->r[order[i]];
        lines_take(&l, x, a->first[b] * pitch, a->first[b + 1] * pitch, a->lanes);
        for (uint32_t i = 0; i < rows; i++)
            a->z[order[i]] = x[i];
    }
}
