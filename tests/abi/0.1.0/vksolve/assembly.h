/* vksolve/assembly.h -- matrices from coordinates that are on the device: what a simulation does that makes
 * its element matrices there, in every time step.
 *
 * An assembly is made once from the rows and columns of the triplets, in any order and with duplicates. It
 * sorts them, and keeps where each entry of the matrix has its terms. From then on values are assembled
 * without sorting: each entry is the sum of its terms in the order in which they stand among the triplets,
 * begun with the first, in the precision of the values. So the bits are the same on every device. (Of F32
 * values vks_matrix_from_coo makes sums in double precision, which can differ from these. On llvmpipe, whose
 * loops end after 65,535 turns without a word, an entry of hundreds of thousands of terms lacks some:
 * docs/gpu.md.)
 *
 *     vks_assembly_create(context, n, n, row, col, &assembly);
 *     vks_assembly_matrix(assembly, val, VKS_FORMAT_AUTO, &A);
 *     for each step: compute val; vks_assembly_update(assembly, val, A); solve
 *
 * Threads: as vksolve/context.h says. */
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
 * Memory: 4 bytes for each triplet, 8 for each entry and 4 for each row stay; while it is made, 16 for each
 * triplet and 4 for each row beside them, and some 4 MiB.
 *
 * VKS_INVALID_ARGUMENT: the arrays are not of U32, of one length and of this context; a coordinate is out of
 * range (the message names the first such triplet, the coordinate and its limit). VKS_LIMIT: more than
 * VKS_LARGEST_INDEX rows or columns. VKS_DEVICE_MEMORY (the message names the array that did not fit),
 * VKS_OUT_OF_MEMORY, VKS_DEVICE_LOST, VKS_TIMEOUT. After a failure *assembly is NULL. */
VKS_API vks_status vks_assembly_create(vks_context *context, uint32_t rows, uint32_t cols,
                                       const vks_array *row, const vks_array *col, vks_assembly **assembly);

/* NULL is fine. Matrices that were made of it stay. */
VKS_API void vks_assembly_destroy(vks_assembly *assembly);

/* Entries of the matrix: different coordinates. */
VKS_API uint32_t vks_assembly_entries(const vks_assembly *assembly);

/* A matrix with the values `val` (F32 or F64, one for each triplet), whose precision is that of `val`. Errors
 * as above; VKS_LIMIT also where `format` cannot be had, see vks_matrix_options. */
VKS_API vks_status vks_assembly_matrix(const vks_assembly *assembly, const vks_array *val, vks_format format,
                                       vks_matrix **matrix);

/* New values, of the matrix's precision, for a matrix that was made of this assembly; another one needs as
 * many rows, columns and entries (else VKS_INVALID_ARGUMENT), and gets values that are in place only where
 * its structure is the same: the same sums in whatever format it has, without sorting and without memory on
 * the device. After a failure of the device the values are undefined. */
VKS_API vks_status vks_assembly_update(const vks_assembly *assembly, const vks_array *val,
                                       vks_matrix *matrix);

#ifdef __cplusplus
}
#endif
#endif
