#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

KERNEL(spgemm_pieces)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t first = a->number_of[i], pieces = a->number_of[i + (size_t)1] - first;
        for (uint32_t q = 0; q < pieces; q++) {
            a->piece_row[first + (size_t)q] = i;
            a->piece_begin[first + (size_t)q] = a->row[i] + SPGEMM_PIECE * q;
        }
    }
}
