#include "host/kernel.h"
#include "shaders/sparse/spgemm.h"

KERNEL(spgemm_piece_counts)
{
    PARALLEL_FOR (i, a->n) {
        uint32_t entries = a->c_row[i + (size_t)1] - a->c_row[i];
        uint32_t a_entries = a->a_row[i + (size_t)1] - a->a_row[i];
        bool whole = SPGEMM_BY_LANE(a_entries, entries) || SPGEMM_BY_OCTET(a_entries, entries);
        a->pieces[i] = whole ? 0 : entries ? entries / SPGEMM_PIECE + (entries % SPGEMM_PIECE != 0) : 1;
    }
}
