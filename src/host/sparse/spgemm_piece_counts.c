#include "../../../shaders/sparse/spgemm.h"
#include "host/kernel.h"

KERNEL(spgemm_piece_counts)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t entries = a->row[i + (size_t)1] - a->row[i];
        a->pieces[i] = entries ? entries / SPGEMM_PIECE + (entries % SPGEMM_PIECE != 0) : 1;
    }
}
