/* Measurements for the benchmarks: whole solves, products alone, and the kernels of an iteration. */
#ifndef VKS_BENCH_MEASURE_H
#define VKS_BENCH_MEASURE_H

#include "command/models/problem.h"
#include "report/spread.h"
#include "vksolve/vksolve.h"
#include <stdbool.h>

/* A x = b on a device. */
struct problem {
    vks_context *context;
    vks_matrix *A;
    vks_vector *b, *x;
    double seconds_matrix; /* until A was on the device, in its format */
};

/* b is all ones, or A times ones if `product`. problem_destroy is valid on *p even after a failure; the
 * message is in the context. */
vks_status problem_create(vks_context *c, const struct host_csr *a, vks_precision precision,
                          vks_format format, bool product, struct problem *p);
void problem_destroy(struct problem *p);

struct solves {
    vks_solve_report report; /* of the last */
    struct spread seconds;   /* of the iterations and the true residuals, as in report.seconds_solve */
};

/* Seconds from the opening of a device to the end of a solve. */
struct beginning {
    double open;   /* the device */
    double matrix; /* upload and conversion */
    double setup;  /* preconditioner, workspace, recording: report.seconds_setup */
    double solve;  /* report.seconds_solve */
};

/* Times the first solve in a new context, which also makes the pipelines of each step, then one more of the
 * same matrix, uploaded again. `options` are those of the context, and hold the message of a failure. */
vks_status time_beginnings(const vks_context_options *options, const struct host_csr *a,
                           vks_precision precision, vks_format format, bool product, vks_precond_kind precond,
                           struct beginning *first, struct beginning *later);

enum { MOST_REPEATS = 64 };

/* `repeats` solves from x = 0, after a warm-up solve. */
vks_status time_solves(const struct problem *p, vks_precond_kind precond, int repeats, struct solves *out);

/* The median of back-to-back products A x, by the device's clock; the context needs timestamps. */
vks_status time_spmv(const struct problem *p, double *seconds, double *bytes);

enum { MOST_DISPATCHES = 8 };

struct iteration_times {
    uint32_t count;
    const char *kernel[MOST_DISPATCHES];
    double seconds[MOST_DISPATCHES];
};

/* The medians of the dispatches of one iteration, as in the first iterations of a solve. count = 0 if a solve
 * ends before anything can be timed. */
vks_status time_iteration(const struct problem *p, vks_precond_kind precond, struct iteration_times *out);

#endif
