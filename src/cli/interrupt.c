#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof *signals };

static volatile sig_atomic_t asked;
static struct sigaction before[SIGNALS];

/* Either signal once is the orderly end; any second one kills. */
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
