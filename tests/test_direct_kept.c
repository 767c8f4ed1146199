/* Factors by UMFPACK that a solver keeps, and UMFPACK as a strategy of the automatic method. Tests that need
 * the library are skipped without it. */
#include "tests/support/device_matrix.h"
#include "tests/support/direct.h"

#include <dlfcn.h>

/* A system, and a kept solver. */
struct kept_system {
    vks_context *c;
    struct host_csr a;
    vks_matrix *m;
    vks_vector *b, *x;
    vks_solver *solver;
};

static struct kept_system keep(vks_context *c, struct host_csr a, vks_solve_options o)
{
    struct kept_system k = {.c = c, .a = a};
    OWNED(double) *b = random_values(a.rows);
    o.zero_guess = 1;
    must_work(c, vks_matrix_from_csr(c, a.rows, a.rows, a.row, a.col, a.val, NULL, &k.m));
    k.b = vector_of(c, PRECISION_F64, b, a.rows);
    k.x = vector_of(c, PRECISION_F64, NULL, a.rows);
    must_work(c, vks_solver_create(k.m, &o, &k.solver));
    return k;
}

static void let_go(struct kept_system *k)
{
    vks_solver_destroy(k->solver);
    vks_vector_destroy(k->x);
    vks_vector_destroy(k->b);
    vks_matrix_destroy(k->m);
    host_csr_free(&k->a);
}

static void change_values(struct kept_system *k)
{
    for (size_t i = 0; i < host_csr_entries(&k->a); i++)
        k->a.val[i] *= 1 + 0.125 * (double)(i % 3);
    must_work(k->c, vks_matrix_set_values(k->m, VKS_F64, k->a.val));
}

/* Must have the same bits as a solver that rebuilds its factors. */
static void must_solve_alike(struct kept_system *k, vks_method method)
{
    uint32_t n = k->a.rows;
    OWNED(double) *x = room(n, 8), *y = room(n, 8);
    vks_solve_report kept, single;
    must_work(k->c, vks_solver_solve(k->solver, k->b, k->x, &kept));
    must_work(k->c, vks_vector_read(k->x, 0, n, VKS_F64, x));
    vks_solve_options o = {.method = method, .zero_guess = 1};
    must_work(k->c, vks_solve(k->m, k->b, k->x, &o, &single));
    must_work(k->c, vks_vector_read(k->x, 0, n, VKS_F64, y));
    cr_expect_eq(kept.reason, VKS_REASON_CONVERGED, "%s", kept.detail);
    cr_expect_eq(kept.method, method);
    cr_expect_arr_eq(x, y, n * sizeof *x);
    cr_expect(same_bits(kept.true_residual, single.true_residual));
}

static void keep_both(vks_context *c)
{
    static const vks_method methods[] = {VKS_METHOD_DIRECT, VKS_METHOD_GAUSS_JORDAN};
    for (int i = 0; i < 2; i++) {
        struct kept_system k = keep(c, random_matrix(97), (vks_solve_options){.method = methods[i]});
        must_solve_alike(&k, methods[i]);
        must_work(c, vks_vector_write(k.b, 0, 97, VKS_F64, k.a.val));
        must_solve_alike(&k, methods[i]);
        change_values(&k);
        must_solve_alike(&k, methods[i]);
        must_work(c, vks_solver_update(k.solver));
        must_solve_alike(&k, methods[i]);
        let_go(&k);
    }
}

Test(direct_kept, gives_the_bits_of_single_solves)
{
    need_library();
    on_both(keep_both);
}

static int calls(const char *what)
{
    static void *library;
    if (!library)
        library = dlopen(PRETENDED_UMFPACK, RTLD_NOW);
    const int *count = dlsym(library, what);
    cr_assert_not_null(count);
    return *count;
}

static struct kept_system keep_pretended(vks_context *c, vks_solve_options o)
{
    setenv("VKSOLVE_UMFPACK", PRETENDED_UMFPACK, 1);
    return keep(c, tridiagonal(1, 0, 4, 0), o);
}

static vks_solve_report solve_kept(const struct kept_system *k)
{
    vks_solve_report r;
    must_work(k->c, vks_solver_solve(k->solver, k->b, k->x, &r));
    return r;
}

TestOnHost(direct_kept, factors_again_only_for_new_values)
{
    struct kept_system k = keep_pretended(c, direct);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(solve_kept(&k).reason, VKS_REASON_CONVERGED);
    cr_expect(calls("pretended_analyses") == 1 && calls("pretended_factors") == 1);
    for (int i = 0; i < 2; i++) {
        change_values(&k);
        cr_expect_eq(solve_kept(&k).reason, VKS_REASON_CONVERGED);
    }
    cr_expect(calls("pretended_analyses") == 1 && calls("pretended_factors") == 3);
    let_go(&k);
}

/* The order for the previous values may lead to zero pivots. */
TestOnHost(direct_kept, analyses_again_where_new_values_make_a_singular)
{
    struct kept_system k = keep_pretended(c, direct);
    cr_expect_eq(solve_kept(&k).reason, VKS_REASON_CONVERGED);
    change_values(&k);
    setenv("PRETENDED_numeric", "1", 1);
    vks_solve_report r = solve_kept(&k);
    cr_expect(strstr(r.warning, "1 zero pivot"), "%s", r.warning);
    cr_expect(calls("pretended_analyses") == 2 && calls("pretended_factors") == 3);
    unsetenv("PRETENDED_numeric");
    change_values(&k);
    cr_expect(!solve_kept(&k).warning[0]);
    let_go(&k);
}

TestOnHost(direct_kept, solves_after_a_failure)
{
    struct kept_system k = keep_pretended(c, direct);
    vks_solve_report r;
    for (int i = 0; i < 2; i++) {
        setenv(i ? "PRETENDED_solve" : "PRETENDED_numeric", "-1", 1);
        must_refuse(c, vks_solver_solve(k.solver, k.b, k.x, &r), VKS_OUT_OF_MEMORY, "UMFPACK has no room");
        unsetenv(i ? "PRETENDED_solve" : "PRETENDED_numeric");
        cr_expect_eq(solve_kept(&k).reason, VKS_REASON_CONVERGED);
    }
    let_go(&k);
}

/* The automatic method with a library that behaves as `step` requests. */
static vks_solve_report solve_automatically(vks_context *c, const char *step, const char *code,
                                            vks_solve_options o)
{
    setenv(step, code, 1);
    struct kept_system k = keep_pretended(c, o);
    vks_solve_report r = solve_kept(&k);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s=%s: %s", step, code, r.detail);
    unsetenv(step);
    let_go(&k);
    return r;
}

TestOnHost(direct_kept, is_the_first_attempt_of_small_systems_on_the_host_if_it_promises_little)
{
    static const struct {
        const char *step, *code;
        vks_solve_options o;
        vks_method method;
        const char *warning;
        uint32_t attempts;
    } all[] = {
        {"PRETENDED_nothing", "0", {0}, VKS_METHOD_DIRECT, "", 1},
        {"PRETENDED_nothing", "0", {.no_direct = 1}, VKS_METHOD_CG, "", 1},
        {"PRETENDED_nothing", "0", {.any_device = 1}, VKS_METHOD_CG, "", 1},
        {"PRETENDED_gigaflops", "100", {0}, VKS_METHOD_CG, "", 1},
        {"PRETENDED_symbolic", "-1", {0}, VKS_METHOD_CG, "", 1},
        {"PRETENDED_symbolic", "-911", {0}, VKS_METHOD_CG, "", 1},
        {"PRETENDED_numeric", "-1", {0}, VKS_METHOD_CG, "left out: direct: out of host memory: UMFPACK", 2},
        {"PRETENDED_solve", "-911", {0}, VKS_METHOD_CG, "left out: direct: UMFPACK's solution failed", 2},
        {"PRETENDED_excess", "6", {0}, VKS_METHOD_CG, "", 2} /* x is validated by its true residual */
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        vks_solve_report r = solve_automatically(c, all[i].step, all[i].code, all[i].o);
        cr_expect_eq(r.method, all[i].method, "%zu: %s", i, vks_method_name(r.method));
        cr_expect(strstr(r.warning, all[i].warning) && !r.warning[0] == !all[i].warning[0], "%zu: %s", i,
                  r.warning);
        cr_expect_eq(r.attempts, all[i].attempts, "%zu: %u", i, r.attempts);
    }
}

TestOnHost(direct_kept, is_no_attempt_where_the_library_is_missing)
{
    setenv("VKSOLVE_UMFPACK", "/nowhere/libumfpack.so", 1);
    struct kept_system k = keep(c, tridiagonal(50, -1, 3, -0.5), (vks_solve_options){0});
    vks_solve_report r = solve_kept(&k);
    cr_expect(r.reason == VKS_REASON_CONVERGED && r.method == VKS_METHOD_IDR && !r.warning[0]);
    let_go(&k);
}

/* Central differences of convection on a square, which dominates diffusion. */
static struct host_csr swept(uint32_t side)
{
    uint32_t n = side * side, count = 0;
    OWNED(uint32_t) *row = room(5 * (size_t)n, 4), *col = room(5 * (size_t)n, 4);
    OWNED(double) *val = room(5 * (size_t)n, 8);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = i % side, y = i / side, to[] = {i, i - 1, i + 1, i - side, i + side};
        const bool is[] = {true, x > 0, x + 1 < side, y > 0, y + 1 < side};
        static const double by[] = {4, -41, 39, -31, 29};
        for (int k = 0; k < 5; k++)
            if (is[k]) {
                row[count] = i;
                col[count] = to[k];
                val[count++] = by[k];
            }
    }
    return assemble(n, count, row, col, val);
}

/* Neither the diagonal nor light incomplete factors suffice, and sparse factors take less than other
 * strategies. */
TestOnHost(direct_kept, follows_iterations_that_have_taken_as_long)
{
    need_library();
    struct kept_system k = keep(c, swept(80), (vks_solve_options){0});
    vks_solve_report r = solve_kept(&k);
    cr_expect(r.reason == VKS_REASON_CONVERGED && r.attempts == 3, "%u attempts", r.attempts);
    cr_expect(r.attempt[0].method == VKS_METHOD_IDR && r.attempt[0].reason == VKS_REASON_ITERATION_LIMIT);
    cr_expect(r.attempt[1].method == VKS_METHOD_IDR && r.attempt[1].precond == VKS_PRECOND_ILUT);
    cr_expect(r.attempt[2].method == VKS_METHOD_DIRECT && r.attempt[2].reason == VKS_REASON_CONVERGED);
    r = solve_kept(&k);
    cr_expect(r.attempts == 1 && r.method == VKS_METHOD_DIRECT, "a kept solver begins with what converged");
    let_go(&k);
}
