/* The library's own arithmetic, without the environment that public calls set: no division by zero and no
 * invalid operation, such as the logarithm of zero, in solves by any method, in plans and in reports.
 * (Kernels may divide by zero: they detect a breakdown by its result. None of these solves has one. Clang's
 * code may divide before it has tested the divisor, so its build omits this suite.) */
#define _GNU_SOURCE /* feenableexcept */
#include "tests/support/own.h"
#include "vksolve/vksolve.h"

#include <criterion/criterion.h>
#include <fenv.h>

enum { N = 300, HISTORY = 64 };

/* A chain; with `diagonal` only 2 I. */
static vks_matrix *matrix(vks_context *c, bool diagonal)
{
    static uint32_t row[N + 1], col[3 * N];
    static double val[3 * N];
    uint32_t k = 0;
    vks_matrix *A;
    for (uint32_t i = 0; i < N; i++) {
        for (uint32_t j = diagonal || !i ? i : i - 1; j <= i + !diagonal && j < N; j++) {
            col[k] = j;
            val[k++] = i == j ? 2.125 : -1;
        }
        row[i + 1] = k;
    }
    cr_assert(!vks_matrix_from_csr(c, N, N, row, col, val, NULL, &A));
    return A;
}

/* Includes the texts about it; solves twice, since a kept solver learns. */
static void solve(vks_matrix *A, vks_vector *b, vks_vector *x, const vks_solve_options *o)
{
    static vks_plan plan;
    static char text[1 << 14];
    vks_solve_report r;
    OWNED(vks_solver) *s;
    cr_assert(!vks_solve_plan(A, o, &plan));
    cr_assert(!vks_solver_create(A, o, &s));
    for (int k = 0; k < 2; k++) {
        cr_assert(!vks_solver_solve(s, b, x, &r), "%s", r.detail);
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "%s: %s", vks_method_name(o->method), r.detail);
        cr_assert(!vks_solve_report_text(&r, VKS_FOR_C, text, sizeof text));
        cr_assert(!vks_solve_hints(&r, VKS_FOR_C, text, sizeof text));
    }
}

static int go_on(void *user, const vks_progress *p)
{
    (void)user;
    (void)p;
    return 0;
}

static void solve_all(vks_context *c, vks_matrix *A, const double *values, bool in_f32)
{
    static double history[HISTORY];
    OWNED(vks_vector) *b, *x;
    cr_assert(!vks_vector_create(c, N, VKS_F64, &b));
    cr_assert(!vks_vector_create(c, N, VKS_F64, &x));
    cr_assert(!vks_vector_write(b, 0, N, VKS_F64, values));
    for (int m = 0; m < VKS_METHOD_COUNT_; m++) {
        vks_solve_options o = {
            .method = (vks_method)m, .history = history, .history_capacity = HISTORY, .progress = go_on};
        solve(A, b, x, &o);
        o.iterate_in_f32 = o.zero_guess = 1;
        if (in_f32 && vks_method_refines(o.method))
            solve(A, b, x, &o);
    }
    for (int p = 1; p < VKS_PRECOND_COUNT_; p++)
        solve(
            A, b, x,
            &(vks_solve_options){.method = VKS_METHOD_IDR, .precond = (vks_precond_kind)p, .zero_guess = 1});
}

Test(traps, nothing_traps_in_regular_solves)
{
    static double zero[N], uneven[N];
    OWNED_BY(context_end) vks_context *c;
    for (int i = 0; i < N; i++)
        uneven[i] = i % 7 - 3;
    feenableexcept(FE_DIVBYZERO | FE_INVALID);
    cr_assert(!vks_context_create(&(vks_context_options){.device = "host", .threads = 2}, &c));
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        OWNED(vks_matrix) *A = matrix(c, diagonal);
        solve_all(c, A, uneven, !diagonal);
        solve_all(c, A, zero, !diagonal);
    }
}
