/* The detail of a failure. It travels by pointer from the public call down to where something fails; the first
 * failure of a call sticks, because what follows it is usually its consequence. */
#ifndef VKS_REPORT_MESSAGE_H
#define VKS_REPORT_MESSAGE_H

#include "vksolve/status.h"

struct message {
    char text[1024];
};

/* Writes the text and returns `status`: `return fail(m, VKS_FORMAT, "%s:%llu: ...", ...)`. m may be NULL. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
vks_status
fail(struct message *m, vks_status status, const char *format, ...);

/* fail() for a host allocation of `bytes` for `what`. */
vks_status fail_memory(struct message *m, const char *what, unsigned long long bytes);

#endif
