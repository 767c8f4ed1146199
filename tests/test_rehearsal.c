/* Rehearsals (device/rehearsal.h), and pipelines that threads make in advance. */
#include "vulkan_device.h"

#include "device/rehearsal.h"
#include "solvers/solve/rehearse.h"
#include "sparse/rehearse.h"
#include "vksolve/vksolve.h"
#include <stdlib.h>
#include <time.h>

enum { SIDE = 14, ROWS = SIDE * SIDE * SIDE, MAKERS = 4 };

/* Seven-point stencil in a periodic grid of SIDE^3. */
static struct sample new_sample(vks_precision p)
{
    static const int steps[] = {0, 1, -1, SIDE, -SIDE, SIDE * SIDE, -SIDE * SIDE};
    struct sample s = {.n = ROWS, .precision = p};
    s.row = malloc((ROWS + 1) * sizeof *s.row);
    s.col = malloc(7 * ROWS * sizeof *s.col);
    for (uint32_t i = 0; i <= ROWS; i++)
        s.row[i] = 7 * i;
    for (uint32_t i = 0; i < ROWS; i++)
        for (uint32_t k = 0; k < 7; k++)
            s.col[7 * i + k] = (uint32_t)((int)i + steps[k] + ROWS) % ROWS;
    return s;
}

static vks_context *context_on(struct device *d)
{
    vks_context *c = NULL;
    cr_assert_eq(context_of(&message, d, &c), VKS_OK);
    return c;
}

/* Solves with the sample's matrix by CG with multigrid in f32; *out is x. */
static void solve(vks_context *c, const struct sample *s, double out[ROWS])
{
    vks_precond_options amg = {.kind = VKS_PRECOND_AMG, .in_f32 = 1};
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond_options = &amg, .rtol = 1e-4, .zero_guess = 1};
    vks_solve_report report;
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = NULL, *x = NULL;
    cr_assert_eq(sample_matrix(s, c, &A), VKS_OK);
    cr_assert_eq(vks_vector_create(c, ROWS, s->precision, &b), VKS_OK);
    cr_assert_eq(vks_vector_create(c, ROWS, s->precision, &x), VKS_OK);
    cr_assert_eq(vks_vector_fill(b, 1), VKS_OK);
    cr_assert_eq(vks_solve(A, b, x, &o, &report), VKS_OK, "%s", vks_context_message(c));
    cr_assert_eq(report.reason, VKS_REASON_CONVERGED, "%s", report.detail);
    cr_assert_eq(vks_vector_read(x, 0, ROWS, VKS_F64, out), VKS_OK);
}

static vks_context *open_stand_in(struct device *real, const atomic_bool *ended)
{
    struct device *stand_in = NULL;
    cr_assert_eq(device_stand_in_create(&message, real, ended, &stand_in), VKS_OK);
    return context_on(stand_in);
}

static vks_context *open_plain_host(void)
{
    struct device *d = NULL;
    cr_assert_eq(device_host_create(&message, &(struct device_options){0}, &d), VKS_OK);
    return context_on(d);
}

/* The number of pipelines made or requested; *made counts the former. */
static uint32_t count_pipelines(struct device *d, uint32_t *made)
{
    struct vulkan *v = vulkan_of(d);
    uint32_t count = 0;
    *made = 0;
    pthread_mutex_lock(&v->ahead.lock);
    for (int k = 0; k < KERNEL_COUNT; k++)
        for (int p = 0; p < PRECISIONS; p++)
            for (const struct pipeline *one = v->pipelines[0][k][p]; one; one = one->next, count++)
                *made += one->state == PIPELINE_MADE;
    pthread_mutex_unlock(&v->ahead.lock);
    return count;
}

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

Test(rehearsal, a_stand_in_computes_with_the_bits_of_the_host)
{
    static double on_stand_in[ROWS], on_host[ROWS];
    atomic_bool ended = false;
    uint32_t made;
    OWNED_BY(clean_end) struct device *real = open_tested((struct device_options){.threads = MAKERS});
    for (int p = VKS_F64; p <= VKS_F32; p++) {
        OWNED_STRUCT(sample) s = new_sample((vks_precision)p);
        OWNED_BY(context_end) vks_context *stand_in = open_stand_in(real, &ended), *host = open_plain_host();
        solve(stand_in, &s, on_stand_in);
        solve(host, &s, on_host);
        cr_expect_eq(memcmp(on_stand_in, on_host, sizeof on_host), 0);
    }
    cr_expect_geq(count_pipelines(real, &made), 50,
                  "what is recorded on the stand-in is wanted on the device");
}

Test(rehearsal, the_work_needs_few_pipelines_that_were_not_rehearsed)
{
    static double x[ROWS];
    uint32_t made;
    atomic_bool ended = false;
    struct device *real = open_tested((struct device_options){.threads = MAKERS});
    struct sample s = new_sample(VKS_F64);
    vks_context *stand_in = open_stand_in(real, &ended);
    solve(stand_in, &s, x);
    vks_context_destroy(stand_in);
    uint32_t rehearsed = count_pipelines(real, &made);
    OWNED_BY(context_end) vks_context *c = context_on(real);
    solve(c, &s, x);
    uint32_t all = count_pipelines(real, &made);
    cr_expect_leq(all - rehearsed, all / 8, "%u of %u", all - rehearsed, all);
    sample_free(&s);
}

Test(rehearsal, nothing_runs_on_a_stand_in_that_has_ended)
{
    atomic_bool ended = false;
    vks_matrix *A = NULL;
    OWNED_BY(clean_end) struct device *real = open_tested((struct device_options){.threads = 1});
    OWNED_STRUCT(sample) s = new_sample(VKS_F64);
    OWNED_BY(context_end) vks_context *stand_in = open_stand_in(real, &ended);
    ended = true;
    cr_expect_eq(sample_matrix(&s, stand_in, &A), VKS_TIMEOUT);
    cr_expect_null(A);
}

Test(rehearsal, work_is_rehearsed_once_and_closing_the_device_ends_it)
{
    static double x[ROWS];
    struct device *real = open_tested((struct device_options){.threads = MAKERS, .rehearses = true});
    OWNED_STRUCT(sample) s = new_sample(VKS_F64);
    vks_context *c = context_on(real);
    solve(c, &s, x);
    cr_expect_eq(real->rehearsals.count, 1);
    cr_expect_not(rehearsal_is_due(real, real->rehearsals.key[0]));
    cr_expect(rehearsal_is_due(real, UINT64_MAX));
    solve(c, &s, x);
    cr_expect_eq(real->rehearsals.count, 1);
    vks_context_destroy(c); /* the sanitizers report leaks */
}

/* From arrays in the program's memory, before any call uses them. */
Test(rehearsal, a_solve_is_rehearsed_before_its_matrix_is_on_the_device)
{
    struct device *real = open_tested((struct device_options){.threads = MAKERS, .rehearses = true});
    OWNED_STRUCT(sample) s = new_sample(VKS_F64);
    OWNED_BY(context_end) vks_context *c = context_on(real);
    struct host_csr a = {ROWS, ROWS, s.row, s.col, NULL};
    uint32_t made = 0;
    rehearse_all(c, &a, &(vks_matrix_options){0}, &(vks_solve_options){0});
    cr_expect_eq(real->rehearsals.count, 1);
    for (int ms = 0; count_pipelines(real, &made) < 50 && ms < 20000; ms++)
        wait_a_little();
    cr_expect_geq(count_pipelines(real, &made), 50);
}

/* Dense factors of a sample take a minute; options that are nested too deep are the caller's error. */
Test(rehearsal, solves_whose_samples_are_not_small_are_not_rehearsed)
{
    vks_precond_options dense = {.kind = VKS_PRECOND_DENSE},
                        inner = {.kind = VKS_PRECOND_INNER, .inner = &dense};
    vks_precond_options endless = {.kind = VKS_PRECOND_INNER, .inner = &endless};
    const vks_solve_options heavy[] = {{.precond = VKS_PRECOND_DENSE},
                                       {.precond_options = &inner},
                                       {.precond_options = &endless},
                                       {.method = VKS_METHOD_GAUSS_JORDAN}};
    struct device *real = open_tested((struct device_options){.threads = MAKERS, .rehearses = true});
    OWNED_STRUCT(sample) s = new_sample(VKS_F64);
    OWNED_BY(context_end) vks_context *c = context_on(real);
    struct host_csr a = {ROWS, ROWS, s.row, s.col, NULL};
    for (size_t i = 0; i < sizeof heavy / sizeof *heavy; i++)
        rehearse_all(c, &a, &(vks_matrix_options){0}, &heavy[i]);
    cr_expect_eq(real->rehearsals.count, 0);
}

/* Requests several combinations of a kernel. */
static uint32_t want_some(struct device *d)
{
    struct spmv_csr_args args = {0};
    uint32_t count = 0;
    for (args.lanes = 1; args.lanes <= 32; args.lanes *= 2, count++)
        d->ops->want(d, KERNEL_spmv_csr, PRECISION_F32, &args);
    return count;
}

Test(rehearsal, pipelines_that_are_wanted_are_made_by_helpers)
{
    OWNED_BY(clean_end) struct device *real = open_tested((struct device_options){.threads = MAKERS});
    struct spmv_csr_args args = {.lanes = 4};
    VkPipeline pipeline;
    uint32_t made = 0, wanted = want_some(real);
    cr_expect_eq(count_pipelines(real, &made), wanted);
    for (int ms = 0; made < wanted && ms < 20000; ms++) {
        wait_a_little();
        count_pipelines(real, &made);
    }
    cr_expect_eq(made, wanted);
    cr_assert_eq(vulkan_pipeline(vulkan_of(real), KERNEL_spmv_csr, PRECISION_F32, &args, &pipeline), VKS_OK);
    cr_expect_eq(count_pipelines(real, &made), wanted, "none is made twice");
}

static PFN_vkCreateComputePipelines real_make;
static atomic_bool fails;

static VKAPI_ATTR VkResult VKAPI_CALL make_or_fail(VkDevice device, VkPipelineCache cache, uint32_t count,
                                                   const VkComputePipelineCreateInfo *info,
                                                   const VkAllocationCallbacks *callbacks, VkPipeline *list)
{
    return atomic_load(&fails) ? VK_ERROR_OUT_OF_HOST_MEMORY
                               : real_make(device, cache, count, info, callbacks, list);
}

Test(rehearsal, a_pipeline_that_helpers_cannot_make_is_made_where_it_is_needed)
{
    OWNED_BY(clean_end) struct device *real = open_tested((struct device_options){.threads = MAKERS});
    struct vulkan *v = vulkan_of(real);
    struct spmv_csr_args args = {.lanes = 4};
    VkPipeline pipeline;
    uint32_t made;
    real_make = v->instance.vk.CreateComputePipelines;
    v->instance.vk.CreateComputePipelines = make_or_fail;
    fails = true;
    want_some(real);
    cr_expect(helpers_rest(real->helpers, 20));
    count_pipelines(real, &made);
    cr_expect_eq(made, 0);
    fails = false;
    cr_assert_eq(vulkan_pipeline(v, KERNEL_spmv_csr, PRECISION_F32, &args, &pipeline), VKS_OK);
    cr_expect_neq(pipeline, VK_NULL_HANDLE);
}

Test(rehearsal, a_driver_that_compiles_for_ever_is_a_timeout)
{
    OWNED_BY(clean_end) struct device *real = open_tested((struct device_options){.threads = 1});
    struct vulkan *v = vulkan_of(real);
    struct spmv_csr_args args = {.lanes = 4};
    VkPipeline pipeline;
    cr_assert_eq(vulkan_pipeline(v, KERNEL_spmv_csr, PRECISION_F32, &args, &pipeline), VKS_OK);
    v->pipelines[0][KERNEL_spmv_csr][PRECISION_F32]->state = PIPELINE_IN_WORK;
    real->patience = 0;
    must_fail(vulkan_pipeline(v, KERNEL_spmv_csr, PRECISION_F32, &args, &pipeline), VKS_TIMEOUT, "spmv_csr");
    real->patience = 20;
}

Test(rehearsal, a_device_that_closes_leaves_what_was_wanted)
{
    OWNED_BY(clean_end) struct device *real = open_tested((struct device_options){.threads = MAKERS});
    want_some(real);
}
