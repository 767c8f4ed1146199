/* Shared by the validation programs: a device, and a loop over the matrices that the command line names. */
#ifndef VKS_BENCH_JUDGING_H
#define VKS_BENCH_JUDGING_H

#include "vksolve/vksolve.h"
#include <stdbool.h>
#include <stdint.h>

struct tally {
    uint32_t verified, broken, left_out;
};

/* Validates the matrix `what` with the program's options, and counts the result. If it is one of many and
 * cannot be read, it is skipped. */
typedef vks_status verify_one(vks_context *c, const void *options, const char *what, bool one_of_many,
                              struct tally *t);

/* NULL if there is no such device; a message is on stderr. */
vks_context *verifying_open(const char *program, const char *device);

/* Validates all matrices that the `count` arguments name, closes the context, and returns the program's exit
 * status: 0, 1 after an error, 2 if a bound is broken. */
int verifying_run(const char *program, vks_context *c, verify_one *verify, const void *options, int count,
                  char *const *what);

#endif
