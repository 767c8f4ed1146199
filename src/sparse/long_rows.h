/* The long rows of a matrix; made and used by sparse/long.h. */
#ifndef VKS_SPARSE_LONG_ROWS_H
#define VKS_SPARSE_LONG_ROWS_H

#include "device/device.h"

struct long_rows {
    uint32_t rows, pieces, entries; /* of long rows; if there are none, all are 0 and nothing is allocated */
    uint32_t several, many;         /* rows of 2 to LONG_GROUP pieces, and of more */
    struct memory bits;             /* one for each row of the matrix: whether it is long */
    struct memory list;             /* of all pieces: shaders/sparse/long.glsl */
    struct memory start;            /* the number of entries before each piece; pieces + 1 */
    struct memory several_head, many_head; /* the first pieces of these rows */
    struct memory sum;                     /* workspace: the sums of pieces */
    struct memory col, val;                /* the entries, piece by piece, if CSR is not kept */
};

/* Copies only the counts. */
static inline struct long_rows long_rows_counts(const struct long_rows *w)
{
    return (struct long_rows){
        .rows = w->rows, .pieces = w->pieces, .entries = w->entries, .several = w->several, .many = w->many};
}

#endif
