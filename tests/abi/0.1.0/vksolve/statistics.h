/* vksolve/statistics.h -- what a matrix looks like: what the choice of a format goes by, and more.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_STATISTICS_H
#define VKSOLVE_STATISTICS_H

#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    VKS_LENGTH_CLASSES =
        33, /* of rows: without entries, with 1, with 2 and 3, with 4 to 7 ... 2^31 and more */
    VKS_LARGEST_BLOCK = 8
};

/* Blocks of one size, from 2 x 2 to 8 x 8: of up to 1,024 block rows, evenly spread from the first. Rows of
 * more than 256 entries do not count: formats leave them aside. */
typedef struct vks_block_statistics {
    uint32_t block_rows; /* of the matrix */
    uint32_t looked;     /* at so many of them; what follows is of these */
    uint32_t blocks;     /* in which there are entries */
    uint32_t entries;
    double fill; /* places of the blocks, also beyond the edges of the matrix, for each entry: 1 or more; 0:
                    no entries */
    bool full; /* of no block an entry is missing that would lie within the matrix; so where there are none */
} vks_block_statistics;

/* All figures are exact and of the whole matrix, but those of blocks, and moments, which are rounded to
 * a double, and zero for a matrix without rows. */
typedef struct vks_statistics {
    uint32_t rows, cols, entries;

    uint32_t shortest, longest; /* entries of a row */
    double mean_length;
    double deviation; /* the standard deviation of the lengths, of all rows */
    double skew; /* their third central moment over the cube of the deviation; 0 where all are the same */
    uint32_t lengths[VKS_LENGTH_CLASSES]; /* rows of each class; [0] are those without entries */
    uint32_t long_rows, long_entries;     /* rows of more than 256 entries, and these: docs/formats.md */

    uint32_t lower_bandwidth,
        upper_bandwidth; /* the most that the row, or the column, of an entry is ahead */
    uint32_t diagonals;  /* on which there are entries */

    /* SELL with the slices that the options of the matrix have, also where it has another format: rows of a
     * slice, of a window that is sorted (1: none), entries to be stored, and these for each of the matrix,
     * long rows aside (0: there are no others). */
    uint32_t slice_height, sigma;
    uint64_t slice_entries;
    double slice_growth;
    /* The most that a column lies above the least at its place of a slice: compact columns reach up to
     * 65,534. */
    uint32_t slice_apart;
    /* Kinds of entries (vks_coding), long rows aside. 0 where there are too many to be codes, and where the
     * options of the matrix do not allow codes. */
    uint32_t entry_kinds;

    vks_block_statistics block[VKS_LARGEST_BLOCK + 1]; /* by size; [0] and [1] are zero */
} vks_statistics;

/* Looks at A on its device: some passes over its structure. A lean matrix makes its CSR for it. VKS_LIMIT:
 * A's options ask for more windows of rows than can be sorted. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY,
 * VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure *statistics is zero. */
VKS_API vks_status vks_matrix_statistics(const vks_matrix *A, vks_statistics *statistics);

#ifdef __cplusplus
}
#endif
#endif
