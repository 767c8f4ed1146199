/* Preflight checks: detect problems for a solver before it starts, and name their rows. Indices are
 * zero-based. Takes O(entries + rows) in parallel; the result does not depend on the number of threads. */
#ifndef VKS_ENTRIES_CHECK_H
#define VKS_ENTRIES_CHECK_H

#include "entries/host_csr.h"
#include <stdbool.h>

/* X(name, square, text). Findings with `square` set apply to square matrices only. */
#define CSR_DIAGNOSES(X)                                                                      \
    X(empty_rows, 0, "rows without an entry")                                                 \
    X(empty_cols, 0, "columns without an entry")                                              \
    X(not_finite, 0, "values that are NaN or infinite")                                       \
    X(explicit_zeros, 0, "stored entries that are zero")                                      \
    X(missing_diagonal, 1, "rows whose diagonal entry is not stored")                         \
    X(zero_diagonal, 1, "rows whose stored diagonal entry is zero")                           \
    X(negative_diagonal, 1, "rows whose diagonal entry is negative")                          \
    X(not_dominant, 1, "rows whose diagonal is smaller than the sum of the other magnitudes") \
    X(unpaired, 1, "stored entries (i,j) for which (j,i) is not stored")                      \
    X(unequal, 1, "entries (i,j) that differ from (j,i), where one that is not stored is zero")

/* The number of occurrences, and the place of the first in row-major order, which is meaningful only if count
 * > 0. A row has the place (row, row), a column (0, column). */
struct csr_diagnosis {
    size_t count;
    uint32_t row, col;
};

/* The first pair, in row-major order, of finite entries with the largest relative difference. */
struct csr_pair {
    double difference; /* |a_ij - a_ji| / max(|a_ij|, |a_ji|), 0 to 2; 1 if one is missing; 0: no pair */
    uint32_t row, col;
    double a_ij, a_ji;
};

struct csr_row_length {
    uint32_t length, row;
};

struct csr_diagnoses {
    uint32_t rows, cols;
    size_t entries;

    /* If false, members marked [square] are zero or false. */
    bool square;

#define CSR_DIAGNOSIS_MEMBER_(name, square, text) struct csr_diagnosis name;
    CSR_DIAGNOSES(CSR_DIAGNOSIS_MEMBER_)
#undef CSR_DIAGNOSIS_MEMBER_

    bool structurally_symmetric; /* [square] the pattern equals its transpose: no entry is unpaired */
    bool symmetric;              /* [square] A == A^T exactly: no pair is unequal (a NaN counts as unequal) */
    struct csr_pair worst_pair;  /* [square] */
    double largest_difference; /* [square] the largest |a_ij - a_ji| of finite pairs; compared with `largest`,
                                  it separates asymmetry from rounding, since the worst pair may be tiny */

    double smallest, largest;                   /* |a| over the nonzero finite entries; 0 if there is none */
    double smallest_diagonal, largest_diagonal; /* [square] likewise on the diagonal */
    uint32_t bandwidth;                         /* the largest |i - j| over the stored entries */
    struct csr_row_length longest, shortest; /* the first longest and shortest rows; 0 if there are no rows */
    double mean_row;                         /* entries / rows; 0 if there are no rows */
};

/* Examines a valid matrix. Uses 4 bytes per row for each of up to 8 threads, and a byte per column.
 * VKS_OUT_OF_MEMORY is the only failure; *f is then undefined. */
vks_status csr_check(struct message *m, const struct host_csr *a, struct csr_diagnoses *f);

/* Validates CSR arrays supplied by a caller: at most VKS_MAX_ROWS rows and columns and at most
 * VKS_MAX_ENTRIES entries (VKS_LIMIT); row holds rows + 1 offsets, which begin with 0 and never descend; col
 * holds row[rows] indices, each below cols and strictly ascending within a row. VKS_INVALID_ARGUMENT
 * otherwise; the message names the first faulty row and its fault: "row 5: column 9 is outside 0..8". col may
 * be NULL if there are no entries. */
vks_status csr_arrays_check(struct message *m, uint32_t rows, uint32_t cols, const uint32_t *row,
                            const uint32_t *col);
/* The parts of csr_arrays_check: csr_offsets_check checks everything except columns; the other finds the
 * first row with columns out of range or not ascending, else the number of rows. */
vks_status csr_offsets_check(struct message *m, uint32_t rows, uint32_t cols, const uint32_t *row,
                             const uint32_t *col);
uint32_t csr_first_unsorted(struct message *m, uint32_t rows, uint32_t cols, const uint32_t *row,
                            const uint32_t *col);

#endif
