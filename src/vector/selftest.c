/* The arithmetic self-test. The device processes operand pairs of every kind; its results are compared with
 * the host's, which follow IEEE 754. */
#include "abi/abi.h"
#include "vector/vector.h"
#include "vector/verbs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS = 8, CASES = 1 << 16 };

/* A fixed sequence: splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* Mantissas of all ones, of few bits and random mantissas exercise rounding; close exponents give
 * cancellation, distant exponents over- and underflow. */
static double operand(uint64_t *state, vks_precision p)
{
    const struct scalar_type *t = &scalar_types[precision_of(p)];
    int bits = t->digits, range = t->largest_exponent;
    uint64_t kind = next(state) % 8, r = next(state) >> (64 - bits);
    if (kind == 0)
        return (double[]){0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, 3}[r % 8];
    if (kind == 1)
        r = (1ull << bits) - 1 - r % 4;
    if (kind == 2)
        r = (1ull << (r % (uint64_t)bits));
    int wide = kind >= 6 ? range - 1 : 4;
    int exponent = (int)(next(state) % (uint64_t)(2 * wide)) - wide;
    double m = 1 + ldexp((double)r, -bits);
    return ldexp(next(state) & 1 ? -m : m, exponent);
}

static bool is_denormal(double v, vks_precision p)
{
    double rounded = fabs(scalar_round(precision_of(p), v));
    return rounded > 0 && rounded < ldexp(1, 1 - scalar_types[precision_of(p)].largest_exponent);
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b));
}

/* Compares the device's results in one precision with the results of the host twin. */
static void compare(vks_selftest *t, vks_precision p, const double *device, const double *host)
{
    for (int k = 0; k < OPERATIONS; k++)
        for (int i = 0; i < CASES; i++) {
            double d = device[k * CASES + i], h = host[k * CASES + i];
            if (same(d, h))
                continue;
            double product = host[2 * CASES + i]; /* two operations add to this product */
            if (is_denormal(h, p) || ((k == 5 || k == 6) && is_denormal(product, p)))
                t->denormals_differ[p]++;
            else
                t->wrong[p][k]++;
        }
}

static vks_status run_on(struct device *d, vks_precision p, const double *operands, double *results)
{
    uint64_t bytes = (uint64_t)CASES * real_bytes(precision_of(p));
    struct memory in = {0}, out = {0};
    struct rec r = rec_once(d, precision_of(p));
    vks_status s = device_allocate(d, MEMORY_DEVICE, 2 * bytes, "operands of the self-test", &in);
    IF_OK(s, device_allocate(d, MEMORY_DEVICE, OPERATIONS * bytes, "results of the self-test", &out));
    IF_OK(s, upload_values(d, &in, p, 0, 2 * CASES, VKS_F64, operands));
    arithmetic(&r, (reals)(uintptr_t)in.address, (reals)(uintptr_t)(in.address + bytes),
               (reals)(uintptr_t)out.address, CASES);
    s = rec_run_once(&r, s);
    IF_OK(s, download_values(d, &out, p, 0, OPERATIONS * CASES, VKS_F64, results));
    device_release(d, &in);
    device_release(d, &out);
    return s;
}

static vks_status test_precision(struct device *d, struct device *host, vks_precision p, vks_selftest *t)
{
    double *operands = malloc(2 * CASES * sizeof *operands);
    double *device_results = malloc(OPERATIONS * CASES * sizeof *device_results);
    double *host_results = malloc(OPERATIONS * CASES * sizeof *host_results);
    bool good = operands && device_results && host_results;
    vks_status s = good ? VKS_OK : fail_memory(d->message, "the self-test", 18 * CASES * sizeof(double));
    uint64_t state = 1;
    for (int i = 0; !s && i < 2 * CASES; i++)
        operands[i] = operand(&state, p);
    IF_OK(s, run_on(d, p, operands, device_results));
    IF_OK(s, run_on(host, p, operands, host_results));
    if (!s) {
        compare(t, p, device_results, host_results);
        t->qualifies[p] = 1;
        for (int k = 0; k < OPERATIONS; k++)
            if (t->wrong[p][k])
                t->qualifies[p] = 0;
    }
    free(operands);
    free(device_results);
    free(host_results);
    return s;
}

vks_status vks_context_selftest_as(uint32_t header, vks_context *context, vks_selftest *result)
{
    struct device *d = context->device, *host = NULL;
    vks_selftest found = {.cases = CASES, .qualifies = {-1, -1}};
    struct device_options o = {.host_isa = "base", .team = d->team};
    vks_status s = context_begin_as(context, header);
    IF_OK(s, device_host_create(&context->message, &o, &host));
    IF_OK(s, test_precision(d, host, VKS_F32, &found));
    if (!s && d->info.f64)
        s = test_precision(d, host, VKS_F64, &found);
    device_destroy(host);
    if (!s)
        vks_selftest_out(header, &found, result);
    return s;
}
