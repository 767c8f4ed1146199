/* How the values of a mixed matrix, or entries that are codes, are stored. */
#ifndef VKS_COMMAND_SHARED_STORED_H
#define VKS_COMMAND_SHARED_STORED_H

#include "entries/host_csr.h"
#include "report/json.h"
#include "vksolve/matrix.h"

#include <stdio.h>

struct stored {
    bool mixed;     /* values are reported if they are mixed or pairs */
    bool pairs;     /* of floats, for a device without 64-bit ones */
    uint32_t kinds; /* of entries; 0: they are not codes, and nothing is printed */
    uint64_t entries;
    uint32_t value_bytes;
    bool lost; /* an entry, counted from 0, that does not survive being stored in f32 */
    uint32_t row, col;
    double value;
};

struct stored stored_of(const vks_matrix *A);
/* As VKS_MIXED would store it. */
struct stored stored_on_host(const struct host_csr *a);

/* "values      stored in f32: all 5,489 survive", with this word; "entries     of 7 kinds, a byte each". */
void stored_print(const struct stored *s, const char *word, FILE *to);
/* The member "mixed": null, or an object. */
void stored_to_json(const struct stored *s, struct json *j);

#endif
