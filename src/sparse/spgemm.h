/* Sparse times sparse: C = A B, both CSR on the device. First the structure (spgemm.c, and spgemm_sort.c for
 * the rows that no table holds), then the values (spgemm_values.c). */
#ifndef VKS_SPARSE_SPGEMM_H
#define VKS_SPARSE_SPGEMM_H

#include "../../shaders/sparse/spgemm.h"
#include "sparse/matrix.h"

/* Products that are sorted at a time, unless one row has more: 16 bytes each. */
enum { SPGEMM_BATCH = 1 << 25 };

/* C = A B, which fit, with its row offsets, columns and values, but no format yet. A batch of rows that are
 * sorted has at most `batch` products. *C is to be given to matrix_end. */
vks_status spgemm(const vks_matrix *A, const vks_matrix *B, uint32_t batch, vks_matrix **C);

/* The values of C, whose structure is there. *missing, unless it is NULL, becomes the first row in which C
 * lacks an entry of the product, UINT32_MAX where it lacks none. */
vks_status spgemm_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing);

/* What finding the structure works on. */
struct spgemm {
    struct device *d;
    const struct csr *A, *B;
    struct memory bound; /* of the entries of each row: its products */
    struct memory
        class_of; /* SPGEMM_NONE ..., in order, and the rows of each class, one class after the other */
    struct memory list;
    uint32_t rows[SPGEMM_CLASSES];  /* of each class */
    uint32_t first[SPGEMM_CLASSES]; /* on the list */
    struct kept *kept;              /* of the rows that were sorted, batch by batch */
    uint32_t kept_count;
};

/* The keys of a batch of rows, sorted and each kept once. */
struct kept {
    uint32_t first, rows; /* of the rows to be sorted; all on the list */
    uint32_t entries;
    struct memory keys, bound; /* bound: where those of each row begin */
};

/* Counts the entries of the rows of class SPGEMM_SORT. */
vks_status spgemm_sort(struct spgemm *g, u32s entries, uint32_t batch);
/* Their columns, once the offsets of C are there. */
void spgemm_sorted_columns(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_forget(struct spgemm *g);

/* The products of each row of A B, into bound, and 0 into `entries` where there are none, else
 * SPGEMM_UNKNOWN. */
void spgemm_bound(struct rec *r, const struct csr *A, const struct csr *B, u32s bound, u32s entries);
/* VKS_LIMIT on a software device whose loops would end too early for some row; the message names it. */
vks_status spgemm_check_software(struct device *d, const struct csr *A, const struct memory *a_row,
                                 const struct memory *bound);

static inline u32s words_in(const struct memory *m, uint64_t first)
{
    return (u32s)(uintptr_t)(m->address + 4 * first);
}

#endif
