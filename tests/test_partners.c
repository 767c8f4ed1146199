/* A solve whose rows are shared by several processes gives what one process with all rows gives, bit for bit.
 */
#include "tests/support/data.h"
#include "tests/support/partners.h"
#include "tests/support/solve.h"

#include <math.h>

TestSuite(partners, .timeout = 120);

enum { LIMIT = 30 };

/* A grid of w x w x w points: seven-point stencil, with a diagonal that varies. */
static struct host_csr grid(uint32_t w, uint32_t layers)
{
    uint32_t n = w * w * layers, at = 0;
    struct host_csr A = new_csr(n, n, 7 * (size_t)n);
    uint64_t seed = 5;
    A.row[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t x = i % w, y = i / w % w, z = i / w / w;
        const bool is[7] = {z > 0, y > 0, x > 0, true, x + 1 < w, y + 1 < w, z + 1 < layers};
        const int64_t to[7] = {-(int64_t)w * w, -(int64_t)w, -1, 0, 1, w, (int64_t)w * w};
        for (int k = 0; k < 7; k++)
            if (is[k]) {
                A.col[at] = (uint32_t)(i + to[k]);
                A.val[at++] = k == 3 ? 6 + (double)random_below(&seed, 1000) / 512 : -1;
            }
        A.row[i + 1] = at;
    }
    return A;
}

struct whole {
    struct host_csr A;
    double *b, *x, *history;
    uint32_t lanes;
    vks_solve_report report;
};

static double *numbers(uint32_t n, uint64_t seed)
{
    double *b = malloc(n * sizeof *b + 1);
    for (uint32_t i = 0; i < n; i++)
        b[i] = (double)random_below(&seed, 1 << 20) / (1 << 19) - 1;
    return b;
}

/* One process has all rows. */
static void solve_alone(struct whole *w, const char *device, vks_precision precision, bool jacobi,
                        vks_solve_options options)
{
    vks_context *c = !strcmp(device, "host") ? open_host() : open_gpu();
    uint32_t n = w->A.rows;
    vks_matrix *A = NULL;
    vks_vector *b = NULL, *x = NULL;
    const vks_matrix_options o = {.precision = precision, .lanes = w->lanes};
    options.precond = jacobi ? VKS_PRECOND_JACOBI : VKS_PRECOND_NONE;
    options.history = w->history;
    cr_assert_eq(vks_matrix_from_csr(c, n, n, w->A.row, w->A.col, w->A.val, &o, &A), VKS_OK);
    cr_assert_eq(vks_vector_create(c, n, precision, &b), VKS_OK);
    cr_assert_eq(vks_vector_create(c, n, precision, &x), VKS_OK);
    cr_assert_eq(vks_vector_write(b, 0, n, VKS_F64, w->b), VKS_OK);
    cr_assert_eq(vks_cg_solve(A, b, x, &options, &w->report), VKS_OK, "%s", vks_context_message(c));
    cr_assert_eq(vks_vector_read(x, 0, n, VKS_F64, w->x), VKS_OK);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_matrix_destroy(A);
    close_context(c);
}

static void solve_together(struct play *p, const struct whole *w, const char *device, uint32_t processes,
                           const uint64_t *first)
{
    uint32_t n = w->A.rows;
    p->device = device;
    p->A = &w->A;
    p->b = w->b;
    p->x = calloc(n + 1, sizeof *p->x);
    p->history = calloc(LIMIT + 2, sizeof *p->history);
    p->processes = processes;
    p->first = first;
    p->options.history_capacity = LIMIT + 1;
    play(p);
}

static void expect_same(struct play *p, const struct whole *w)
{
    for (uint32_t q = 0; q < p->processes; q++) {
        const struct actor *a = &p->actor[q];
        cr_assert_eq(a->status, VKS_OK, "process %u: %s", q, a->message);
        cr_expect_eq(a->report.reason, w->report.reason, "process %u: %s", q, a->report.detail);
        cr_expect_eq(a->report.iterations, w->report.iterations);
        cr_expect_eq(a->report.true_residual, w->report.true_residual, "%.17g, alone %.17g",
                     a->report.true_residual, w->report.true_residual);
        cr_expect_eq(a->messages, 0);
    }
    cr_expect_eq(p->actor[0].report.history_count, w->report.history_count);
    cr_expect_arr_eq(p->history, w->history, w->report.history_count * sizeof *w->history);
    cr_expect_arr_eq(p->x, w->x, w->A.rows * sizeof *w->x);
}

static void play_free(struct play *p)
{
    play_end(p);
    free(p->x);
    free(p->history);
}

static struct whole whole_of(uint32_t width, uint32_t layers)
{
    struct whole w = {.A = grid(width, layers)};
    w.b = numbers(w.A.rows, 3);
    w.x = calloc(w.A.rows + 1, sizeof *w.x);
    w.history = calloc(LIMIT + 2, sizeof *w.history);
    return w;
}

static void whole_free(struct whole *w)
{
    host_csr_free(&w->A);
    free(w->b);
    free(w->x);
    free(w->history);
}

/* One process with all rows; two; four, and one without rows between them. */
static void compare(const char *device, uint32_t width, uint32_t layers, vks_precision precision, bool jacobi,
                    vks_solve_options options)
{
    struct whole w = whole_of(width, layers);
    uint64_t n = w.A.rows, c = VKS_CHUNK;
    const struct {
        uint32_t processes;
        uint64_t first[MOST_PARTNERS];
    } shares[] = {{1, {0, n}}, {2, {0, c, n}}, {5, {0, c, c, 2 * c, 3 * c, n}}};
    options.history_capacity = LIMIT + 1;
    solve_alone(&w, device, precision, jacobi, options);
    for (size_t i = 0; i < sizeof shares / sizeof *shares && shares[i].first[shares[i].processes - 1] <= n;
         i++) {
        struct play p = {.precision = precision, .options = options, .jacobi = jacobi};
        solve_together(&p, &w, device, shares[i].processes, shares[i].first);
        expect_same(&p, &w);
        play_free(&p);
    }
    whole_free(&w);
}

Test(partners, give_the_bits_of_one_on_the_host)
{
    vks_solve_options few = {.max_iterations = LIMIT, .rtol = 1e-30};
    compare("host", 70, 54, VKS_F64, true, few);
    compare("host", 70, 54, VKS_F32, false, few);
    compare("host", 70, 54, VKS_F64, true, (vks_solve_options){.rtol = 1e-8});
}

Test(partners, give_the_bits_of_one_on_lavapipe)
{
    compare(gpu_name(), 260, 3, VKS_F64, true, (vks_solve_options){.max_iterations = 3, .rtol = 1e-30});
}

/* The device of one process is lost at its k-th submission: all end in words, and nobody waits for ever. */
static uint32_t lose_one(struct whole *w, uint32_t k, bool keeps)
{
    const uint64_t first[] = {0, VKS_CHUNK, w->A.rows};
    struct play p = {.precision = VKS_F64, .keeps = keeps, .options = {.max_iterations = 2, .rtol = 1e-30}};
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
    play_free(&p);
    return lost;
}

Test(partners, end_together_where_a_device_is_lost)
{
    struct whole w = whole_of(257, 1);
    uint32_t k = 1;
    while (lose_one(&w, k, false))
        k++;
    cr_expect_gt(k, 10, "%u submissions", k);
    for (k = 1; lose_one(&w, k, true); k += 5)
        ;
    whole_free(&w);
}

/* A zero on the diagonal of one process: it tells the reason, and the others which process it is. */
Test(partners, end_together_where_the_rows_of_one_do_not_suit)
{
    struct whole w = whole_of(260, 3);
    const uint64_t first[] = {0, VKS_CHUNK, 2 * VKS_CHUNK, w.A.rows};
    uint32_t row = VKS_CHUNK + 17;
    for (uint32_t k = w.A.row[row]; k < w.A.row[row + 1]; k++)
        if (w.A.col[k] == row)
            w.A.val[k] = 0;
    struct play p = {.precision = VKS_F64, .jacobi = true, .options = {.max_iterations = LIMIT}};
    solve_together(&p, &w, "host", 3, first);
    cr_expect_not(p.barrier.broken);
    cr_expect_eq(p.actor[1].status, VKS_OK);
    cr_expect_eq(p.actor[1].report.reason, VKS_REASON_ZERO_DIAGONAL);
    for (uint32_t q = 0; q < 3; q += 2) {
        cr_expect_eq(p.actor[q].status, VKS_PARTNER);
        cr_expect(strstr(p.actor[q].message, "the rows of process 1 do not suit: a diagonal entry"), "%s",
                  p.actor[q].message);
    }
    play_free(&p);
    whole_free(&w);
}

static void compare_kept(struct whole *w, struct play *p)
{
    const uint64_t first[] = {0, VKS_CHUNK, w->A.rows};
    p->options.history_capacity = LIMIT + 1;
    solve_together(p, w, "host", 2, first);
    expect_same(p, w);
    play_free(p);
}

/* A kept solver, from the second solve of the same values; rows of two lanes, which those of a process alone
 * would not take. */
Test(partners, keep_a_solver_and_take_the_lanes_of_the_whole)
{
    struct whole w = whole_of(260, 3);
    vks_solve_options few = {.max_iterations = LIMIT, .rtol = 1e-30, .history_capacity = LIMIT + 1};
    solve_alone(&w, "host", VKS_F64, true, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .jacobi = true, .keeps = true, .options = few});
    w.lanes = 2;
    solve_alone(&w, "host", VKS_F64, true, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .jacobi = true, .lanes = 2, .options = few});
    whole_free(&w);
}

/* The last process has less than a tile; b = 0 ends at once in all of them. */
Test(partners, share_a_few_rows_and_zeros)
{
    struct whole w = whole_of(256, 2);
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
    solve_alone(&w, "host", VKS_F64, true, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .jacobi = true, .options = few});
    memset(w.b, 0, w.A.rows * sizeof *w.b);
    solve_alone(&w, "host", VKS_F64, true, few);
    compare_kept(&w, &(struct play){.precision = VKS_F64, .jacobi = true, .options = few});
    whole_free(&w);
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

Test(partners, refuse_what_does_not_fit)
{
    static const uint64_t two[] = {0, 4}, odd[] = {0, 4, 8}, late[] = {1, 5};
    static const vks_precond_options blocks = {.kind = VKS_PRECOND_BLOCK_JACOBI};
    const vks_partners alone = {
        .processes = 1, .first = two, .exchange = exchange, .exchanged = exchanged, .gather = gather};
    const uint32_t beyond[] = {0, 4};
    const struct refusal refusals[] = {
        {{.method = VKS_METHOD_MINRES}, alone, "another method than cg"},
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
    vks_context *c = open_host();
    const uint32_t row[] = {0, 1, 2, 3, 4}, col[] = {0, 1, 2, 3};
    const double val[] = {1, 1, 1, 1};
    vks_matrix *A = NULL;
    vks_vector *b = vector_of(c, PRECISION_F64, NULL, 4), *x = vector_of(c, PRECISION_F64, NULL, 4);
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
    vks_array *sent = NULL;
    must_work(c, vks_array_create(c, 2, VKS_TYPE_U32, &sent));
    must_work(c, vks_array_write(sent, 0, 2, beyond));
    vks_partners with = alone;
    vks_solve_options o = {.partners = &with};
    with.sent = sent;
    must_refuse(c, vks_solve(A, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "others need row 4 of 4");
    with = alone;
    with.exchanged = NULL;
    must_refuse(c, vks_solve(A, b, x, &o, NULL), VKS_INVALID_ARGUMENT, "one of the three functions");
    vks_array_destroy(sent);
    vks_vector_destroy(b);
    vks_vector_destroy(x);
    vks_matrix_destroy(A);
    close_context(c);
}
