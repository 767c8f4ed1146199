/* The files of the build, as kernels.cmake lists them. Paths have neither root nor suffix: "sparse/spmv_csr"
 * stands for shaders/sparse/spmv_csr.comp and for src/host/sparse/spmv_csr.c.
 *
 *     scalar F64 F64
 *     scalar MIXED F64
 *     subgroups 0 1
 *     shader sparse/spmv_csr
 *     values sparse/spmv_csr
 *     twin sparse/spmv_csr
 *     each vector/axpy
 *
 * `scalar`: a row of SCALAR_TYPES (src/scalar/scalar.h), and the row of its elements, which comes before it
 * or is itself. `values`: the shader takes matrix entries, so it is compiled for every scalar type; the
 * others are compiled for those that are their own elements. `each`: the shader includes each.glsl, and so is
 * its own twin.
 */
#ifndef GENERATE_MANIFEST_H
#define GENERATE_MANIFEST_H

#include "problems.h"

enum { MAX_CHOICES = 4 };

struct scalars {
    const char *name[MAX_CHOICES];
    int element[MAX_CHOICES]; /* the index of the row of its elements */
    int count;
};

/* The values of one macro that every shader is compiled for. */
struct choices {
    int value[MAX_CHOICES];
    int count;
};

struct paths {
    const char **at; /* sorted by file name, then by path */
    size_t count;
};

struct manifest {
    char *bytes; /* owns the paths */
    struct scalars scalars;
    struct choices subgroups;
    struct paths shaders;
    struct paths values;
    struct paths twins;
    struct paths each;
};

void manifest_read(struct manifest *m, const char *path, struct problems *p);
void manifest_free(struct manifest *m);

int paths_have(const struct paths *list, const char *path);

/* The kernel's name: the part of a path after its last slash. */
const char *stem(const char *path);

#endif
