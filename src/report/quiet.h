/* Makes writes beyond RLIMIT_FSIZE, or into a pipe without a reader, fail instead of raising a signal. */
#ifndef VKS_REPORT_QUIET_H
#define VKS_REPORT_QUIET_H

#include <signal.h>

struct quiet {
    sigset_t mask, pending; /* before quiet_begin */
};

/* Between quiet_begin and quiet_end, SIGXFSZ and SIGPIPE raised by this thread are dropped; errno is
 * preserved. */
void quiet_begin(struct quiet *q);
void quiet_end(const struct quiet *q);

#endif
