/* The kernels of conjugate gradients, step by step, compared bit by bit with the textbook algorithm in the
 * canonical order. */
#include "small_matrix.h"
#include "tests/support/cg_case.h"

static const uint32_t sizes[] = {1, 2, 31, 33, 255, 256, 257, 513, 1000, 2047, 2049, 4099};
enum { SIZES = sizeof sizes / sizeof *sizes };

/* One system on the host and, as walks_in says, on lavapipe, there with each of `groups` as the number of
 * workgroups. */
static void compare(vks_context *host, vks_context *gpu, const uint32_t *groups, int count,
                    const struct cg_job *j)
{
    struct cg_result want = cg_result(j->A->rows);
    cg_expect(j, &want);
    cg_run(host, j, &want, "host");
    for (int i = 0; i < count && walks_in(gpu->device, j->p); i++) {
        gpu->device->info.max_groups = groups[i];
        cg_run(gpu, j, &want, groups[i] == 3 ? "three groups" : gpu_name());
    }
    cg_result_free(&want);
}

struct steps {
    enum precision p;
    bool jacobi;
    uint32_t lanes;
    vks_format format;
};

static void walk_sizes(vks_context *host, vks_context *gpu, const struct steps *s)
{
    static const uint32_t groups[] = {65535 /* the most that there are */, 3};
    for (int i = 0; i < SIZES; i++) {
        struct host_csr A = random_spd(stored_precision(s->p), sizes[i], 10 + (uint64_t)i);
        double *r0 = random_vector(s->p, sizes[i], 2, 20 + (uint64_t)i);
        struct cg_job j = {s->p, &A, r0, s->jacobi, s->lanes, 0.125, 1000, CG_STEPS, s->format, 0, false};
        compare(host, gpu, groups, 2, &j);
        free(r0);
        host_csr_free(&A);
    }
}

static void walk_all(const struct steps *s, int count)
{
    vks_context *host = open_host(), *gpu = open_gpu();
    for (int i = 0; i < count; i++)
        walk_sizes(host, gpu, &s[i]);
    close_context(host);
    close_context(gpu);
}

static void walk(enum precision p, bool jacobi, uint32_t lanes, vks_format format)
{
    walk_all(&(struct steps){p, jacobi, lanes, format}, 1);
}

Test(kernels_solver, plain_steps_have_the_defined_bits_in_f32)
{
    walk(PRECISION_F32, false, 1, VKS_FORMAT_CSR);
}

Test(kernels_solver, plain_steps_have_the_defined_bits_in_f64)
{
    walk(PRECISION_F64, false, 1, VKS_FORMAT_CSR);
}

Test(kernels_solver, jacobi_steps_have_the_defined_bits_in_f32)
{
    walk(PRECISION_F32, true, 1, VKS_FORMAT_CSR);
}

Test(kernels_solver, jacobi_steps_have_the_defined_bits_in_f64)
{
    walk(PRECISION_F64, true, 1, VKS_FORMAT_CSR);
}

Test(kernels_solver, steps_with_rows_of_several_lanes_have_the_defined_bits_in_f32)
{
    walk(PRECISION_F32, true, 2, VKS_FORMAT_CSR);
}

Test(kernels_solver, steps_with_rows_of_several_lanes_have_the_defined_bits_in_f64)
{
    walk(PRECISION_F64, false, 8, VKS_FORMAT_CSR);
}

Test(kernels_solver, steps_in_slices_have_the_defined_bits_in_f32)
{
    static const struct steps s[] = {
        {PRECISION_F32, true, 1, VKS_FORMAT_SELL},
        {PRECISION_F32, false, 4, VKS_FORMAT_SELL},
    };
    walk_all(s, 2);
}

Test(kernels_solver, steps_in_slices_have_the_defined_bits_in_f64)
{
    static const struct steps s[] = {
        {PRECISION_F64, false, 2, VKS_FORMAT_SELL},
        {PRECISION_F64, true, 8, VKS_FORMAT_SELL},
    };
    walk_all(s, 2);
}

/* Codes of 8 and of 16 bits. */
Test(kernels_solver, steps_in_codes_have_the_defined_bits)
{
    static const uint32_t n[] = {1, 33, 257, 1000, 2049};
    static const uint32_t three = 3;
    vks_context *host = open_host(), *gpu = open_gpu();
    for (int i = 0; i < 5; i++) {
        enum precision p = (enum precision)(i % PRECISIONS);
        struct host_csr A = spd_of_few_kinds(stored_precision(p), n[i], i % 2 ? 1 : 300);
        double *r0 = random_vector(p, n[i], 2, 20);
        struct cg_job j = {
            p, &A, r0, true, 1u << i % 4, 0.125, 1000, CG_STEPS, VKS_FORMAT_SELL, VKS_CODED_ALWAYS, false};
        compare(host, gpu, &three, 1, &j);
        free(r0);
        host_csr_free(&A);
    }
    close_context(host);
    close_context(gpu);
}

Test(kernels_solver, steps_with_narrow_values_have_the_defined_bits)
{
    static const struct steps s[] = {
        {PRECISION_MIXED, true, 1, VKS_FORMAT_CSR},
        {PRECISION_MIXED, true, 1, VKS_FORMAT_SELL},
        {PRECISION_MIXED, true, 1, VKS_FORMAT_ELL},
        {PRECISION_MIXED, true, 4, VKS_FORMAT_BSR},
    };
    walk_all(s, 4);
}

Test(kernels_solver, steps_in_blocks_have_the_defined_bits)
{
    static const struct steps s[] = {
        {PRECISION_F32, true, 1, VKS_FORMAT_BSR},
        {PRECISION_F64, false, 4, VKS_FORMAT_BSR},
        {PRECISION_F64, true, 8, VKS_FORMAT_BSR},
        {PRECISION_F32, false, 16, VKS_FORMAT_BSR},
    };
    walk_all(s, 4);
}

Test(kernels_solver, steps_in_rows_of_one_width_have_the_defined_bits)
{
    static const struct steps s[] = {
        {PRECISION_F32, true, 2, VKS_FORMAT_ELL},
        {PRECISION_F64, false, 1, VKS_FORMAT_ELL},
        {PRECISION_F64, true, 8, VKS_FORMAT_ELL},
    };
    walk_all(s, 3);
}

/* Rows of more lanes are multiplied by another kernel, after which the dot product is a separate kernel. */
Test(kernels_solver, steps_in_slices_with_rows_of_many_lanes_have_the_defined_bits)
{
    static const struct steps s[] = {
        {PRECISION_F64, true, 16, VKS_FORMAT_SELL},
        {PRECISION_F32, true, 32, VKS_FORMAT_ELL},
    };
    walk_all(s, 2);
}

/* A diagonal with a single value is read once. */
Test(kernels_solver, steps_with_one_value_on_the_diagonal_have_the_defined_bits)
{
    static const uint32_t n[] = {1, 257, 2049, 4099}, groups[] = {65535, 3};
    vks_context *host = open_host(), *gpu = open_gpu();
    for (int i = 0; i < 8; i++) {
        enum precision p = (enum precision)(i / 4);
        struct host_csr A = tridiagonal(n[i % 4], -1, 3, -1);
        double *r0 = random_vector(p, A.rows, 2, 20);
        struct cg_job j = {p, &A, r0, true, 1, 0.125, 1000, CG_STEPS, VKS_FORMAT_CSR, 0, false};
        struct cg_run t;
        cg_begin(&t, host, &j);
        cr_expect_eq(t.s.it.krylov.M->diagonal.form, DIAGONAL_ONE);
        cg_end(&t);
        compare(host, gpu, groups, 2, &j);
        free(r0);
        host_csr_free(&A);
    }
    close_context(host);
    close_context(gpu);
}

/* CSR, slices with entries one by one, and codes of 8 and 16 bits. */
static void step_together(vks_context *host, vks_context *gpu, uint32_t n, int kind, bool jacobi,
                          enum precision p)
{
    struct host_csr A = kind < 2 ? random_spd(stored_precision(p), n, 5)
                                 : spd_of_few_kinds(stored_precision(p), n, kind == 2 ? 1 : 300);
    double *r0 = random_vector(p, n, 2, 20);
    uint32_t lanes = kind ? 1u << n % 4 : 1;
    struct cg_job j = {p, &A, r0, jacobi, lanes, 0.125, 1000, CG_STEPS, VKS_FORMAT_SELL, 0, true};
    j.coding = kind < 2 ? VKS_CODED_NEVER : VKS_CODED_ALWAYS;
    j.format = kind ? VKS_FORMAT_SELL : VKS_FORMAT_CSR;
    compare(host, gpu, &gpu->device->info.max_groups, 1, &j);
    free(r0);
    host_csr_free(&A);
}

Test(kernels_solver, steps_of_workgroups_that_wait_for_each_other_have_the_defined_bits)
{
    static const uint32_t n[] = {1, 33, 255, 256, 257, 1000, 2049, 65536, 65537, 131073, 262144};
    vks_context *host = open_host(), *gpu = open_gpu();
    make_co_resident(host);
    make_co_resident(gpu);
    int count =
        gpu->device->info.max_groups == 1 ? 4 : 11; /* workgroups do not wait for each other on llvmpipe */
    for (int i = 0; i < 4 * count; i++)
        step_together(host, gpu, n[i % count], i / count, i % 2,
                      (enum precision)((i + i / count) % PRECISIONS));
    for (uint32_t most = 64; most <= 128 && count > 4;
         most *= 2) { /* with two tiles and four to a workgroup */
        gpu->device->info.max_groups = most;
        for (int i = 5; i < 9; i++)
            step_together(host, gpu, most * 512 - 300 * (uint32_t)(i % 2), i % 4, i % 2, PRECISION_F64);
        step_together(host, gpu, most * 1024, 2, true, PRECISION_F32);
        step_together(host, gpu, most * 768 + 1, 0, false, PRECISION_F64);
    }
    close_context(host);
    close_context(gpu);
}

/* A small system with `limit` allowed iterations and three submitted ones. */
static void run_beyond(vks_context *c, uint32_t limit, vks_format format, vks_coding coding)
{
    struct host_csr A = coding ? spd_of_few_kinds(PRECISION_F64, 600, 1) : random_spd(PRECISION_F64, 600, 3);
    double *r0 = random_vector(PRECISION_F64, 600, 2, 4);
    struct cg_job j = {PRECISION_F64, &A, r0, true, 1, 1, limit, CG_STEPS, format, coding, false};
    struct cg_result want = cg_result(600);
    cg_expect(&j, &want);
    cg_run(c, &j, &want, c->device->info.name);
    cg_result_free(&want);
    free(r0);
    host_csr_free(&A);
}

Test(kernels_solver, what_is_submitted_beyond_the_last_iteration_changes_nothing)
{
    vks_context *host = open_host(), *gpu = open_gpu();
    for (uint32_t limit = 1; limit < CG_STEPS; limit++) {
        run_beyond(host, limit, VKS_FORMAT_CSR, 0);
        run_beyond(gpu, limit, VKS_FORMAT_CSR, 0);
        run_beyond(gpu, limit, VKS_FORMAT_SELL, 0);
        run_beyond(gpu, limit, VKS_FORMAT_SELL, VKS_CODED_ALWAYS);
        run_beyond(host, limit, VKS_FORMAT_SELL, VKS_CODED_ALWAYS);
        run_beyond(gpu, limit, VKS_FORMAT_BSR, 0);
        run_beyond(gpu, limit, VKS_FORMAT_ELL, 0);
    }
    close_context(host);
    close_context(gpu);
}

/* Runs two iterations, which end the solve, and then more. (The method's own words may change.) */
static void write_beyond(vks_context *c, uint32_t lanes, vks_format format)
{
    struct host_csr A = random_spd(PRECISION_F64, 600, 3);
    double *r0 = random_vector(PRECISION_F64, 600, 2, 4);
    struct cg_job j = {PRECISION_F64, &A, r0, true, lanes, 1, 2, 2, format, 0, false};
    struct cg_run t;
    struct snapshot before, after;
    cg_begin(&t, c, &j);
    must_work(c, rec_run(&t.r));
    must_work(c, state_read(c->device, &t.s.it.column.state, &before));
    uint64_t hash = arrays_hash(c->device, "the solver's state");
    rec_clear(&t.r);
    method_record_unit(&t.r, &method_cg, &t.s.it.krylov);
    method_record_unit(&t.r, &method_cg, &t.s.it.krylov);
    must_work(c, rec_run(&t.r));
    must_work(c, state_read(c->device, &t.s.it.column.state, &after));
    memcpy(after.words, before.words, sizeof after.words);
    cr_expect_eq(arrays_hash(c->device, "the solver's state"), hash, "%s, %u lanes: an array was written",
                 c->device->info.name, lanes);
    cr_expect_eq(memcmp(&before, &after, sizeof before), 0, "%s, %u lanes: the state was written",
                 c->device->info.name, lanes);
    cg_end(&t);
    free(r0);
    host_csr_free(&A);
}

Test(kernels_solver, an_iteration_beyond_the_end_writes_to_no_array)
{
    vks_context *host = open_host(), *gpu = open_gpu();
    for (uint32_t lanes = 1; lanes <= 4; lanes *= 4) {
        write_beyond(host, lanes, VKS_FORMAT_CSR);
        write_beyond(gpu, lanes, VKS_FORMAT_CSR);
        write_beyond(gpu, lanes, VKS_FORMAT_SELL);
        write_beyond(host, lanes, VKS_FORMAT_BSR);
        write_beyond(gpu, lanes, VKS_FORMAT_BSR);
        write_beyond(gpu, lanes, VKS_FORMAT_ELL);
    }
    close_context(host);
    close_context(gpu);
}

/* With A = -I, p . A p < 0 in the first iteration, which must not touch x and r. */
static void meet_negative_curvature(vks_context *c, uint32_t lanes, vks_format format)
{
    enum { N = 700 };
    uint32_t lengths[N];
    for (int i = 0; i < N; i++)
        lengths[i] = 1;
    struct host_csr A = csr_of_lengths(PRECISION_F64, N, N, lengths, 1);
    for (uint32_t i = 0; i < N; i++) {
        A.col[i] = i;
        A.val[i] = -1;
    }
    double *r0 = random_vector(PRECISION_F64, N, 2, 4);
    struct cg_result want = cg_result(N);
    memcpy(want.r, r0, N * sizeof *r0);
    want.state = STATE_NOT_POSITIVE;
    struct cg_job j = {PRECISION_F64, &A, r0, false, lanes, 1, 10, CG_STEPS, format, 0, false};
    cg_run(c, &j, &want, c->device->info.name);
    cg_result_free(&want);
    free(r0);
    host_csr_free(&A);
}

Test(kernels_solver, an_indefinite_matrix_ends_the_steps_and_leaves_x_and_r)
{
    vks_context *host = open_host(), *gpu = open_gpu();
    for (uint32_t lanes = 1; lanes <= 4; lanes *= 4) {
        meet_negative_curvature(host, lanes, VKS_FORMAT_CSR);
        meet_negative_curvature(gpu, lanes, VKS_FORMAT_CSR);
        meet_negative_curvature(gpu, lanes, VKS_FORMAT_SELL);
        meet_negative_curvature(gpu, lanes, VKS_FORMAT_BSR);
        meet_negative_curvature(gpu, lanes, VKS_FORMAT_ELL);
    }
    close_context(host);
    close_context(gpu);
}
