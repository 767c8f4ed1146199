/* Conjugate gradients with blocks on the diagonal: the blocks, their benefit, and how a solve ends if they do
 * not suit. */
#include "small_matrix.h"
#include "tests/support/solve.h"

static struct problem problem(const struct host_csr *A, const double *b, enum precision p, uint32_t size)
{
    vks_solve_options o = {.precond = VKS_PRECOND_BLOCK_JACOBI,
                           .block_size = size,
                           .rtol = p == PRECISION_F32 ? 1e-4 : 1e-9,
                           .history_capacity = 200};
    return (struct problem){.A = A, .b = b, .p = p, .options = o};
}

/* Blocks of `size` rows and no other entries, positive definite and not diagonally dominant. */
static struct host_csr only_blocks(uint32_t count, uint32_t size)
{
    uint32_t n = count * size;
    struct host_csr A = new_csr(n, n, (size_t)n * size);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        for (uint32_t j = 0; j < size; j++, k++) {
            A.col[k] = i / size * size + j;
            A.val[k] = i % size == j ? 2 + i / size % 7 : 1;
        }
        A.row[i + 1] = k;
    }
    return A;
}

static double *ones(uint32_t n)
{
    double *b = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        b[i] = 1 + i % 3;
    return b;
}

/* Natural blocks are found; with M = A, one iteration suffices. */
TestEverywhere(block_jacobi, natural_blocks_are_the_rows_with_the_same_columns)
{
    for (uint32_t size = 2; size <= 32; size += 10) {
        OWNED_STRUCT(host_csr) A = only_blocks(23, size);
        OWNED(double) *b = ones(A.rows);
        struct problem q = problem(&A, b, p, 0);
        OWNED_STRUCT(solved) s = solve(c, &q);
        must_end(&s, VKS_REASON_CONVERGED);
        cr_expect_eq(s.report.blocks, 23, "%u blocks of %u", s.report.blocks, size);
        cr_expect_eq(s.report.largest_block, size);
        cr_expect_leq(s.report.iterations, 2, "%u iterations", s.report.iterations);
        solved_free(&s);
        q = problem(&A, b, p, size);
        q.options.block_size = size - 1;
        s = solve(c, &q);
        cr_expect_eq(s.report.blocks, (23 * size + size - 2) / (size - 1));
        cr_expect_eq(s.report.largest_block, size - 1);
        cr_expect_gt(s.report.iterations, 2);
    }
}

/* 33 alike rows make two blocks. */
TestOnHost(block_jacobi, a_long_run_of_like_rows_is_cut)
{
    OWNED_STRUCT(host_csr) A = only_blocks(1, 33);
    OWNED(double) *b = ones(33);
    struct problem q = problem(&A, b, PRECISION_F64, 0);
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_eq(s.report.blocks, 2);
    cr_expect_eq(s.report.largest_block, 32);
}

/* A block of one row must give the same z = (1 / a_ii) r. */
TestEverywhere(block_jacobi, blocks_of_one_row_have_the_bits_of_jacobi)
{
    OWNED_STRUCT(host_csr) A = random_spd(stored_precision(p), 2500, 3);
    OWNED(double) *b = random_vector(p, 2500, 2, 4);
    struct problem q = problem(&A, b, p, 1), diagonal = q;
    diagonal.options.precond = VKS_PRECOND_JACOBI;
    diagonal.options.block_size = 0;
    OWNED_STRUCT(solved) s = solve(c, &q), want = solve(c, &diagonal);
    must_end(&s, VKS_REASON_CONVERGED);
    must_match(&s, &want, 2500, "blocks of one row");
}

/* The nodes of elasticity have three unknowns. */
Test(block_jacobi, has_the_same_bits_on_all_devices_and_in_all_formats)
{
    vks_context *c[] = {open_host(), open_gpu(),
                        open_context(gpu_name(), (struct device_options){.max_groups = 3})};
    OWNED_STRUCT(host_csr) A = model("elasticity3d", 6);
    OWNED(double) *b = ones(A.rows);
    static const vks_format formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_SELL, VKS_FORMAT_BSR};
    static const uint32_t sizes[] = {0, 7};
    for (int size = 0; size < 2; size++) {
        struct problem q = problem(&A, b, PRECISION_F64, sizes[size]);
        q.options.max_iterations = 12;
        OWNED_STRUCT(solved) want = solve_in(c[0], &q, VKS_FORMAT_CSR);
        cr_expect_eq(want.report.blocks, size ? (A.rows + 6) / 7 : A.rows / 3);
        for (int i = 0; i < 3; i++)
            for (int f = 0; f < (i == 2 ? 1 : 3); f++) {
                OWNED_STRUCT(solved) s = solve_in(c[i], &q, formats[f]);
                must_match(&s, &want, A.rows, vks_format_name(formats[f]));
            }
    }
    for (int i = 0; i < 3; i++)
        close_context(c[i]);
}

/* The nodes of bcsstk14 have six unknowns; their rows are not all alike. */
TestOnHost(block_jacobi, halves_the_iterations_on_a_structure_whose_nodes_are_its_blocks)
{
    OWNED(vks_matrix) *A = NULL;
    must_work(c, vks_matrix_read(c, SOURCE_DIR "/matrices/bcsstk14.mtx.gz", NULL, &A));
    uint32_t n = vks_matrix_rows(A);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, n), *x = vector_of(c, PRECISION_F64, NULL, n);
    must_work(c, vks_vector_fill(x, 1));
    must_work(c, vks_spmv(A, x, b));
    vks_solve_options with = {.precond = VKS_PRECOND_BLOCK_JACOBI, .block_size = 6, .zero_guess = 1};
    vks_solve_report r, diagonal;
    must_work(c, vks_cg_solve(A, b, x, &(vks_solve_options){.zero_guess = 1}, &diagonal));
    must_work(c, vks_cg_solve(A, b, x, &with, &r));
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
    cr_expect_lt(2 * r.iterations, diagonal.iterations, "%u instead of %u", r.iterations,
                 diagonal.iterations);
}

/* Two alike, full rows: the comparison has a limit, also on software devices. */
static void compare_rows_of(uint32_t n, uint32_t blocks)
{
    OWNED(vks_context) *c = open_host();
    OWNED_STRUCT(host_csr) A = new_csr(n, n, 3 * (size_t)n);
    for (uint32_t i = 0, k = 0; i < n; i++) {
        for (uint32_t j = i < 2 ? 0 : i; j < (i < 2 ? n : i + 1); j++) {
            A.col[k] = j;
            A.val[k++] = i == j ? 2 * n : 1;
        }
        A.row[i + 1] = k;
    }
    OWNED(double) *b = ones(n);
    struct problem q = problem(&A, b, PRECISION_F64, 0);
    q.options.max_iterations = 1;
    OWNED_STRUCT(solved) s = solve(c, &q);
    cr_expect_eq(s.report.blocks, blocks, "%u blocks of %u rows", s.report.blocks, n);
}

Test(block_jacobi, rows_of_more_than_32768_entries_are_like_no_other)
{
    compare_rows_of(32768, 32767);
    compare_rows_of(32769, 32769);
}

/* Rows 5 and 6 (from 1) of the third block are equal; for the last block, r.z is negative. */
TestEverywhere(block_jacobi, a_singular_block_is_named_with_its_rows_and_a_negative_one_by_the_iteration)
{
    OWNED_STRUCT(host_csr) A = only_blocks(40, 3);
    OWNED(double) *b = ones(120);
    for (uint32_t j = 0; j < 3; j++)
        A.val[A.row[7] + j] = A.val[A.row[6] + j] = A.val[A.row[8] + j] = 1;
    struct problem q = problem(&A, b, p, 3);
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "block 3 of the preconditioner, rows 7 to 9 of A, is singular"), "%s",
              s.report.detail);
    cr_expect_eq(s.report.row, 6);
    cr_expect_eq(s.report.iterations, 0);
    solved_free(&s);
    host_csr_free(&A);
    A = only_blocks(40, 3);
    for (uint32_t k = 0; k < A.row[120]; k++)
        A.val[k] = -A.val[k];
    s = solve(c, &q);
    must_end(&s, VKS_REASON_NOT_POSITIVE_DEFINITE);
    cr_expect(strstr(s.report.detail, "r.z = -"), "%s", s.report.detail);
}

/* Long rows, a lean matrix, values in f32. */
TestOnHost(block_jacobi, works_beside_long_rows_in_lean_and_in_mixed_matrices)
{
    enum { N = 900 };
    OWNED_STRUCT(host_csr) A = new_csr(N, N, 4 * N);
    double *b = ones(N), x[2][N];
    for (uint32_t i = 0, k = 0; i < N; i++) { /* an arrow: row 0 is full */
        for (uint32_t j = 0; j < N; j++)
            if (i == j || i == 0 || j == 0) {
                A.col[k] = j;
                A.val[k++] = i == j ? (i ? 2 : N) : -0.5;
            }
        A.row[i + 1] = k;
    }
    OWNED(vks_vector) *right = vector_of(c, PRECISION_F64, b, N), *at = vector_of(c, PRECISION_F64, NULL, N);
    for (int turn = 0; turn < 2; turn++) {
        vks_matrix_options o = {.precision = turn ? VKS_MIXED : VKS_F64,
                                .storage = {.format = VKS_FORMAT_SELL, .lean = turn}};
        OWNED(vks_matrix) *m = matrix_from(c, &A, &o);
        vks_solve_options with = {.precond = VKS_PRECOND_BLOCK_JACOBI, .block_size = 4, .zero_guess = 1};
        vks_solve_report r;
        must_work(c, vks_cg_solve(m, right, at, &with, &r));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
        must_work(c, vks_vector_read(at, 0, N, VKS_F64, x[turn]));
    }
    must_equal(x[1], x[0], N, "lean and mixed");
    free(b);
}

TestOnHost(block_jacobi, sizes_that_do_not_fit_are_refused)
{
    OWNED_STRUCT(host_csr) A = tridiagonal(9, -1, 2, -1);
    OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
    double v[9] = {1};
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, v, 9), *x = vector_of(c, PRECISION_F64, NULL, 9);
    vks_solve_options large = {.precond = VKS_PRECOND_BLOCK_JACOBI, .block_size = 33},
                      other = {.block_size = 3};
    must_refuse(c, vks_cg_solve(m, b, x, &large, NULL), VKS_INVALID_ARGUMENT,
                "blocks of 33 rows; 1 to 32 are allowed");
    must_refuse(c, vks_cg_solve(m, b, x, &other, NULL), VKS_INVALID_ARGUMENT, "is for block-jacobi");
}
