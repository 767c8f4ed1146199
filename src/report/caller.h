/* The caller's cancellation callback for long work, polled on the calling thread. */
#ifndef VKS_REPORT_CALLER_H
#define VKS_REPORT_CALLER_H

#include <stdbool.h>

struct caller {
    bool (*requests_cancel)(void *user); /* NULL: the work cannot be cancelled */
    void *user;
};

static inline bool caller_cancels(const struct caller *c)
{
    return c->requests_cancel && c->requests_cancel(c->user);
}

#endif
