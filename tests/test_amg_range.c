/* Algebraic multigrid with very large or very small numbers: matrices in other units, a boundary condition by
 * penalty, near-null vectors of any length. */
#include "tests/support/multigrid_models.h"
#include "tests/support/nodes.h"

/* f64, f64 with cycles in f32, f32. */
enum { WAYS = 3 };
static const char *const ways[WAYS] = {"amg", "amg/f32", "amg in f32"};

struct scaled {
    enum precision p;
    struct host_csr A;
    double *b;
};

/* Two unknowns at each point, with entries times a power of two. */
static struct scaled make_scaled(int way, int exponent)
{
    struct scaled s = {.p = way == 2 ? PRECISION_F32 : PRECISION_F64};
    OWNED_STRUCT(host_csr) grid = grid_csr(square(26, 1));
    uint32_t n = 2 * grid.rows, to = 0;
    s.A = new_csr(n, n, 2 * host_csr_entries(&grid));
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t e = grid.row[i / 2]; e < grid.row[i / 2 + 1]; e++, to++) {
            s.A.col[to] = 2 * grid.col[e] + i % 2;
            s.A.val[to] = ldexp(grid.val[e], exponent);
        }
        s.A.row[i + 1] = to;
    }
    s.b = random_vector(PRECISION_F32, n, 2, 5);
    return s;
}

static vks_solve_report solve_by(vks_context *c, const struct scaled *s, vks_solve_options o)
{
    vks_solve_report r;
    OWNED(vks_matrix) *A = put_on(c, &s->A, s->p, VKS_FORMAT_AUTO);
    OWNED(vks_vector) *b = vector_of(c, s->p, s->b, s->A.rows), *x = vector_of(c, s->p, NULL, s->A.rows);
    o.zero_guess = 1;
    must_work(c, vks_solve(A, b, x, &o, &r));
    return r;
}

static vks_solve_report solve_scaled(vks_context *c, const struct scaled *s, int way, uint32_t block)
{
    vks_precond_options M = {.kind = VKS_PRECOND_AMG, .in_f32 = way == 1, .amg = {.block = block}};
    return solve_by(c, s, (vks_solve_options){.precond_options = &M, .rtol = way == 2 ? 1e-4 : 1e-10});
}

static void scaled_free(struct scaled *s)
{
    host_csr_free(&s->A);
    free(s->b);
}

static uint32_t iterations_of(vks_context *c, int way, uint32_t block, int exponent)
{
    OWNED_STRUCT(scaled) s = make_scaled(way, exponent);
    vks_solve_report r = solve_scaled(c, &s, way, block);
    cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s, nodes of %u, 2^%d: %s, %s", ways[way], block, exponent,
                 vks_reason_name(r.reason), r.detail);
    return r.iterations;
}

/* If vectors are in f32, exponents are limited. */
TestOnHost(amg_range, takes_as_many_iterations_in_any_unit)
{
    static const int exponents[] = {-900, 900, -118, 100, -60, 60};
    for (int way = 0; way < WAYS; way++)
        for (uint32_t block = 1; block <= 2; block++) {
            uint32_t want = iterations_of(c, way, block, 0);
            for (int i = way == 2 ? 2 : 0; i < 6; i++) {
                uint32_t got = iterations_of(c, way, block, exponents[i]);
                cr_expect_eq(got, want, "%s, nodes of %u, 2^%d: %u iterations instead of %u", ways[way],
                             block, exponents[i], got, want);
            }
        }
}

/* 0: iterations in f32. */
static vks_solve_report solve_in_f32(vks_context *c, const struct scaled *s, vks_precond_kind kind)
{
    vks_precond_options M = {.kind = kind, .in_f32 = 1};
    vks_solve_options o = {.method = VKS_METHOD_CG, .precond_options = kind ? &M : NULL};
    o.iterate_in_f32 = !kind;
    return solve_by(c, s, o);
}

TestOnHost(amg_range, all_that_is_in_f32_takes_as_many_iterations_in_any_unit)
{
    static const vks_precond_kind kinds[] = {0, VKS_PRECOND_JACOBI, VKS_PRECOND_BLOCK_JACOBI,
                                             VKS_PRECOND_FSAI, VKS_PRECOND_CHEBYSHEV};
    static const int exponents[] = {-120, -200, 120, 300};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct scaled s = make_scaled(1, 0);
        uint32_t want = solve_in_f32(c, &s, kinds[k]).iterations;
        scaled_free(&s);
        for (int i = 0; i < 4; i++) {
            s = make_scaled(1, exponents[i]);
            vks_solve_report r = solve_in_f32(c, &s, kinds[k]);
            cr_expect(r.reason == VKS_REASON_CONVERGED && r.iterations == want,
                      "kind %d, 2^%d: %s, %u not %u", (int)kinds[k], exponents[i], vks_reason_name(r.reason),
                      r.iterations, want);
            scaled_free(&s);
        }
    }
}

TestOnHost(amg_range, names_the_row_that_is_out_of_the_range_of_f32)
{
    static const int exponents[] = {-124, 110};
    for (int i = 0; i < 2; i++) {
        OWNED_STRUCT(scaled) s = make_scaled(2, exponents[i]);
        vks_solve_report r = solve_scaled(c, &s, 2, 2);
        cr_expect(r.reason == VKS_REASON_NOT_FINITE && r.row == 0, "%s", r.detail);
        cr_expect(strstr(r.detail, "scale A"), "2^%d: %s", exponents[i], r.detail);
    }
}

TestOnHost(amg_range, takes_a_boundary_condition_by_penalty)
{
    for (int way = 0; way < WAYS; way++) {
        OWNED_STRUCT(scaled) s = make_scaled(way, 0);
        for (uint32_t i = 0; i < 52; i++)
            for (uint32_t e = s.A.row[i]; e < s.A.row[i + 1]; e++)
                s.A.val[e] = s.A.col[e] == i ? 0x1p110 : s.A.val[e];
        vks_solve_report r = solve_scaled(c, &s, way, 1);
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.iterations <= 12, "%s: %s after %u, %s", ways[way],
                  vks_reason_name(r.reason), r.iterations, r.detail);
    }
}

/* The bits must not depend on a power of two that a vector is multiplied by. */
TestOnBoth(amg_range, takes_near_null_vectors_of_any_length)
{
    OWNED_STRUCT(body) y = make_body(6);
    size_t count = 6 * (size_t)y.A.rows;
    OWNED(double) *v = rigid_vectors(c, PRECISION_F64, &y.at);
    for (int p = 0; p < 2; p++) {
        enum precision precision = p ? PRECISION_F32 : PRECISION_F64;
        vks_precond_options o = of_vectors(3, 6, v);
        OWNED_STRUCT(solved) want = solve_body(c, precision, &y, &o);
        for (size_t i = 0; i < count; i++)
            v[i] = ldexp(v[i], i / y.A.rows % 2 ? 900 : -900);
        OWNED_STRUCT(solved) got = solve_body(c, precision, &y, &o);
        must_match(&got, &want, y.A.rows, "scaled near-null vectors");
        for (size_t i = 0; i < count; i++)
            v[i] = ldexp(v[i], i / y.A.rows % 2 ? -900 : 900);
    }
}
