/* Files of matrices and arrays of any known kind, which is recognised by content. A file may be compressed
 * with gzip. "-" is standard input. A file is opened once and read from beginning to end, so it may be a
 * pipe.
 *
 * Supported: Matrix Market files (market/market.h); Harwell-Boeing and Rutherford-Boeing files; archives of
 * SciPy's save_npz, and of NumPy's savez with one array; NumPy's .npy with one or two dimensions; columns of
 * numbers. Complex matrices are refused with VKS_UNSUPPORTED, non-finite numbers with VKS_FORMAT, as in
 * Matrix Market files. A message names the file and the line or the element. Sizes that a file declares are
 * compared with its length before memory is allocated for them. */
#ifndef VKS_FILES_FILES_H
#define VKS_FILES_FILES_H

#include "market/market.h"

/* Reads a matrix or an array; release it with market_free. More than VKS_MAX_ROWS rows or columns, or
 * VKS_MAX_ENTRIES entries after mirroring, are VKS_LIMIT. On failure *out is empty. */
vks_status files_read(struct message *m, const char *path, struct market *out);

/* files_read for a matrix: refuses columns of numbers that look like a list of entries, since the banner of a
 * Matrix Market file may be missing. */
vks_status files_read_matrix(struct message *m, const char *path, struct market *out);

/* Reads a matrix, or a vector, into rows * cols values, column-major; the caller frees them. Missing entries
 * are zero, and duplicates are summed. VKS_LIMIT: more than 2^32 values. */
vks_status files_read_dense(struct message *m, const char *path, uint32_t *rows, uint32_t *cols,
                            double **column_major);

/* Moves the values of a file that was read out of *a, as column-major values. */
vks_status files_to_dense(struct message *m, const char *path, struct market *a, double **column_major);

#endif
