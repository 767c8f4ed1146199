/* A system in host memory, with coordinates of its nodes if it has them. */
#ifndef VKS_BENCH_INPUT_H
#define VKS_BENCH_INPUT_H

#include "command/models/problem.h"
#include "command/shared/coordinates.h"
#include "command/shared/preconds.h"

struct input {
    const char *what;
    struct host_csr a;
    struct coordinates at; /* empty, except for elasticity3d on request */
};

/* A file, a model problem, or one with jumping coefficients (jump.h). input_free is required even after a
 * failure. */
vks_status input_load(struct message *m, const char *what, bool coordinates, struct input *in);
void input_free(struct input *in);

/* Sets the coordinates in every amg without a block. Returns whether there is one. */
bool input_take_coordinates(const struct input *in, struct precond_words *words);

#endif
