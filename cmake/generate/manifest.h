/* What the build found, as kernels.cmake lists it. Paths have neither root nor suffix: "sparse/spmv_csr"
 * stands for shaders/sparse/spmv_csr.comp and for src/host/sparse/spmv_csr.c.
 *
 *     reals 32 64
 *     subgroups 0 1
 *     shader sparse/spmv_csr
 *     mixed sparse/spmv_csr
 *     twin sparse/spmv_csr
 *
 * `mixed`: the shader is compiled for values that are stored narrower than they are worked with, too: with
 * the last of the reals as REAL and the first as STORED.
 */
#ifndef GENERATE_MANIFEST_H
#define GENERATE_MANIFEST_H

#include "problems.h"

enum { MAX_CHOICES = 4 };

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
    struct choices reals;
    struct choices subgroups;
    struct paths shaders;
    struct paths mixed;
    struct paths twins;
};

void manifest_read(struct manifest *m, const char *path, struct problems *p);
void manifest_free(struct manifest *m);

int paths_have(const struct paths *list, const char *path);

/* The kernel's name: the part of a path behind its last slash. */
const char *stem(const char *path);

#endif
