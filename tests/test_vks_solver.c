/* A solver with one setup: its solves must have the bits of those with a setup each, whatever has happened in
 * between. */
#include "tests/support/repeated.h"
#include "tests/support/unsymmetric.h"

#include <time.h>

static const vks_solve_options cg = {.method = VKS_METHOD_CG, .rtol = 1e-9},
                               blocks = {.precond = VKS_PRECOND_BLOCK_JACOBI},
                               plain = {.precond = VKS_PRECOND_NONE},
                               in_f32 = {.iterate_in_f32 = 1, ANYWHERE},
                               jacobi = {.method = VKS_METHOD_JACOBI, .weight = VKS_WEIGHT_AUTO};

static void go_through_steps(vks_context *c, vks_matrix_options storage, vks_solve_options options)
{
    go_on_with(make_repeated(c, storage, options));
}

TestOnBoth(vks_solver, gives_the_bits_of_single_solves_whatever_is_solved)
{
    const vks_solve_options all[] = {cg, blocks, plain, in_f32, jacobi};
    for (int i = 0; i < 5; i++)
        go_through_steps(c, (vks_matrix_options){0}, all[i]);
    go_through_steps(c, (vks_matrix_options){.precision = VKS_F32}, plain);
}

TestOnHost(vks_solver, gives_the_bits_of_single_solves_by_methods_for_any_matrix)
{
    static const vks_solve_options all[] = {
        {.method = VKS_METHOD_IDR, .precond = VKS_PRECOND_ILUT},
        {.method = VKS_METHOD_MINRES},
        {.method = VKS_METHOD_LSMR},
        {.method = VKS_METHOD_BICGSTAB, .precond = VKS_PRECOND_NONE, .scaling = VKS_SCALING_NONE},
        {.method = VKS_METHOD_BICGSTAB, .precond = VKS_PRECOND_JACOBI, .scaling = VKS_SCALING_MATCH},
        {.method = VKS_METHOD_GMRES, .precond = VKS_PRECOND_NONE, .scaling = VKS_SCALING_NONE},
        {.method = VKS_METHOD_GMRES, .precond = VKS_PRECOND_ROW_SUM, .restart = 5},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bool symmetric = all[i].method == VKS_METHOD_MINRES;
        struct host_csr A =
            symmetric ? random_spd(PRECISION_F64, N, 3) : random_unsymmetric(PRECISION_F64, N, 3);
        go_on_with(make_repeated_of(c, A, (vks_matrix_options){0}, all[i]));
    }
}

TestOnBoth(vks_solver, gives_the_bits_of_single_solves_in_every_format)
{
    for (vks_format f = VKS_FORMAT_CSR; f < VKS_FORMAT_COUNT_; f++)
        if (f != VKS_FORMAT_COO_ATOMIC && f != VKS_FORMAT_CSC_ATOMIC) {
            vks_matrix_options o = {.storage = {.format = f, .lean = 1}};
            go_through_steps(c, o, cg);
            go_through_steps(c, o, in_f32);
        }
}

/* Codes move when values change; here some do not survive f32 either, so that all arrays move. */
TestOnBoth(vks_solver, takes_new_values_that_do_not_fit_where_the_old_ones_were)
{
    static const vks_coding codings[] = {VKS_CODED_NEVER, VKS_CODED_ALWAYS};
    for (int i = 0; i < 2; i++) {
        vks_matrix_options o = {.precision = VKS_MIXED,
                                .storage = {.format = VKS_FORMAT_SELL, .coding = codings[i]}};
        OWNED_STRUCT(repeated) r = make_repeated_of(c, spd_of_few_kinds(PRECISION_F32, N, 7), o, in_f32);
        solve_twice(&r);
        set_values(&r, 0.5);
        cr_expect_eq(vks_matrix_value_bytes(r.A), 4);
        solve_twice(&r);
        set_values(&r, 0.1);
        cr_expect_eq(vks_matrix_value_bytes(r.A), 8);
        set_b(&r, 2);
        cr_expect_eq(solve_twice(&r).reason, VKS_REASON_CONVERGED);
    }
}

TestOnBoth(vks_solver, takes_a_diagonal_that_is_no_longer_the_same_in_all_rows)
{
    struct host_csr A = spd_of_few_kinds(PRECISION_F64, N, 1);
    OWNED_STRUCT(repeated) r = make_repeated_of(c, A, (vks_matrix_options){0}, cg);
    solve_twice(&r);
    set_values(&r, 3);
    must_work(c, vks_solver_update(r.solver));
    set_b(&r, 2);
    solve_twice(&r);
}

/* Without 64-bit floats the true residual is computed on the host, from copies. */
Test(vks_solver, brings_new_values_and_right_hand_sides_to_where_residuals_are_computed)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    go_through_steps(c, (vks_matrix_options){.precision = VKS_F32},
                     (vks_solve_options){.rtol = 1e-4, .precond = VKS_PRECOND_NONE});
}

TestOnBoth(vks_solver, refuses_values_without_a_preconditioner_until_they_have_one)
{
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, cg);
    double kept = r.host.val[r.host.row[17]];
    for (uint32_t k = r.host.row[17]; k < r.host.row[18]; k++)
        if (r.host.col[k] == 17) {
            kept = r.host.val[k];
            r.host.val[k] = 0;
            set_values(&r, 0);
            for (int i = 0; i < 2; i++) {
                vks_solve_report reported = solve_twice(&r);
                cr_expect_eq(reported.reason, VKS_REASON_ZERO_DIAGONAL);
                cr_expect_eq(reported.row, 17);
            }
            r.host.val[k] = kept;
        }
    set_values(&r, 0);
    vks_solve_report reported = solve_twice(&r);
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED, "%s", reported.detail);
    cr_expect_eq(reported.row, UINT32_MAX);
}

TestOnBoth(vks_solver, solves_to_the_limits_that_it_was_last_given)
{
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, cg);
    vks_solve_report reported;
    must_work(c, vks_solver_set_limits(r.solver, 1e-12, 0, 5));
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_ITERATION_LIMIT);
    cr_expect_eq(reported.iterations, 5);
    must_work(c, vks_solver_set_limits(r.solver, 0.5, 0, 0));
    must_work(c, vks_vector_fill(r.x, 0));
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
    cr_expect(reported.true_residual <= 0.5 && reported.true_residual > 1e-9, "%g", reported.true_residual);
    must_refuse(c, vks_solver_set_limits(r.solver, -1, 0, 0), VKS_INVALID_ARGUMENT, "rtol -1");
    must_refuse(c, vks_solver_set_limits(r.solver, 0, NAN, 0), VKS_INVALID_ARGUMENT, "atol nan");
}

/* The setup had the limit of 5. */
TestOnBoth(vks_solver, keeps_the_history_up_to_the_limit_that_it_was_last_given)
{
    double history[300];
    vks_solve_options few = {
        .method = VKS_METHOD_CG, .max_iterations = 5, .history = history, .history_capacity = 300};
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, few);
    vks_solve_report reported;
    must_work(c, vks_solver_set_limits(r.solver, 0, 0, 300));
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    cr_expect_gt(reported.iterations, 5);
    cr_expect_eq(reported.history_count, reported.iterations);
    cr_expect(same_bits(history[reported.iterations - 1], reported.residual), "%g",
              history[reported.iterations - 1]);
}

TestOnBoth(vks_solver, solves_for_several_right_hand_sides)
{
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, cg);
    OWNED(vks_vector) *more_b = vector_of(c, PRECISION_F64, NULL, N),
                      *more_x = vector_of(c, PRECISION_F64, NULL, N);
    must_work(c, vks_vector_fill(more_b, 3));
    vks_solve_report reported[2], want;
    must_work(c, vks_solver_solve_many(r.solver, 2, (const vks_vector *const[]){more_b, r.b},
                                       (vks_vector *const[]){more_x, r.x}, reported));
    must_work(c, vks_solve(r.A, r.b, r.want, &cg, &want));
    must_be_same(&r, &reported[1], &want);
    must_work(c, vks_vector_copy(more_x, r.x));
    must_work(c, vks_vector_fill(r.want, 0));
    must_work(c, vks_solve(r.A, more_b, r.want, &cg, &want));
    must_be_same(&r, &reported[0], &want);
}

/* The context does other work between any two polls. */
TestOnBoth(vks_solver, gives_the_same_bits_when_it_is_polled)
{
    vks_solve_options by_one = {
        .method = VKS_METHOD_CG, .rtol = cg.rtol, .batch_seconds = 1e-300}; /* iteration in a batch */
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, by_one);
    vks_solve_report got, want;
    int ended = 0, polls = 0;
    double sum;
    bool reported_between = false; /* its begin and its end */
    must_work(c, vks_solve(r.A, r.b, r.want, &cg, &want));
    must_work(c, vks_solver_submit(r.solver, r.b, r.x));
    for (; !ended && polls < 1000000; polls++) {
        must_work(c, vks_solver_poll(r.solver, &ended, &got));
        cr_expect_eq(ended, got.reason != VKS_REASON_NOT_RUN);
        reported_between |= !ended && got.residual < 0.5 && got.residual > 10 * cg.rtol;
        must_work(c, vks_vector_sum(r.b, &sum));
    }
    cr_expect_gt(polls, (int)got.iterations / 3, "%d polls for %u iterations", polls, got.iterations);
    cr_expect(reported_between, "the residual does not tell how far it has come");
    must_be_same(&r, &got, &want);
    must_work(c, vks_solver_poll(r.solver, &ended, &got)); /* once more, for the report */
    cr_expect(ended && got.reason == VKS_REASON_CONVERGED);
}

/* Less often than a batch may last. */
TestOnHost(vks_solver, does_not_shorten_its_batches_where_it_is_seldom_polled)
{
    OWNED_STRUCT(repeated) r = make_repeated_of(c, tridiagonal(N, -1, 2.001, -1), (vks_matrix_options){0},
                                                (vks_solve_options){ANYWHERE});
    vks_solve_report reported;
    uint32_t polls = 0;
    int ended = 0;
    must_work(c, vks_solver_submit(r.solver, r.b, r.x));
    for (; !ended; polls++) {
        nanosleep(&(struct timespec){.tv_nsec = 60000000}, NULL);
        must_work(c, vks_solver_poll(r.solver, &ended, &reported));
    }
    cr_expect_gt(reported.iterations, 100);
    cr_expect_lt(polls, reported.iterations / 2, "%u polls for %u iterations", polls, reported.iterations);
}

TestOnGpu(vks_solver, is_waited_for_no_longer_than_was_said)
{
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, cg);
    vks_solve_report reported;
    must_work(c, vks_solver_submit(r.solver, r.b, r.x));
    must_refuse(c, vks_solver_wait(r.solver, 0, &reported), VKS_TIMEOUT, "did not end within 0 seconds");
    cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
    must_refuse(c, vks_solver_wait(r.solver, -1, &reported), VKS_INVALID_ARGUMENT, "timeout of -1 seconds");
    must_refuse(c, vks_solver_wait(r.solver, NAN, &reported), VKS_INVALID_ARGUMENT, "must not be negative");
    cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
    must_work(c, vks_solver_wait(r.solver, 100, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
}

TestOnBoth(vks_solver, refuses_what_would_disturb_a_solve_and_can_be_cancelled_and_destroyed)
{
    struct repeated r = make_repeated(c, (vks_matrix_options){0}, cg);
    vks_solve_report reported;
    must_work(c,
              vks_solver_set_limits(r.solver, 1e-30, 0, 0)); /* otherwise it would end with its first batch */
    must_work(c, vks_solver_submit(r.solver, r.b, r.x));
    must_refuse(c, vks_solver_submit(r.solver, r.b, r.x), VKS_INVALID_ARGUMENT, "still under way");
    must_refuse(c, vks_solver_update(r.solver), VKS_INVALID_ARGUMENT, "still under way");
    must_refuse(c, vks_solver_set_limits(r.solver, 0, 0, 0), VKS_INVALID_ARGUMENT, "still under way");
    vks_solver_cancel(r.solver);
    must_work(c, vks_solver_wait(r.solver, INFINITY, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CANCELLED);
    must_work(c, vks_solver_set_limits(r.solver, cg.rtol, 0, 0));
    solve_twice(&r); /* from where it was cancelled */
    must_work(c, vks_solver_submit(r.solver, r.b, r.x));
    repeated_free(&r); /* ends it */
}

/* Tries to continue the solve that calls it. */
static int meddle(void *user, const vks_progress *progress)
{
    struct repeated *r = user;
    int ended = 1;
    vks_solve_report reported;
    (void)progress;
    must_refuse(r->c, vks_solver_poll(r->solver, &ended, &reported), VKS_INVALID_ARGUMENT,
                "by its own progress");
    cr_expect(!ended && reported.reason == VKS_REASON_NOT_RUN);
    must_refuse(r->c, vks_solver_solve(r->solver, r->b, r->want, &reported), VKS_INVALID_ARGUMENT,
                "under way");
    vks_solver_cancel(r->solver);
    return 0;
}

TestOnBoth(vks_solver, cannot_be_carried_on_by_its_progress_function_which_may_cancel)
{
    OWNED_STRUCT(repeated) r;
    vks_solve_options o = {.rtol = 1e-30, .progress = meddle, .user = &r, ANYWHERE};
    vks_solve_report reported;
    r = make_repeated(c, (vks_matrix_options){0}, o);
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CANCELLED);
}

TestOnBoth(vks_solver, keeps_its_matrix_alive)
{
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, cg);
    vks_matrix_destroy(r.A);
    vks_solve_report reported;
    must_work(c, vks_solver_solve(r.solver, r.b, r.x, &reported));
    cr_expect_eq(reported.reason, VKS_REASON_CONVERGED);
    r.A = NULL;
}

Test(vks_solver, refuses_what_it_cannot_solve)
{
    OWNED(vks_context) *c = open_host(), *other = open_host();
    OWNED_STRUCT(repeated) r = make_repeated(c, (vks_matrix_options){0}, cg);
    vks_solver *none = r.solver;
    vks_solve_report reported;
    int ended;
    vks_solve_options named = {.method = VKS_METHOD_IDR, .any_device = 1}, wrong = {.rtol = -1};
    must_refuse(c, vks_solver_create(r.A, &named, &none), VKS_INVALID_ARGUMENT,
                "any_device is an option of auto");
    cr_expect_null(none);
    must_refuse(c, vks_solver_create(r.A, &wrong, &none), VKS_INVALID_ARGUMENT, "rtol -1");
    must_refuse(c, vks_solver_poll(r.solver, &ended, &reported), VKS_INVALID_ARGUMENT, "no solve");
    cr_expect_eq(reported.reason, VKS_REASON_NOT_RUN);
    vks_vector *small = vector_of(c, PRECISION_F64, NULL, 3), *far = vector_of(other, PRECISION_F64, NULL, N);
    must_refuse(c, vks_solver_solve(r.solver, small, r.x, &reported), VKS_INVALID_ARGUMENT, "b has 3");
    cr_expect(strstr(reported.detail, "b has 3"), "%s", reported.detail);
    must_refuse(c, vks_solver_solve(r.solver, r.b, far, NULL), VKS_INVALID_ARGUMENT, "different contexts");
    must_refuse(c, vks_solver_solve(r.solver, r.b, r.b, NULL), VKS_INVALID_ARGUMENT, "the same vector");
    vks_solver_destroy(NULL);
    vks_vector_destroy(small);
    vks_vector_destroy(far);
    solve_twice(&r);
}
