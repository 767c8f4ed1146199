/* Beyond the limits of one dispatch, of one level of sums, and of a workgroup's share: few sizes, but really
 * reached. */
#include "tests/support/cg_case.h"
#include "tests/support/sparse_cases.h"
#include "tests/support/vector_cases.h"

/* More than 65,535 workgroups of 256. */
Test(kernels_large, fill_reaches_beyond_65535_workgroups_on_lavapipe)
{
    static const struct kernel_case filling = {.name = "fill", .record = record_fill, .expect = expect_fill};
    vks_context *c = open_gpu();
    struct job j = {.p = PRECISION_F32, .n = 65535 * 256 + 300};
    cr_assert_leq(c->device->info.max_groups, 65535);
    job_run(&j, c->device, &filling, gpu_name());
    close_context(c);
}

static const struct kernel_case dots = {.name = "dot", .record = record_dot, .expect = expect_dot};
static const struct kernel_case squares = {
    .name = "wide_square", .record = record_wide_square, .expect = expect_wide_square};

static void reduce(const struct kernel_case *k, enum precision p, uint32_t n)
{
    static const char *const names[] = {"host", NULL};
    double *x = random_vector(p, n, 10, n), *y = random_vector(p, n, 10, n + 1);
    for (int i = 0; i < 2; i++) {
        const char *name = names[i] ? names[i] : gpu_name();
        struct job j = {.p = p, .n = n, .x = x, .y = y};
        vks_context *c = open_context(name, (struct device_options){0});
        job_run(&j, c->device, k, name);
        close_context(c);
    }
    free(x);
    free(y);
}

/* 2,048 tile sums: from here on another level of sums is taken. */
Test(kernels_large, sums_have_the_defined_bits_around_524288_elements)
{
    reduce(&dots, PRECISION_F64, 524288);
    reduce(&dots, PRECISION_F32, 524289);
    reduce(&squares, PRECISION_F32, 524289);
}

/* 16,384 tiles: from here on a workgroup takes longer spans of them. */
Test(kernels_large, sums_have_the_defined_bits_around_4194304_elements)
{
    reduce(&dots, PRECISION_F32, 4194304 + 256 + 77);
    reduce(&squares, PRECISION_F32, 4194304 + 77);
}

static void steps_in(enum precision p, uint32_t n, uint32_t lanes, vks_format format, bool on_gpu)
{
    struct host_csr A = random_spd(p, n, 1);
    double *r0 = random_vector(p, n, 2, 2);
    struct cg_job j = {p, &A, r0, true, lanes, 2, 100, 2, format};
    struct cg_result want = cg_result(n);
    cg_expect(&j, &want);
    for (int i = 0; i <= on_gpu; i++) {
        const char *name = i ? gpu_name() : "host";
        vks_context *c = open_context(name, (struct device_options){0});
        cg_run(c, &j, &want, name);
        close_context(c);
    }
    cg_result_free(&want);
    free(r0);
    host_csr_free(&A);
}

/* 257 to 2,048 tile sums: each squad of a workgroup adds up its group of them. */
Test(kernels_large, conjugate_gradients_have_the_defined_bits_above_65536_unknowns)
{
    steps_in(PRECISION_F32, 65536 + 300, 1, VKS_FORMAT_CSR, true);
    steps_in(PRECISION_F64, 65536 + 256 * 300, 2, VKS_FORMAT_CSR, true);
    steps_in(PRECISION_F32, 65536 + 300, 2, VKS_FORMAT_SELL, true);
}

Test(kernels_large, conjugate_gradients_have_the_defined_bits_at_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288, 1, VKS_FORMAT_CSR, true);
}

/* Rows of one lane leave tile sums, which then are too many for one kernel; the others leave stripe sums. */
Test(kernels_large, conjugate_gradients_have_the_defined_bits_above_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288 + 300, 1, VKS_FORMAT_CSR, true);
}

Test(kernels_large, conjugate_gradients_with_several_lanes_have_the_defined_bits_above_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288 + 300, 2, VKS_FORMAT_CSR, true);
}

Test(kernels_large, conjugate_gradients_in_slices_have_the_defined_bits_above_524288_unknowns)
{
    steps_in(PRECISION_F32, 524288 + 256 * 70 + 33, 1, VKS_FORMAT_SELL, true);
    steps_in(PRECISION_F64, 524288 + 300, 4, VKS_FORMAT_SELL, true);
}

/* As many stripe sums as one kernel adds up, and more. */
Test(kernels_large, conjugate_gradients_have_the_defined_bits_at_4194304_unknowns)
{
    steps_in(PRECISION_F32, 4194304, 2, VKS_FORMAT_CSR, false);
}

Test(kernels_large, conjugate_gradients_have_the_defined_bits_above_4194304_unknowns)
{
    steps_in(PRECISION_F32, 4194304 + 300, 1, VKS_FORMAT_SELL, false);
}

/* 256 groups of tiles and more in one level would need 16 million elements; 65,536 and more tile sums, three
 * levels of them. The host stands in for all devices here, whose shaders the other tests compare. */
Test(kernels_large, sums_of_three_levels_have_the_defined_bits_on_the_host)
{
    uint32_t n = 65536 * 256 + 257;
    double *x = random_vector(PRECISION_F32, n, 10, 1);
    struct job j = {.p = PRECISION_F32, .n = n, .x = x, .y = x};
    vks_context *c = open_host();
    job_run(&j, c->device, &dots, "host");
    close_context(c);
    free(x);
}
