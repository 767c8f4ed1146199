/* The long rows of a matrix; made and used by sparse/long.h. */
#ifndef VKS_SPARSE_LONG_ROWS_H
#define VKS_SPARSE_LONG_ROWS_H

#include "device/device.h"

struct long_rows {
    uint32_t rows, pieces, entries; /* of long rows; all 0 if there are none, and then nothing is allocated */
    uint32_t several, many;         /* rows of 2 to LONG_GROUP pieces, and of more */
    struct memory bits;             /* one for each row of the matrix: whether it is long */
    struct memory list;             /* of pieces: shaders/sparse/long.glsl */
    struct memory start;            /* the entries of the pieces before each; pieces + 1 */
    struct memory several_head, many_head; /* the first pieces of these rows */
    struct memory sum;                     /* workspace: of pieces */
    struct memory col, val;                /* if CSR is given up: the entries, piece by piece */
};

/* Copies only the counts. */
static inline struct long_rows long_rows_counts(const struct long_rows *w)
{
    return (struct long_rows){
        .rows = w->rows, .pieces = w->pieces, .entries = w->entries, .several = w->several, .many = w->many};
}

#endif
