/* Sparse times sparse: C = A B, both CSR on the device. The structure is computed first (spgemm.c;
 * spgemm_window.c and spgemm_sort.c for rows that fit no table), then the values (spgemm_values.c). The host
 * computes both row by row (spgemm_host.c), unless B has too many columns for a thread's marks. */
#ifndef VKS_SPARSE_SPGEMM_H
#define VKS_SPARSE_SPGEMM_H

#include "primitive/scan_verbs.h"
#include "shaders/sparse/spgemm.h"
#include "sparse/matrix.h"

/* How rows are processed. Tests set these so that smaller matrices reach the same code. */
struct spgemm_options {
    uint32_t batch;    /* products that are sorted at once, unless one row has more: 16 bytes each */
    uint32_t most;     /* most products of a row per window for a workgroup: more would take milliseconds */
    uint32_t window;   /* a window has 1 << window columns */
    uint32_t table;    /* most windows of all rows, a word each and their sums; beyond it, rows are sorted */
    bool host_classes; /* also use classes on the host, although its threads can take any row */
    uint32_t heavy;    /* products from which all threads of the host share a row, if that pays */
    uint32_t mark;     /* number of column marks that a host thread has already used */
};
extern const struct spgemm_options spgemm_defaults;

/* *matrix = A B; the dimensions match. *matrix has row offsets, columns and values, but no format yet: pass
 * it to matrix_end. */
vks_status spgemm(const vks_matrix *A, const vks_matrix *B, const struct spgemm_options *o,
                  vks_matrix **matrix);

struct spgemm;

/* The structure of C = A B. spgemm_offsets computes the row offsets of C, whose memory is allocated, and the
 * number of entries; if it exceeds VKS_LARGEST_INDEX, the message names `what`. spgemm_columns then records
 * the columns, once their memory is allocated. spgemm_end comes last, even after a failure. */
vks_status spgemm_offsets(struct spgemm *g, const struct csr *C, const char *what, uint32_t *entries);
void spgemm_columns(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_end(struct spgemm *g);

/* The values of C, whose structure is known. *missing, unless NULL, becomes the first row in which C lacks an
 * entry of the product; UINT32_MAX if none. */
vks_status spgemm_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing);
/* spgemm_values by kernels, even on the host; runs the recording r first. */
vks_status spgemm_values_after(struct rec *r, const struct csr *A, const struct csr *B, vks_matrix *C,
                               uint32_t *missing);

/* Rows whose columns are marked, window by window. */
struct windows {
    uint32_t shift, count; /* a window has 1 << shift columns */
    uint32_t rooms;        /* for the host kernel: number of threads that have rows */
    struct memory begin;   /* offset of the columns of each row and window; initially their number */
    struct memory room;
    struct scan_space scan;
};

/* The workspace for finding the structure. The caller sets the first six members. */
struct spgemm {
    struct device *d;
    const struct spgemm_options *o;
    const struct csr *A, *B;        /* their structures, independent of the type of entries */
    const struct memory *a_row;     /* the row offsets of A */
    uint32_t most_turns;            /* of a row on a software device */
    struct room room;               /* owns all that follows, except the columns of rows */
    struct memory bound;            /* upper bound on the entries of each row: its number of products */
    struct memory class_of;         /* SPGEMM_NONE ... of each row */
    struct memory list;             /* the rows of each class, one class after the other */
    uint32_t rows[SPGEMM_CLASSES];  /* number in each class */
    uint32_t first[SPGEMM_CLASSES]; /* its offset in the list */
    struct memory
        row_columns; /* of rows counted by subgroup-sized lane groups: `stride` each, in the list's order */
    uint32_t stride; /* 0: no columns are kept */
    struct windows windows;
    struct kept *kept; /* of the sorted rows, batch by batch */
    uint32_t kept_count;
};

/* The keys of a batch of rows, sorted and without duplicates. */
struct kept {
    uint32_t first, rows; /* of the rows to sort, as positions in the list */
    uint32_t entries;
    struct memory keys, bound; /* bound: offsets of each row */
};

/* Chooses the width of the windows: at most 1 << most_bits columns. */
void spgemm_choose_windows(struct spgemm *g, uint32_t most_bits);
/* Allocates the windows of the rows of class SPGEMM_WINDOW; then counts the entries of these rows and, once C
 * has offsets, computes their columns. */
vks_status spgemm_windows(struct spgemm *g);
void spgemm_count_windows(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_window_columns(struct rec *r, const struct spgemm *g, const struct csr *C);

/* Counts the entries of the rows of class SPGEMM_SORT. */
vks_status spgemm_sort(struct spgemm *g, u32s entries);
/* Computes the columns of these rows, once C has offsets. */
void spgemm_sorted_columns(struct rec *r, const struct spgemm *g, const struct csr *C);

/* Writes the number of products of each row of A B into `bound`, and 0 into `entries` if it is 0, else
 * SPGEMM_UNKNOWN. */
void spgemm_bound(struct rec *r, const struct csr *A, const struct csr *B, u32s bound, u32s entries);
/* VKS_LIMIT: the loops of a software device would end too early for a row, because its products plus twice
 * its entries of A exceed `most`. The message names the row. */
vks_status spgemm_check_software(struct device *d, const struct csr *A, const struct memory *a_row,
                                 const struct memory *bound, uint32_t most);

/* The most products plus twice the entries of A in a row on a software device: each can be a turn of a loop.
 * Blocks take several turns. */
enum { SPGEMM_MOST_TURNS = 50000, SPGEMM_MOST_OF_BLOCKS = 12000 };

#endif
