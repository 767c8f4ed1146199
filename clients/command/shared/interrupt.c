#include "command/shared/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t asked;
static struct sigaction before[SIGNALS];

/* The first signal asks for an orderly exit; the second one, of either kind, kills. */
static void ask(int number)
{
    (void)number;
    asked = 1;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

void interrupt_catch(void)
{
    struct sigaction action = {.sa_handler = ask, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    asked = 0;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], NULL, &before[i]);
    for (int i = 0; i < SIGNALS; i++)
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

bool interrupted(void)
{
    return asked;
}

void interrupt_release(void)
{
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

enum { MOST_REMAINS = 8 };
static char *remains[MOST_REMAINS];
static volatile sig_atomic_t remains_count;

static void remove_remains(int number)
{
    for (int i = 0; i < remains_count; i++)
        unlink(remains[i]);
    raise(number); /* SA_RESETHAND: it kills once this handler returns */
}

void interrupt_removes(const char *path)
{
    static const int killing[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE};
    struct sigaction action = {.sa_handler = remove_remains, .sa_flags = (int)SA_RESETHAND}, now;
    char *copy = remains_count < MOST_REMAINS ? strdup(path) : NULL;
    if (!copy)
        return;
    remains[remains_count] = copy;
    remains_count++; /* incremented last: a signal may arrive at any time */
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof killing / sizeof *killing; i++)
        if (!sigaction(killing[i], NULL, &now) && now.sa_handler == SIG_DFL)
            sigaction(killing[i], &action, NULL);
}
