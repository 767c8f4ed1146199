/* vksolve/matrix.h -- sparse matrices on the device.
 *
 * A matrix is made from host arrays or a Matrix Market file, uploaded, and stays on the device. Indices are
 * zero-based and 32-bit. At most VKS_LARGEST_INDEX rows, columns and entries, else VKS_LIMIT.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_MATRIX_H
#define VKSOLVE_MATRIX_H

#include "vksolve/vector.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_matrix vks_matrix;

/* X(NAME, module, name, text): how a matrix is stored for its products. All formats give the same bits, with
 * these exceptions. The bits of csr-two-pass differ from the others, but are the same on every device. The
 * bits of coo-atomic and csc-atomic depend on timing, and so do solves with them, even their iterations. */
#define VKS_FORMATS(X)                                                                           \
    X(CSR, csr, "csr", "compressed sparse rows")                                                 \
    X(BALANCED, balanced, "balanced",                                                            \
      "rows by length in slices of threads, for rows of very different lengths")                 \
    X(SELL, sell, "sell", "slices of 32 rows, for GPUs and rows of even length")                 \
    X(ELL, ell, "ell", "all rows as wide as the longest, for GPUs and rows of one length")       \
    X(BSR, bsr, "bsr", "small blocks, for several unknowns at each node")                        \
    X(COO, coo, "coo", "entries one by one, for rows of uneven length")                          \
    X(COO_ATOMIC, coo_atomic, "coo-atomic", "entries, added up in any order: not the same bits") \
    X(CSC, csc, "csc", "compressed sparse columns")                                              \
    X(CSC_ATOMIC, csc_atomic, "csc-atomic", "columns, added up in any order: not the same bits") \
    X(CSR_CACHED, csr_cached, "csr-cached", "CSR that keeps a window of x at hand")              \
    X(CSR_TWO_PASS, csr_two_pass, "csr-two-pass", "CSR, products first, then sums in pairs: bits of its own")

#define VKS_FORMAT_ENUM_(NAME, module, name, text) VKS_FORMAT_##NAME,
typedef enum vks_format { VKS_FORMAT_AUTO, VKS_FORMATS(VKS_FORMAT_ENUM_) VKS_FORMAT_COUNT_ } vks_format;
#undef VKS_FORMAT_ENUM_

/* "csr", "csc-atomic" ...; "auto" for AUTO; "?" outside the list. */
const char *vks_format_name(vks_format format) VKS_API;
const char *vks_format_text(vks_format format) VKS_API;

/* Whether SELL stores entries as codes. The kind of an entry is its distance from the diagonal together with
 * its value, bit for bit. Matrices of grids have few kinds: an entry is then stored as the number of its
 * kind, in one byte for up to 255 kinds, in two for up to 65,535 (at most 1,024, or one for eight entries).
 * This is lossless. It needs slices of 32 rows in natural order, and fewer than 96 entries a row on average.
 * New values are coded again; if they have too many kinds, they are stored one by one from then on. */
typedef enum vks_coding {
    VKS_CODED_WHERE_SMALLER, /* if products then read fewer bytes, including the table of kinds */
    VKS_CODED_NEVER,
    VKS_CODED_ALWAYS /* VKS_LIMIT if impossible; new values may still end it */
} vks_coding;

/* How a matrix is stored; zero means default. A format ignores members of other formats. */
typedef struct vks_format_options {
    vks_format format; /* default: AUTO, chosen from the statistics of the matrix and the kind of device */
    uint32_t slice_height; /* SELL: rows per slice: 4, 8, 16 ... 128; default 32 */
    /* SELL: rows per window. Within a window rows are sorted by length, longest first, to save padding. Rows
     * keep their numbers. Values up to slice_height, such as the default of 1: not sorted. VKS_LIMIT: more
     * than 8,388,608 windows. */
    uint32_t sigma;
    vks_coding coding;   /* SELL: whether entries are stored as codes; default: if smaller */
    uint32_t block_size; /* BSR: rows and columns of a block, 2 to 8; default: the largest size whose blocks
                            are all full, else the size with the least index data */
    /* For formats that pad: the largest allowed ratio of stored entries, including padding, to entries of the
     * matrix; 1 or more, default 8. AUTO has its own limits. */
    double padding;
    /* Keep only the format and the row offsets. Otherwise the matrix also keeps CSR, which takes about as
     * much memory again and serves all calls except products. A lean matrix makes CSR for each call that
     * needs it and frees it afterwards: solves, the calls of vksolve/algebra.h and vksolve/multiply.h,
     * set_values, to_csr, write, convert. These calls are slower, and may fail for lack of memory. Ignored
     * with CSR, csr-cached, csr-two-pass and balanced; VKS_FORMAT_AUTO does not choose balanced then. */
    bool lean;
} vks_format_options;

/* VKS_MIXED: a matrix of f64, used with vectors of VKS_F64. Its values are stored in f32 if that changes none
 * of them, else in f64, so all results have the bits of VKS_F64. Values that f32 holds unchanged are zeros,
 * infinities, and normal numbers from 2^-126 to 3.4028234663852886e38 in magnitude that f32 represents
 * exactly (0.5 or 3, but not 0.1). Denormals of f32 and NaN do not count as such. Results of
 * vksolve/algebra.h and vksolve/multiply.h are VKS_MIXED if an operand is, and are stored in f32 where that
 * changes none of their values. Their work space, and that of calls that change the values, is in f64. If new
 * values need f64, the matrix stays in f64 from then on; vks_matrix_convert makes another one, which is
 * stored in f32 if possible.
 *
 * On a device without 64-bit floats VKS_F64 and VKS_MIXED are the same: pairs of 32-bit floats
 * (vksolve/vector.h) in CSR, and a copy in f32, in the requested or chosen format, for the iterations. */
typedef struct vks_matrix_options {
    vks_precision precision;    /* of the values on the device; default VKS_F64. VKS_MIXED: above */
    vks_precision of_values;    /* of the caller's `val` array; default VKS_F64 */
    vks_format_options storage; /* AUTO uses CSR alone if memory is short. VKS_LIMIT: the format is unsuitable
                                   for the matrix; the message has the figures. VKS_UNSUPPORTED: an atomic
                                   format in VKS_F64 on a device without atomic additions of 64-bit floats and
                                   without atomic swaps of 64-bit words */
    /* The lanes that sum a row: 1, 2, 4, 8, 16 or 32, else VKS_INVALID_ARGUMENT. Default: vks_lanes_of this
     * matrix. Processes that share the rows of one matrix set the lanes of the whole matrix, so that each row
     * is summed with the same bits. vks_matrix_convert and new values keep them. Transposes, sums and
     * products of matrices get the default. */
    uint32_t lanes;
    /* vks_matrix_from_csr: the columns of a row may have any order, each once. The call uploads a sorted
     * copy, and needs up to 24 bytes of host memory an entry and a copy of the values for it.
     * vks_matrix_set_values takes values in the order of this call; the matrix keeps that order in 4 bytes of
     * host memory an entry, unless the rows ascend already. Matrices made from it, also by
     * vks_matrix_convert, take values in ascending order. Other calls ignore it. */
    bool unsorted;
} vks_matrix_options;

/* Makes a matrix from compressed sparse rows: row[0 .. rows], col and val[0 .. row[rows] - 1]; columns ascend
 * strictly in each row, unless options->unsorted. The arrays are copied. options may be NULL.
 * VKS_INVALID_ARGUMENT: the arrays are not such a matrix; the message names the row. VKS_LIMIT: too many
 * rows, columns or entries; or, on a device without 64-bit floats, a value that pairs cannot hold, named by
 * row and column, from 1. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
static inline vks_status vks_matrix_from_csr(vks_context *context, uint32_t rows, uint32_t cols,
                                             const uint32_t *row, const uint32_t *col, const void *val,
                                             const vks_matrix_options *options, vks_matrix **matrix);
VKS_CALL(vks_matrix_from_csr, (context, rows, cols, row, col, val, options, matrix), vks_context *context,
         uint32_t rows, uint32_t cols, const uint32_t *row, const uint32_t *col, const void *val,
         const vks_matrix_options *options, vks_matrix **matrix)

/* Makes a matrix from `count` coordinate triplets in any order. Duplicates are summed in double precision, in
 * array order, as in FEM assembly. Errors as vks_matrix_from_csr; the message names the triplet. */
static inline vks_status vks_matrix_from_coo(vks_context *context, uint32_t rows, uint32_t cols, size_t count,
                                             const uint32_t *row, const uint32_t *col, const void *val,
                                             const vks_matrix_options *options, vks_matrix **matrix);
VKS_CALL(vks_matrix_from_coo, (context, rows, cols, count, row, col, val, options, matrix),
         vks_context *context, uint32_t rows, uint32_t cols, size_t count, const uint32_t *row,
         const uint32_t *col, const void *val, const vks_matrix_options *options, vks_matrix **matrix)

/* Reads a matrix from a file, which is opened once and may be a pipe; "-" is standard input. The format is
 * detected from the content:
 *  - a Matrix Market file, coordinate or array; real, integer or pattern (ones); general, symmetric or
 *    skew-symmetric (expanded): R. F. Boisvert, R. Pozo, K. A. Remington, "The Matrix Market Exchange
 *    Formats", NISTIR 5935 (1996);
 *  - an assembled Harwell-Boeing or Rutherford-Boeing matrix: I. S. Duff, R. G. Grimes, J. G. Lewis, "Users'
 *    Guide for the Harwell-Boeing Sparse Matrix Collection", TR/PA/92/86 (1992), and "The Rutherford-Boeing
 *    Sparse Matrix Collection", RAL-TR-97-031 (1997);
 *  - a file of scipy.sparse.save_npz; .npy of one or two dimensions, or an .npz of one; or
 *  - columns of numbers with comments behind # or %; two or three columns that may be a list of entries
 *    are refused.
 * It may be compressed with gzip. Duplicates are summed. VKS_FILE: cannot be read; vks_context_errno says
 * why. VKS_FORMAT: malformed, or a number that is not finite; the message names the file, and the line if a
 * single line is wrong. VKS_UNSUPPORTED: complex, Hermitian, by elements, or objects of Python.
 * VKS_OUT_OF_MEMORY: also if reading needs more memory than the machine, its memory cgroup or RLIMIT_AS has
 * free; the message names the file, the bytes needed and the bytes free. Other errors as
 * vks_matrix_from_csr. options->of_values is ignored. */
static inline vks_status vks_matrix_read(vks_context *context, const char *path,
                                         const vks_matrix_options *options, vks_matrix **matrix);
VKS_CALL(vks_matrix_read, (context, path, options, matrix), vks_context *context, const char *path,
         const vks_matrix_options *options, vks_matrix **matrix)

/* Writes a Matrix Market file, coordinate real general, with 17 significant digits; compressed if the path
 * ends in .gz; "-" is standard output. Links are followed. The file appears whole or not at all, with the
 * permissions, owner and group of the file that it replaces. A file that cannot be replaced by a rename, such
 * as a mounted one or one in a read-only folder, is written in place after its space has been reserved; if
 * that fails, the message names the file that has the whole output. VKS_FILE: vks_context_errno says why.
 * VKS_INVALID_ARGUMENT: the path ends as files of another compression or a binary format do, such as .xz or
 * .npz. VKS_OUT_OF_MEMORY. */
vks_status vks_matrix_write(const vks_matrix *matrix, const char *path) VKS_API;

/* NULL is allowed. */
void vks_matrix_destroy(vks_matrix *matrix) VKS_API;

uint32_t vks_matrix_rows(const vks_matrix *matrix) VKS_API;
uint32_t vks_matrix_cols(const vks_matrix *matrix) VKS_API;
uint32_t vks_matrix_entries(const vks_matrix *matrix) VKS_API;
vks_precision vks_matrix_precision(const vks_matrix *matrix) VKS_API;

/* The lanes that sum a row of a matrix, by the mean entries of its rows: 1 below 12, 2 below 24, 4 below 48,
 * 8 below 96, 16 below 192, else 32. Pure: may be called from any thread. */
uint32_t vks_lanes_of(uint64_t rows, uint64_t entries) VKS_API;

/* The lanes of this matrix; 1 for an operator. */
uint32_t vks_matrix_lanes(const vks_matrix *matrix) VKS_API;

/* The bytes of a stored value: 4, or 8. A VKS_MIXED matrix has 8 if f32 would change a value. */
uint32_t vks_matrix_value_bytes(const vks_matrix *matrix) VKS_API;

/* The first entry, by rows, that prevents storing a VKS_MIXED matrix in f32, and its value when the matrix
 * was made or got new values. False, and nothing is written, if there is none. */
bool vks_matrix_lost_value(const vks_matrix *matrix, uint32_t *row, uint32_t *col, double *value) VKS_API;

/* The format of the products (AUTO: an operator, see vksolve/operator.h), and the reason for it, a text that
 * exists as long as the matrix. */
vks_format vks_matrix_format(const vks_matrix *matrix) VKS_API;
const char *vks_matrix_format_reason(const vks_matrix *matrix) VKS_API;

/* The number of kinds of entries, if they are stored as codes (vks_coding); else 0. */
uint32_t vks_matrix_entry_kinds(const vks_matrix *matrix) VKS_API;

/* The bytes of device memory of the format, including long rows, without the CSR that the matrix may keep. */
uint64_t vks_matrix_format_bytes(const vks_matrix *matrix) VKS_API;

/* *B = A in another format, made on the device; A is unchanged. Structure and values are those of A, bit for
 * bit. options may be NULL. VKS_INVALID_ARGUMENT: options that are out of range. VKS_LIMIT: the format is
 * unsuitable for A; the message has the figures. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST,
 * VKS_TIMEOUT. After a failure *B is NULL. */
static inline vks_status vks_matrix_convert(const vks_matrix *A, const vks_format_options *options,
                                            vks_matrix **B);
VKS_CALL(vks_matrix_convert, (A, options, B), const vks_matrix *A, const vks_format_options *options,
         vks_matrix **B)

/* Sets new values for the same structure, in the order of the CSR entries, or of the arrays that an
 * `unsorted` matrix was made from; in any format. After a failure the values are undefined until a call
 * succeeds. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: the CSR of a lean matrix, or the values of a VKS_MIXED one
 * in f64, do not fit. VKS_LIMIT: as vks_matrix_from_csr; the values are unchanged. */
vks_status vks_matrix_set_values(vks_matrix *matrix, vks_precision of_values, const void *val) VKS_API;

/* Copies the CSR arrays to host memory: row[rows + 1], col[entries], val[entries] of the given precision. Any
 * of the three may be NULL. A matrix made from CSR is returned bit for bit. */
vks_status vks_matrix_to_csr(const vks_matrix *matrix, uint32_t *row, uint32_t *col, vks_precision of_values,
                             void *val) VKS_API;

/* y = A x. x has cols and y rows elements, all of one precision (VKS_F64 beside VKS_MIXED), and are different
 * vectors. A row is summed in ascending column order by 1 to 32 lanes (vks_matrix_lanes), and a row of more
 * than 256 entries in pieces of 1,024 (docs/formats.md). The bits are the same everywhere, apart from the
 * formats named at VKS_FORMATS. */
vks_status vks_spmv(const vks_matrix *A, const vks_vector *x, vks_vector *y) VKS_API;

/* y = y + A x: each row is summed as by vks_spmv, and then added to its element of y. COO, and matrices with
 * rows of more than 256 entries, need memory for A x, which the context keeps. Errors as vks_spmv, and
 * VKS_DEVICE_MEMORY. */
vks_status vks_spmv_add(const vks_matrix *A, const vks_vector *x, vks_vector *y) VKS_API;

/* Rows first .. first + count - 1 of y = A x, with the bits of vks_spmv; the other elements of y are
 * unchanged. A product may thus begin before all elements of x have arrived. The call works on CSR, whatever
 * the format: its cost and bits are those of CSR. If A has rows of more than 256 entries, each call computes
 * all of those rows, and needs memory as vks_spmv_add does. Errors as vks_spmv. VKS_INVALID_ARGUMENT: rows
 * outside A. VKS_UNSUPPORTED: operators, and lean matrices, which keep no CSR. */
vks_status vks_spmv_rows(const vks_matrix *A, uint32_t first, uint32_t count, const vks_vector *x,
                         vks_vector *y) VKS_API;

/* y = A^T x. x has rows and y cols elements, all of one precision, and are different vectors. The bits are
 * those of vks_spmv with the matrix of vks_matrix_transpose in CSR, whatever the format of A. The first call
 * makes the transpose, which A keeps: it takes the memory of CSR and 4 bytes an entry. After new values of A,
 * the next call updates it without sorting, at about the cost of a product. Errors as vks_spmv, and
 * VKS_DEVICE_MEMORY and VKS_OUT_OF_MEMORY: the transpose does not fit; A is unchanged; the call may be
 * repeated. */
vks_status vks_spmv_transpose(const vks_matrix *A, const vks_vector *x, vks_vector *y) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
