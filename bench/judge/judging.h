/* What the judges' programs share: a device, and a walk over what the command line names. */
#ifndef VKS_BENCH_JUDGING_H
#define VKS_BENCH_JUDGING_H

#include "vksolve/vksolve.h"
#include <stdbool.h>
#include <stdint.h>

struct tally {
    uint32_t judged, broken, left_out;
};

/* Judges the matrix `what` as the program's options say, and counts. One of many that cannot be read is left
 * out. */
typedef vks_status judge_one(vks_context *c, const void *options, const char *what, bool one_of_many,
                             struct tally *t);

/* NULL, with a message on stderr, where there is no such device. */
vks_context *judging_open(const char *program, const char *device);

/* Judges all that `count` arguments name, closes the context, and returns the program's exit status: 0, 1
 * after an error, 2 where a bound is broken. */
int judging_run(const char *program, vks_context *c, judge_one *judge, const void *options, int count,
                char *const *what);

#endif
