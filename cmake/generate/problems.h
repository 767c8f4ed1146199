/* What is wrong with the kernels. Everything is checked before anything is written, so problems are
 * collected.
 */
#ifndef GENERATE_PROBLEMS_H
#define GENERATE_PROBLEMS_H

#include "text.h"

struct problems {
    char **line;
    size_t count;
};

/* One line. A line that is already there is not repeated: the variants of one shader share most of their
 * faults. */
FORMATTED(2, 3) void problem(struct problems *p, const char *format, ...);
void problems_print(const struct problems *p);
void problems_free(struct problems *p);

#endif
