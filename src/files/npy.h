/* A NumPy array in memory: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
#ifndef VKS_FILES_NPY_H
#define VKS_FILES_NPY_H

#include "report/message.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NPY_DIMENSIONS = 3 };

struct npy {
    char type;      /* 'f', 'i', 'u', 'b'; 'S' or 'U': text */
    unsigned bytes; /* of an element */
    bool is_big;    /* big-endian */
    bool by_columns;
    unsigned dimensions;
    uint64_t shape[NPY_DIMENSIONS]; /* 1 beyond the dimensions */
    uint64_t count;
    const unsigned char *data; /* count elements */
};

/* Opens an array of `size` bytes, which must stay valid; `name` is the file's, and `member` names the array
 * in it, NULL if it has only one. VKS_FORMAT, VKS_UNSUPPORTED (complex numbers, objects), VKS_LIMIT. */
vks_status npy_open(struct message *m, const char *name, const char *member, const void *bytes, size_t size,
                    struct npy *a);

/* Whether elements are whole numbers. */
bool npy_is_whole(const struct npy *a);

/* Element k in the order of the data, which are of any type except text. */
double npy_real(const struct npy *a, uint64_t k);

/* npy_real for whole numbers, clamped to INT64_MAX. */
int64_t npy_whole(const struct npy *a, uint64_t k);

/* Reads an array of two dimensions, or of one as a column: for read_numpy and archives of one array. */
struct market;
vks_status npy_to_array(struct message *m, const char *name, const struct npy *a, struct market *out);

#endif
