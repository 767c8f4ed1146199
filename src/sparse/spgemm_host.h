/* Sparse times sparse on the host, row by row, as F. Gustavson does (1978). A thread has a word for each
 * column: the place of that column among those that its row has met so far. One walk over all products counts
 * the entries of each row; a second one adds them up, and writes each row in order to its place in C. */
#ifndef VKS_SPARSE_SPGEMM_HOST_H
#define VKS_SPARSE_SPGEMM_HOST_H

#include "device/bit_tree.h"
#include "sparse/spgemm.h"

enum { SPGEMM_MOST_LEFT = 1 << 16 }; /* rows that are left to all threads */

/* The arrays of C = A B on the host. */
struct factors {
    const uint32_t *a_row, *a_col, *b_row, *b_col;
    const void *a_val, *b_val;
    uint32_t *c_row, *c_col;
    void *c_val;
    uint32_t rows, cols, b_entries;
    bool gathers; /* products of several rows of B before it adds them up */
};

/* What a thread has of its own. A column c of the row at hand has the place seen[c] - base, unless that is
 * the number of columns met or more. */
struct taker {
    uint32_t *seen, base;
    uint32_t *met; /* the column of each place, and room for some more */
    void *sum;     /* of each place; zero between rows */
    uint32_t room; /* places */
    struct bit_tree columns;
    const char *lack; /* what there was no memory for, */
    uint64_t lack_bytes;
};

/* A row of many products is left to all threads. Each takes parts of its columns. */
struct crowd {
    struct factors f;
    uint32_t heavy;       /* products of a row that is left to all, if it is worth it */
    uint32_t mark;        /* that is used up */
    uint32_t parts;       /* of such a row; 1: no row is left */
    uint32_t left;        /* rows that are */
    uint32_t *left_row;   /* these, ascending, */
    uint32_t *part_begin; /* and where each of their parts begins in the row; before, the part's entries */
    uint64_t next;        /* the rows, or parts, that nobody has taken */
    uint32_t grab;        /* rows that are taken at a time */
    bool stop;            /* a taker lacks something */
    uint32_t takers;
    struct taker *taker;
    uint32_t *marks;  /* NULL, or those of all takers, which have no others */
    uint32_t missing; /* the first row where C lacks an entry; UINT32_MAX: none */
    bool (*rows)(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
    bool (*part)(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);
};

/* C = A B. C has room for its row offsets. *taken becomes false, and nothing is done, where this
 * is not the host, or B has too many columns for a word of each. */
vks_status spgemm_host(const vks_matrix *A, const vks_matrix *B, const struct spgemm_options *o,
                       vks_matrix *C, bool *taken);

/* The same for spgemm_values. */
vks_status spgemm_host_values(const struct csr *A, const struct csr *B, vks_matrix *C, uint32_t *missing,
                              bool *taken);

/* spgemm_host_rows.c: what is done with rows, and with a part of a row that is left to all. False: the taker
 * lacks something. */
bool crowd_count_rows(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
bool crowd_count_part(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);
bool crowd_sum_rows_f32(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
bool crowd_sum_rows_f64(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
bool crowd_sum_part_f32(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);
bool crowd_sum_part_f64(struct crowd *w, struct taker *t, uint32_t left, uint32_t part);
/* The values of rows whose columns are there. */
bool crowd_sum_again_f32(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);
bool crowd_sum_again_f64(struct crowd *w, struct taker *t, uint32_t first, uint32_t last);

#endif
