/* vksolve/assembly.h -- matrices from triplets on the device, for simulations that compute their element
 * matrices there in every time step.
 *
 * An assembly is made once from the rows and columns of the triplets, in any order and with duplicates. It
 * sorts them, and keeps the positions of the terms of each entry. Later assemblies need no sorting: each
 * entry is the sum of its terms in the order of the triplets, in the precision of the values. So the bits are
 * the same on every device. (vks_matrix_from_coo sums F32 values in double precision, which may differ.
 * llvmpipe silently ends loops after 65,535 iterations: an entry of hundreds of thousands of terms lacks some
 * of them there, see docs/gpu.md.)
 *
 *     vks_assembly_create(context, n, n, row, col, &assembly);
 *     vks_assembly_matrix(assembly, val, VKS_FORMAT_AUTO, &A);
 *     for each step: compute val; vks_assembly_update(assembly, val, A); solve
 *
 * Threads: see vksolve/context.h. */
#ifndef VKSOLVE_ASSEMBLY_H
#define VKSOLVE_ASSEMBLY_H

#include "vksolve/array.h"
#include "vksolve/matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vks_assembly vks_assembly;

/* row and col are U32 arrays of one length: the triplets' coordinates, from 0. They are only read, and may be
 * destroyed afterwards.
 *
 * Memory: 4 bytes a triplet, 8 an entry and 4 a row; during the call also 16 a triplet, 4 a row, and about 4
 * MiB.
 *
 * VKS_INVALID_ARGUMENT: the arrays are not of U32, of one length and of this context; a coordinate is out of
 * range (the message names the first such triplet, the coordinate and its limit). VKS_LIMIT: more than
 * VKS_LARGEST_INDEX rows or columns. VKS_DEVICE_MEMORY (the message names the array that did not fit),
 * VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure *assembly is NULL. */
vks_status vks_assembly_create(vks_context *context, uint32_t rows, uint32_t cols, const vks_array *row,
                               const vks_array *col, vks_assembly **assembly) VKS_API;

/* NULL is allowed. Matrices made from it remain. */
void vks_assembly_destroy(vks_assembly *assembly) VKS_API;

/* The number of entries of the matrix. */
uint32_t vks_assembly_entries(const vks_assembly *assembly) VKS_API;

/* Makes a matrix from the values `val` (F32 or F64, one for each triplet), in the precision of `val`. Errors
 * as above, and VKS_LIMIT if `format` does not suit the matrix, see vks_matrix_options. */
vks_status vks_assembly_matrix(const vks_assembly *assembly, const vks_array *val, vks_format format,
                               vks_matrix **matrix) VKS_API;

/* Assembles new values, of the matrix's precision, into a matrix that was made from this assembly, in any
 * format, without sorting and without allocating on the device. Any other matrix must have as many rows,
 * columns and entries (else VKS_INVALID_ARGUMENT) and the same structure, which is not checked. After a
 * failure of the device the values are undefined. */
vks_status vks_assembly_update(const vks_assembly *assembly, const vks_array *val,
                               vks_matrix *matrix) VKS_API;

#ifdef __cplusplus
}
#endif
#endif
