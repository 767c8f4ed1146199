/* vksolve in a program's own Vulkan device: its buffers and its semaphores. */
#include "own_device.h"
#include "tests/support/matrix.h"
#include "vksolve/matrix.h"
#include "vksolve/solver.h"

#include <time.h>

enum { N = 500 };

/* Solves with the given vectors, and destroys them. */
static void solve_with(vks_context *c, const struct host_csr *A, const double *b, vks_vector *vb,
                       vks_vector *vx, double *x)
{
    vks_solve_report report;
    vks_matrix *m = matrix_from(c, A, NULL);
    must_work(c, vks_vector_write(vb, 0, N, VKS_F64, b));
    must_work(c, vks_vector_fill(vx, 0));
    must_work(c, cg_solve(m, vb, vx, NULL, &report));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_vector_read(vx, 0, N, VKS_F64, x));
    vks_matrix_destroy(m);
    vks_vector_destroy(vb);
    vks_vector_destroy(vx);
}

static void solve_apart(const char *device, const struct host_csr *A, const double *b, double *x)
{
    OWNED_BY(context_end) vks_context *c = NULL;
    vks_vector *vb, *vx;
    vks_context_options o = {.device = device, .no_pipeline_cache = 1};
    cr_assert_eq(vks_context_create(&o, &c), VKS_OK);
    must_work(c, vks_vector_create(c, N, VKS_F64, &vb));
    must_work(c, vks_vector_create(c, N, VKS_F64, &vx));
    solve_with(c, A, b, vb, vx, x);
}

Test(vulkan_own, a_solve_in_the_programs_buffers_has_the_bits_of_any_other)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, N, 7);
    double *b = random_vector(PRECISION_F64, N, 3, 8), x[N], apart[N], on_host[N];
    solve_apart("host", &A, b, on_host);
    solve_apart(gpu_name(), &A, b, apart);
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 8 * (2 * N + 3));
    vks_context *c = app_context(&a);
    vks_vector *vb, *vx;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 8, N, VKS_F64, &vb));
    must_work(c, vks_vector_wrap_address(c, there.address + 8 * (N + 2), N, VKS_F64, &vx));
    solve_with(c, &A, b, vb, vx, x);
    must_equal(x, apart, N, "in a device of vksolve's");
    must_equal(x, on_host, N, "on the host");
    const double *seen = there.mapped;
    must_equal(seen + 1, b, N, "b in the buffer");
    must_equal(seen + N + 2, x, N, "x in the buffer");
    vks_context_destroy(c);
    app_buffer_free(&a, &there);
    free(b);
}

/* Elements 3 .. 3 + N - 1 of a buffer are a vector; the surrounding ones must not change. */
static void wrap_inside(struct app *a, vks_context *c, vks_precision p, bool by_address)
{
    enum { ALL = N + 7 };
    uint32_t size = p == VKS_F32 ? 4 : 8;
    struct app_buffer there = app_buffer(a, (uint64_t)ALL * size);
    guard_fill(there.mapped, (uint64_t)ALL * size);
    unsigned char before[ALL * 8];
    memcpy(before, there.mapped, (uint64_t)ALL * size);

    vks_vector *v = NULL;
    uint64_t at = (uint64_t)3 * size;
    must_work(c, by_address ? vks_vector_wrap_address(c, there.address + at, N, p, &v)
                            : vks_vector_wrap_buffer(c, there.buffer, at, N, p, &v));
    cr_expect_eq(vks_vector_length(v), N);
    unsigned char raw[N * 8];
    must_work(c, vks_vector_read(v, 0, N, p, raw));
    cr_expect_eq(memcmp(raw, before + at, (size_t)N * size), 0, "wrapping changed the values");

    double *want = random_vector(precision_of(p), N, 3, 5), got[N];
    must_work(c, vks_vector_fill(v, 0.5));
    must_work(c, vks_vector_write(v, 1, N - 2, VKS_F64, want + 1));
    want[0] = want[N - 1] = 0.5;
    must_work(c, vks_vector_read(v, 0, N, VKS_F64, got));
    must_equal(got, want, N, "values");
    vks_vector_destroy(v);
    cr_expect_eq(memcmp(there.mapped, before, at), 0, "written before the vector");
    at += (uint64_t)N * size;
    cr_expect_eq(memcmp((char *)there.mapped + at, before + at, (uint64_t)ALL * size - at), 0,
                 "written behind the vector");
    app_buffer_free(a, &there);
    free(want);
}

Test(vulkan_own, vectors_at_an_offset_are_read_and_written_and_nothing_around_them_is)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    OWNED_BY(context_end) vks_context *c = app_context(&a);
    for (int by_address = 0; by_address < 2; by_address++) {
        wrap_inside(&a, c, VKS_F64, by_address);
        wrap_inside(&a, c, VKS_F32, by_address);
    }
}

Test(vulkan_own, vectors_of_no_elements_can_be_wrapped)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 64);
    vks_context *c = app_context(&a);
    vks_vector *v;
    double norm = 1;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, 0, VKS_F64, &v));
    must_work(c, vks_vector_norm2(v, &norm));
    cr_expect_eq(norm, 0);
    vks_vector_destroy(v);
    vks_context_destroy(c);
    app_buffer_free(&a, &there);
}

/* Submits y = x in f64, and does not wait. */
static void start_copy(vks_context *c, struct rec *r, VkDeviceAddress x, VkDeviceAddress y, uint32_t n)
{
    uint64_t ticket;
    rec_create(r, c->device, PRECISION_F64);
    run(r, copy, 1, .x = (reals)(uintptr_t)x, .y = (reals)(uintptr_t)y, .n = n);
    must_work(c, rec_start(r, &ticket));
}

Test(vulkan_own, work_waits_for_the_programs_semaphore_and_sees_what_was_written_before)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 8 * 2 * N);
    double *values = memset(there.mapped, 0, 8 * 2 * N), sum = 0;
    VkSemaphore ready = app_timeline(&a);
    vks_context *c = app_context(&a);
    vks_vector *copied;
    struct rec r;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 8 * N, N, VKS_F64, &copied));
    must_work(c, vks_context_wait_semaphore(c, ready, 5)); /* returns at once: the signal comes after it */
    start_copy(c, &r, there.address, there.address + 8 * N, N);
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL); /* the program is late with its values */
    for (uint32_t i = 0; i < N; i++)
        values[i] = 3;
    app_signal(&a, ready, 5);
    must_work(c, vks_vector_sum(copied, &sum));
    cr_expect_eq(sum, 3.0 * N, "the sum is %g", sum);
    rec_destroy(&r);
    vks_vector_destroy(copied);
    vks_context_destroy(c);
    a.vk.DestroySemaphore(a.own.device, ready, NULL);
    app_buffer_free(&a, &there);
}

Test(vulkan_own, a_signal_comes_when_the_work_before_it_has_ended_and_the_programs_work_follows_it)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 8 * N), after = app_buffer(&a, 64);
    memset(after.mapped, 0, 64);
    VkSemaphore gate = app_timeline(&a), done = app_timeline(&a);
    vks_context *c = app_context(&a);
    vks_vector *v;
    struct rec r;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, N, VKS_F64, &v));
    must_work(c, vks_vector_fill(v, 1));
    must_work(c, vks_context_wait_semaphore(c, gate, 1));
    start_copy(c, &r, there.address, there.address + 8 * (N / 2), 1);
    must_work(c, vks_context_signal_semaphore(c, done, 7));
    app_fill(&a, after.buffer, 9, done, 7, VK_NULL_HANDLE, 0);
    cr_expect_eq(app_value(&a, done), 0, "signalled before the work, which waits");
    cr_expect_eq(*(uint32_t *)after.mapped, 0);
    ((double *)there.mapped)[0] = 42;
    app_signal(&a, gate, 1);
    cr_expect(app_reaches(&a, done, 7));
    cr_expect_eq(app_value(&a, done), 7);
    cr_expect_eq(((double *)there.mapped)[N / 2], 42);
    rec_destroy(&r);
    vks_vector_destroy(v);
    must_work(c, vks_context_signal_semaphore(c, done, 8));
    cr_expect(app_reaches(&a, done, 8));
    cr_expect_eq(app_value(&a, done), 8);
    cr_expect_eq(*(uint32_t *)after.mapped, 9); /* the fill was submitted to the same queue earlier */
    vks_context_destroy(c);
    a.vk.DestroySemaphore(a.own.device, gate, NULL);
    a.vk.DestroySemaphore(a.own.device, done, NULL);
    app_buffer_free(&a, &there);
    app_buffer_free(&a, &after);
}

Test(vulkan_own, a_solve_is_submitted_before_the_program_has_its_b_and_is_polled_meanwhile)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F64, N, 7);
    double *b = random_vector(PRECISION_F64, N, 3, 8), x[N];
    solve_apart("host", &A, b, x);
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 8 * 2 * N);
    VkSemaphore steps = app_timeline(&a);
    memset(there.mapped, 0, 8 * 2 * N);
    vks_context *c = app_context(&a);
    vks_matrix *m = matrix_from(c, &A, NULL);
    vks_vector *vb, *vx;
    vks_solver *solver;
    int ended = 1;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, N, VKS_F64, &vb));
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 8 * N, N, VKS_F64, &vx));
    must_work(c, vks_solver_create(m, NULL, &solver));
    must_work(c, vks_context_wait_semaphore(c, steps, 1));
    must_work(c, vks_solver_submit(solver, vb, vx));
    must_work(c, vks_solver_poll(solver, &ended, NULL));
    cr_expect_not(ended, "b is not there yet");
    memcpy(there.mapped, b, 8 * N);
    app_signal(&a, steps, 1);
    vks_solve_report report;
    must_work(c, vks_solver_wait(solver, 100, &report));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_context_signal_semaphore(c, steps, 2));
    cr_expect(app_reaches(&a, steps, 2));
    must_equal((double *)there.mapped + N, x, N, "x in the buffer");
    vks_solver_destroy(solver);
    vks_vector_destroy(vb);
    vks_vector_destroy(vx);
    vks_matrix_destroy(m);
    vks_context_destroy(c);
    a.vk.DestroySemaphore(a.own.device, steps, NULL);
    app_buffer_free(&a, &there);
    free(b);
}

Test(vulkan_own, binary_semaphores_will_do)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 4 * N);
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    VkSemaphore filled, done, end = app_timeline(&a);
    cr_assert_eq(a.vk.CreateSemaphore(a.own.device, &info, NULL, &filled), VK_SUCCESS);
    cr_assert_eq(a.vk.CreateSemaphore(a.own.device, &info, NULL, &done), VK_SUCCESS);
    vks_context *c = app_context(&a);
    vks_vector *v;
    double sum = 0;
    must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, N, VKS_F32, &v));
    app_fill(&a, there.buffer, 0x40000000, VK_NULL_HANDLE, 0, filled, 0); /* 2 */
    must_work(c, vks_context_wait_semaphore(c, filled, 0));
    must_work(c, vks_vector_sum(v, &sum));
    cr_expect_eq(sum, 2.0 * N);
    must_work(c, vks_context_signal_semaphore(c, done, 0));
    app_fill(&a, there.buffer, 0x3F800000, done, 0, end, 1); /* 1 */
    must_work(c, vks_context_wait_semaphore(c, end, 1));
    must_work(c, vks_vector_sum(v, &sum));
    cr_expect_eq(sum, N);
    vks_vector_destroy(v);
    vks_context_destroy(c);
    a.vk.DestroySemaphore(a.own.device, filled, NULL);
    a.vk.DestroySemaphore(a.own.device, done, NULL);
    a.vk.DestroySemaphore(a.own.device, end, NULL);
    app_buffer_free(&a, &there);
}

Test(vulkan_own, everything_of_the_programs_works_when_the_context_is_gone)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    struct app_buffer there = app_buffer(&a, 8 * N);
    VkSemaphore done = app_timeline(&a);
    for (uint64_t turn = 1; turn <= 3; turn++) {
        vks_context *c = app_context(&a);
        vks_vector *v;
        must_work(c, vks_vector_wrap_buffer(c, there.buffer, 0, N, VKS_F64, &v));
        vks_context_destroy(c); /* its vector keeps it alive */
        must_work(c, vks_vector_fill(v, (double)turn));
        vks_vector_destroy(v);
        cr_expect_eq(((double *)there.mapped)[N - 1], (double)turn);
        app_fill(&a, there.buffer, (uint32_t)turn, VK_NULL_HANDLE, 0, done, turn);
        cr_expect(app_reaches(&a, done, turn));
        cr_expect_eq(((uint32_t *)there.mapped)[N], turn);
    }
    a.vk.DestroySemaphore(a.own.device, done, NULL);
    app_buffer_free(&a, &there);
}

Test(vulkan_own, the_kernels_of_a_context_are_timed_there_too)
{
    OWNED_BY(app_close) struct app a;
    app_open(&a);
    OWNED_BY(context_end) vks_context *c = NULL;
    vks_context_options o = {.timestamps = 1, .debug_names = 1, .no_pipeline_cache = 1};
    cr_assert_eq(vks_context_create_vulkan(&a.own, &o, &c), VKS_OK);
    OWNED(vks_vector) *v;
    double seconds = 0;
    must_work(c, vks_vector_create(c, N, VKS_F64, &v));
    must_work(c, vks_vector_fill(v, 1));
    must_work(c, vks_context_kernel_seconds(c, &seconds));
    cr_expect_gt(seconds, 0);
}
