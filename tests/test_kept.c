/* What a kept solver learns from its solves, and that it sets nothing up for an x that is good enough. */
#include "tests/support/repeated.h"
#include "tests/support/system.h"
#include "tests/support/unsymmetric.h"

struct kept {
    vks_context *c;
    struct host_csr A;
    vks_matrix *m;
    vks_vector *b, *x;
    vks_solver *solver;
};

static vks_solve_report solve_kept(struct kept *k)
{
    vks_solve_report reported;
    must_work(k->c, vks_vector_fill(k->x, 0));
    must_work(k->c, vks_solver_solve(k->solver, k->b, k->x, &reported));
    return reported;
}

static struct kept keep_on(vks_context *c, struct host_csr A)
{
    struct kept k = {.c = c, .A = A};
    must_work(k.c, vks_matrix_from_csr(k.c, A.rows, A.rows, A.row, A.col, A.val, NULL, &k.m));
    double *b = random_right_side(&A, PRECISION_F64, 3);
    k.b = vector_of(k.c, PRECISION_F64, b, A.rows);
    k.x = vector_of(k.c, PRECISION_F64, NULL, A.rows);
    free(b);
    must_work(k.c, vks_solver_create(k.m, &(vks_solve_options){ANYWHERE}, &k.solver));
    return k;
}

static struct kept keep(struct host_csr A)
{
    return keep_on(open_host(), A);
}

static void set_kept_values(struct kept *k)
{
    must_work(k->c, vks_matrix_set_values(k->m, VKS_F64, k->A.val));
}

static void let_go(struct kept *k)
{
    vks_solver_destroy(k->solver);
    vks_vector_destroy(k->b);
    vks_vector_destroy(k->x);
    vks_matrix_destroy(k->m);
    host_csr_free(&k->A);
    close_context(k->c);
}

Test(kept, begins_with_the_attempt_that_converged)
{
    struct kept k = keep(tridiagonal(5000, -1, 0.001, 1));
    vks_solve_report first = solve_kept(&k), second = solve_kept(&k);
    cr_expect_eq(first.reason, VKS_REASON_CONVERGED);
    cr_expect_eq(second.reason, VKS_REASON_CONVERGED);
    cr_expect(first.attempts > 1 && second.attempts == 1, "%u and %u", first.attempts, second.attempts);
    cr_expect(first.method == second.method && first.precond == second.precond &&
              first.scaling == second.scaling);
    for (uint32_t e = 0; e < k.A.row[5000]; e++)
        k.A.val[e] *= 1.01 + 0.01 * (e % 3);
    set_kept_values(&k);
    vks_solve_report third = solve_kept(&k);
    cr_expect(third.reason == VKS_REASON_CONVERGED && third.attempts == 1 && third.method == first.method);
    cr_expect_eq(third.precond, first.precond);
    let_go(&k);
}

enum { HARD = 300 };

/* Pairs of rows with eigenvalues 3 and -1, or a chain with many of either sign. The diagonal is positive in
 * both, so CG is tried first, and fails. */
static void set_pairs_or_chain(struct kept *k, bool chain)
{
    for (uint32_t i = 0; i < HARD; i++)
        for (uint32_t e = k->A.row[i]; e < k->A.row[i + 1]; e++) {
            uint32_t j = k->A.col[e];
            k->A.val[e] = chain ? i == j ? 1.9 : -1 : i == j ? 1 : i / 2 == j / 2 ? 2 : 0;
        }
    set_kept_values(k);
}

/* MINRES solves the pairs at once, and the chain with more than twice as many products. */
static void become_hard(vks_context *c, double *x)
{
    static const bool is_chain[] = {false, false, true, true, false};
    struct kept k = keep_on(c, tridiagonal(HARD, -1, 1.9, -1));
    uint32_t before = 0;
    for (int i = 0; i < 5; i++) {
        if (!i || is_chain[i] != is_chain[i - 1])
            set_pairs_or_chain(&k, is_chain[i]);
        vks_solve_report r = solve_kept(&k);
        const vks_attempt *a = r.attempt;
        cr_expect(r.reason == VKS_REASON_CONVERGED && r.method == VKS_METHOD_MINRES, "solve %d", i);
        if (i == 0)
            cr_expect(r.attempts == 2 && a[0].method == VKS_METHOD_CG);
        else if (i == 2)
            cr_expect(r.attempts == 3 && a[0].method == VKS_METHOD_MINRES && a[1].method == VKS_METHOD_CG &&
                          a[0].reason == VKS_REASON_ITERATION_LIMIT && a[0].iterations == a[0].budget &&
                          a[0].budget <= 64 + 2 * before,
                      "%u attempts, %u of %u iterations", r.attempts, a[0].iterations, a[0].budget);
        else
            cr_expect(r.attempts == 1 && !strcmp(r.choice, "as in the solve before"), "solve %d: %u, %s", i,
                      r.attempts, r.choice);
        before = r.iterations;
        must_work(c, vks_vector_read(k.x, 0, HARD, VKS_F64, x + (size_t)i * HARD));
    }
    let_go(&k);
}

Test(kept, begins_again_where_what_it_learned_becomes_slow)
{
    OWNED(double) *x = room(5 * (size_t)HARD, 8), *y = room(5 * (size_t)HARD, 8);
    become_hard(open_host(), x);
    become_hard(open_gpu(), y);
    must_equal(x, y, 5 * HARD, "the two devices");
}

/* Each call of the device fails once, in a solve with new values that uses what was learned. */
Test(kept, works_after_memory_has_run_out)
{
    uint32_t call = 1, lost = 0;
    for (bool more = true; more; call++) {
        struct kept k = keep(tridiagonal(HARD, -1, 1.9, -1));
        struct interposed *i = interposed_of(k.c->device);
        vks_solve_report r;
        set_pairs_or_chain(&k, false);
        must_work(k.c, vks_vector_fill(k.x, 0));
        must_work(k.c, vks_solver_solve(k.solver, k.b, k.x, &r));
        cr_assert_eq(r.method, VKS_METHOD_MINRES);
        set_pairs_or_chain(&k, true);
        must_work(k.c, vks_vector_fill(k.x, 0));
        i->calls = i->injected = 0;
        i->fail_call = call;
        vks_status status = vks_solver_solve(k.solver, k.b, k.x, &r);
        more = i->injected > 0;
        i->fail_call = 0;
        lost += status != VKS_OK;
        must_work(k.c, vks_vector_fill(k.x, 0));
        must_work(k.c, vks_solver_solve(k.solver, k.b, k.x, &r));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED, "call %u: %s", call, vks_reason_name(r.reason));
        let_go(&k);
        cr_assert_lt(call, 2000);
    }
    cr_expect_gt(lost, 20);
}

Test(kept, begins_again_after_a_failure)
{
    struct kept k = keep(tridiagonal(300, -1, 3, -0.5));
    must_work(k.c, vks_solver_set_limits(k.solver, 1e-300, 0, 0));
    vks_solve_report reported = solve_kept(&k);
    cr_expect_neq(reported.reason, VKS_REASON_CONVERGED);
    must_work(k.c, vks_solver_set_limits(k.solver, 1e-8, 0, 0));
    reported = solve_kept(&k);
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
    cr_expect(reported.attempts == 1 && reported.method == VKS_METHOD_IDR);
    let_go(&k);
}

Test(kept, follows_values_that_want_another_method)
{
    struct kept k = keep(tridiagonal(300, -1, 3, -0.5));
    cr_expect_eq(solve_kept(&k).method, VKS_METHOD_IDR);
    for (uint32_t e = 0; e < k.A.row[300]; e++)
        k.A.val[e] = k.A.val[e] > 0 ? 3 : -1;
    must_work(k.c, vks_matrix_set_values(k.m, VKS_F64, k.A.val));
    vks_solve_report reported = solve_kept(&k);
    cr_expect(reported.method == VKS_METHOD_CG && reported.reason == VKS_REASON_CONVERGED);
    for (uint32_t e = 0; e < k.A.row[300]; e++)
        k.A.val[e] = -k.A.val[e];
    must_work(k.c, vks_matrix_set_values(k.m, VKS_F64, k.A.val));
    reported = solve_kept(&k);
    cr_expect(reported.method == VKS_METHOD_MINRES && reported.reason == VKS_REASON_CONVERGED);
    let_go(&k);
}

enum { CHAIN = 1100 };

static struct system make_system(vks_context *c)
{
    return system_of(c, tridiagonal(CHAIN, -1, 2.0001, -1));
}

static void set_diagonal(struct system *s, double diagonal)
{
    for (uint32_t i = 0; i < CHAIN; i++)
        for (uint32_t k = s->host.row[i]; k < s->host.row[i + 1]; k++)
            s->host.val[k] = s->host.col[k] == i ? diagonal : s->host.val[k];
    must_work(s->c, vks_matrix_set_values(s->A, VKS_F64, s->host.val));
}

static double *x_of(const struct system *s)
{
    double *x = room(CHAIN, 8);
    must_work(s->c, vks_vector_read(s->x, 0, CHAIN, VKS_F64, x));
    return x;
}

/* Checks that the reports agree on their strategies. */
static void expect_alike(const vks_solve_report *a, const vks_solve_report *b)
{
    cr_expect(a->iterations == b->iterations && a->attempts == b->attempts && a->restarts == b->restarts);
    cr_expect(a->precond == b->precond && a->hierarchy.levels == b->hierarchy.levels);
    cr_expect_str_eq(a->choice, b->choice);
    for (uint32_t i = 0; i < a->attempts; i++)
        cr_expect(a->attempt[i].iterations == b->attempt[i].iterations &&
                  a->attempt[i].reason == b->attempt[i].reason);
}

static int count_calls(void *user, const vks_progress *p)
{
    cr_expect(p->target > 0 || isnan(p->target)); /* a NaN before the first residual */
    ++*(uint32_t *)user;
    return 0;
}

/* A solve of a sequence: its x and its report. */
struct step {
    double *x;
    vks_solve_report r;
};

enum { SOLVES = 6 };
/* Equal values; dominated rows, which need no multigrid; and others. */
static const double diagonals[SOLVES] = {2.0001, 2.0001, 2.0002, 2.5, 2.0001, 2.0001};

/* Submits and polls each time. */
static void solve_in_steps(vks_context *c, vks_solve_options o, struct step *step)
{
    OWNED_STRUCT(system) s = make_system(c);
    uint32_t calls = 0;
    OWNED(vks_solver) *solver = NULL;
    o.zero_guess = 1;
    o.any_device = o.no_direct = o.method == VKS_METHOD_AUTO; /* the same on both devices */
    o.progress = count_calls;
    o.user = &calls;
    must_work(c, vks_solver_create(s.A, &o, &solver));
    for (int i = 0; i < SOLVES; i++) {
        int ended = 0;
        if (i && diagonals[i] != diagonals[i - 1])
            set_diagonal(&s, diagonals[i]);
        must_work(c, vks_solver_submit(solver, s.b, s.x));
        while (!ended) {
            must_work(c, vks_solver_poll(solver, &ended, &step[i].r));
            cr_expect(ended || step[i].r.reason == VKS_REASON_NOT_RUN);
        }
        step[i].x = x_of(&s);
        cr_expect(step[i].r.reason == VKS_REASON_CONVERGED && step[i].r.seconds_setup >= 0);
    }
    cr_expect_gt(calls, 4);
}

Test(kept, begins_with_what_is_best_by_its_solves_on_every_device)
{
    static const vks_solve_options ways[] = {
        {0}, {.method = VKS_METHOD_CG}, {.method = VKS_METHOD_CG, .iterate_in_f32 = 1}};
    static const uint32_t attempts[SOLVES] = {2, 1, 1, 1, 2, 1};
    vks_context *c[2] = {open_host(), open_gpu()};
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        struct step step[2][SOLVES];
        for (int d = 0; d < 2; d++)
            solve_in_steps(c[d], ways[w], step[d]);
        for (int i = 0; i < SOLVES; i++) {
            const vks_solve_report *r = &step[0][i].r;
            vks_precond_kind want = i == 3 ? VKS_PRECOND_JACOBI : VKS_PRECOND_AMG;
            must_equal(step[0][i].x, step[1][i].x, CHAIN, "the two devices");
            expect_alike(r, &step[1][i].r);
            cr_expect_eq(r->attempts, attempts[i], "step %d: %u attempts: %s", i, r->attempts, r->choice);
            cr_expect_eq(r->precond, want, "step %d: %s", i, vks_precond_name(r->precond));
            cr_expect_eq(r->attempt[r->attempts - 1].precond, want);
            cr_expect_eq(r->hierarchy.levels > 0, want == VKS_PRECOND_AMG);
            free(step[0][i].x);
            free(step[1][i].x);
        }
    }
    close_context(c[0]);
    close_context(c[1]);
}

/* Each solve needs few iterations with the diagonal; together they cost as much as multigrid's setup. */
TestOnHost(kept, sets_up_multigrid_for_many_solves)
{
    OWNED_STRUCT(system) s = system_of(c, tridiagonal(CHAIN, -1, 2.003, -1));
    OWNED(vks_solver) *solver = NULL;
    vks_solve_report r;
    uint32_t first = 0, solves = 0;
    must_work(c, vks_solver_create(s.A, &(vks_solve_options){.zero_guess = 1, ANYWHERE}, &solver));
    do {
        must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
        cr_expect_eq(r.attempts, 1);
        first = first ? first : r.iterations;
    } while (r.precond == VKS_PRECOND_JACOBI && ++solves < 20);
    cr_expect(r.precond == VKS_PRECOND_AMG && solves > 1 && 10 * r.iterations < first,
              "%u solves, %u iterations, %u at first", solves, r.iterations, first);
    set_diagonal(&s, 2.0031);
    must_work(c, vks_solver_solve(solver, s.b, s.x, &r));
    cr_expect_eq(r.precond, VKS_PRECOND_JACOBI, "the set-up costs more than it saves in one solve");
}

/* A and b are multiplied by 4, so x remains the solution. */
TestOnBoth(kept, sets_nothing_up_for_an_x_that_is_good_enough)
{
    const vks_solve_options all[] = {
        {.precond = VKS_PRECOND_BLOCK_JACOBI}, {.iterate_in_f32 = 1}, {.rtol = 1e-9, ANYWHERE}};
    for (int i = 0; i < 3; i++) {
        OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, all[i]);
        vks_solve_report reported;
        solve_twice(&r);
        for (uint32_t k = 0; k < r.host.row[N]; k++)
            r.host.val[k] *= 4;
        for (uint32_t k = 0; k < N; k++)
            r.b0[k] *= 4;
        set_values(&r, 0);
        must_work(c, vks_vector_write(r.b, 0, N, VKS_F64, r.b0));
        must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
        cr_expect(reported.reason == VKS_REASON_CONVERGED && reported.iterations == 0, "%u iterations",
                  reported.iterations);
        cr_expect(reported.true_residual <= 1e-8 && reported.seconds_setup == 0, "%g seconds",
                  reported.seconds_setup);
        must_work(c, vks_vector_fill(r.x, 0));
        cr_expect_gt(solve_twice(&r).iterations, 4, "it has not forgotten the new values");
    }
}
