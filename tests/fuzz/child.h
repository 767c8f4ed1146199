/* Running a program with a bound on its time. */
#ifndef VKS_TESTS_FUZZ_CHILD_H
#define VKS_TESTS_FUZZ_CHILD_H

#include <stdbool.h>

enum { CHILD_SIGNAL = 1000, CHILD_TOO_LONG = 2000 };

/* Runs argv in a folder, with its outputs in the files "out" and "err" there. Returns the exit code,
 * CHILD_SIGNAL and the signal that killed it, or CHILD_TOO_LONG. Each of `set` ("NAME=value"; ends with NULL)
 * is added to the environment. */
int child_run(const char *folder, const char *const *argv, const char *const *set, unsigned seconds);

#endif
