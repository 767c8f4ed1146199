/* The values of VKS_MIXED: f64, stored in f32 if all of them survive (shaders/sparse/narrow.h).
 *
 * If a matrix is `narrow`, all arrays of its values are in f32. Products are recorded in matrix_precision,
 * copies in values_precision. All other code uses csr_acquire_wide. */
#ifndef VKS_SPARSE_NARROW_H
#define VKS_SPARSE_NARROW_H

#include "shaders/sparse/narrow.h"
#include "sparse/matrix.h"

/* Whether v survives being stored in f32. */
bool value_survives(double v);

/* Stores the values A->val of a new mixed matrix in f32 if all survive; else records a lost entry in A->lost.
 */
vks_status values_narrow(vks_matrix *A);

/* The row and column of entry k. */
vks_status entry_place(const vks_matrix *A, uint32_t k, uint32_t *row, uint32_t *col);

/* Like csr_acquire, but with values of full width in A->csr; no product may be recorded until the release.
 * Calls may be nested. */
vks_status csr_acquire_wide(const vks_matrix *A);
void csr_release_wide(const vks_matrix *A);
vks_status csr_acquire_wide_two(const vks_matrix *A, const vks_matrix *B);
void csr_release_wide_two(const vks_matrix *A, const vks_matrix *B);
/* The array with values of full width. */
static inline struct memory *wide_values(vks_matrix *A)
{
    return A->narrow ? &A->wide : &A->val;
}

/* Replaces the last csr_release_wide after values were changed. Unless s is a failure, updates the values of
 * A and its format. A narrow matrix whose values no longer survive f32 becomes wide for good: all its values
 * are reallocated, which may fail with VKS_DEVICE_MEMORY. After a failure the values are undefined. */
vks_status values_end(vks_matrix *A, vks_status s);

/* For formats: replaces an array by one for `count` values of A's present width. After a failure the old
 * array is unchanged. */
vks_status values_room(const vks_matrix *A, uint64_t count, const char *what, struct memory *room);

#endif
