/* System calls that fail instead of raising a signal: beyond RLIMIT_FSIZE, or into a pipe without a
 * reader. */
#ifndef VKS_REPORT_QUIET_H
#define VKS_REPORT_QUIET_H

#include <signal.h>

struct quiet {
    sigset_t mask, pending; /* before */
};

/* Between them, SIGXFSZ and SIGPIPE raised by calls of this thread are dropped; errno is preserved. */
void quiet_begin(struct quiet *q);
void quiet_end(const struct quiet *q);

#endif
