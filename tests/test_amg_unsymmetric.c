/* Multigrid for unsymmetric matrices: iterations hardly grow with the size, bits are the same on host and
 * GPU, new values get suitable levels, and a singular coarsest level is refused. */
#include "tests/support/convection_models.h"
#include "tests/support/precond.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/kept_solver.h"
#include "vksolve/precond.h"

static const vks_precond_options amg = {.kind = VKS_PRECOND_AMG},
                                 amg_f32 = {.kind = VKS_PRECOND_AMG, .in_f32 = 1};

static struct problem problem_of(const struct host_csr *A, const double *b, const vks_precond_options *M)
{
    return (struct problem){
        .A = A,
        .b = b,
        .p = PRECISION_F64,
        .options = {.method = VKS_METHOD_IDR, .precond_options = M, .zero_guess = 1, .max_iterations = 60}};
}

static void expect_iterations(vks_context *c, struct host_csr A, const vks_precond_options *M, uint32_t most)
{
    OWNED(double) *b = random_right_side(&A, PRECISION_F64, 3);
    struct problem q = problem_of(&A, b, M);
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_leq(s.report.iterations, most, "%u rows, %u iterations", A.rows, s.report.iterations);
    cr_expect_eq(s.report.scaling, VKS_SCALING_NONE);
    host_csr_free(&A);
}

/* The diagonal alone takes 3 times as many iterations each time the grid is refined by 2, or stagnates. */
TestOnHost(amg_unsymmetric, iterations_hardly_grow_with_the_grid)
{
    for (uint32_t size = 32; size <= 128; size *= 2) {
        expect_iterations(c, whirl(size, 1e-3), &amg_f32, 24);
        expect_iterations(c, whirl(size, 1e-2), &amg, 24);
    }
    for (uint32_t size = 12; size <= 24; size *= 2)
        for (double speed = 1; speed <= 100; speed *= 10)
            expect_iterations(c, wind(size, speed), &amg, 20);
}

Test(amg_unsymmetric, gives_the_same_bits_on_host_and_gpu)
{
    OWNED(vks_context) *host = open_host(), *gpu = open_gpu();
    OWNED_STRUCT(host_csr) A = whirl(33, 1e-3);
    OWNED(double) *b = random_right_side(&A, PRECISION_F64, 3);
    struct problem q = problem_of(&A, b, &amg_f32);
    OWNED_STRUCT(solved) s = solve_on_both(host, gpu, &q, "amg/f32");
    must_end(&s, VKS_REASON_CONVERGED);
    cr_expect_gt(s.report.hierarchy.levels, 1);
}

/* Omits every third entry above the diagonal; the diagonal remains dominant. */
TestOnHost(amg_unsymmetric, takes_entries_without_a_mirror_image)
{
    struct host_csr A = whirl(48, 1e-3);
    uint32_t at = 0, k = 0;
    for (uint32_t i = 0; i < A.rows; i++) {
        for (; k < A.row[i + 1]; k++) {
            if (A.col[k] == i + 1 && i % 3 == 0)
                continue;
            A.col[at] = A.col[k];
            A.val[at++] = A.val[k];
        }
        A.row[i + 1] = at;
    }
    expect_iterations(c, A, &amg_f32, 30);
}

/* Compares x with that of a fresh solver; s has had other values before. */
static void expect_as_new(vks_solver *s, vks_matrix *m, const vks_precond_options *M,
                          const struct host_csr *A, vks_context *c)
{
    OWNED(double) *b = random_right_side(A, PRECISION_F64, 7), *x = room(A->rows, 8);
    OWNED(vks_vector) *right = vector_of(c, PRECISION_F64, b, A->rows),
                      *to = vector_of(c, PRECISION_F64, NULL, A->rows);
    vks_solve_report r;
    must_work(c, vks_matrix_set_values(m, VKS_F64, A->val));
    must_work(c, vks_solver_update(s));
    must_work(c, vks_solver_solve(s, right, to, &r));
    must_work(c, vks_vector_read(to, 0, A->rows, VKS_F64, x));
    struct problem q = problem_of(A, b, M);
    OWNED_STRUCT(solved) want = solve(c, &q);
    must_end(&want, VKS_REASON_CONVERGED);
    must_equal(x, want.x, A->rows, "x of a new solver");
}

TestOnHost(amg_unsymmetric, new_values_change_between_symmetric_and_not)
{
    vks_precond_options keep = amg_f32;
    keep.amg.refresh = VKS_AMG_KEEP;
    OWNED_STRUCT(host_csr) turning = whirl(40, 1e-3), resting = whirl(40, 1e-3);
    for (uint32_t i = 0; i < resting.rows; i++)
        for (uint32_t k = resting.row[i]; k < resting.row[i + 1]; k++)
            resting.val[k] = resting.col[k] == i ? 4 : -1;
    OWNED(vks_matrix) *m = NULL;
    OWNED(vks_solver) *s = NULL;
    must_work(c, vks_matrix_from_csr(c, resting.rows, resting.rows, resting.row, resting.col, resting.val,
                                     NULL, &m));
    vks_solve_options o = problem_of(&resting, NULL, &keep).options;
    must_work(c, vks_solver_create(m, &o, &s));
    expect_as_new(s, m, &keep, &turning, c);
    expect_as_new(s, m, &keep, &resting, c);
    expect_as_new(s, m, &keep, &turning, c);
}

/* Flow around a ring: its rows and columns sum to zero, and all numbers of the elimination are exact. */
TestOnHost(amg_unsymmetric, a_coarsest_level_without_an_inverse_is_refused)
{
    enum { N = 16 };
    OWNED_STRUCT(host_csr) A = new_csr(N, N, 2 * N);
    for (uint32_t i = 0; i < N; i++) {
        uint32_t next = (i + 1) % N, first = next < i;
        A.col[2 * i + first] = i;
        A.val[2 * i + first] = 1;
        A.col[2 * i + !first] = next;
        A.val[2 * i + !first] = -1;
        A.row[i + 1] = 2 * i + 2;
    }
    OWNED(double) *b = random_right_side(&A, PRECISION_F64, 3);
    struct problem q = problem_of(&A, b, &amg);
    OWNED_STRUCT(solved) s = solve(c, &q);
    must_end(&s, VKS_REASON_SINGULAR);
    cr_expect(strstr(s.report.detail, "coarsest level"), "%s", s.report.detail);
}
