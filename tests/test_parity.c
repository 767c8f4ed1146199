/* Whole solves of real matrices on the host and on lavapipe: the same iterations, the same residual history
 * and the same x, bit for bit. */
#include "tests/support/solve.h"

/* The system A x = A 1 of a file of matrices/. */
static struct solved solve_file(const char *device, const char *file, vks_precision p, vks_format format,
                                const vks_solve_options *options)
{
    char path[512];
    OWNED(vks_context) *c = open_context(device, (struct device_options){0});
    vks_matrix_options o = {.precision = p, .storage.format = format};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *x = NULL, *b = NULL;
    snprintf(path, sizeof path, "%s/matrices/%s.mtx.gz", SOURCE_DIR, file);
    must_work(c, vks_matrix_read(c, path, &o, &A));
    uint32_t n = vks_matrix_rows(A), entries = vks_matrix_entries(A);
    must_work(c, vks_vector_create(c, n, p, &x));
    must_work(c, vks_vector_create(c, n, p, &b));
    must_work(c, vks_vector_fill(x, 1));
    must_work(c, vks_spmv(A, x, b));
    must_work(c, vks_vector_fill(x, 0));
    struct solved s = {.x = room(n, 8), .history = room(options->history_capacity, 8)};
    vks_solve_options with = *options;
    with.history = s.history;
    must_work(c, vks_cg_solve(A, b, x, &with, &s.report));
    must_work(c, vks_vector_read(x, 0, n, VKS_F64, s.x));
    OWNED_STRUCT(host_csr) host = new_csr(n, n, entries);
    OWNED(double) *right = room(n, 8);
    must_work(c, vks_matrix_to_csr(A, host.row, host.col, VKS_F64, host.val));
    must_work(c, vks_vector_read(b, 0, n, VKS_F64, right));
    struct problem q = {&host, right, NULL, p == VKS_F64 ? PRECISION_F64 : PRECISION_F32, *options};
    check_report(&q, &s);
    return s;
}

static void compare_formats(const char *file, vks_precision p, uint32_t n, vks_solve_options o,
                            vks_format on_host, vks_format on_gpu)
{
    o.history_capacity = o.max_iterations;
    OWNED_STRUCT(solved) host = solve_file("host", file, p, on_host, &o),
                         gpu = solve_file(gpu_name(), file, p, on_gpu, &o);
    must_match(&host, &gpu, n, file);
    cr_expect_gt(host.report.iterations, 1);
    cr_expect_eq(hash_of(host.x, n), hash_of(gpu.x, n));
    cr_log_info("%s: %s after %u iterations, true residual %g, hash of x %016llx", file,
                vks_reason_name(host.report.reason), host.report.iterations, host.report.true_residual,
                (unsigned long long)hash_of(host.x, n));
}

static void compare(const char *file, vks_precision p, uint32_t n, vks_solve_options o)
{
    compare_formats(file, p, n, o, VKS_FORMAT_AUTO, VKS_FORMAT_AUTO);
}

/* X(file, rows) */
#define FILES(X)          \
    X(s1rmq4m1, 5489)     \
    X(nasa2146, 2146)     \
    X(bcsstk14, 1806)     \
    X(1138_bus, 1138)     \
    X(gr_30_30, 900)      \
    X(bcsstk06, 420)      \
    X(Trefethen_200, 200) \
    X(LFAT5, 14)

#define X(file, rows)                                                              \
    Test(parity, of_host_and_lavapipe_holds_for_##file##_in_f64)                   \
    {                                                                              \
        compare(#file, VKS_F64, rows, (vks_solve_options){.max_iterations = 250}); \
    }
FILES(X)
#undef X

Test(parity, of_host_and_lavapipe_holds_for_bodyy4_without_a_preconditioner_in_f64)
{
    compare("bodyy4", VKS_F64, 17546, (vks_solve_options){.max_iterations = 60, .precond = VKS_PRECOND_NONE});
}

Test(parity, of_host_and_lavapipe_holds_for_nasa2146_in_f32)
{
    compare("nasa2146", VKS_F32, 2146, (vks_solve_options){.max_iterations = 250, .rtol = 1e-4});
}

Test(parity, of_host_and_lavapipe_holds_for_gr_30_30_in_f32_to_its_stagnation)
{
    compare("gr_30_30", VKS_F32, 900, (vks_solve_options){.max_iterations = 1000, .rtol = 1e-12});
}

Test(parity, of_host_and_lavapipe_holds_for_the_indefinite_bcsstm10)
{
    compare("bcsstm10", VKS_F64, 1086,
            (vks_solve_options){.max_iterations = 250, .precond = VKS_PRECOND_NONE});
}

/* Mean row lengths for 2, 4 and 8 lanes. */
Test(parity, of_csr_on_the_host_and_slices_on_lavapipe_and_the_other_way_round)
{
    vks_solve_options o = {.max_iterations = 80};
    compare_formats("bcsstk06", VKS_F64, 420, o, VKS_FORMAT_CSR, VKS_FORMAT_SELL);
    compare_formats("nasa2146", VKS_F32, 2146, o, VKS_FORMAT_CSR, VKS_FORMAT_SELL);
    compare_formats("s1rmq4m1", VKS_F64, 5489, o, VKS_FORMAT_SELL, VKS_FORMAT_CSR);
    compare_formats("LFAT5", VKS_F64, 14, o, VKS_FORMAT_SELL, VKS_FORMAT_SELL);
    compare_formats("bcsstk06", VKS_F64, 420, o, VKS_FORMAT_CSR, VKS_FORMAT_ELL);
}
