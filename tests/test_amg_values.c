/* Multigrid alone and over time: symmetry of its cycle, new values, several solves that share it. */
#include "tests/support/multigrid_models.h"
#include "tests/support/precond.h"
#include "tests/support/repeated.h"
#include "vksolve/precond.h"

static const vks_precond_options kinds[] = {{.kind = VKS_PRECOND_AMG},
                                            {.kind = VKS_PRECOND_AMG, .in_f32 = 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static long double dot_of(const double *x, const double *y, uint32_t n)
{
    long double sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += (long double)x[i] * y[i];
    return sum;
}

/* x . M y = y . M x up to rounding, which is small compared with the norms. */
TestOnBoth(amg_values, the_cycle_is_symmetric_and_positive)
{
    OWNED_STRUCT(host_csr) host = mesh_csr(9);
    uint32_t n = host.rows;
    OWNED(double) *x = random_vector(PRECISION_F32, n, 2, 1), *y = random_vector(PRECISION_F32, n, 2, 2);
    OWNED(vks_matrix) *A = put_on(c, &host, PRECISION_F64, VKS_FORMAT_AUTO);
    for (int k = 0; k < KINDS; k++) {
        struct precond *M = make_good(c, A, PRECISION_F64, kinds[k]);
        double *Mx = applied(c, M, x), *My = applied(c, M, y), u = k ? 0x1p-24 : 0x1p-53;
        long double size =
            sqrtl(dot_of(x, x, n) * dot_of(My, My, n)) + sqrtl(dot_of(y, y, n) * dot_of(Mx, Mx, n));
        cr_expect_eq(M->levels, 2);
        cr_expect_gt(precond_bytes(M), 8 * (uint64_t)n);
        cr_expect(fabsl(dot_of(x, My, n) - dot_of(y, Mx, n)) <= 1000 * u * size, "%d", k);
        cr_expect(dot_of(x, Mx, n) > 0 && dot_of(y, My, n) > 0);
        free(Mx);
        free(My);
        precond_destroy(M);
    }
}

/* Other links become strong, so P and the number of aggregates change; then one matrix is refused, and the
 * next is not. */
TestOnBoth(amg_values, refreshed_it_has_the_bits_of_one_that_is_made_again)
{
    static const vks_precision stored[] = {VKS_F64, VKS_MIXED, VKS_F32};
    bool few = c->device->info.kind != DEVICE_HOST;
    for (int p = 0; p < (few ? 1 : 3); p++)
        for (int k = 0; k < KINDS; k++) {
            struct host_csr A = grid_csr(square(26, 1)), thin = grid_csr(square(26, 1e-3));
            vks_solve_options o = {.precond_options = &kinds[k], .rtol = p == 2 ? 1e-4 : 1e-9};
            OWNED_STRUCT(repeated) r =
                make_repeated_of(c, A, (vks_matrix_options){.precision = stored[p]}, o);
            vks_solve_report first = solve_twice(&r);
            must_work(c, vks_matrix_set_values(r.A, VKS_F64, thin.val));
            must_work(c, vks_vector_fill(r.x, 1));
            vks_solve_report second = solve_twice(&r);
            thin.val[0] = -1;
            must_work(c, vks_matrix_set_values(r.A, VKS_F64, thin.val));
            cr_expect_eq(solve_twice(&r).reason, VKS_REASON_NOT_POSITIVE_DEFINITE);
            must_work(c, vks_matrix_set_values(r.A, VKS_F64, A.val));
            must_work(c, vks_vector_fill(r.x, 2));
            vks_solve_report last = solve_twice(&r);
            cr_expect(first.reason == VKS_REASON_CONVERGED && second.reason == VKS_REASON_CONVERGED &&
                      last.reason == VKS_REASON_CONVERGED && last.iterations > 3);
            host_csr_free(&thin);
        }
}

static double *solve_from_zero(const struct repeated *r, vks_solve_options o, uint32_t *iterations)
{
    vks_solve_report report;
    double *x = room(r->host.rows, 8);
    must_work(r->c, vks_vector_fill(r->x, 0));
    must_work(r->c, vks_solve(r->A, r->b, r->x, &o, &report));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED, "%s", report.detail);
    must_work(r->c, vks_vector_read(r->x, 0, r->host.rows, VKS_F64, x));
    *iterations = report.iterations;
    return x;
}

/* A shared one keeps its old values until it is updated to those of the matrix. */
static void share(vks_context *c)
{
    for (int k = 0; k < KINDS; k++) {
        OWNED_STRUCT(host_csr) thin = grid_csr(square(26, 1e-3));
        OWNED_STRUCT(repeated) r = make_repeated_of(c, grid_csr(square(26, 1)), (vks_matrix_options){0},
                                                    (vks_solve_options){.precond_options = &kinds[k]});
        OWNED(vks_precond) *M = NULL;
        vks_precond_facts facts;
        uint32_t own, shared, old, updated;
        must_work(c, vks_precond_create(r.A, &kinds[k], &M));
        must_work(c, vks_precond_report(M, &facts));
        cr_expect(facts.kind == VKS_PRECOND_AMG && facts.levels == 2 && facts.reason == VKS_REASON_NOT_RUN);
        vks_solve_options with = {.shared_precond = M}, without = {.precond_options = &kinds[k]};
        OWNED(double) *want = solve_from_zero(&r, without, &own), *x = solve_from_zero(&r, with, &shared);
        must_equal(x, want, r.host.rows, "x of a shared one");
        cr_expect_eq(own, shared);
        free(x);
        free(want);
        must_work(c, vks_matrix_set_values(r.A, VKS_F64, thin.val));
        x = solve_from_zero(&r, with, &old);
        free(x);
        must_work(c, vks_precond_update(M));
        want = solve_from_zero(&r, without, &own);
        x = solve_from_zero(&r, with, &updated);
        must_equal(x, want, r.host.rows, "x of an updated one");
        cr_expect(own == updated && old > updated, "%u, %u, %u iterations", own, updated, old);
    }
}

Test(amg_values, is_shared_and_takes_new_values_when_asked_to)
{
    on_both(share);
}
