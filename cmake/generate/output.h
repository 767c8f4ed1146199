/* Files that appear whole or not at all, and keep their time if their content is unchanged. */
#ifndef GENERATE_OUTPUT_H
#define GENERATE_OUTPUT_H

#include "problems.h"

struct output {
    const char *name;
    struct text text;
    int written; /* 1: written beside its destination, to be renamed */
};

/* Writes all of them into the folder, or none. */
void outputs_write(struct output *list, size_t count, const char *folder, struct problems *p);

#endif
