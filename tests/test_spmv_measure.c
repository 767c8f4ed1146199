/* What vksolve spmv measures with: the reference that errors are told against, and formats that take turns.
 */
#include "cli/spmv.h"
#include "device/context.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

TestSuite(spmv_measure, .timeout = 240);

/* 1/3 and its like, with rows of 0 to `most` entries. */
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
    struct message m = {""};
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

static void measure(uint64_t memory, struct spmv_matrix *out)
{
    struct host_csr a = rows_of_many_lengths(2000, 500, 8);
    struct spmv_job job = {.set = {.products = 200, .seconds = 0.2}, .copy_bandwidth = 1e9};
    vks_context_options o = {.device = "host", .timestamps = 1};
    cr_assert_eq(vks_context_create(&o, &job.context), VKS_OK);
    job.device.memory = memory;
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        job.wanted[f] = true;
    *out = (struct spmv_matrix){.path = "a"};
    cr_assert_eq(spmv_measure(&job, &a, out), VKS_OK, "%s", vks_context_message(job.context));
    cr_expect_eq(out->count, VKS_FORMAT_COUNT_ - 1);
    vks_context_destroy(job.context);
    host_csr_free(&a);
}

Test(spmv_measure, where_memory_is_scarce_formats_come_one_after_the_other)
{
    struct spmv_matrix out;
    measure(1, &out);
    for (int i = 0; i < out.count; i++) {
        cr_expect(out.row[i].status == VKS_OK, "%s", out.row[i].refused.text);
        cr_expect_eq(out.row[i].figures.copies, 1);
        cr_expect_lt(out.row[i].figures.error, 1e-14);
    }
    measure((uint64_t)1 << 30, &out);
    for (int i = 0; i < out.count; i++)
        cr_expect_gt(out.row[i].figures.copies, 1, "%s", vks_format_name(out.row[i].format));
}
