/* Sparse times sparse on the host, row by row, after F. Gustavson (1978). A thread has a word for each
 * column: the index of that column among the columns found so far in the current row. One pass over all
 * products counts the entries of each row. A second pass adds the products up and writes each row, sorted, to
 * its place in C. */
#ifndef VKS_SPARSE_SPGEMM_HOST_H
#define VKS_SPARSE_SPGEMM_HOST_H

#include "device/bit_tree.h"
#include "sparse/spgemm.h"

enum { SPGEMM_MOST_LEFT = 1 << 16 }; /* most rows left to all threads */

/* The arrays of C = A B on the host. */
struct factors {
    const uint32_t *a_row, *a_col, *b_row, *b_col;
    const void *a_val, *b_val;
    uint32_t *c_row, *c_col;
    void *c_val;
    uint32_t rows, cols, b_entries;
    bool gathers; /* gathers products of several rows of B before adding them up */
};

/* A thread's own state. Column c of the current row has index seen[c] - base; it is new if that is at least
 * the number of columns found so far. */
struct taker {
    uint32_t *seen, base;
    uint32_t *found; /* the column of each index, and some extra room */
    void *sum;       /* for each index; zero between rows */
    uint32_t room;   /* capacity, in columns */
    struct bit_tree columns;
    const char *lack; /* the object that could not be allocated, and its bytes */
    uint64_t lack_bytes;
};

/* Rows of many products are left to all threads. Each thread takes ranges of their columns, called parts. */
struct crowd {
    struct factors f;
    uint32_t heavy;       /* a row with this many products is left to all threads, if that pays */
    uint32_t mark;        /* the marks already used */
    uint32_t parts;       /* of such a row; 1: no row is left to all */
    uint32_t left;        /* number of such rows */
    uint32_t *left_row;   /* their indices, ascending */
    uint32_t *part_begin; /* offsets of their parts in the row; initially the numbers of entries */
    uint64_t next;        /* the first row, or part, that no thread has taken */
    uint32_t grab;        /* rows taken at a time */
    bool stop;            /* a thread is out of memory */
    uint32_t takers;
    struct taker *taker;
    uint32_t *marks;  /* NULL, or the lent marks of all threads */
    uint32_t missing; /* the first row in which C lacks an entry; UINT32_MAX: none */
    bool (*rows)(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
    bool (*part)(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);
};

/* C = A B. C has room for its row offsets. Does nothing and sets *taken to false if the device is not the
 * host, or if B has too many columns for the marks. */
vks_status spgemm_host(const vks_matrix *A, const vks_matrix *B, const struct spgemm_options *o,
                       vks_matrix *C, bool *taken);

/* spgemm_values on the host; *taken as above. */
vks_status spgemm_host_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing,
                              bool *taken);

/* spgemm_host_rows.c: processes rows, or a part of a row left to all threads. False: out of memory. */
bool crowd_count_rows(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
bool crowd_count_part(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);

/* The sums of rows, of parts, and of rows whose columns are known. */
struct crowd_sums {
    bool (*rows)(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
    bool (*part)(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);
    bool (*again)(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
};
extern const struct crowd_sums crowd_sums[]; /* by the type of the entries */

#endif
