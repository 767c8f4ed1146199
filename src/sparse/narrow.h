/* The values of VKS_MIXED: f64, stored in f32 where every one of them survives that
 * (shaders/sparse/narrow.h).
 *
 * A matrix is `narrow` or it is not, and so are all arrays of its values. What computes with these in
 * products is recorded in matrix_precision; what only moves them, in values_precision. All else wants them
 * wide, and holds the CSR so. */
#ifndef VKS_SPARSE_NARROW_H
#define VKS_SPARSE_NARROW_H

#include "shaders/sparse/narrow.h"
#include "sparse/matrix.h"

/* Whether v survives being stored in f32. */
bool value_survives(double v);

/* For a new matrix, whose values are in A->val: makes a mixed one narrow if it can be, else tells A->lost. */
vks_status values_narrow(vks_matrix *A);

/* Where entry k is, whose column is on the device. */
vks_status entry_place(const vks_matrix *A, uint32_t k, uint32_t *row, uint32_t *col);

/* As csr_hold, with values of full width in A->csr until they are let go; no product may be recorded
 * meanwhile. Calls may be nested. */
vks_status csr_hold_wide(const vks_matrix *A);
void csr_let_go_wide(const vks_matrix *A);
vks_status csr_hold_wide_two(const vks_matrix *A, const vks_matrix *B);
void csr_let_go_wide_two(const vks_matrix *A, const vks_matrix *B);
/* Where they are meanwhile. */
static inline struct memory *wide_values(vks_matrix *A)
{
    return A->narrow ? &A->wide : &A->val;
}

/* In place of csr_let_go_wide, of which there is one: unless s tells of a failure, A takes over what has
 * become of the values, and so does its format. A narrow matrix whose values no longer survive is widened,
 * for good: it needs room for all of its values anew, VKS_DEVICE_MEMORY. After a failure the values mean
 * nothing. */
vks_status values_end(vks_matrix *A, vks_status s);

/* For formats: room for `count` values as wide as A's are now, in place of what there was, which stays after
 * a failure. */
vks_status values_room(const vks_matrix *A, uint64_t count, const char *what, struct memory *room);

#endif
