/* The tools of vksolve spmv: the reference for errors, and formats that are measured in turns. */
#include "command/spmv/measure.h"
#include "command/spmv/runner.h"
#include "device/context.h"
#include "report/clock.h"
#include <criterion/criterion.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TestSuite(spmv_measure, .timeout = 240);

/* Numbers such as 1/3, with rows of 0 to `most` entries. */
static struct host_csr rows_of_many_lengths(uint32_t rows, uint32_t cols, uint32_t most)
{
    struct host_csr a = {rows, cols, calloc(rows + 1, 4), calloc((size_t)rows * most + 1, 4),
                         calloc((size_t)rows * most + 1, 8)};
    cr_assert(a.row && a.col && a.val);
    for (uint32_t i = 0, k = 0; i < rows; i++) {
        for (uint32_t j = 0; j < i % (most + 1); j++, k++) {
            a.col[k] = j * (cols / most);
            a.val[k] = (k % 2 ? 1.0 : -1.0) / (3 + k % 1009);
        }
        a.row[i + 1] = k;
    }
    return a;
}

Test(spmv_measure, the_reference_is_as_exact_as_long_double)
{
    struct host_csr a = rows_of_many_lengths(300, 3000, 299);
    struct spmv_reference r;
    struct message m = {0};
    cr_assert_eq(spmv_reference(&m, &a, &r), VKS_OK, "%s", m.text);
    double *y = malloc(300 * sizeof *y), plain = 0;
    for (uint32_t i = 0; i < a.rows; i++) {
        long double sum = 0, scale = 0;
        double naive = 0;
        for (uint32_t k = a.row[i]; k < a.row[i + 1]; k++) {
            sum += (long double)a.val[k] * (long double)r.x[a.col[k]];
            scale += fabsl((long double)a.val[k] * (long double)r.x[a.col[k]]);
            naive += a.val[k] * r.x[a.col[k]];
        }
        y[i] = (double)sum;
        cr_expect_float_eq(r.scale[i], (double)scale, 1e-13 * (double)scale);
        plain = fmax(plain, scale > 0 ? fabs(naive - y[i]) / (double)scale : 0);
    }
    cr_expect_lt(spmv_error(&r, y), 2.3e-17, "%g", spmv_error(&r, y)); /* an ulp of a sum below its terms */
    cr_expect_gt(plain, 1e-16, "%g: sums too easy to tell a plain one", plain);
    for (uint32_t i = 0; i < r.cols; i++)
        cr_assert(r.x[i] == (double)(float)r.x[i] && fabs(r.x[i]) < 1 && r.x[i] != 0);
    free(y);
    spmv_reference_free(&r);
    host_csr_free(&a);
}

Test(spmv_measure, no_wrong_element_goes_unseen)
{
    double y[] = {2, 0, -4}, scale[] = {2, 0, 8};
    struct spmv_reference r = {.rows = 3, .y = y, .scale = scale};
    const double good[] = {2, 0, -4}, off[] = {2, 0, -4.5}, worse[] = {3, 0, -4.5}, low[] = {2, 1e-300, -4},
                 nan[] = {NAN, 0, -4}, inf[] = {2, 0, -INFINITY};
    cr_expect_eq(spmv_error(&r, good), 0);
    cr_expect_eq(spmv_error(&r, off), 0.0625);
    cr_expect_eq(spmv_error(&r, worse), 0.5);
    cr_expect_eq(spmv_error(&r, low), INFINITY);
    cr_expect_eq(spmv_error(&r, nan), INFINITY);
    cr_expect_eq(spmv_error(&r, inf), INFINITY);
}

/* A device on which allocations fail: those that would bring its arrays above `most` bytes, and all from
 * number `last` on. */
static struct scarce {
    const struct device_ops *plain;
    uint64_t most, bytes, peak;
    unsigned last, count, failed, alive;
} scarce;

static vks_status allocate(struct device *d, enum memory_kind kind, uint64_t bytes, const char *what,
                           struct memory *out)
{
    if (scarce.count++ >= scarce.last || scarce.bytes + bytes > scarce.most) {
        scarce.failed++;
        return fail(d->message, VKS_DEVICE_MEMORY, "no room for %s", what);
    }
    vks_status s = scarce.plain->allocate(d, kind, bytes, what, out);
    scarce.alive += s == VKS_OK;
    scarce.bytes += s ? 0 : out->bytes;
    scarce.peak = scarce.bytes > scarce.peak ? scarce.bytes : scarce.peak;
    return s;
}

static void release(struct device *d, struct memory *m)
{
    scarce.alive--;
    scarce.bytes -= m->bytes;
    scarce.plain->release(d, m);
}

/* Measures all formats on a host that reports this much memory. */
static vks_status measure(uint32_t products, uint64_t memory, uint64_t most, unsigned last,
                          struct spmv_matrix *out)
{
    struct host_csr a = rows_of_many_lengths(2000, 500, 8);
    struct spmv_job job = {.set = {.products = products, .seconds = 0.5}, .copy_bandwidth = 1e9};
    vks_context_options o = {.device = "host", .timestamps = 1};
    cr_assert_eq(vks_context_create(&o, &job.context), VKS_OK);
    scarce = (struct scarce){.plain = job.context->device->ops, .most = most, .last = last};
    struct device_ops ops = *scarce.plain;
    ops.allocate = allocate;
    ops.release = release;
    job.context->device->ops = &ops;
    job.device.memory = memory;
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        job.formats[job.format_count++] = format_plain((vks_format)f);
    *out = (struct spmv_matrix){.path = "a"};
    vks_status s = spmv_measure(&job, &a, out);
    vks_context_destroy(job.context); /* which keeps an array for its calls */
    cr_expect_eq(scarce.alive, 0, "%u arrays are left", scarce.alive);
    host_csr_free(&a);
    return s;
}

static void expect_all_measured(const struct spmv_matrix *out, double elapsed)
{
    cr_expect_eq(out->count, VKS_FORMAT_COUNT_ - 1);
    for (int i = 0; i < out->count; i++) {
        const struct spmv_figures *f = &out->row[i].figures;
        const char *name = out->row[i].format.text;
        if (out->row[i].status == VKS_LIMIT) /* a format may reject the matrix */
            continue;
        cr_expect(out->row[i].status == VKS_OK, "%s: %s", name, out->row[i].refused.text);
        cr_expect(f->error < 1e-14, "%s: %g", name, f->error);
        cr_expect(f->seconds_least * f->products <= elapsed, "%s: %g s, %g times, in %g s", name,
                  f->seconds_least, f->products, elapsed);
        cr_expect(f->bytes < 3 * f->memory_bytes, "%s: %g bytes", name, f->bytes);
    }
}

/* As many as a cold cache requires, but at most the products of a batch, and within a quarter of the memory,
 * which all formats share. The products of a batch depend on time: if other processes use the same cores, a
 * product whose threads wait for each other can take so long that a batch is one product. */
static void expect_all_the_copies(const struct spmv_matrix *out, uint64_t memory)
{
    double most = 1;
    for (int i = 0; i < out->count; i++) {
        const struct spmv_figures *f = &out->row[i].figures;
        if (out->row[i].status)
            continue;
        double one = f->copies_bytes / f->copies, batch = f->products / f->batches;
        double wanted = fmin(fmin(batch, SPMV_MOST_COPIES), ceil(SPMV_COLD_BYTES / one));
        wanted = fmax(1, fmin(wanted, floor((double)(memory / 4 / (uint64_t)out->count) / one)));
        cr_expect_eq(f->copies, wanted, "%s: %g copies of %g bytes in batches of %g", out->row[i].format.text,
                     f->copies, one, batch);
        most = fmax(most, f->copies);
    }
    cr_expect_gt(most, 1, "no format had batches of several products");
}

Test(spmv_measure, formats_take_turns_as_far_as_memory_allows)
{
    struct spmv_matrix out;
    double begun = clock_seconds();
    cr_assert_eq(measure(2000, 1, UINT64_MAX, UINT_MAX, &out), VKS_OK);
    expect_all_measured(&out, clock_seconds() - begun);
    uint64_t alone = scarce.peak;
    for (int i = 0; i < out.count; i++)
        cr_expect(out.row[i].status || out.row[i].figures.copies == 1);
    begun = clock_seconds();
    cr_assert_eq(measure(2000, 1300000, UINT64_MAX, UINT_MAX, &out), VKS_OK);
    expect_all_measured(&out, clock_seconds() - begun);
    cr_expect_gt(scarce.peak, alone + 100000, "only %llu bytes", (unsigned long long)scarce.peak);
    begun = clock_seconds();
    cr_assert_eq(measure(2000, (uint64_t)1 << 30, UINT64_MAX, UINT_MAX, &out), VKS_OK);
    expect_all_measured(&out, clock_seconds() - begun);
    expect_all_the_copies(&out, (uint64_t)1 << 30);
}

Test(spmv_measure, formats_that_find_no_memory_wait_until_there_is_some)
{
    struct spmv_matrix out;
    cr_assert_eq(measure(2000, 1, UINT64_MAX, UINT_MAX, &out), VKS_OK);
    uint64_t alone = scarce.peak;
    double begun = clock_seconds();
    cr_assert_eq(measure(2000, (uint64_t)1 << 30, alone + 200000, UINT_MAX, &out), VKS_OK);
    expect_all_measured(&out, clock_seconds() - begun);
    cr_expect_gt(scarce.failed, 0);
}

Test(spmv_measure, formats_without_memory_say_so)
{
    struct spmv_matrix out;
    int measured = 0, refused = 0, failed = 0;
    for (unsigned last = 0; last < 300; last += 1 + last / 4) {
        vks_status s = measure(50, (uint64_t)1 << 30, UINT64_MAX, last, &out);
        cr_expect(s == VKS_OK || s == VKS_DEVICE_MEMORY);
        failed += s != VKS_OK;
        for (int i = 0; i < out.count && !s; i++) {
            const struct spmv_row *row = &out.row[i];
            measured += row->status == VKS_OK;
            refused += row->status != VKS_OK;
            cr_expect_eq(row->status == VKS_OK, isfinite(row->figures.seconds) != 0);
            cr_expect(row->status != VKS_DEVICE_MEMORY || strstr(row->refused.text, "no room for "), "%s",
                      row->refused.text);
        }
    }
    cr_expect(measured > 2 && refused > 2 && failed > 2, "%d %d %d", measured, refused, failed);
}
