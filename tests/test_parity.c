/* Whole solves of real matrices on the host and on lavapipe: the same iterations, the same residual history
 * and the same x, bit for bit. */
#include "tests/support/solve.h"

/* The system A x = A 1 of a file of matrices/. */
static struct solved solve_file(vks_context *c, const char *file, vks_precision p, vks_format format,
                                const vks_solve_options *options)
{
    char path[512];
    vks_matrix_options o = {.precision = p, .storage.format = format};
    OWNED(vks_matrix) *A = NULL;
    snprintf(path, sizeof path, "%s/matrices/%s.mtx.gz", SOURCE_DIR, file);
    must_work(c, vks_matrix_read(c, path, &o, &A));
    uint32_t n = vks_matrix_rows(A), entries = vks_matrix_entries(A);
    OWNED(vks_vector) *x = vector_of(c, precision_of(p), NULL, n),
                      *b = vector_of(c, precision_of(p), NULL, n);
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

struct row {
    const char *file;
    uint32_t n;
    vks_precision p;
    vks_solve_options options;
    vks_format on_host, on_gpu;
};

/* All in two contexts, so that pipelines are made once. */
static void compare(const struct row *rows, size_t count)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    for (const struct row *r = rows; r < rows + count; r++) {
        vks_solve_options o = r->options;
        o.history_capacity = o.max_iterations;
        OWNED_STRUCT(solved) a = solve_file(host, r->file, r->p, r->on_host, &o),
                             b = solve_file(gpu, r->file, r->p, r->on_gpu, &o);
        must_match(&a, &b, r->n, r->file);
        cr_expect_gt(a.report.iterations, 1, "%s", r->file);
        cr_log_info("%s: %s after %u iterations, true residual %g, hash of x %016llx", r->file,
                    vks_reason_name(a.report.reason), a.report.iterations, a.report.true_residual,
                    (unsigned long long)hash_of(a.x, r->n));
    }
}

Test(parity, of_host_and_lavapipe_holds_for_shipped_matrices)
{
    static const struct row rows[] = {
        {"s1rmq4m1", 5489, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"nasa2146", 2146, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"bcsstk14", 1806, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"1138_bus", 1138, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"gr_30_30", 900, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"bcsstk06", 420, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"Trefethen_200", 200, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"LFAT5", 14, VKS_F64, {.max_iterations = 250}, 0, 0},
        {"bodyy4", 17546, VKS_F64, {.max_iterations = 60, .precond = VKS_PRECOND_NONE}, 0, 0},
        /* indefinite */
        {"bcsstm10", 1086, VKS_F64, {.max_iterations = 250, .precond = VKS_PRECOND_NONE}, 0, 0}};
    compare(rows, sizeof rows / sizeof *rows);
}

Test(parity, of_host_and_lavapipe_holds_in_f32_to_the_stagnation_of_gr_30_30)
{
    static const struct row rows[] = {
        {"nasa2146", 2146, VKS_F32, {.max_iterations = 250, .rtol = 1e-4}, 0, 0},
        {"gr_30_30", 900, VKS_F32, {.max_iterations = 1000, .rtol = 1e-12}, 0, 0}};
    compare(rows, sizeof rows / sizeof *rows);
}

/* Mean row lengths for 2, 4 and 8 lanes. */
Test(parity, of_csr_on_the_host_and_slices_on_lavapipe_and_the_other_way_round)
{
    static const struct row rows[] = {
        {"bcsstk06", 420, VKS_F64, {.max_iterations = 80}, VKS_FORMAT_CSR, VKS_FORMAT_SELL},
        {"nasa2146", 2146, VKS_F32, {.max_iterations = 80}, VKS_FORMAT_CSR, VKS_FORMAT_SELL},
        {"s1rmq4m1", 5489, VKS_F64, {.max_iterations = 80}, VKS_FORMAT_SELL, VKS_FORMAT_CSR},
        {"LFAT5", 14, VKS_F64, {.max_iterations = 80}, VKS_FORMAT_SELL, VKS_FORMAT_SELL},
        {"bcsstk06", 420, VKS_F64, {.max_iterations = 80}, VKS_FORMAT_CSR, VKS_FORMAT_ELL}};
    compare(rows, sizeof rows / sizeof *rows);
}
