/* vksolve/algebra.h -- operations on sparse matrices, on the device: transpose, sum, scaling, dropping small
 * entries.
 *
 * Every call is synchronous and leaves its operands unchanged, unless it says otherwise. The operands have
 * one context and one precision, which is that of the result; VKS_MIXED may be combined with VKS_F64. The
 * columns of a result ascend strictly in each row; computed zeros are stored, unless the call says otherwise.
 * The order of every sum is given below, so the bits are the same on every device that passes
 * vks_context_selftest, except those of NaNs, and of denormals if the self-test reports them. `format` says
 * how a new matrix is stored for its products with vectors: VKS_FORMAT_AUTO or one of VKS_FORMATS, as in
 * vks_matrix_options.
 *
 * Every call can end as VKS_INVALID_ARGUMENT (shapes, precisions or contexts that do not fit; the message
 * says which), VKS_LIMIT (the result would have more than VKS_LARGEST_INDEX entries; the message says how
 * many), VKS_DEVICE_MEMORY (the message names the array that did not fit, and its bytes), VKS_OUT_OF_MEMORY,
 * VKS_DEVICE_LOST or VKS_TIMEOUT. After a failure the result is NULL.
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_ALGEBRA_H
#define VKSOLVE_ALGEBRA_H

#include "vksolve/matrix.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* *T = A^T, by a stable sort of the entries by column. (F. G. Gustavson, "Two fast algorithms for sparse
 * matrices: multiplication and permuted transposition" (1978), counts entries one by one instead.) */
vks_status vks_matrix_transpose(const vks_matrix *A, vks_format format, vks_matrix **T) VKS_API;

/* *C = alpha A + beta B. C has an entry wherever A or B has one: alpha a + beta b, each product rounded, then
 * their sum; or the single product, if only one of them has the entry. alpha and beta are rounded to the
 * precision of the matrices first. A and B may be the same matrix. */
vks_status vks_matrix_add(double alpha, const vks_matrix *A, double beta, const vks_matrix *B,
                          vks_format format, vks_matrix **C) VKS_API;

/* A = diag(left) A diag(right), in place: a_ij becomes (left_i a_ij) right_j. Either vector may be NULL, for
 * ones. `left` has as many elements as A has rows, `right` as many as A has columns. After a device failure,
 * or without memory for the values of a VKS_MIXED matrix in f64 (VKS_DEVICE_MEMORY), the values are
 * undefined. */
vks_status vks_matrix_scale(vks_matrix *A, const vks_vector *left, const vks_vector *right) VKS_API;

/* *B = A without its entries that are zero, of either sign, or whose magnitude is less than `below` times the
 * largest in their row (`below` and the product rounded to the precision of A; 0 drops zeros only). Diagonal
 * entries and NaNs stay; a NaN is never the largest. VKS_INVALID_ARGUMENT: `below` is negative, above 1 or
 * NaN. */
vks_status vks_matrix_drop(const vks_matrix *A, double below, vks_format format, vks_matrix **B) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
