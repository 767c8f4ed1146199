#include "findings.h"

#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char command[1024];
static uint64_t seed_now;
static unsigned long count;

static char last_words[1200];

/* A handler may call only write() and _exit(). */
static void say_last_words(void)
{
    if (write(STDOUT_FILENO, last_words, strlen(last_words)) < 0)
        _exit(2);
}

static void die(int signal)
{
    (void)signal;
    say_last_words();
    _exit(1);
}

/* Called by the sanitizers before they end the program. They have their own handlers for crashes. */
void __asan_on_error(void);
void __asan_on_error(void)
{
    say_last_words();
}

void __ubsan_on_report(void);
void __ubsan_on_report(void)
{
    say_last_words();
}

void findings_begin(int argc, char **argv, int options)
{
    const char *shaderc = getenv("VKSOLVE_SHADERC"); /* needed by operators on lavapipe */
    size_t used = shaderc ? (size_t)snprintf(command, sizeof command, "VKSOLVE_SHADERC=%s ", shaderc) : 0;
    for (int i = 0; i < options && i < argc && used < sizeof command; i++)
        used += (size_t)snprintf(command + used, sizeof command - used, "%s ", argv[i]);
    signal(SIGALRM, die);
#if !defined(__SANITIZE_ADDRESS__)
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        signal(crashes[i], die);
#endif
}

void findings_seed(uint64_t seed, unsigned seconds)
{
    seed_now = seed;
    snprintf(last_words, sizeof last_words,
             "FINDING seed %" PRIu64 ": it crashes, or does not end\n    repeat: %s%" PRIu64 " 1\n", seed,
             command, seed);
    alarm(seconds);
}

void finding(const char *format, ...)
{
    va_list list;
    count++;
    printf("FINDING seed %" PRIu64 ": ", seed_now);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n    repeat: %s%" PRIu64 " 1\n", command, seed_now);
    fflush(stdout);
}

unsigned long findings_count(void)
{
    return count;
}

void cannot_go_on(const char *format, ...)
{
    va_list list;
    printf("the harness cannot go on (seed %" PRIu64 "): ", seed_now);
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    printf("\n");
    exit(2);
}
