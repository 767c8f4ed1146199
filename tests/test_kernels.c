/* Every kernel, on the host in each instruction set and on lavapipe (walks_in), at the sizes where something
 * changes, bit for bit against its definition. */
#include "solvers/batch/verbs.h"
#include "solvers/solve/solve.h"
#include "tests/support/cases/algebra.h"
#include "tests/support/cases/assembly.h"
#include "tests/support/cases/balanced.h"
#include "tests/support/cases/block.h"
#include "tests/support/cases/blocks.h"
#include "tests/support/cases/bsr.h"
#include "tests/support/cases/cg.h"
#include "tests/support/cases/chebyshev.h"
#include "tests/support/cases/coded.h"
#include "tests/support/cases/coo.h"
#include "tests/support/cases/dense.h"
#include "tests/support/cases/fsai.h"
#include "tests/support/cases/histogram.h"
#include "tests/support/cases/jacobi.h"
#include "tests/support/cases/lsmr.h"
#include "tests/support/cases/modes.h"
#include "tests/support/cases/multigrid.h"
#include "tests/support/cases/multigrid_block.h"
#include "tests/support/cases/multigrid_mend.h"
#include "tests/support/cases/narrow.h"
#include "tests/support/cases/operator.h"
#include "tests/support/cases/pack.h"
#include "tests/support/cases/pairs.h"
#include "tests/support/cases/pivot.h"
#include "tests/support/cases/primitive.h"
#include "tests/support/cases/product_values.h"
#include "tests/support/cases/richardson.h"
#include "tests/support/cases/rounding.h"
#include "tests/support/cases/scale.h"
#include "tests/support/cases/scan.h"
#include "tests/support/cases/slices.h"
#include "tests/support/cases/sort.h"
#include "tests/support/cases/sparse.h"
#include "tests/support/cases/spgemm.h"
#include "tests/support/cases/statistics.h"
#include "tests/support/cases/then.h"
#include "tests/support/cases/vector.h"
#include "tests/support/cases/vector_algebra.h"
#include "tests/support/cases/window.h"
#include "tests/support/cg_case.h"
#include "tests/support/large.h"
#include "tests/support/solve.h"

#define CASES(X)            \
    VECTOR_CASES(X)         \
    VECTOR_ALGEBRA_CASES(X) \
    SPARSE_CASES(X)         \
    BALANCED_CASES(X)       \
    BLOCK_CASES(X)          \
    BLOCKS_CASES(X)         \
    BSR_CASES(X)            \
    COO_CASES(X)            \
    SLICES_CASES(X)         \
    CODED_CASES(X)          \
    STATISTICS_CASES(X)     \
    PRIMITIVE_CASES(X)      \
    SCAN_CASES(X)           \
    HISTOGRAM_CASES(X)      \
    CG_CASES(X)             \
    CHEBYSHEV_CASES(X)      \
    FSAI_CASES(X)           \
    JACOBI_CASES(X)         \
    RICHARDSON_CASES(X)     \
    LSMR_CASES(X)           \
    MODES_CASES(X)          \
    MULTIGRID_CASES(X)      \
    NARROW_CASES(X)         \
    NODE_BLOCKS_CASES(X)    \
    MULTIGRID_MEND_CASES(X) \
    OPERATOR_CASES(X)       \
    PACK_CASES(X)           \
    PAIRS_CASES(X)          \
    PIVOT_CASES(X)          \
    ALGEBRA_CASES(X)        \
    ASSEMBLY_CASES(X)       \
    ROUNDING_CASES(X)       \
    SCALE_CASES(X)          \
    SORT_CASES(X)           \
    LONG_CASES(X)           \
    SPGEMM_CASES(X)         \
    THEN_CASES(X)           \
    WINDOW_CASES(X)         \
    PRODUCT_VALUES_CASES(X) \
    DENSE_CASES(X)

#define X(kernel, ...)                                \
    static const struct kernel_case case_##kernel = { \
        .name = #kernel, .record = record_##kernel, .expect = expect_##kernel, __VA_ARGS__};
CASES(X)
#undef X

static const struct kernel_case *const cases[] = {
#define X(kernel, ...) &case_##kernel,
    CASES(X)
#undef X
};

static const uint32_t vectors_at[] = {0,   1,   2,   31,  32,   33,   127,  128,  129,   255,   256,
                                      257, 511, 512, 513, 1000, 2047, 2048, 2049, 65535, 65536, 65537};
enum { MOST = 4096 }; /* larger ones are for the release build: on the host, and on a device that is named */
static const struct sizes sizes_of_vectors = {vectors_at, sizeof vectors_at / sizeof *vectors_at, 15};

struct inputs {
    struct host_csr A;
    double *x, *y;
    uint32_t *words;
};

/* The input of a size: vectors with a wide range if n is odd, and otherwise one so narrow that every term of
 * a sum matters; and a matrix of short rows. */
static void make_inputs(struct inputs *in, struct job *j, const struct kernel_case *k)
{
    uint64_t seed = 100 * (uint64_t)j->n + j->p;
    int range = j->n % 2 ? 20 : 2;
    *in = (struct inputs){.y = random_vector(j->p, j->n, range, seed + 1)};
    in->words = room(j->n, 4);
    for (uint32_t i = 0; i < j->n; i++)
        in->words[i] = (uint32_t)random_bits(&seed);
    if (k->long_rows)
        in->A = csr_of_long_rows(stored_precision(j->p), j->n, seed);
    else if (k->sparse)
        in->A = random_csr(stored_precision(j->p), j->n, j->n, 3, seed);
    in->x = random_vector(j->p, k->long_rows ? in->A.cols : j->n, range, seed);
    j->A = &in->A;
    j->lanes = k->least_lanes ? k->least_lanes : 1;
    j->x = in->x;
    j->y = in->y;
    j->words = in->words;
}

static void free_inputs(struct inputs *in)
{
    free(in->x);
    free(in->y);
    free(in->words);
    host_csr_free(&in->A);
}

static void walk_sizes(vks_context *c, const struct kernel_case *k, bool only_striding, const char *where)
{
    const struct sizes *sizes = k->sizes ? k->sizes : &sizes_of_vectors;
    bool values = false;
    for (enum precision p = 0; p < (values && !only_striding ? PRECISIONS : REAL_PRECISIONS); p++)
        for (int i = only_striding ? sizes->striding : 0; i < sizes->count; i++) {
            struct job j = {.p = p, .n = sizes->at[i]};
            struct inputs in;
            bool taken = k->words ? p == PRECISION_F32 : walks_in(c->device, p);
            bool large = VKS_TESTS_LARGE && (c->device->info.kind == DEVICE_HOST || gpu_wanted());
            if (!taken || (j.n > MOST && !large))
                continue;
            make_inputs(&in, &j, k);
            values |= job_run(&j, c->device, k, where);
            free_inputs(&in);
        }
}

static void walk_on_host(const char *isa, const struct kernel_case *k)
{
    vks_context *c = open_context("host", (struct device_options){.host_isa = isa});
    walk_sizes(c, k, false, isa);
    close_context(c);
}

/* Every GROUPS-th case from `first` on, in one context: a process for each case takes longer than the case.
 * Also with three workgroups that stride over all the work. */
#define EACH_GROUP(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11)
#define COUNT(group) +1
enum { GROUPS = EACH_GROUP(COUNT) };

static void walk_on_lavapipe(size_t first)
{
    vks_context *c = open_gpu();
    uint32_t most = c->device->info.max_groups;
    for (size_t i = first; i < sizeof cases / sizeof *cases; i += GROUPS) {
        walk_sizes(c, cases[i], false, gpu_name());
        c->device->info.max_groups = 3;
        walk_sizes(c, cases[i], true, gpu_name());
        c->device->info.max_groups = most;
    }
    close_context(c);
}

#define X(group)                                                                       \
    Test(kernels, have_the_defined_bits_on_lavapipe_at_every_size_##group, SHADER_RUN) \
    {                                                                                  \
        walk_on_lavapipe(group);                                                       \
    }
EACH_GROUP(X)
#undef X

/* Whether this processor and this build support it. */
static bool has_isa(const char *name)
{
    struct message m = {0};
    struct device_options o = {.host_isa = name};
    struct device *d = NULL;
    vks_status s = device_host_create(&m, &o, &d);
    device_destroy(d);
    return !s;
}

static void walk_all_cases_in(const char *isa)
{
    if (!has_isa(isa))
        cr_skip_test("neither this processor nor this build need have %s", isa);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        walk_on_host(isa, cases[i]);
}

Test(kernels, every_host_processor_has_the_base_instruction_set)
{
    cr_expect(has_isa("base"));
    cr_expect_not(has_isa("v9"));
}

Test(kernels, the_twins_for_base_give_the_defined_bits_at_every_size)
{
    walk_all_cases_in("base");
}

Test(kernels, the_twins_for_v3_give_the_defined_bits_at_every_size)
{
    walk_all_cases_in("v3");
}

Test(kernels, the_twins_for_v4_give_the_defined_bits_at_every_size)
{
    walk_all_cases_in("v4");
}

static void stop_all_cases(vks_context *c, const char *where)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job j = {.p = cases[i]->words ? PRECISION_F32 : PRECISION_F64,
                        .n = cases[i]->long_rows ? 13 : 2049};
        struct inputs in;
        make_inputs(&in, &j, cases[i]);
        job_run_stopped(&j, c->device, cases[i], where);
        free_inputs(&in);
    }
    close_context(c);
}

Test(kernels, a_guard_keeps_every_kernel_that_takes_one_from_writing)
{
    stop_all_cases(open_host(), "host");
}

Test(kernels, a_guard_keeps_every_kernel_that_takes_one_from_writing_on_lavapipe, SHADER_RUN)
{
    stop_all_cases(open_gpu(), gpu_name());
}

/* Marks the kernels of a recording. */
static void mark(const struct rec *r, bool *seen)
{
    for (uint32_t i = 0; i < r->count; i++)
        seen[r->list[i].kernel] = true;
}

static void mark_cases(vks_context *c, uint32_t long_rows, bool *seen)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct job j = {.p = PRECISION_F64, .n = cases[i]->long_rows ? long_rows : 2049};
        struct inputs in;
        make_inputs(&in, &j, cases[i]);
        job_begin(&j, c->device, cases[i]);
        mark(&j.r, seen);
        job_end(&j);
        free_inputs(&in);
    }
}

static void mark_method(vks_context *c, uint32_t lanes, vks_format format, vks_coding coding, bool together,
                        bool *seen)
{
    struct host_csr A = random_spd(PRECISION_F64, 33, 1);
    double *r0 = random_vector(PRECISION_F64, 33, 1, 1);
    struct cg_job j = {PRECISION_F64, &A, r0, true, lanes, 1, 2, 1, format, coding, together};
    struct cg_run t;
    if (together)
        make_co_resident(c);
    cg_begin(&t, c, &j);
    mark(&t.r, seen);
    cg_end(&t);
    free(r0);
    host_csr_free(&A);
}

/* Marks the kernels that a solve records, which the suite of its method tests. */
static void mark_solve(vks_context *c, uint32_t n, const vks_solve_options *o, bool *seen)
{
    struct host_csr A = random_spd(PRECISION_F64, n, 1);
    vks_matrix *m = NULL;
    must_work(c, vks_matrix_from_csr(c, n, n, A.row, A.col, A.val, NULL, &m));
    vks_vector *b = vector_of(c, PRECISION_F64, NULL, n), *x = vector_of(c, PRECISION_F64, NULL, n);
    struct solve s;
    must_work(c, solve_open(&s, &(struct equation){m, b, x, false}, o));
    must_work(c, solve_setup(&s));
    must_work(c, batches_record(&s.it));
    mark(&s.it.start, seen);
    mark(&s.it.batches.unit, seen);
    mark(&s.it.refinement.gather, seen);
    solve_close(&s);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_matrix_destroy(m);
    host_csr_free(&A);
}

static void mark_krylov(vks_context *c, bool *seen)
{
    static const vks_precond_options uncut = {.kind = VKS_PRECOND_ILUT, .rows = VKS_ALL_ROWS};
    static const vks_solve_options all[] = {
        {.method = VKS_METHOD_IDR, .precond = VKS_PRECOND_JACOBI},
        {.method = VKS_METHOD_IDR, .precond = VKS_PRECOND_ILUT},
        {.method = VKS_METHOD_IDR, .precond_options = &uncut},
        {.method = VKS_METHOD_MINRES},
        {.method = VKS_METHOD_BICGSTAB, .precond = VKS_PRECOND_JACOBI},
        {.method = VKS_METHOD_GMRES, .precond = VKS_PRECOND_JACOBI},
    };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        mark_solve(c, all[k].precond_options ? 1100 : 33, &all[k], seen);
}

/* Marks the kernels of batches, which test_batch.c compares with the textbook algorithm. */
static void mark_batch(vks_context *c, bool *seen)
{
    OWNED(vks_batch) *q = NULL;
    must_work(
        c, vks_batch_create(c, 1, 1, (uint32_t[]){0, 1}, (uint32_t[]){0}, VKS_F64, (double[]){1}, NULL, &q));
    const struct batch_solve s = {.q = q, .b = q->r, .x = q->p, .running = words_of(&q->running), .turns = 1};
    OWNED_BY(rec_destroy) struct rec r = {0};
    rec_create(&r, c->device, PRECISION_F64);
    batch_values(&r, q, vec_reals(q->r));
    batch_start(&r, &s);
    batch_residual(&r, &s);
    for (q->method = BATCH_BY_CG; q->method <= BATCH_BY_ELIMINATION; q->method++)
        batch_iterate(&r, &s);
    mark(&r, seen);
}

/* test_kernels_solver.c tests the methods' kernels. */
Test(kernels, no_kernel_is_without_a_case)
{
    bool seen[KERNEL_COUNT] = {false};
    vks_context *c = open_host();
    mark_cases(c, 13, seen); /* rows of several pieces */
    mark_cases(c, 1, seen);  /* a row with more pieces than are summed at a time */
    mark_method(c, 1, VKS_FORMAT_CSR, 0, false, seen);
    mark_method(c, 4, VKS_FORMAT_CSR, 0, false, seen);
    mark_method(c, 1, VKS_FORMAT_SELL, VKS_CODED_NEVER, false, seen);
    mark_method(c, 1, VKS_FORMAT_SELL, VKS_CODED_ALWAYS, false, seen);
    mark_method(c, 1, VKS_FORMAT_BSR, 0, false, seen);
    mark_method(c, 1, VKS_FORMAT_ELL, 0, false, seen);
    mark_method(c, 1, VKS_FORMAT_CSR, 0, true, seen);
    mark_method(c, 1, VKS_FORMAT_SELL, VKS_CODED_NEVER, true, seen);
    mark_method(c, 1, VKS_FORMAT_SELL, VKS_CODED_ALWAYS, true, seen);
    mark_krylov(c, seen);
    mark_batch(c, seen);
    for (int i = 0; i < KERNEL_COUNT; i++)
        cr_expect(seen[i], "no case records the kernel \"%s\": add one to tests/support/*_case*.h",
                  kernels[i].name);
    close_context(c);
}

Test(kernels, the_arithmetic_of_the_devices_qualifies)
{
    const char *devices[] = {"host", gpu_name()};
    for (int i = 0; i < 2; i++) {
        vks_selftest t;
        vks_context *c = open_context(devices[i], (struct device_options){0});
        must_work(c, vks_context_selftest(c, &t));
        cr_expect_eq(t.qualifies[VKS_F32], 1, "%s in f32", devices[i]);
        cr_expect_eq(t.qualifies[VKS_F64], 1, "%s in f64", devices[i]);
        close_context(c);
    }
}
