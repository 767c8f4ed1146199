/* A solve whose rows are shared by several processes must give the bits of one process with all rows. */
#include "tests/support/solve.h"
#include "tests/support/whole.h"

TestSuite(partners, .timeout = 120);

/* One process with all rows; two; four, including one without rows. */
static void compare_scaled(const char *device, uint32_t width, uint32_t layers, int bits,
                           vks_precision precision, const vks_precond_options *M, vks_solve_options options)
{
    OWNED_STRUCT(whole) w = whole_scaled(width, layers, bits);
    uint64_t n = w.A.rows, c = VKS_CHUNK;
    const struct {
        uint32_t processes;
        uint64_t first[MOST_PARTNERS];
    } shares[] = {{1, {0, n}}, {2, {0, c, n}}, {5, {0, c, c, 2 * c, 3 * c, n}}};
    options.history_capacity = LIMIT + 1;
    solve_alone(&w, device, precision, M, options);
    size_t i = strcmp(device, "host") ? 2 : 0; /* each process of lavapipe makes pipelines */
    for (; i < sizeof shares / sizeof *shares && shares[i].first[shares[i].processes - 1] <= n; i++) {
        OWNED_STRUCT(play) p = {.precision = precision, .options = options, .M = M};
        solve_together(&p, &w, device, shares[i].processes, shares[i].first);
        expect_same(&p, &w);
    }
}

static void compare(const char *device, uint32_t width, uint32_t layers, vks_precision precision,
                    const vks_precond_options *M, vks_solve_options options)
{
    compare_scaled(device, width, layers, 0, precision, M, options);
}

/* Some processes have only rows of one size, and one has none. */
Test(partners, measure_rows_of_different_size_together)
{
    compare_scaled("host", 70, 54, 8, VKS_F64, &diagonal, (vks_solve_options){.rtol = 1e-8});
    compare_scaled("host", 70, 54, 8, VKS_F64, NULL,
                   (vks_solve_options){.max_iterations = LIMIT, .rtol = 1e-6});
    compare_scaled("host", 70, 54, 0, VKS_F64, &diagonal,
                   (vks_solve_options){.rtol = 1e-8, .norm = VKS_NORM_SCALED});
}

Test(partners, give_the_bits_of_one_on_the_host)
{
    vks_solve_options few = {.max_iterations = LIMIT, .rtol = 1e-30};
    compare("host", 70, 54, VKS_F64, &diagonal, few);
    compare("host", 70, 54, VKS_F32, NULL, few);
    compare("host", 70, 54, VKS_F64, &diagonal, (vks_solve_options){.rtol = 1e-8});
    compare("host", 70, 54, VKS_F32, &diagonal, (vks_solve_options){.rtol = 1e-9}); /* in several cycles */
}

Test(partners, give_the_bits_of_one_on_lavapipe)
{
    compare(gpu_name(), 260, 3, VKS_F64, &diagonal, (vks_solve_options){.max_iterations = 3, .rtol = 1e-30});
}

/* The device of one process is lost at its k-th submission: all must end with a message, and none may
 * hang. */
static uint32_t lose_one(struct whole *w, uint32_t k, bool keeps)
{
    const uint64_t first[] = {0, VKS_CHUNK, w->A.rows};
    OWNED_STRUCT(play) p = {
        .precision = VKS_F64, .keeps = keeps, .options = {.max_iterations = 2, .rtol = 1e-30}};
    p.actor[1].fails_at = k;
    solve_together(&p, w, "host", 2, first);
    bool lost = p.actor[1].submits >= k;
    cr_expect_not(p.barrier.broken, "submission %u: somebody waits for ever", k);
    for (uint32_t q = 0; q < 2; q++) {
        const struct actor *a = &p.actor[q];
        const char *says = q == 1 ? "lost on purpose" : "process 1 failed: the device stopped working";
        cr_expect_eq(a->status,
                     !lost    ? VKS_OK
                     : q == 1 ? VKS_DEVICE_LOST
                              : VKS_PARTNER,
                     "submission %u, process %u: %d %s", k, q, a->status, a->message);
        cr_expect(!lost || strstr(a->message, says), "submission %u, process %u: %s", k, q, a->message);
    }
    return lost;
}

Test(partners, end_together_where_a_device_is_lost)
{
    OWNED_STRUCT(whole) w = whole_of(257, 1);
    uint32_t k = 1;
    while (lose_one(&w, k, false))
        k++;
    cr_expect_gt(k, 10, "%u submissions", k);
    for (k = 1; lose_one(&w, k, true); k += 5)
        ;
}

/* A zero on the diagonal of one process: it reports the reason, and the others report which process it is. */
Test(partners, end_together_where_the_rows_of_one_do_not_suit)
{
    OWNED_STRUCT(whole) w = whole_of(260, 3);
    const uint64_t first[] = {0, VKS_CHUNK, 2 * VKS_CHUNK, w.A.rows};
    uint32_t row = VKS_CHUNK + 17;
    for (uint32_t k = w.A.row[row]; k < w.A.row[row + 1]; k++)
        if (w.A.col[k] == row)
            w.A.val[k] = 0;
    OWNED_STRUCT(play) p = {.precision = VKS_F64, .M = &diagonal, .options = {.max_iterations = LIMIT}};
    solve_together(&p, &w, "host", 3, first);
    cr_expect_not(p.barrier.broken);
    cr_expect_eq(p.actor[1].status, VKS_OK);
    cr_expect_eq(p.actor[1].report.reason, VKS_REASON_ZERO_DIAGONAL);
    for (uint32_t q = 0; q < 3; q += 2) {
        cr_expect_eq(p.actor[q].status, VKS_PARTNER);
        cr_expect(strstr(p.actor[q].message, "the rows of process 1 are unsuitable: a diagonal entry"), "%s",
                  p.actor[q].message);
    }
}

static void compare_kept(struct whole *w, struct play *p)
{
    const uint64_t first[] = {0, VKS_CHUNK, w->A.rows};
    p->options.history_capacity = LIMIT + 1;
    solve_together(p, w, "host", 2, first);
    expect_same(p, w);
    play_free(p);
}

/* A kept solver, from the second solve of the same values; rows summed by two lanes, which one process would
 * not choose for its rows alone. */
Test(partners, keep_a_solver_and_take_the_lanes_of_the_whole)
{
    OWNED_STRUCT(whole) w = whole_of(260, 3);
    vks_solve_options few = {.max_iterations = LIMIT, .rtol = 1e-30, .history_capacity = LIMIT + 1};
    solve_alone(&w, "host", VKS_F64, &diagonal, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .M = &diagonal, .keeps = true, .options = few});
    w.lanes = 2;
    solve_alone(&w, "host", VKS_F64, &diagonal, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .M = &diagonal, .lanes = 2, .options = few});
}

/* The last process has less than a tile; with b = 0 all of them end at once. */
Test(partners, share_a_few_rows_and_zeros)
{
    OWNED_STRUCT(whole) w = whole_of(256, 2);
    w.A.rows = w.A.cols = VKS_CHUNK + 200;
    uint32_t kept = 0;
    for (uint32_t i = 0, k = 0; i < w.A.rows; i++) {
        uint32_t end = w.A.row[i + 1];
        for (; k < end; k++)
            if (w.A.col[k] < w.A.rows)
                w.A.col[kept] = w.A.col[k], w.A.val[kept++] = w.A.val[k];
        w.A.row[i + 1] = kept;
        k = end;
    }
    vks_solve_options few = {.max_iterations = LIMIT, .rtol = 1e-30, .history_capacity = LIMIT + 1};
    solve_alone(&w, "host", VKS_F64, &diagonal, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .M = &diagonal, .options = few});
    memset(w.b, 0, w.A.rows * sizeof *w.b);
    solve_alone(&w, "host", VKS_F64, &diagonal, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .M = &diagonal, .options = few});
}

static int go_on(void *user, const vks_progress *p)
{
    (void)user, (void)p;
    return 0;
}

struct refusal {
    vks_solve_options options;
    vks_partners with;
    const char *why;
};

TestOnHost(partners, refuse_what_does_not_fit)
{
    static const uint64_t two[] = {0, 4}, odd[] = {0, 4, 8}, late[] = {1, 5};
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI};
    const vks_partners alone = {
        .processes = 1, .first = two, .exchange = exchange, .exchanged = exchanged, .gather = gather};
    const uint32_t beyond[] = {0, 4};
    const struct refusal refusals[] = {
        {{.method = VKS_METHOD_MINRES}, alone, "a method other than cg"},
        {{.precond = VKS_PRECOND_JACOBI}, alone, "a preconditioner that is not shared"},
        {{.precond_options = &blocks}, alone, "a preconditioner that is not shared"},
        {{.iterate_in_f32 = 1}, alone, "iterations on another matrix"},
        {{.singular = 1}, alone, "a null space"},
        {{.progress = go_on}, alone, "a progress function"},
        {{0}, {.processes = 2, .first = odd}, "a range ends at a multiple of 65536"},
        {{0}, {.processes = 1, .process = 1, .first = two}, "process 1 of 1"},
        {{0}, {.processes = 1, .first = late}, "begin at 1"},
        {{0}, {.processes = 1, .first = two, .after = 1}, "1 behind"},
    };
    const uint32_t row[] = {0, 1, 2, 3, 4}, col[] = {0, 1, 2, 3};
    const double val[] = {1, 1, 1, 1};
    OWNED(vks_matrix) *A = NULL;
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, 4), *x = vector_of(c, PRECISION_F64, NULL, 4);
    must_work(c, vks_matrix_from_csr(c, 4, 4, row, col, val, NULL, &A));
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        vks_solve_options o = refusals[i].options;
        vks_partners with = refusals[i].with;
        with.exchange = exchange;
        with.exchanged = exchanged;
        with.gather = gather;
        o.partners = &with;
        must_refuse(c, vks_solve(A, b, x, &o, NULL), VKS_INVALID_ARGUMENT, refusals[i].why);
    }
    OWNED(vks_array) *sent = NULL;
    must_work(c, vks_array_create(c, 2, VKS_TYPE_U32, &sent));
    must_work(c, vks_array_write(sent, 0, 2, beyond));
    vks_partners with = alone;
    vks_solve_options o = {.partners = &with};
    with.sent = sent;
    must_refuse(c, vks_solve(A, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "others need row 4 of 4");
    with = alone;
    with.exchanged = NULL;
    must_refuse(c, vks_solve(A, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "one of the three functions");
}
