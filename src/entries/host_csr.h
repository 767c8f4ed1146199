/* Sparse matrices in host memory: the output of files, generators and assembly before the upload. Indices are
 * zero-based and 32-bit. Every _free accepts a zeroed struct and zeroes the struct. */
#ifndef VKS_ENTRIES_HOST_CSR_H
#define VKS_ENTRIES_HOST_CSR_H

#include "report/message.h"
#include <stddef.h>
#include <stdint.h>

/* The largest number of rows or columns: a grid-stride loop must be able to step past it in 32 bits. */
#define VKS_MAX_ROWS 0xFF000000u
/* The largest number of entries: row offsets are 32-bit, and loops must step past them too. */
#define VKS_MAX_ENTRIES 0xFF000000u

/* Coordinate form in any order; duplicates are allowed (host_csr_assemble sums them). */
struct triplets {
    uint32_t rows, cols;
    size_t count;
    uint32_t *row, *col;
    double *val;
    const char *name; /* of the source file, for messages; NULL: none */
};

/* Compressed sparse rows: row has rows + 1 offsets; columns ascend strictly within a row. */
struct host_csr {
    uint32_t rows, cols;
    uint32_t *row, *col;
    double *val;
};

void triplets_free(struct triplets *t);
void host_csr_free(struct host_csr *a);

static inline size_t host_csr_entries(const struct host_csr *a)
{
    return a->row ? a->row[a->rows] : 0;
}

/* Assembles CSR from coordinates, sorted by row and column. Duplicates are summed in the order of t, so the
 * result does not depend on threads. Entries that sum to zero are kept. t is only read. The caller owns *a,
 * which is overwritten, and zeroed on failure.
 *
 * VKS_INVALID_ARGUMENT names the first entry outside rows x cols ("entry 17: row 12 is outside 0..11");
 * VKS_LIMIT: more than VKS_MAX_ROWS rows or columns, or t->count above VKS_MAX_ENTRIES; VKS_OUT_OF_MEMORY. */
vks_status host_csr_assemble(struct message *m, const struct triplets *t, struct host_csr *a);

#endif
