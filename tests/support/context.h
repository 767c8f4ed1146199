/* Contexts for the tests: guarded (interpose.h), and those of Vulkan under the validation layer. */
#ifndef VKS_TESTS_CONTEXT_H
#define VKS_TESTS_CONTEXT_H

#include "device/context.h"
#include "entries/host_csr.h"
#include "tests/support/gpu.h"
#include "tests/support/interpose.h"
#include "tests/support/own.h"

#include <stdio.h>

/* Options of the automatic method: the same strategies, and so the same bits, on every device, with or
 * without UMFPACK. */
#define ANYWHERE .any_device = 1, .no_direct = 1

/* "host", or any other name for the Vulkan device. */
static inline vks_context *open_context(const char *device, struct device_options o)
{
    struct message m = {0};
    vks_context *c = NULL;
    bool host = !strcmp(device, "host");
    o.validate = !host && on_lavapipe();
    if (!o.piece_bytes)
        o.piece_bytes = gpu_piece_bytes();
    vks_status s = context_open(&m, device, &o, &c);
    cr_assert_eq(s, VKS_OK, "%s%s: %s",
                 host ? ""
                      : "these tests need lavapipe (mesa-vulkan-drivers) and the validation layer "
                        "(vulkan-validationlayers); ",
                 device, m.text);
    interpose(c->device);
    c->device->info.turn_bytes =
        0; /* auto chooses by bytes only, so that it is the same on every GPU, however small a matrix is */
    return c;
}

static inline vks_context *open_host(void)
{
    return open_context("host", (struct device_options){0});
}

static inline vks_context *open_gpu(void)
{
    return open_context(gpu_name(), (struct device_options){0});
}

/* Closes the context, all of whose objects must be destroyed. Its device must be destroyed with it, without
 * validation messages. */
static inline void close_context(vks_context *c)
{
    uint32_t before = destroyed_devices;
    cr_expect_eq(c->references, 1, "%u objects of the context were not destroyed", c->references - 1);
    guards_check(c->device);
    vks_context_destroy(c);
    cr_expect_eq(destroyed_devices, before + 1, "the device outlives its context");
}
OWNABLE(vks_context, close_context)

/* Runs the test on the host, and if both_devices() on the Vulkan device. */
static inline void on_both(void (*test)(vks_context *))
{
    for (int device = 0; device <= both_devices(); device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        test(c);
    }
}

/* Runs the test in both precisions, and closes the context. */
static inline void in_both_precisions(vks_context *c, void (*test)(vks_context *, enum precision))
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        test(c, p);
    close_context(c);
}

/* Runs the test on the host, and if both_devices() on the Vulkan device, in both precisions. */
static inline void everywhere(void (*test)(vks_context *, enum precision))
{
    in_both_precisions(open_host(), test);
    if (both_devices())
        in_both_precisions(open_gpu(), test);
}

/* Runs the test on the host in both precisions. */
static inline void on_host(void (*test)(vks_context *, enum precision))
{
    in_both_precisions(open_host(), test);
}

static inline void on_the_host(void (*test)(vks_context *))
{
    OWNED(vks_context) *c = open_host();
    test(c);
}

static inline void on_the_gpu(void (*test)(vks_context *))
{
    OWNED(vks_context) *c = open_gpu();
    test(c);
}

/* A test whose body, a function of the parameters that follow its name, is called by `run`. */
#define TEST_BY(run, suite, name, ...)            \
    static void in_##suite##_##name(__VA_ARGS__); \
    Test(suite, name)                             \
    {                                             \
        run(in_##suite##_##name);                 \
    }                                             \
    static void in_##suite##_##name(__VA_ARGS__)

/* Tests whose body has a context c, and some of them a precision p: on the host, on the Vulkan device, on the
 * host and if both_devices() on the Vulkan device, the same in both precisions, and on the host in both. */
#define TestOnHost(suite, name) TEST_BY(on_the_host, suite, name, vks_context *c)
#define TestOnGpu(suite, name) TEST_BY(on_the_gpu, suite, name, vks_context *c)
#define TestOnBoth(suite, name) TEST_BY(on_both, suite, name, vks_context *c)
#define TestEverywhere(suite, name) TEST_BY(everywhere, suite, name, vks_context *c, enum precision p)
#define TestInBothPrecisions(suite, name) TEST_BY(on_host, suite, name, vks_context *c, enum precision p)

static inline void must_work(const vks_context *c, vks_status s)
{
    skip_without_f64(s, vks_context_message(c));
    cr_assert_eq(s, VKS_OK, "%s: %s", vks_status_name(s), vks_context_message(c));
}

static inline vks_matrix *matrix_from(vks_context *c, const struct host_csr *a, const vks_matrix_options *o)
{
    vks_matrix *A = NULL;
    must_work(c, vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, o, &A));
    return A;
}

/* v: NULL for zeros */
static inline vks_vector *vector_of(vks_context *c, enum precision p, const double *v, uint32_t n)
{
    vks_vector *out = NULL;
    must_work(c, vks_vector_create(c, n, public_precision(p), &out));
    if (v)
        must_work(c, vks_vector_write(out, 0, n, VKS_F64, v));
    return out;
}

/* The call must have failed with `expected`, and its message must contain `part`. */
static inline void must_refuse(const vks_context *c, vks_status s, vks_status expected, const char *part)
{
    cr_expect_eq(s, expected, "%s instead of %s: %s", vks_status_name(s), vks_status_name(expected),
                 vks_context_message(c));
    cr_expect(strstr(vks_context_message(c), part), "\"%s\" does not say \"%s\"", vks_context_message(c),
              part);
}

#endif
