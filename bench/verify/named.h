/* The matrices that a validation program's command line names. */
#ifndef VKS_BENCH_NAMED_H
#define VKS_BENCH_NAMED_H

#include "entries/host_csr.h"
#include <stdbool.h>

/* The paths that `what` stands for: itself or, if it is a folder, the .mtx and .mtx.gz files in it and in its
 * subfolders. The caller owns *path (paths_free). */
struct paths {
    size_t count;
    char **path;
};

vks_status paths_of(struct message *m, const char *what, struct paths *p);
void paths_free(struct paths *p);

/* The last part of a path without its ending; a model's name as it is. At most size - 1 characters. */
void short_name(const char *path, char *name, size_t size);

/* As problem_load, but fails with VKS_LIMIT before allocating if the matrix is not square, has no rows, or
 * has more than `most`: a file may declare billions. */
vks_status square_load(struct message *m, const char *what, uint32_t most, struct host_csr *a);

/* The next random number of the state, from -1 to 1: splitmix64 (Steele, Lea, Flood 2014). */
double next_random(uint64_t *state);

#endif
