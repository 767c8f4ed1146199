#include "team/thread.h"

#include <signal.h>

static void blocked_signals(sigset_t *set, const sigset_t *callers)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    sigfillset(set);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        if (!sigismember(callers, faults[i]))
            sigdelset(set, faults[i]);
}

bool thread_start(pthread_t *out, size_t stack, void *(*body)(void *), void *of)
{
    sigset_t blocked, before;
    pthread_attr_t attr;
    if (pthread_attr_init(&attr))
        return false;
    pthread_attr_setstacksize(&attr, stack);
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    blocked_signals(&blocked, &before);
    pthread_sigmask(SIG_SETMASK, &blocked, NULL);
    bool starts = !pthread_create(out, &attr, body, of);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
    return starts;
}
