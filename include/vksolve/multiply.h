/* vksolve/multiply.h -- sparse times sparse, on the device.
 *
 * What vksolve/algebra.h says at its head about operands, results, errors and threads holds here too.
 *
 * C has an entry c_ij wherever some a_ik and b_kj are both stored: the sum of a_ik b_kj in ascending k, each
 * product and each sum rounded to the precision of the matrices, begun at +0. So the bits are the same on
 * every device, whatever the way in which a row is worked on.
 *
 * The structure comes first: rows are told apart by the number of their products, which bounds their entries.
 * Rows of few products of few entries of A are merged by one invocation; other rows of few entries are
 * gathered in tables in shared memory; of rows that no table holds the columns are marked as bits, 65,536
 * columns at a time, or, where that would take longer, the products are listed, sorted and made unique
 * (expand, sort, compress). Then rows of up to nine entries of A get their values from one invocation, or
 * from eight if they have 17 to 32 entries, and of others pieces of up to 64 entries, each from a squad
 * of 32. Each piece looks through the whole row of A: where a row is long in A and in C (a million entries in
 * both), that takes a GPU some tenths of a second. On the host each thread takes whole rows: it counts their
 * entries, and then adds up the products.
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
    /* Leave out what vks_matrix_drop(C, drop_below) leaves out: zeros, and what is small beside its row. */
    bool drop;
    double drop_below; /* looked at where `drop` says so */
} vks_multiply_options;

/* *C = A B. A and B may be the same matrix. options may be NULL.
 *
 * Memory beside the operands and C: about 32 bytes for each row of A; 4 for each row of more than 1,536
 * products and each 65,536 columns, at most 256 MiB; and for rows that need sorting 4 bytes for each entry of
 * A and of these rows of C, and 16 for each of their products, some 32 million of them at a time, or as many
 * as one row has. On the host, for each thread that has rows: 5 bytes for each column, and up to 32 for each
 * entry of its longest row of C, or where threads share a row, for each column of their parts; of more than
 * 16 million columns instead at most 80 MiB, and beside what is said above 4 bytes for each row and each 16
 * million columns, at most 256 MiB. Where entries are dropped, C is there as a whole before.
 *
 * VKS_LIMIT beside what algebra.h says: on a software device (Vulkan on a processor, whose loops may end
 * early) the products of a row and twice its entries of A are more than 50,000; the message names it. */
VKS_CALL_0_1(vks_matrix_multiply, (A, B, options, C), const vks_matrix *A, const vks_matrix *B,
             const vks_multiply_options *options, vks_matrix **C)

/* C = A B once more, where only values of A and B have changed: the structure stays, and nothing is sorted. C
 * comes from vks_matrix_multiply without dropping; of a C with entries beyond the product's these become 0.
 * Memory: 12 bytes for each row of C, and one for each eight of its entries; on the host 5 for each column
 * and thread, up to 16 million columns.
 * VKS_INVALID_ARGUMENT: C lacks an entry of the product; the message names its row, from 0. After a failure
 * the values of C are undefined until a call succeeds. C is neither A nor B. */
VKS_API vks_status vks_matrix_multiply_again(const vks_matrix *A, const vks_matrix *B, vks_matrix *C);

/* *C = R A P, as R (A P): the product of a Galerkin projection. options, for C alone, may be NULL. A P is
 * kept until C is there. To repeat it with new values, make A P and R (A P) by vks_matrix_multiply and keep
 * both. */
VKS_CALL_0_1(vks_matrix_triple_product, (R, A, P, options, C), const vks_matrix *R, const vks_matrix *A,
             const vks_matrix *P, const vks_multiply_options *options, vks_matrix **C)

#ifdef __cplusplus
}
#endif
#endif
