/* Sparse times sparse: C = A B, both CSR on the device. First the structure (spgemm.c; spgemm_window.c and
 * spgemm_sort.c for the rows that no table holds), then the values (spgemm_values.c). The host makes both row
 * by row (spgemm_host.c), but where B has more columns than a thread has words for. */
#ifndef VKS_SPARSE_SPGEMM_H
#define VKS_SPARSE_SPGEMM_H

#include "primitive/scan_verbs.h"
#include "shaders/sparse/spgemm.h"
#include "sparse/matrix.h"

/* How rows are taken. Tests ask for what smaller matrices bring to the same lines. */
struct spgemm_options {
    uint32_t batch; /* products that are sorted at a time, unless one row has more: 16 bytes each */
    uint32_t most;  /* products that a workgroup takes, in windows on average: more would take milliseconds */
    uint32_t window;   /* a window has 1 << window columns */
    uint32_t table;    /* windows of all rows at most; beyond, rows are sorted: a word each, and their sums */
    bool host_classes; /* the host, too, parts the rows into classes, though its threads take any row */
    uint32_t heavy;    /* products of a row that all threads of the host share, if that is worth it */
    uint32_t mark;     /* how far the numbers with which a thread of the host marks columns are used up */
};
extern const struct spgemm_options spgemm_defaults;

/* *matrix = A B, which fit, with its row offsets, columns and values, but no format yet. It is to be given to
 * matrix_end. */
vks_status spgemm(const vks_matrix *A, const vks_matrix *B, const struct spgemm_options *o,
                  vks_matrix **matrix);

struct spgemm;

/* The structure of C = A B. First the row offsets of C, whose memory is there, and the number of entries; of
 * more than VKS_LARGEST_INDEX the message says that `what` would have them. Then, with memory for them, the
 * columns are recorded. spgemm_end comes last, when these are there, also after a failure. */
vks_status spgemm_offsets(struct spgemm *g, const struct csr *C, const char *what, uint32_t *entries);
void spgemm_columns(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_end(struct spgemm *g);

/* The values of C, whose structure is there. *missing, unless it is NULL, becomes the first row in which C
 * lacks an entry of the product, UINT32_MAX where it lacks none. */
vks_status spgemm_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing);
/* The same by kernels, also on the host; first runs what r has recorded. */
vks_status spgemm_values_after(struct rec *r, const struct csr *A, const struct csr *B, vks_matrix *C,
                               uint32_t *missing);

/* Rows whose columns are marked, window by window. */
struct windows {
    uint32_t shift, count; /* a window has 1 << shift columns */
    uint32_t rooms;        /* the twin's: of threads that have rows */
    struct memory
        begin; /* of the columns of each row and window; numbers of columns before those are known */
    struct memory room;
    struct scan_space scan;
};

/* What finding the structure works on. The first six members are the caller's. */
struct spgemm {
    struct device *d;
    const struct spgemm_options *o;
    const struct csr *A, *B;        /* their structures, whatever their entries are */
    const struct memory *a_row;     /* the row offsets of A */
    uint32_t most_turns;            /* of a row on a software device */
    struct memory bound;            /* of the entries of each row: its products */
    struct memory class_of;         /* SPGEMM_NONE ... of each row */
    struct memory list;             /* the rows of each class, one class after the other */
    uint32_t rows[SPGEMM_CLASSES];  /* of each class */
    uint32_t first[SPGEMM_CLASSES]; /* on the list */
    struct memory row_columns; /* of rows that squads have counted: `stride` columns each, in the order of
                                  the list */
    uint32_t stride;           /* 0: none are kept */
    struct windows windows;
    struct kept *kept; /* of the rows that were sorted, batch by batch */
    uint32_t kept_count;
};

/* The keys of a batch of rows, sorted and each kept once. */
struct kept {
    uint32_t first, rows; /* of the rows to be sorted; all on the list */
    uint32_t entries;
    struct memory keys, bound; /* bound: where those of each row begin */
};

/* How wide the windows are: at most 1 << most_bits columns. */
void spgemm_choose_windows(struct spgemm *g, uint32_t most_bits);
/* Room for the rows of class SPGEMM_WINDOW; then the entries of these rows, and once the offsets of C are
 * there their columns. */
vks_status spgemm_windows(struct spgemm *g);
void spgemm_count_windows(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_window_columns(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_windows_forget(struct spgemm *g);

/* Counts the entries of the rows of class SPGEMM_SORT. */
vks_status spgemm_sort(struct spgemm *g, u32s entries);
/* Their columns, once the offsets of C are there. */
void spgemm_sorted_columns(struct rec *r, const struct spgemm *g, const struct csr *C);
void spgemm_forget(struct spgemm *g);

/* The products of each row of A B, into bound, and 0 into `entries` where there are none, else
 * SPGEMM_UNKNOWN. */
void spgemm_bound(struct rec *r, const struct csr *A, const struct csr *B, u32s bound, u32s entries);
/* VKS_LIMIT on a software device whose loops would end too early for some row, which has more than `most`
 * products and twice entries of A; the message names it. */
vks_status spgemm_check_software(struct device *d, const struct csr *A, const struct memory *a_row,
                                 const struct memory *bound, uint32_t most);

/* Products, and twice the entries of A, of a row on a software device at most: each can be a turn of a loop.
 * Blocks take several turns. */
enum { SPGEMM_MOST_TURNS = 50000, SPGEMM_MOST_OF_BLOCKS = 12000 };

#endif
