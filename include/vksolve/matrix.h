/* vksolve/matrix.h -- sparse matrices on the device.
 *
 * A matrix is made from host arrays or a Matrix Market file, uploaded, and stays on the device. Indices are
 * zero-based and 32-bit. At most VKS_LARGEST_INDEX rows, columns and entries, else VKS_LIMIT.
 *
 * Threads: as vksolve/context.h says. */
#ifndef VKSOLVE_MATRIX_H
#define VKSOLVE_MATRIX_H

#include "vksolve/vector.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_matrix vks_matrix;

/* X(NAME, module, name, text): how a matrix is stored for its products. All give the same bits, but those
 * that say so: the bits of csr-two-pass are others, though everywhere the same; those of coo-atomic and
 * csc-atomic depend on timing, and so do solves with them, to the number of their iterations. */
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
VKS_API const char *vks_format_name(vks_format format);
VKS_API const char *vks_format_text(vks_format format);

/* Whether SELL stores entries as codes: an entry is of a kind, which is how far its column lies from its row,
 * together with its value, bit for bit; and where a matrix has few kinds, as on grids, the number of its kind
 * is all that an entry needs, one byte for up to 255 kinds and two for up to 65,535 (at most 1,024, or one
 * for eight entries). Nothing is lost. It takes slices of 32 rows in their own order, and fewer than 96
 * entries a row on average. Values that are set later are coded anew, or stored one by one from then on if
 * they are of too many kinds. */
typedef enum vks_coding {
    VKS_CODED_WHERE_SMALLER, /* if codes are fewer bytes for a product, the table of kinds included */
    VKS_CODED_NEVER,
    VKS_CODED_ALWAYS /* VKS_LIMIT where it cannot be; values that are set later may end it even so */
} vks_coding;

/* How a matrix is stored; zero means default. Members that a format has no use for are ignored. */
typedef struct vks_format_options {
    vks_format format; /* default: AUTO, chosen from the statistics of the matrix and the kind of device */
    uint32_t slice_height; /* SELL: rows of a slice, 4, 8, 16 ... 128; default 32 */
    /* SELL: rows are sorted by length, the longest first, within windows of so many, and put into slices in
     * that order, which saves padding. Rows keep their numbers. Default 1, and up to slice_height: not
     * sorted. VKS_LIMIT: more than 8,388,608 windows. */
    uint32_t sigma;
    vks_coding coding;   /* SELL: entries as codes; default: where smaller */
    uint32_t block_size; /* BSR: rows and columns of a block, 2 to 8; default: the largest size whose blocks
                            are all full, or else that with the fewest words beside the values */
    /* The most entries that are stored for one of the matrix, padding included, by a format that pads; 1 or
     * more, default 8. AUTO has limits of its own. */
    double padding;
    /* Keep nothing beside the format but the row offsets. Otherwise CSR stands beside it, which costs about
     * as much memory again, and serves all that is not a product. A lean matrix makes it anew for calls that
     * want it, and gives its memory back when they end: solves, what vksolve/algebra.h and
     * vksolve/multiply.h have, set_values, to_csr, write, convert. They are slower, and can then fail for
     * want of memory. Ignored with the formats that are CSR, and with balanced CSR,
     * which VKS_FORMAT_AUTO then does not take. */
    bool lean;
} vks_format_options;

/* VKS_MIXED: a matrix of f64, beside vectors of VKS_F64, whose values are stored in f32, half as wide, where
 * every one of them survives that, and else in f64: nothing is ever lost, and every result has the bits that
 * it has with VKS_F64. A value survives that is zero or infinite, or a normal number that rounding to f32
 * leaves as it is (0.5 or 3, but not 0.1), from 2^-126 up to 3.4028234663852886e38 in magnitude. What is
 * smaller, but not zero, does not, though f32 may have it as a denormal, and no NaN does. Results of
 * vksolve/algebra.h and vksolve/multiply.h are VKS_MIXED if an operand is, and are stored in f32 if all of
 * their values survive. The work space of such calls, and of those that change the values, has these in f64.
 * New values that do not survive are stored in f64, and it stays so: vks_matrix_convert makes another matrix,
 * which is stored in f32 again where it can be.
 *
 * On a device without 64-bit floats VKS_F64 and VKS_MIXED are one: pairs of 32-bit floats (vksolve/vector.h)
 * in CSR, and beside them a copy in f32, which iterations use, in the format that is asked for or chosen.
 * What is told of formats is about the copy. */
typedef struct vks_matrix_options {
    vks_precision precision;    /* of the values on the device; default VKS_F64. VKS_MIXED: above */
    vks_precision of_values;    /* of the caller's `val` array; default VKS_F64 */
    vks_format_options storage; /* AUTO is content with CSR where there is no room beside it. VKS_LIMIT: a
                                   format is asked for that does not suit the matrix; the message has the
                                   figures. VKS_UNSUPPORTED: an atomic format in VKS_F64 on a device that has
                                   neither additions of 64-bit floats nor swaps of 64-bit words in memory */
    /* How many lanes sum a row: 1, 2, 4, 8, 16 or 32, else VKS_INVALID_ARGUMENT. Default: as many as
     * vks_lanes_of tells for this matrix. Processes that share the rows of one matrix ask for those of the
     * whole: their rows are then summed as in the whole, to the last bit. vks_matrix_convert and new values
     * keep them. Transposes, sums and products of matrices have the lanes of their own mean. */
    uint32_t lanes;
    /* vks_matrix_from_csr: the columns of a row may stand in any order, each once. A sorted copy is uploaded,
     * which takes up to 24 bytes of host memory an entry, and a copy of the values, during the call. The
     * matrix is as if the rows had been sorted before, but vks_matrix_set_values takes the values in the
     * order of this call, which the matrix keeps: 4 bytes of host memory an entry, none if the rows ascend
     * already. What is made of the matrix, by vks_matrix_convert too, takes them in ascending order. Other
     * calls ignore it. */
    bool unsorted;
} vks_matrix_options;

/* From compressed sparse rows: row[0 .. rows], col and val[0 .. row[rows] - 1]; columns ascend strictly in
 * each row, unless options->unsorted. The arrays are copied and stay the caller's. options may be NULL.
 * VKS_INVALID_ARGUMENT: the arrays are not such a matrix; the message names the row. VKS_LIMIT: more rows,
 * columns or entries than may be; or, on a device without 64-bit floats, a value that pairs cannot hold,
 * named by row and column, from 1. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. */
VKS_CALL_0_1(vks_matrix_from_csr, (context, rows, cols, row, col, val, options, matrix), vks_context *context,
             uint32_t rows, uint32_t cols, const uint32_t *row, const uint32_t *col, const void *val,
             const vks_matrix_options *options, vks_matrix **matrix)

/* From `count` coordinate triplets in any order. Duplicates are summed, as FEM assembly wants, in the order
 * in which they stand and in double precision. Errors as vks_matrix_from_csr; the message names the triplet.
 */
VKS_CALL_0_1(vks_matrix_from_coo, (context, rows, cols, count, row, col, val, options, matrix),
             vks_context *context, uint32_t rows, uint32_t cols, size_t count, const uint32_t *row,
             const uint32_t *col, const void *val, const vks_matrix_options *options, vks_matrix **matrix)

/* From a Matrix Market file (.mtx, or compressed with gzip): coordinate or array; real, integer or pattern
 * (ones); general, symmetric or skew-symmetric (expanded). Duplicates are summed. The format: R. F. Boisvert,
 * R. Pozo, K. A. Remington, "The Matrix Market Exchange Formats", NISTIR 5935 (1996). VKS_FILE: cannot be
 * read. VKS_FORMAT: malformed; the message names file and line. VKS_UNSUPPORTED: complex or Hermitian.
 * VKS_OUT_OF_MEMORY: also where text, entries or their assembly need more than the machine, its memory cgroup
 * or RLIMIT_AS has left; the message names the file, the bytes and what is there. Others as
 * vks_matrix_from_csr. options->of_values is ignored. */
VKS_CALL_0_1(vks_matrix_read, (context, path, options, matrix), vks_context *context, const char *path,
             const vks_matrix_options *options, vks_matrix **matrix)

/* Writes a Matrix Market file (compressed where the path ends in .gz), coordinate real general, 17
 * significant digits. The file appears whole or not at all, also where the process has a limit on the size of
 * files if it ignores SIGXFSZ. Links are followed. VKS_FILE. VKS_OUT_OF_MEMORY. */
VKS_API vks_status vks_matrix_write(const vks_matrix *matrix, const char *path);

/* NULL is fine. */
VKS_API void vks_matrix_destroy(vks_matrix *matrix);

VKS_API uint32_t vks_matrix_rows(const vks_matrix *matrix);
VKS_API uint32_t vks_matrix_cols(const vks_matrix *matrix);
VKS_API uint32_t vks_matrix_entries(const vks_matrix *matrix);
VKS_API vks_precision vks_matrix_precision(const vks_matrix *matrix);

/* How many lanes sum a row of a matrix with so many rows and entries: 1 up to a mean below 12 entries, 2
 * below 24, 4 below 48, 8 below 96, 16 below 192, and 32. Pure: from any thread. */
VKS_API uint32_t vks_lanes_of(uint64_t rows, uint64_t entries);

/* How many sum a row of this one; 1 of an operator. */
VKS_API uint32_t vks_matrix_lanes(const vks_matrix *matrix);

/* Bytes that a value is stored in: 4 or, also of VKS_MIXED where not all survive that, 8. */
VKS_API uint32_t vks_matrix_value_bytes(const vks_matrix *matrix);

/* The first entry, by rows, that kept a VKS_MIXED matrix from being stored in f32, when it was made or when
 * its values changed, with the value that it then had. False, and nothing is written, where there was none.
 */
VKS_API bool vks_matrix_lost_value(const vks_matrix *matrix, uint32_t *row, uint32_t *col, double *value);

/* The format of the products, AUTO only of an operator (vksolve/operator.h), and why: a text that lives as
 * long as the matrix. */
VKS_API vks_format vks_matrix_format(const vks_matrix *matrix);
VKS_API const char *vks_matrix_format_reason(const vks_matrix *matrix);

/* How many kinds of entries there are, where they are stored as codes (vks_coding); else 0. */
VKS_API uint32_t vks_matrix_entry_kinds(const vks_matrix *matrix);

/* Bytes of device memory that the format takes, long rows included, without the CSR that may stand beside it.
 */
VKS_API uint64_t vks_matrix_format_bytes(const vks_matrix *matrix);

/* *B = A in another format, made on the device; A stays. Structure and values are those of A, bit for bit.
 * options may be NULL. VKS_INVALID_ARGUMENT: options that are out of range. VKS_LIMIT: the format does not
 * suit A; the message has the figures. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT.
 * After a failure *B is NULL. */
VKS_CALL_0_1(vks_matrix_convert, (A, options, B), const vks_matrix *A, const vks_format_options *options,
             vks_matrix **B)

/* New values for the same structure, in the order of the CSR entries, or of those that an `unsorted` matrix
 * was made from, in whatever format it has. After a
 * failure the values are undefined until a call succeeds. VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: a lean matrix
 * whose CSR has no room, or a VKS_MIXED one; the latter takes room for all of its values in f64, and keeps it
 * where some do not survive f32. VKS_LIMIT: as vks_matrix_from_csr; the values stay. */
VKS_API vks_status vks_matrix_set_values(vks_matrix *matrix, vks_precision of_values, const void *val);

/* The CSR arrays back to host memory: row[rows + 1], col[entries], val[entries] of the given precision. Any
 * of the three may be NULL. A matrix made from CSR comes back bit for bit. */
VKS_API vks_status vks_matrix_to_csr(const vks_matrix *matrix, uint32_t *row, uint32_t *col,
                                     vks_precision of_values, void *val);

/* y = A x. x has cols and y rows elements, all of one precision (VKS_F64 beside VKS_MIXED), and are different
 * vectors. A row is summed in ascending column order by 1 to 32 lanes (vks_matrix_lanes), and a row of more
 * than 256 entries in pieces of 1,024 (docs/formats.md): the same bits everywhere, but with the formats that
 * say otherwise. */
VKS_API vks_status vks_spmv(const vks_matrix *A, const vks_vector *x, vks_vector *y);

/* y = y + A x: each row is summed as by vks_spmv, and then added to its element of y. Where one kernel does
 * not do both, as in COO or with rows of more than 256 entries, the context keeps room for A x, which grows
 * to the longest y. Errors as vks_spmv, and VKS_DEVICE_MEMORY. */
VKS_API vks_status vks_spmv_add(const vks_matrix *A, const vks_vector *x, vks_vector *y);

/* Rows first .. first + count - 1 of y = A x, with the bits of vks_spmv; the other elements of y stay. So a
 * product may begin while some elements of x are still under way. The rows are those of CSR, whatever the
 * format: a call costs what their share of the matrix costs in CSR, and csr-two-pass and the atomic formats
 * have the bits of CSR here. If A has rows of more than 256 entries, each call takes all of those, and room
 * as for vks_spmv_add. Errors as vks_spmv. VKS_INVALID_ARGUMENT: the rows leave A. VKS_UNSUPPORTED:
 * operators, and lean matrices, which keep no CSR. */
VKS_API vks_status vks_spmv_rows(const vks_matrix *A, uint32_t first, uint32_t count, const vks_vector *x,
                                 vks_vector *y);

/* y = A^T x. x has rows and y cols elements, all of one precision, and are different vectors. The bits are
 * those of vks_spmv with the matrix of vks_matrix_transpose in CSR, whatever the format of A. The first call
 * makes the transpose, which A keeps: as much memory again as CSR takes, and 4 bytes an entry. The first call
 * after the values of A have changed takes them over, which needs no sorting and costs about as much as a
 * product. Errors as vks_spmv; VKS_DEVICE_MEMORY and VKS_OUT_OF_MEMORY where there is no room for the
 * transpose; A is then as before, and the call may be repeated. */
VKS_API vks_status vks_spmv_transpose(const vks_matrix *A, const vks_vector *x, vks_vector *y);

#ifdef __cplusplus
}
#endif
#endif
