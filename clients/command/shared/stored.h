/* How the values of a mixed matrix, or coded entries, are stored. */
#ifndef VKS_COMMAND_SHARED_STORED_H
#define VKS_COMMAND_SHARED_STORED_H

#include "entries/host_csr.h"
#include "report/json.h"
#include "vksolve/matrix.h"

#include <stdio.h>

struct stored {
    bool mixed;     /* values are reported for mixed matrices and pairs */
    bool pairs;     /* pairs of floats, for a device without 64-bit floats */
    uint32_t kinds; /* of entries; 0 if they are not codes: nothing is printed */
    uint64_t entries;
    uint32_t value_bytes;
    bool lost; /* `row` and `col`, counted from 0, name an entry that f32 cannot represent exactly */
    uint32_t row, col;
    double value;
};

struct stored stored_of(const vks_matrix *A);
/* How VKS_MIXED would store the matrix. */
struct stored stored_on_host(const struct host_csr *a);

/* "values      stored in f32: all 5,489 survive", with this word; "entries     of 7 kinds, a byte each". */
void stored_print(const struct stored *s, const char *word, FILE *to);
/* The member "mixed": null, or an object. */
void stored_to_json(const struct stored *s, struct json *j);

#endif
