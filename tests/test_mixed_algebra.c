/* Mixed matrices in operations other than products: matrices derived from them, new values made on the
 * device, and solves. The bits are those of f64. */
#include "tests/support/arrays.h"
#include "tests/support/mixed.h"
#include "tests/support/solve.h"
#include "vksolve/algebra.h"
#include "vksolve/assembly.h"
#include "vksolve/multiply.h"

/* Two matrices, each mixed and in f64. */
struct operands {
    struct host_csr a, b;
    vks_matrix *A, *B, *fA, *fB;
};

static struct operands operands(vks_context *c, struct host_csr a, struct host_csr b)
{
    vks_format_options sell = {.format = VKS_FORMAT_SELL, .lean = true, .padding = 1000},
                       csr = {.format = VKS_FORMAT_CSR};
    return (struct operands){a,
                             b,
                             put_stored(c, &a, VKS_MIXED, sell),
                             put_stored(c, &b, VKS_MIXED, csr),
                             put_stored(c, &a, VKS_F64, csr),
                             put_stored(c, &b, VKS_F64, csr)};
}

static void operands_free(struct operands *o)
{
    vks_matrix *all[] = {o->A, o->B, o->fA, o->fB};
    for (int i = 0; i < 4; i++)
        vks_matrix_destroy(all[i]);
    host_csr_free(&o->a);
    host_csr_free(&o->b);
}

/* A result must be mixed, have the bits of the one in f64, and be stored as these require. Destroys both. */
static void must_be_same(vks_context *c, vks_matrix *got, vks_matrix *want, bool narrow, const char *what)
{
    OWNED_STRUCT(host_csr) w = read_back(c, want);
    must_be(c, got, &w, what);
    must_be_stored_for(got, &w, what);
    cr_expect_eq(vks_matrix_value_bytes(got), narrow ? 4 : 8, "%s: %u bytes", what,
                 vks_matrix_value_bytes(got));
    must_multiply_as(c, got, want, &w, what);
    vks_matrix_destroy(got);
    vks_matrix_destroy(want);
}

/* Small whole numbers, whose sums and products survive. */
static struct host_csr whole_csr(uint32_t rows, uint32_t cols, uint32_t most, uint64_t seed)
{
    struct host_csr a = random_csr(PRECISION_F32, rows, cols, most, seed);
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        a.val[k] = (double)(k % 13) - 6;
    return a;
}

static void add(vks_context *c, const struct operands *o, double alpha, bool narrow)
{
    vks_matrix *got = NULL, *want = NULL;
    must_work(c, vks_matrix_add(alpha, o->A, 1, o->B, VKS_FORMAT_SELL, &got));
    must_work(c, vks_matrix_add(alpha, o->fA, 1, o->fB, VKS_FORMAT_CSR, &want));
    must_be_same(c, got, want, narrow, "A + B");
    must_work(c, vks_matrix_add(alpha, o->A, 1, o->A, VKS_FORMAT_CSR, &got));
    must_work(c, vks_matrix_add(alpha, o->fA, 1, o->fA, VKS_FORMAT_CSR, &want));
    must_be_same(c, got, want, narrow, "A + A");
    must_work(c, vks_matrix_add(alpha, o->fA, 1, o->B, VKS_FORMAT_CSR, &got));
    must_work(c, vks_matrix_add(alpha, o->fA, 1, o->fB, VKS_FORMAT_CSR, &want));
    must_be_same(c, got, want, narrow, "A in f64 + B");
}

static void multiply(vks_context *c, const struct operands *o, bool narrow)
{
    vks_matrix *got = NULL, *want = NULL;
    must_work(c, vks_matrix_multiply(o->A, o->B, NULL, &got));
    must_work(c, vks_matrix_multiply(o->fA, o->fB, NULL, &want));
    must_be_same(c, got, want, narrow, "A B");
    must_work(c, vks_matrix_multiply(o->A, o->fA, NULL, &got));
    must_work(c, vks_matrix_multiply(o->fA, o->fA, NULL, &want));
    must_be_same(c, got, want, narrow, "A A, once in f64");
    must_work(c, vks_matrix_triple_product(o->B, o->A, o->B, NULL, &got));
    must_work(c, vks_matrix_triple_product(o->fB, o->fA, o->fB, NULL, &want));
    must_be_same(c, got, want, narrow, "B A B");
}

static void pick(vks_context *c, const struct operands *o, bool narrow)
{
    vks_matrix *got = NULL, *want = NULL;
    must_work(c, vks_matrix_transpose(o->A, VKS_FORMAT_SELL, &got));
    must_work(c, vks_matrix_transpose(o->fA, VKS_FORMAT_CSR, &want));
    must_be_same(c, got, want, narrow, "the transpose");
    must_work(c, vks_matrix_drop(o->A, 0.3, VKS_FORMAT_BALANCED, &got));
    must_work(c, vks_matrix_drop(o->fA, 0.3, VKS_FORMAT_CSR, &want));
    must_be_same(c, got, want, narrow, "without small entries");
}

TestOnBoth(mixed_algebra, makes_mixed_matrices_with_the_bits_of_f64_and_narrow_if_they_can_be)
{
    OWNED_STRUCT(operands) o = operands(c, whole_csr(50, 50, 12, 1), whole_csr(50, 50, 9, 2));
    add(c, &o, 2, true);
    add(c, &o, 1e-3, false);
    multiply(c, &o, true);
    pick(c, &o, true);
    must_be(c, o.A, &o.a, "an operand");
    cr_expect_eq(vks_matrix_value_bytes(o.A), 4);
    operands_free(&o);
    o = operands(c, mixed_csr(50, 50, 12, false, 3), mixed_csr(50, 50, 9, true, 4));
    add(c, &o, 2, false);
    multiply(c, &o, false);
    pick(c, &o, false);
}

/* The second product has whole numbers, the third does not. */
TestOnBoth(mixed_algebra, widens_a_product_whose_new_values_do_not_survive)
{
    OWNED_STRUCT(operands) o = operands(c, whole_csr(40, 40, 12, 5), whole_csr(40, 40, 9, 6));
    OWNED(vks_matrix) *got = NULL, *want = NULL;
    must_work(c, vks_matrix_multiply(o.A, o.B, NULL, &got));
    must_work(c, vks_matrix_multiply(o.fA, o.fB, NULL, &want));
    for (int turn = 0; turn < 3; turn++) {
        for (size_t k = 0; k < host_csr_entries(&o.b); k++)
            o.b.val[k] = turn == 0 ? (double)(k % 5) : (double)(k % 7) * 0.1;
        must_work(c, vks_matrix_set_values(turn ? o.fB : o.B, VKS_F64, o.b.val));
        must_work(c, vks_matrix_set_values(o.fB, VKS_F64, o.b.val));
        must_work(c, vks_matrix_multiply_again(o.A, turn ? o.fB : o.B, got));
        must_work(c, vks_matrix_multiply_again(o.fA, o.fB, want));
        struct host_csr w = read_back(c, want);
        must_be(c, got, &w, "A B again");
        must_multiply_as(c, got, want, &w, "A B again");
        host_csr_free(&w);
        cr_expect_eq(vks_matrix_value_bytes(got), turn ? 8 : 4);
    }
}

TestOnBoth(mixed_algebra, scales_in_place_and_widens_where_it_has_to)
{
    OWNED_STRUCT(operands) o = operands(c, mixed_csr(60, 50, 12, true, 7), mixed_csr(60, 50, 12, true, 8));
    double left[60], right[50];
    for (int i = 0; i < 60; i++)
        left[i] = ldexp(i % 2 ? 1 : -1, i % 5);
    for (int i = 0; i < 50; i++)
        right[i] = i == 49 ? 1 + 0x1p-30 : 1;
    OWNED(vks_vector) *l = put_vector(c, left, 60, PRECISION_F64),
                      *r = put_vector(c, right, 50, PRECISION_F64),
                      *narrow = put_vector(c, right, 50, PRECISION_F32);
    for (int turn = 0; turn < 2; turn++) { /* first by powers of two, then also by other numbers */
        must_work(c, vks_matrix_scale(o.A, l, turn ? r : NULL));
        must_work(c, vks_matrix_scale(o.fA, l, turn ? r : NULL));
        OWNED_STRUCT(host_csr) w = read_back(c, o.fA);
        must_be(c, o.A, &w, "scaled");
        must_be_stored_for(o.A, &w, "scaled");
        cr_expect_eq(vks_matrix_value_bytes(o.A), turn ? 8 : 4);
        must_multiply_as(c, o.A, o.fA, &w, "scaled");
    }
    must_refuse(c, vks_matrix_scale(o.B, NULL, narrow), VKS_INVALID_ARGUMENT, "differ in precision");
}

/* The transpose is made while the matrix is wide, though its values would survive; then they change. */
TestOnBoth(mixed_algebra, keeps_a_transpose_as_wide_as_the_matrix)
{
    OWNED_STRUCT(host_csr) a = mixed_csr(60, 50, 12, false, 11);
    double *lost = &a.val[host_csr_entries(&a) - 1];
    OWNED(vks_matrix) *A = put_stored(c, &a, VKS_MIXED, (vks_format_options){.format = VKS_FORMAT_SELL}),
                      *F = put_stored(c, &a, VKS_F64, (vks_format_options){.format = VKS_FORMAT_CSR});
    *lost = 1;
    for (int turn = 0; turn < 2; turn++) {
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        must_work(c, vks_matrix_set_values(F, VKS_F64, a.val));
        must_multiply_as(c, A, F, &a, turn ? "with other values" : "as it is made");
        a.val[3] = 1.1;
    }
    cr_expect_eq(vks_matrix_value_bytes(A), 8);
}

TestOnHost(mixed_algebra, goes_with_f64_alone)
{
    OWNED_STRUCT(host_csr) a = whole_csr(9, 9, 3, 1);
    vks_matrix *A = put_stored(c, &a, VKS_MIXED, (vks_format_options){0}), *C = NULL,
               *F = put_stored(c, &a, VKS_F32, (vks_format_options){0});
    must_refuse(c, vks_matrix_add(1, A, 1, F, VKS_FORMAT_CSR, &C), VKS_INVALID_ARGUMENT,
                "differ in precision");
    must_refuse(c, vks_matrix_multiply(F, A, NULL, &C), VKS_INVALID_ARGUMENT, "differ in precision");
    must_refuse(c, vks_matrix_multiply_again(A, A, F), VKS_INVALID_ARGUMENT, "precision");
    cr_expect_null(C);
    vks_matrix_destroy(A);
    vks_matrix_destroy(F);
}

/* A diagonal matrix of an assembly, made from host memory so that it is mixed. */
TestOnBoth(mixed_algebra, takes_values_that_are_assembled)
{
    enum { ROWS = 300 };
    uint32_t numbers[ROWS], offsets[ROWS + 1];
    double val[ROWS], ones[ROWS];
    for (uint32_t i = 0; i < ROWS; i++) {
        numbers[i] = i;
        offsets[i] = i;
        val[i] = ones[i] = 1;
    }
    offsets[ROWS] = ROWS;
    struct host_csr a = {ROWS, ROWS, offsets, numbers, val};
    OWNED(vks_array) *index = words(c, numbers, ROWS);
    OWNED(vks_assembly) *assembly = NULL;
    must_work(c, vks_assembly_create(c, ROWS, ROWS, index, index, &assembly));
    OWNED(vks_matrix) *A = put_stored(c, &a, VKS_MIXED, (vks_format_options){.format = VKS_FORMAT_SELL});
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t i = 0; i < ROWS; i++)
            val[i] = turn && i > 5 ? 0.3 * i : 2 * i;
        OWNED(vks_array) *v = floats(c, PRECISION_F64, val, ROWS), *f = floats(c, PRECISION_F32, val, ROWS);
        must_refuse(c, vks_assembly_update(assembly, f, A), VKS_INVALID_ARGUMENT, "differ in precision");
        must_work(c, vks_assembly_update(assembly, v, A));
        must_be(c, A, &a, "assembled");
        must_be_stored_for(A, &a, "assembled");
        OWNED(double) *y = product_with(c, A, ones, false);
        must_equal(y, val, ROWS, "the product with ones");
    }
}

static struct solved solve_as(vks_context *c, const struct host_csr *a, const double *right, vks_precision p,
                              vks_format_options storage)
{
    enum { MOST = 60 };
    struct solved s = {.x = room(a->rows, 8), .history = room(MOST, 8)};
    vks_solve_options o = {.max_iterations = MOST, .history = s.history, .history_capacity = MOST};
    OWNED(vks_matrix) *A = put_stored(c, a, p, storage);
    OWNED(vks_vector) *b = put_vector(c, right, a->rows, PRECISION_F64),
                      *x = put_vector(c, s.x, a->rows, PRECISION_F64);
    must_work(c, vks_cg_solve(A, b, x, &o, &s.report));
    must_work(c, vks_vector_read(x, 0, a->rows, VKS_F64, s.x));
    guards_check(c->device);
    return s;
}

static void must_be_one_solve(const struct solved *got, const struct solved *want, uint32_t n,
                              const char *what)
{
    const vks_solve_report *g = &got->report, *w = &want->report;
    cr_assert_eq(g->reason, w->reason, "%s: %s", what, vks_reason_name(g->reason));
    cr_assert_eq(g->iterations, w->iterations, "%s: %u iterations", what, g->iterations);
    cr_assert_gt(w->iterations, 5);
    must_equal(got->history, want->history, w->history_count, what);
    must_equal(got->x, want->x, n, what);
    cr_assert_eq(bits_of(g->true_residual), bits_of(w->true_residual), "%s: %.17g", what, g->true_residual);
}

/* Values are only a part of an iteration's traffic. */
TestOnBoth(mixed_algebra, solves_with_the_iterations_history_and_bits_of_f64_and_fewer_bytes)
{
    static const vks_format formats[] = {VKS_FORMAT_CSR, VKS_FORMAT_SELL, VKS_FORMAT_BSR, VKS_FORMAT_ELL,
                                         VKS_FORMAT_COO};
    OWNED_STRUCT(host_csr) a = random_spd(PRECISION_F32, 700, 9);
    OWNED(double) *b = random_vector(PRECISION_F64, a.rows, 3, 4);
    for (int i = 0; i < 10; i++) {
        vks_format_options o = {.format = formats[i / 2], .lean = i % 2, .padding = 1000};
        OWNED_STRUCT(solved) got = solve_as(c, &a, b, VKS_MIXED, o), want = solve_as(c, &a, b, VKS_F64, o);
        must_be_one_solve(&got, &want, a.rows, vks_format_name(o.format));
        double less = want.report.bytes_per_iteration - got.report.bytes_per_iteration;
        cr_expect_geq(less, 4.0 * (double)host_csr_entries(&a), "%s: %g bytes less",
                      vks_format_name(o.format), less);
    }
    a.val[5] = a.val[5] > 0 ? 0.1 : -0.1;
    OWNED_STRUCT(solved) got = solve_as(c, &a, b, VKS_MIXED, (vks_format_options){0}),
                         want = solve_as(c, &a, b, VKS_F64, (vks_format_options){0});
    must_be_one_solve(&got, &want, a.rows, "wide");
    cr_expect_eq(got.report.bytes_per_iteration, want.report.bytes_per_iteration);
}

Test(mixed_algebra, solves_with_the_same_bits_on_the_host_and_on_lavapipe)
{
    OWNED(vks_context) *c = open_host(), *d = open_gpu();
    OWNED_STRUCT(host_csr) a = random_spd(PRECISION_F32, 300, 10);
    OWNED(double) *b = random_vector(PRECISION_F64, a.rows, 3, 4);
    OWNED_STRUCT(solved) on_host =
                             solve_as(c, &a, b, VKS_MIXED, (vks_format_options){.format = VKS_FORMAT_CSR}),
                         on_gpu =
                             solve_as(d, &a, b, VKS_MIXED, (vks_format_options){.format = VKS_FORMAT_SELL});
    must_be_one_solve(&on_gpu, &on_host, a.rows, "lavapipe");
}
