/* Problems of the kernels. They are collected, since everything is checked before anything is written. */
#ifndef GENERATE_PROBLEMS_H
#define GENERATE_PROBLEMS_H

#include "text.h"

struct problems {
    char **line;
    size_t count;
};

/* Adds one line, unless it is already there: the variants of one shader share most of their faults. */
FORMATTED(2, 3) void problem(struct problems *p, const char *format, ...);
void problems_print(const struct problems *p);
void problems_free(struct problems *p);

#endif
