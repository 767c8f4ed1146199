/* Scaled and permuted systems: their construction, and solves with them, whose x, residuals and reports are
 * those of the given A. */
#include "small_matrix.h"
#include "solvers/system/scaled.h"
#include "tests/support/hard_to_match.h"
#include "tests/support/unsymmetric.h"
#include "vksolve/kept_solver.h"
#include "vksolve/precond.h"

#include <math.h>

enum { N = 300 };

/* Dominant, with rows and columns times powers of two, and permuted rows: row i is row from(i). */
static uint32_t from(uint32_t i)
{
    return (7 * i + 3) % N;
}

static int far(enum precision p, uint32_t i)
{
    int most = p == PRECISION_F64 ? 30 : 5;
    return (int)(i * 37 % (2 * (uint32_t)most + 1)) - most;
}

/* Without permutation, A has a strong diagonal. */
static struct host_csr scrambled(enum precision p, bool moves)
{
    uint32_t row[3 * N], col[3 * N], count = 0;
    double val[3 * N];
    for (uint32_t i = 0; i < N; i++)
        for (int k = -1; k <= 1; k++) {
            uint32_t g = moves ? from(i) : i, j = (g + N + (uint32_t)(k * 11)) % N;
            row[count] = i;
            col[count] = j;
            val[count++] = ldexp(k ? k * 0.75 - 0.25 : 2.5, far(p, g) + far(p, j + 5));
        }
    return assemble(N, count, row, col, val);
}

static vks_matrix *matrix_of(vks_context *c, enum precision p, const struct host_csr *A)
{
    vks_matrix_options o = {.precision = p == PRECISION_MIXED ? VKS_MIXED : public_precision(p)};
    return matrix_from(c, A, &o);
}

enum applied { HANDED, GATHERED, WEIGHTED /* handed over, and then weighted */ };

/* The results for 1, 1 + 1/512, 1 + 2/512 ... */
static double *applied(vks_context *c, const struct scaled *s, enum applied how)
{
    enum precision p = s->rows.precision;
    double *ones = room(N, 8), *out = room(N, 8);
    for (uint32_t i = 0; i < N; i++)
        ones[i] = 1 + i / 512.0;
    OWNED(vks_vector) *x = vector_of(c, p, ones, N), *y = vector_of(c, p, NULL, N);
    OWNED_BY(rec_destroy) struct rec r;
    rec_create(&r, c->device, p);
    if (how == GATHERED)
        scaled_gather(&r, s, vec_of(x), vec_of(y));
    else
        scaled_hand_over(&r, s, vec_of(x), vec_of(y));
    if (how == WEIGHTED)
        multiply_each(&r, s->weight, vec_of(y), vec_of(y));
    must_work(c, rec_run(&r));
    must_work(c, vks_vector_read(y, 0, N, VKS_F64, out));
    free(ones);
    return out;
}

/* B is P R A C to the last bit, its diagonal from 1/2 to 2, and the weights are the inverse of R. */
static void must_be_exact(vks_context *c, const struct host_csr *A, const struct scaled *s)
{
    OWNED(double) *rows = applied(c, s, HANDED), *cols = applied(c, s, GATHERED),
                  *weighted = applied(c, s, WEIGHTED);
    OWNED_STRUCT(host_csr) B = new_csr(N, N, A->row[N]);
    must_work(c, vks_matrix_to_csr(s->B, B.row, B.col, VKS_F64, B.val));
    for (uint32_t i = 0; i < N; i++) {
        uint32_t place = s->host_place ? s->host_place[i] : i, k = A->row[place];
        double row = rows[i] / (1 + place / 512.0);
        cr_assert(weighted[i] == 1 + place / 512.0);
        for (uint32_t e = B.row[i]; e < B.row[i + 1]; e++, k++) {
            double col = cols[B.col[e]] / (1 + B.col[e] / 512.0);
            cr_assert_eq(B.col[e], A->col[k]);
            cr_assert(same_bits(B.val[e], row * A->val[k] * col), "row %u: %a", i, B.val[e]);
            cr_assert(B.col[e] != i || (fabs(B.val[e]) >= 0.5 && fabs(B.val[e]) <= 2), "%g", B.val[e]);
            cr_assert_leq(fabs(B.val[e]), 2);
        }
        cr_assert_eq(k, A->row[place + 1]);
    }
}

TestEverywhere(scaled, is_exact_and_chosen_by_the_diagonal)
{
    for (int moves = 0; moves < 2; moves++) {
        OWNED_STRUCT(host_csr) A = scrambled(p, moves);
        OWNED(vks_matrix) *m = matrix_of(c, p, &A);
        struct diagnosis f = {.row = UINT32_MAX};
        OWNED_BY(scaled_close) struct scaled s = {0};
        struct scaled_structure structure;
        must_work(c, scaled_open(m, VKS_SCALING_AUTO, true, &f, &s));
        cr_assert_eq(s.kind, moves ? VKS_SCALING_MATCH : VKS_SCALING_RUIZ);
        cr_assert(s.structure.rank == N && !f.warning[0] && !diagnosis_refuses(&f));
        if (moves)
            must_be_exact(c, &A, &s);
        for (uint32_t i = 0; moves && i < N; i++)
            cr_assert_eq(f.order[i], s.host_place[i]);
        must_work(c, scaled_inspect(m, true, &structure));
        cr_assert(structure.rank == N && structure.weak == (moves ? N : 0) * (uint32_t)1, "%u weak",
                  structure.weak);
    }
}

/* Rows are scaled as columns are. */
TestEverywhere(scaled, of_a_symmetric_matrix_is_symmetric)
{
    uint32_t row[3 * N], col[3 * N], count = 0;
    double val[3 * N];
    for (uint32_t i = 0; i < N; i++)
        for (int k = -1; k <= 1; k++)
            if (i + (uint32_t)(k + 1) >= 1 && i + (uint32_t)(k + 1) <= N) {
                row[count] = i;
                col[count] = i + (uint32_t)(k + 1) - 1;
                val[count++] = ldexp(k ? -1.25 : 3, far(p, i) + far(p, i + (uint32_t)(k + 1) - 1));
            }
    OWNED_STRUCT(host_csr) A = assemble(N, count, row, col, val);
    OWNED(vks_matrix) *m = matrix_of(c, p, &A);
    struct diagnosis f = {.row = UINT32_MAX};
    OWNED_BY(scaled_close) struct scaled s = {0};
    must_work(c, scaled_open(m, VKS_SCALING_RUIZ, false, &f, &s));
    OWNED(double) *rows = applied(c, &s, HANDED), *cols = applied(c, &s, GATHERED);
    must_equal(rows, cols, N, "scales");
    must_be_exact(c, &A, &s);
}

static struct solved by_idr(vks_context *c, const struct host_csr *A, const double *b, enum precision p,
                            vks_scaling scaling)
{
    struct problem q = {.A = A,
                        .b = b,
                        .p = p,
                        .options = {.method = VKS_METHOD_IDR,
                                    .precond = VKS_PRECOND_JACOBI,
                                    .scaling = scaling,
                                    .history_capacity = 500}};
    return solve(c, &q);
}

/* check_report has compared the true residual with that of x. */
Test(scaled, solves_have_the_residuals_of_A_and_the_same_bits_on_host_and_lavapipe)
{
    vks_context *c[2] = {open_host(), open_gpu()};
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (int moves = 0; moves < 2 && walks_in(c[1]->device, p); moves++) {
            OWNED_STRUCT(host_csr) A = scrambled(p, moves);
            OWNED(double) *b = right_side_of_floats(&A, p);
            struct solved s[2];
            for (int d = 0; d < 2; d++) {
                s[d] = by_idr(c[d], &A, b, p, VKS_SCALING_AUTO);
                must_end(&s[d], VKS_REASON_CONVERGED);
                cr_expect_eq(s[d].report.scaling, moves ? VKS_SCALING_MATCH : VKS_SCALING_RUIZ);
                cr_expect_eq(s[d].report.structural_rank, N);
            }
            must_match(&s[0], &s[1], N, "host and lavapipe");
            solved_free(&s[0]);
            solved_free(&s[1]);
        }
    close_context(c[0]);
    close_context(c[1]);
}

/* Powers of two in rows and columns change nothing: they are found and removed exactly. */
TestOnBoth(scaled, solves_do_not_depend_on_a_power_of_two)
{
    OWNED_STRUCT(host_csr) A = scrambled(PRECISION_F64, true);
    OWNED(double) *b = right_side_of_floats(&A, PRECISION_F64);
    OWNED_STRUCT(solved) plain = by_idr(c, &A, b, PRECISION_F64, VKS_SCALING_MATCH);
    for (uint32_t e = 0; e < A.row[N]; e++)
        A.val[e] = ldexp(A.val[e], 600);
    OWNED_STRUCT(solved) large = by_idr(c, &A, b, PRECISION_F64, VKS_SCALING_MATCH);
    for (uint32_t i = 0; i < N; i++)
        large.x[i] = ldexp(large.x[i], 600);
    must_match(&plain, &large, N, "A and A times 2^600");
}

/* Solves in turn, by a kept solver: values, times 3 and then with rows exchanged. */
TestOnBoth(scaled, solvers_take_new_values_that_match_otherwise)
{
    uint32_t row[] = {0, 0, 1, 1, 2, 2}, col[] = {0, 1, 0, 1, 1, 2};
    double values[3][6] = {{1, 8, 16, 1, 1, 4}, {3, 24, 48, 3, 3, 12}, {8, 1, 1, 16, 1, 4}};
    OWNED_STRUCT(host_csr) A = assemble(3, 6, row, col, values[0]);
    double b[3] = {1, 2, 3}, x[3];
    OWNED(vks_matrix) *m = matrix_of(c, PRECISION_F64, &A);
    OWNED(vks_vector) *vb = vector_of(c, PRECISION_F64, b, 3), *vx = vector_of(c, PRECISION_F64, NULL, 3);
    vks_solve_options o = {.method = VKS_METHOD_IDR,
                           .precond = VKS_PRECOND_JACOBI,
                           .zero_guess = 1,
                           .scaling = VKS_SCALING_MATCH};
    OWNED(vks_solver) *v = NULL;
    vks_solve_report r;
    must_work(c, vks_solver_create(m, &o, &v));
    for (int turn = 0; turn < 4; turn++) {
        memcpy(A.val, values[turn % 3], sizeof values[0]);
        must_work(c, vks_matrix_set_values(m, VKS_F64, A.val));
        must_work(c, vks_solver_solve(v, vb, vx, &r));
        must_work(c, vks_vector_read(vx, 0, 3, VKS_F64, x));
        OWNED_STRUCT(solved) again = by_idr(c, &A, b, PRECISION_F64, VKS_SCALING_MATCH);
        cr_assert_eq(r.reason, VKS_REASON_CONVERGED, "%s", r.detail);
        cr_assert_eq(r.scaling, VKS_SCALING_MATCH);
        must_equal(x, again.x, 3, "a kept solver and a new one");
    }
}

/* Rows 0 and 1 have entries only in column 1, so column 0 is unmatched: rank 2 of 3. */
TestOnBoth(scaled, systems_tell_the_structural_rank_and_iterate_where_b_is_in_the_range)
{
    uint32_t row[] = {0, 1, 2, 2}, col[] = {1, 1, 0, 2}, order[] = {7, 5, 6};
    double val[] = {1, 2, 0, 4}, b[3] = {1, 2, 3};
    OWNED_STRUCT(host_csr) A = assemble(3, 4, row, col, val);
    OWNED_STRUCT(solved) s = by_idr(c, &A, b, PRECISION_F64, VKS_SCALING_MATCH);
    must_end(&s, VKS_REASON_STRUCTURALLY_SINGULAR);
    cr_expect_str_eq(s.report.detail, "structural rank 2 of 3");
    cr_expect_str_eq(s.report.warning, "STRUCTURALLY_SINGULAR: structural rank 2 of 3");
    cr_expect_eq(s.report.structural_rank, 2);
    solved_free(&s);
    struct problem q = {
        .A = &A, .b = b, .options = {.method = VKS_METHOD_IDR, .precond = VKS_PRECOND_NONE, .order = order}};
    q.p = PRECISION_F64;
    q.options.scaling = VKS_SCALING_MATCH;
    s = solve(c, &q); /* b is in the range of A */
    must_end(&s, VKS_REASON_CONVERGED);
    solved_free(&s);
    A.val[1] = NAN;
    s = solve(c, &q);
    must_end(&s, VKS_REASON_NOT_FINITE);
    cr_expect_eq(s.report.row, 5, "row %u", s.report.row);
    cr_expect_str_eq(s.report.detail, "row 6 has an entry that is not finite");
}

/* Row 1 of A, which is row 0 of B, has a diagonal there so small that its reciprocal is not finite. */
TestOnHost(scaled, findings_name_the_rows_of_A_in_the_order_of_the_caller)
{
    uint32_t row[] = {0, 1, 2}, col[] = {1, 0, 2}, order[] = {7, 5, 6};
    OWNED_STRUCT(host_csr) A = assemble(3, 3, row, col, (double[]){1, 1, 1});
    OWNED(vks_matrix) *m = matrix_of(c, PRECISION_F64, &A);
    struct diagnosis f = {.row = UINT32_MAX, .order = order};
    OWNED_BY(scaled_close) struct scaled s = {0};
    must_work(c, scaled_open(m, VKS_SCALING_MATCH, true, &f, &s));
    cr_assert(f.order[0] == 5 && f.order[1] == 7 && f.order[2] == 6);
    scaled_close(&s);
    must_work(c, vks_matrix_set_values(m, VKS_F64, (double[]){1, 1, INFINITY}));
    f = (struct diagnosis){.row = UINT32_MAX, .order = order};
    must_work(c, scaled_open(m, VKS_SCALING_MATCH, true, &f, &s));
    cr_assert(f.reason == VKS_REASON_NOT_FINITE && f.row == 6, "row %u", f.row);
}

TestOnHost(scaled, systems_stay_in_order_where_matching_is_too_much_work)
{
    OWNED_STRUCT(host_csr) A = hard_to_match(600, 400);
    OWNED(vks_matrix) *m = matrix_of(c, PRECISION_F64, &A);
    struct diagnosis f = {.row = UINT32_MAX};
    OWNED_BY(scaled_close) struct scaled s = {0};
    must_work(c, scaled_open(m, VKS_SCALING_MATCH, true, &f, &s));
    cr_expect(s.kind == VKS_SCALING_RUIZ && scaled_gave_up(&s) && !s.host_place && !f.order);
    cr_expect_str_eq(f.warning,
                     "matching was too expensive: rows stay in their order, and the scaling is ruiz");
}

TestOnHost(scaled, systems_are_refused_where_they_cannot_be)
{
    static const struct {
        vks_solve_options o;
        const char *words;
    } refused[] = {{{.method = VKS_METHOD_CG, .scaling = VKS_SCALING_RUIZ}, "cg iterates on A as it is"},
                   {{.method = VKS_METHOD_JACOBI, .scaling = VKS_SCALING_MATCH}, "jacobi iterates on A"},
                   {{.method = VKS_METHOD_IDR, .scaling = VKS_SCALING_COUNT_}, "unknown"}};
    OWNED_STRUCT(host_csr) A = scrambled(PRECISION_F64, false);
    OWNED(vks_matrix) *m = matrix_of(c, PRECISION_F64, &A);
    OWNED(vks_vector) *b = vector_of(c, PRECISION_F64, NULL, N), *x = vector_of(c, PRECISION_F64, NULL, N);
    OWNED(vks_precond) *M = NULL;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
        cr_assert_eq(vks_solve(m, b, x, &refused[k].o, NULL), VKS_INVALID_ARGUMENT);
        cr_assert(strstr(vks_context_message(c), refused[k].words), "%s", vks_context_message(c));
    }
    must_work(c, vks_precond_create(m, &(vks_precond_options){.kind = VKS_PRECOND_JACOBI}, &M));
    vks_solve_options o = {.method = VKS_METHOD_IDR, .scaling = VKS_SCALING_RUIZ, .shared_precond = M};
    cr_assert_eq(vks_solve(m, b, x, &o, NULL), VKS_INVALID_ARGUMENT);
    cr_assert(strstr(vks_context_message(c), "shared"), "%s", vks_context_message(c));
}
