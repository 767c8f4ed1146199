/* vksolve/statistics.h -- figures about a matrix, such as those that decide its format.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_STATISTICS_H
#define VKSOLVE_STATISTICS_H

#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VKS_LENGTH_CLASSES =
        33, /* of rows: with 0 entries, with 1, with 2 and 3, with 4 to 7 ... 2^31 and more */
    VKS_LARGEST_BLOCK = 8
};

/* Blocks of one size, from 2 x 2 to 8 x 8, in a sample of up to 1,024 block rows, evenly spaced from the
 * first. Rows of more than 256 entries are excluded: formats treat them separately. */
typedef struct vks_block_statistics {
    uint32_t block_rows; /* of the matrix */
    uint32_t looked;     /* block rows in the sample, which the following members describe */
    uint32_t blocks;     /* that have entries */
    uint32_t entries;
    double fill; /* places in the blocks, also beyond the edges of the matrix, over entries: 1 or more; 0: no
                    entries */
    bool full;   /* no block lacks an entry within the matrix; true if there are no blocks */
} vks_block_statistics;

/* All figures are exact and of the whole matrix, except those of blocks, and moments, which are rounded to a
 * double, and zero for a matrix without rows. */
typedef struct vks_statistics {
    uint32_t rows, cols, entries;

    uint32_t shortest, longest; /* entries of a row */
    double mean_length;
    double deviation; /* the standard deviation of the lengths, of all rows */
    double skew;      /* their third central moment over the cube of the deviation; 0 if all are equal */
    uint32_t lengths[VKS_LENGTH_CLASSES]; /* rows of each class; [0]: rows without entries */
    uint32_t long_rows,
        long_entries; /* rows of more than 256 entries, and the entries in them: docs/formats.md */

    uint32_t lower_bandwidth, upper_bandwidth; /* the largest row - column, and column - row, of an entry */
    uint32_t diagonals;                        /* that have entries */

    /* SELL with the options of the matrix, even if it has another format: rows of a slice, rows of a sorted
     * window (1: not sorted), entries that it stores, and their ratio to those of the matrix without long
     * rows (0: there are only long rows). */
    uint32_t slice_height, sigma;
    uint64_t slice_entries;
    double slice_growth;
    /* The largest difference between a column and the least one at the same place of a slice: compact columns
     * allow up to 65,534. */
    uint32_t slice_apart;
    /* Kinds of entries (vks_coding), without long rows. 0: too many for codes, or the options of the matrix
     * do not allow codes. */
    uint32_t entry_kinds;

    vks_block_statistics block[VKS_LARGEST_BLOCK + 1]; /* by size; [0] and [1] are zero */
} vks_statistics;

/* Examines A on its device, in a few passes over its structure. A lean matrix makes its CSR for this.
 * VKS_LIMIT: A's options give too many windows of sorted rows. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY,
 * VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure *statistics is zero. */
static inline vks_status vks_matrix_statistics(const vks_matrix *A, vks_statistics *statistics);
VKS_CALL(vks_matrix_statistics, (A, statistics), const vks_matrix *A, vks_statistics *statistics)

#ifdef __cplusplus
}
#endif
#endif
