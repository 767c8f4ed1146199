/* What the benchmarks measure: whole solves, products alone, and the kernels of an iteration. */
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

/* b is all ones, or A times ones where `product` says so. *p is good for problem_destroy also after a
 * failure; the message is the context's. */
vks_status problem_create(vks_context *c, const struct host_csr *a, vks_precision precision,
                          vks_format format, bool product, struct problem *p);
void problem_destroy(struct problem *p);

struct solves {
    vks_solve_report report; /* of the last */
    struct spread seconds;   /* of the iterations and the true residuals: report.seconds_solve */
};

/* Seconds from the opening of a device to the end of a solve. */
struct beginning {
    double open;   /* the device */
    double matrix; /* upload and conversion */
    double setup;  /* preconditioner, workspace, recording: report.seconds_setup */
    double solve;  /* report.seconds_solve */
};

/* The first solve in a context that is opened for it, which also makes the pipelines of each step, and then
 * one more of the same matrix, uploaded again. `options` are those of the context; its message tells of a
 * failure. */
vks_status time_beginnings(const vks_context_options *options, const struct host_csr *a,
                           vks_precision precision, vks_format format, bool product, vks_precond_kind precond,
                           struct beginning *first, struct beginning *later);

enum { MOST_REPEATS = 64 };

/* `repeats` solves from x = 0, after one that warms up. */
vks_status time_solves(const struct problem *p, vks_precond_kind precond, int repeats, struct solves *out);

/* The median of A x with nothing between the products, by the device's clock: the context needs timestamps.
 */
vks_status time_spmv(const struct problem *p, double *seconds, double *bytes);

enum { MOST_DISPATCHES = 8 };

struct iteration_times {
    uint32_t count;
    const char *kernel[MOST_DISPATCHES];
    double seconds[MOST_DISPATCHES];
};

/* The medians of the dispatches of one iteration, as the first iterations of a solve run them. count = 0
 * where a solve ends before there is anything to time. */
vks_status time_iteration(const struct problem *p, vks_precond_kind precond, struct iteration_times *out);

#endif
