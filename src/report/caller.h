/* The caller of long work, who is asked now and then, by the thread that called, whether he wants no more. */
#ifndef VKS_REPORT_CALLER_H
#define VKS_REPORT_CALLER_H

#include <stdbool.h>

struct caller {
    bool (*is_unwanted)(void *asked); /* NULL: nobody is asked */
    void *asked;
};

static inline bool caller_cancels(const struct caller *c)
{
    return c->is_unwanted && c->is_unwanted(c->asked);
}

#endif
