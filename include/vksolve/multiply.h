/* vksolve/multiply.h -- sparse times sparse, on the device.
 *
 * vksolve/algebra.h describes operands, results, errors and threads at its top.
 *
 * C has an entry c_ij wherever some a_ik and b_kj are both stored: the sum of a_ik b_kj in ascending k, each
 * product and each sum rounded to the precision of the matrices, starting from +0. So the bits are the same
 * on every device.
 *
 * The structure is computed first. Rows are classified by the number of their products, which bounds their
 * entries. One invocation merges a row with few products of few entries of A. Other short rows are gathered
 * in tables in shared memory. For rows that fit no table, columns are marked as bits, 65,536 columns at a
 * time, or, if that would take longer, the products are listed, sorted and made unique (expand, sort,
 * compress). Then the values: one invocation computes a row with up to nine entries in A, or eight if it has
 * 17 to 32 entries in C; other rows are cut into pieces of up to 64 entries, each for 32 invocations. Each
 * piece reads the whole row of A: a row of a million entries in both A and C takes a GPU a few tenths of a
 * second. On the host each thread takes whole rows: it counts their entries, and then adds up the products.
 *
 * F. G. Gustavson, "Two fast algorithms for sparse matrices" (1978); S. Dalton, L. Olson, N. Bell,
 * "Optimizing sparse matrix-matrix multiplication for the GPU" (2015); Y. Nagasaka, A. Nukada, S. Matsuoka,
 * "High-performance and memory-saving sparse general matrix-matrix multiplication" (2017). */
#ifndef VKSOLVE_MULTIPLY_H
#define VKSOLVE_MULTIPLY_H

#include "vksolve/algebra.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_multiply_options {
    vks_format format; /* of the result, for its products with vectors */
    /* Drop zeros and small entries from C, as vks_matrix_drop(C, drop_below) does. */
    bool drop;
    double drop_below; /* ignored without `drop` */
} vks_multiply_options;

/* *C = A B. A and B may be the same matrix. options may be NULL.
 *
 * Memory apart from the operands and C:
 *  - about 32 bytes for each row of A;
 *  - 4 bytes for each row of more than 1,536 products and each 65,536 columns, at most 256 MiB;
 *  - for rows that need sorting 4 bytes for each entry of A and of these rows of C, and 16 for each of their
 *    products, about 32 million at a time, or as many as one row has;
 *  - on the host, for each thread, 5 bytes for each column, and up to 32 for each entry of its longest row of
 *    C, or for each column of its part if threads share a row; with more than 16 million columns at most 80
 *    MiB instead, and 4 bytes for each row and each 16 million columns, at most 256 MiB;
 *  - with `drop`, C before entries are dropped.
 *
 * VKS_LIMIT, besides the reasons of algebra.h: on a software device (Vulkan on a processor, whose loops may
 * end early) the products of a row and twice its entries of A exceed 50,000; the message names the row. */
static inline vks_status vks_matrix_multiply(const vks_matrix *A, const vks_matrix *B,
                                             const vks_multiply_options *options, vks_matrix **C);
VKS_CALL(vks_matrix_multiply, (A, B, options, C), const vks_matrix *A, const vks_matrix *B,
         const vks_multiply_options *options, vks_matrix **C)

/* C = A B again, after new values of A and B: the structure stays, and nothing is sorted. C comes from
 * vks_matrix_multiply without dropping; entries of C that the product lacks become 0. Memory: 12 bytes for
 * each row of C, and one for each eight of its entries; on the host 5 for each column and thread, up to 16
 * million columns. VKS_INVALID_ARGUMENT: C lacks an entry of the product; the message names its row, from 0.
 * After a failure the values of C are undefined until a call succeeds. C is neither A nor B. */
vks_status vks_matrix_multiply_again(const vks_matrix *A, const vks_matrix *B, vks_matrix *C) VKS_API;

/* *C = R A P, as R (A P): the product of a Galerkin projection. options, for C alone, may be NULL. A P is
 * freed when C is complete. To repeat it with new values, keep A P and R (A P) from vks_matrix_multiply. */
static inline vks_status vks_matrix_triple_product(const vks_matrix *R, const vks_matrix *A,
                                                   const vks_matrix *P, const vks_multiply_options *options,
                                                   vks_matrix **C);
VKS_CALL(vks_matrix_triple_product, (R, A, P, options, C), const vks_matrix *R, const vks_matrix *A,
         const vks_matrix *P, const vks_multiply_options *options, vks_matrix **C)

#ifdef __cplusplus
}
#endif
#endif
