/* Shared by SELL and ELL as formats. */
#ifndef VKS_SPARSE_SLICES_H
#define VKS_SPARSE_SLICES_H

#include "sparse/sell.h"

/* The type of A->stored. */
struct sliced {
    struct sell sell; /* first: sell_of */
    bool compact;     /* columns are compact, unless entries are coded */
    struct memory slice, order;
    struct memory base, col, val; /* of uncoded entries */
    struct memory code, table;    /* of coded entries */
};

/* VKS_LIMIT: A's options do not allow this many stored entries; the message has the figures. */
vks_status sliced_check(const vks_matrix *A, const char *name, uint64_t padded);
/* Allocates and fills uncoded entries, with bases if columns are compact. The slices must be known. */
vks_status sliced_fill(vks_matrix *A, struct sliced *k);
void sliced_drop_entries(vks_matrix *A);

/* The order of the rows of A in slices, sorted within windows of A's sigma; empty if the rows are not
 * permuted. VKS_LIMIT: too many windows. */
vks_status sell_sort(const vks_matrix *A, struct memory *order);

/* Sorts the rows of A within windows of sigma, rows with more entries first, long rows last. */
vks_status rows_by_length(const vks_matrix *A, uint32_t sigma, struct memory *order);

/* The operations of both formats. */
void sliced_refresh(struct rec *r, const vks_matrix *A);
vks_status sliced_values_room(vks_matrix *A);
vks_status sliced_to_csr(const vks_matrix *A);
void sliced_product(struct rec *r, const vks_matrix *A, struct vec x, struct vec y);
bool sliced_product_and_dot(struct rec *r, const vks_matrix *A, struct vec x, struct vec own, struct vec y,
                            sums s);
void sliced_product_then(struct rec *r, const vks_matrix *A, const struct product_then *t);
uint64_t sliced_bytes(const vks_matrix *A);
void sliced_release(vks_matrix *A);

#endif
