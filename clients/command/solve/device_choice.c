#include "command/solve/device_choice.h"
#include "scalar/scalar.h"

#include <math.h>

/* Measured. Host: two cores (EPYC Turin, AVX-512) from 900 to 150,000 unknowns, within a fifth of this model,
 * and 16 cores of a GPU's machine. GPU: an H200, whose figures are in docs/measurements/host.md. Entries as
 * codes are faster on both. */
static const double host_start = 2.6e-6;        /* seconds to start and end three loops, */
static const double host_thread_start = 0.7e-6; /* and the same for each thread */
static const double host_thread_rate =
    40e9; /* bytes a second of a thread, from the caches that small systems fit */
static const double host_most_rate = 200e9; /* of all threads */
/* Workgroups synchronize three times an iteration; this takes longer with a dozen or more entries a row. */
static const double gpu_start = 9e-6, gpu_start_long = 15e-6;
static const double gpu_rate = 3e12;          /* bytes a second */
static const double host_thread_flops = 17e9; /* of elimination, n^3 in all */
static const double gpu_column =
    4.5e-6; /* of elimination: seconds that a column waits for the previous one */
static const double gpu_flops = 10e12;

/* The matrix, and twelve vectors (docs/internals/solves.md). */
static double iteration_bytes(const struct solve_size *s)
{
    double real = real_bytes(scalar_chosen(s->precision));
    return (real + 4) * (double)s->entries + 4 * ((double)s->rows + 1) + 12 * real * s->rows;
}

/* Seconds with this many threads. */
static double on_host(double bytes, double threads)
{
    return host_start + host_thread_start * threads +
           bytes / fmin(host_thread_rate * threads, host_most_rate);
}

struct solve_costs solve_expect(const struct solve_size *s, uint32_t threads)
{
    double n = s->rows, bytes = iteration_bytes(s);
    if (s->eliminates)
        return (struct solve_costs){n * n * n / (host_thread_flops * threads),
                                    gpu_start + gpu_column * n + n * n * n / gpu_flops};
    double start = s->entries >= 12 * (uint64_t)s->rows ? gpu_start_long : gpu_start;
    return (struct solve_costs){fmin(on_host(bytes, 1), on_host(bytes, threads)), start + bytes / gpu_rate};
}
