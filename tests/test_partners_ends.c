/* Solves by several processes that fail, or have extreme numbers: they must end as one process with all rows
 * does, and none may hang. */
#include "tests/support/failing_memory.h"
#include "tests/support/whole.h"

#include <math.h>

TestSuite(partners_ends, .timeout = 120);

static const vks_solve_options few = {.max_iterations = LIMIT, .rtol = 1e-30, .history_capacity = LIMIT + 1};

/* Two processes; the second has few rows. */
static void compare_two(struct whole *w, vks_precision precision, const vks_precond_options *M,
                        vks_reason reason)
{
    const uint64_t first[] = {0, VKS_CHUNK, w->A.rows};
    OWNED_STRUCT(play) p = {.precision = precision, .options = few, .M = M};
    solve_alone(w, "host", precision, M, few);
    cr_expect_eq(w->report.reason, reason, "alone: %s", w->report.detail);
    solve_together(&p, w, "host", 2, first);
    expect_same(&p, w);
}

/* b of the second process has a NaN or an infinity: all processes must report it. */
Test(partners_ends, tell_all_that_a_number_of_one_is_not_finite)
{
    const double bad[] = {NAN, INFINITY};
    OWNED_STRUCT(whole) w = whole_of(257, 1);
    const uint64_t first[] = {0, VKS_CHUNK, w.A.rows};
    for (int k = 0; k < 2; k++) {
        OWNED_STRUCT(play) p = {.precision = VKS_F64, .options = few, .M = &diagonal};
        w.b[VKS_CHUNK + 3] = bad[k];
        solve_together(&p, &w, "host", 2, first);
        for (uint32_t q = 0; q < 2; q++) {
            cr_expect_eq(p.actor[q].status, VKS_OK, "%s", p.actor[q].message);
            cr_expect_eq(p.actor[q].report.reason, VKS_REASON_NOT_FINITE, "process %u", q);
            cr_expect_eq(p.actor[q].report.iterations, 0);
        }
    }
}

/* Squares of b overflow or underflow: norms are then computed with b scaled, and all processes agree on the
 * scale. */
Test(partners_ends, agree_where_squares_are_out_of_range)
{
    const double scale[] = {1e200, 1e-200};
    for (int k = 0; k < 2; k++) {
        OWNED_STRUCT(whole) w = whole_of(257, 1);
        for (uint32_t i = 0; i < w.A.rows; i++)
            w.b[i] *= scale[k];
        compare_two(&w, VKS_F64, &diagonal, VKS_REASON_ITERATION_LIMIT);
    }
}

/* Only the second process has the row that makes A indefinite. */
Test(partners_ends, tell_all_that_the_matrix_is_not_positive)
{
    OWNED_STRUCT(whole) w = whole_of(257, 1);
    uint32_t row = VKS_CHUNK + 40;
    for (uint32_t k = w.A.row[row]; k < w.A.row[row + 1]; k++)
        if (w.A.col[k] == row)
            w.A.val[k] = -6;
    compare_two(&w, VKS_F64, NULL, VKS_REASON_NOT_POSITIVE_DEFINITE);
}

/* Blocks of rows that do not span processes. */
Test(partners_ends, share_blocks_with_the_bits_of_one)
{
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 4},
                                     in_pairs = {.kind = VKS_PRECOND_BLOCK_JACOBI, .block_size = 2};
    OWNED_STRUCT(whole) w = whole_of(258, 1);
    compare_two(&w, VKS_F64, &blocks, VKS_REASON_ITERATION_LIMIT);
    compare_two(&w, VKS_F32, &in_pairs, VKS_REASON_ITERATION_LIMIT);
}

/* Each process has levels of its own rows: the numbers differ from those of one process, but all processes
 * agree. */
Test(partners_ends, solve_with_a_preconditioner_of_their_own_rows)
{
    static const vks_precond_options levels = {.kind = VKS_PRECOND_AMG};
    OWNED_STRUCT(whole) w = whole_of(257, 1);
    const uint64_t first[] = {0, VKS_CHUNK, w.A.rows};
    OWNED_STRUCT(play) p = {.precision = VKS_F64, .options = {.rtol = 1e-8}, .M = &levels};
    solve_together(&p, &w, "host", 2, first);
    for (uint32_t q = 0; q < 2; q++) {
        const vks_solve_report *r = &p.actor[q].report;
        cr_expect_eq(p.actor[q].status, VKS_OK, "%s", p.actor[q].message);
        cr_expect_eq(r->reason, VKS_REASON_CONVERGED, "%s", r->detail);
        cr_expect_leq(r->true_residual, 1e-8);
        cr_expect_eq(r->iterations, p.actor[0].report.iterations);
    }
    cr_expect_lt(p.actor[0].report.iterations, 20);
}

#ifdef MEMORY_CAN_FAIL

static uint32_t failing;

/* Once the other process is exempt. */
static void let_memory_fail(struct actor *a)
{
    memory_spares = a->process != 1;
    meet_at(&a->play->barrier);
    if (a->process == 1)
        arm(failing);
}

/* A process that fails before the first all-reduce returns alone; its program then ends the others. */
static void leave(struct actor *a, vks_status s)
{
    memory_spares = true;
    if (s && !a->gathers)
        break_barrier(&a->play->barrier);
}

/* Whether there was an allocation to fail. */
static bool fail_one(struct whole *w)
{
    const uint64_t first[] = {0, VKS_CHUNK, w->A.rows};
    OWNED_STRUCT(play) p = {.precision = VKS_F64,
                            .options = {.max_iterations = 2, .rtol = 1e-30},
                            .M = &diagonal,
                            .begins = let_memory_fail,
                            .ended = leave};
    memory_spares = true;
    solve_together(&p, w, "host", 2, first);
    const struct actor *a = p.actor;
    bool failed = memory.failures > 0, alone = !a[1].gathers;
    memory_spares = false;
    disarm(); /* finds leaks */
    cr_expect_eq(p.barrier.broken, failed && alone, "allocation %u: somebody waits for ever", failing);
    if (failed) {
        cr_expect(a[1].status == VKS_OUT_OF_MEMORY || a[1].status == VKS_DEVICE_MEMORY, "allocation %u: %s",
                  failing, a[1].message);
        cr_expect_eq(a[0].status, VKS_PARTNER, "allocation %u: %s", failing, a[0].message);
        cr_expect(alone || strstr(a[0].message, "process 1 failed: "), "allocation %u: %s", failing,
                  a[0].message);
    } else {
        cr_expect(a[0].status == VKS_OK && a[1].status == VKS_OK, "%s, %s", a[0].message, a[1].message);
    }
    return failed;
}

/* Each allocation of vks_solve in one process fails in turn: that process reports it, and all end. */
Test(partners_ends, tell_all_that_one_has_no_memory)
{
    OWNED_STRUCT(whole) w = whole_of(257, 1);
    failing = 1;
    while (fail_one(&w))
        failing++;
    cr_expect_gt(failing, 20, "%u allocations", failing);
}

#endif
