/* For sigtimedwait and pthread_sigmask. */
#define _POSIX_C_SOURCE 200809L
#include "report/quiet.h"

#include <errno.h>
#include <time.h>

static const int dropped[] = {SIGXFSZ, SIGPIPE};
enum { DROPPED = sizeof dropped / sizeof *dropped };

void quiet_begin(struct quiet *q)
{
    sigset_t set;
    sigemptyset(&set);
    for (int i = 0; i < DROPPED; i++)
        sigaddset(&set, dropped[i]);
    sigpending(&q->pending);
    pthread_sigmask(SIG_BLOCK, &set, &q->mask);
}

void quiet_end(const struct quiet *q)
{
    int error = errno;
    for (int i = 0; i < DROPPED; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, dropped[i]);
        if (!sigismember(&q->pending, dropped[i]))
            while (sigtimedwait(&one, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
                ;
    }
    pthread_sigmask(SIG_SETMASK, &q->mask, NULL);
    errno = error;
}
