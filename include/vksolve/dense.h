/* vksolve/dense.h -- dense matrices on the device, and their products.
 *
 * A dense matrix is stored by rows: element (i, j) is number i ld + j of one array, where ld, the leading
 * dimension, is at least the number of columns. Rows, columns, and rows times ld are at most
 * VKS_LARGEST_INDEX each, else VKS_LIMIT (on software devices at most 1,048,576 columns); one array
 * has at most vks_device_info.largest_array bytes, else VKS_DEVICE_MEMORY. Precisions are VKS_F64 and
 * VKS_F32. Matrices and vectors of one call are of one context and one precision, else VKS_INVALID_ARGUMENT.
 *
 * The order of every sum depends on the shape alone (docs/internals/sums.md), so the bits are the same on
 * every device that passes vks_context_selftest, and in every form of a product.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_DENSE_H
#define VKSOLVE_DENSE_H

#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_dense vks_dense;

/* A zero matrix. ld = 0: cols. Destroy it with vks_dense_destroy. VKS_INVALID_ARGUMENT: ld is
 * smaller than cols, or the precision is VKS_MIXED. VKS_LIMIT, VKS_UNSUPPORTED (VKS_F64 on a device without
 * 64-bit floats), VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY. After a failure *A is NULL, here and below. */
vks_status vks_dense_create(vks_context *context, uint32_t rows, uint32_t cols, uint32_t ld,
                            vks_precision precision, vks_dense **A) VKS_API;

/* From host memory: element (i, j) is values[i values_ld + j]; values_ld = 0: cols. Values have the precision
 * of_values, and are rounded to nearest if A has another precision. Errors as vks_dense_create. */
vks_status vks_dense_from_array(vks_context *context, uint32_t rows, uint32_t cols, vks_precision precision,
                                vks_precision of_values, const void *values, size_t values_ld,
                                vks_dense **A) VKS_API;

/* From a file of any kind that vks_matrix_read accepts, of a matrix or an array. Symmetric and skew-symmetric
 * files are expanded. In matrices, missing entries are zero, and duplicates are summed. Errors as
 * vks_matrix_read and vks_dense_create. */
vks_status vks_dense_read(vks_context *context, const char *path, vks_precision precision,
                          vks_dense **A) VKS_API;

/* From a file of any kind, which is opened once: *array if the file holds an array (Matrix Market array,
 * .npy, columns of numbers), else *matrix; the other one is NULL, and both are after a failure. In VKS_F64;
 * the matrix in the default format. Destroy it with vks_dense_destroy or vks_matrix_destroy. Errors as
 * vks_matrix_read and vks_dense_create. */
vks_status vks_file_read(vks_context *context, const char *path, vks_matrix **matrix,
                         vks_dense **array) VKS_API;

/* From a sparse matrix in any format, on the device; in VKS_F64 from a VKS_MIXED one. Errors as
 * vks_dense_create. */
vks_status vks_dense_from_matrix(const vks_matrix *S, vks_dense **A) VKS_API;

/* The non-zero elements, NaNs included, as a sparse matrix, through the host. options NULL: in the precision
 * of A. Errors as vks_matrix_from_csr. */
static inline vks_status vks_dense_to_matrix(const vks_dense *A, const vks_matrix_options *options,
                                             vks_matrix **S);
VKS_CALL(vks_dense_to_matrix, (A, options, S), const vks_dense *A, const vks_matrix_options *options,
         vks_matrix **S)

/* NULL is allowed. */
void vks_dense_destroy(vks_dense *A) VKS_API;

uint32_t vks_dense_rows(const vks_dense *A) VKS_API;
uint32_t vks_dense_cols(const vks_dense *A) VKS_API;
uint32_t vks_dense_ld(const vks_dense *A) VKS_API;
vks_precision vks_dense_precision(const vks_dense *A) VKS_API;

/* Copies all elements from (to) host memory, laid out as in vks_dense_from_array; vks_dense_get leaves the
 * gaps between cols and values_ld unchanged. VKS_INVALID_ARGUMENT: values_ld is smaller than the columns, or
 * of_values is VKS_MIXED. */
vks_status vks_dense_set(vks_dense *A, vks_precision of_values, const void *values, size_t values_ld) VKS_API;
vks_status vks_dense_get(const vks_dense *A, vks_precision of_values, void *values, size_t values_ld) VKS_API;

/* Writes a Matrix Market array file, real general, with 17 significant digits, by columns, to a path as for
 * vks_matrix_write. VKS_INVALID_ARGUMENT: also if an element is not finite, which the format cannot hold.
 * Other errors as vks_matrix_write. */
vks_status vks_dense_write(const vks_dense *A, const char *path) VKS_API;

/* X(NAME, name, text): how a product with a vector is divided among invocations. All give the same bits. */
#define VKS_GEMV_FORMS(X)                                                                  \
    X(ROWS, rows, "an invocation for each row; for few columns")                           \
    X(GROUPS, groups, "a workgroup for each row, reduced in shared memory; for long rows") \
    X(STRIPS, strips, "blocks of eight rows and 1,024 columns, over many workgroups")

#define VKS_GEMV_ENUM_(NAME, name, text) VKS_GEMV_##NAME,
typedef enum vks_gemv_form { VKS_GEMV_AUTO, VKS_GEMV_FORMS(VKS_GEMV_ENUM_) VKS_GEMV_COUNT_ } vks_gemv_form;
#undef VKS_GEMV_ENUM_

/* "rows" ...; "auto" for AUTO; "?" outside the list. */
const char *vks_gemv_form_name(vks_gemv_form form) VKS_API;
const char *vks_gemv_form_text(vks_gemv_form form) VKS_API;
/* The form that AUTO chooses for a matrix of this shape. */
vks_gemv_form vks_gemv_choice(uint32_t rows, uint32_t cols) VKS_API;

/* y = A x + b; b may be NULL. x has cols elements, b and y rows; y is neither x nor b. A row has
 * the bits of vks_spmv with a sparse matrix that stores all of its entries; b is added to the sum.
 * VKS_INVALID_ARGUMENT: lengths, precisions or contexts do not fit, or the form does not exist.
 * VKS_DEVICE_MEMORY, VKS_OUT_OF_MEMORY: the sums of strips do not fit, with more than 1,024 columns. */
vks_status vks_gemv(const vks_dense *A, const vks_vector *x, const vks_vector *b, vks_gemv_form form,
                    vks_vector *y) VKS_API;

/* C = A B: A is m x k, B is k x n, C is m x n, and neither A nor B. An element of C is
 *     fma(A[i][k-1], B[k-1][j], ... fma(A[i][1], B[1][j], fma(A[i][0], B[0][j], 0)))
 * in ascending order, each rounded once: |error| <= k u sum |a b|, u = 2^-53 or 2^-24. VKS_INVALID_ARGUMENT:
 * shapes, precisions or contexts do not fit. */
vks_status vks_gemm(const vks_dense *A, const vks_dense *B, vks_dense *C) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
