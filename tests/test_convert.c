/* Matrices converted between formats, and lean ones, which keep no CSR in addition to their format. */
#include "sparse/matrix.h"
#include "tests/support/alike.h"
#include "tests/support/device_matrix.h"
#include "vksolve/assembly.h"
#include "vksolve/multiply.h"
#include "vksolve/solver.h"

static vks_matrix *converted(vks_context *c, const vks_matrix *A, vks_format format, bool lean)
{
    vks_format_options o = {.format = format, .padding = 1e9, .lean = lean};
    vks_matrix *B = NULL;
    must_work(c, vks_matrix_convert(A, &o, &B));
    cr_assert_eq(vks_matrix_format(B), format);
    cr_assert_str_eq(vks_matrix_format_reason(B), "as asked");
    return B;
}

static vks_matrix *lean_one(vks_context *c, const struct host_csr *a, enum precision p, vks_format format)
{
    vks_matrix *A = put_on(c, a, p, VKS_FORMAT_CSR), *B = converted(c, A, format, true);
    vks_matrix_destroy(A);
    return B;
}

/* It must have no columns, no values, and no holder of them. */
static void must_be_lean(const vks_matrix *A)
{
    bool lean = A->ops->to_csr != NULL; /* others are CSR themselves */
    cr_assert_eq(A->lean, lean);
    cr_assert_eq(A->held, 0);
    cr_assert_eq(A->col.bytes + A->val.bytes == 0, lean || !A->csr.entries);
    cr_assert(!lean || (A->csr.col == NULL && A->csr.val == NULL));
}

static double *product_of(vks_context *c, const vks_matrix *A, const double *x, enum precision p)
{
    double *y = room(vks_matrix_rows(A), 8);
    OWNED(vks_vector) *vx = put_vector(c, x, vks_matrix_cols(A), p),
                      *vy = put_vector(c, y, vks_matrix_rows(A), p);
    must_work(c, vks_spmv(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, vks_matrix_rows(A), VKS_F64, y));
    return y;
}

static void must_multiply_alike(vks_context *c, const vks_matrix *A, const vks_matrix *B, enum precision p)
{
    OWNED(double) *x = random_vector(p, vks_matrix_cols(A), 3, 5);
    OWNED(double) *a = product_of(c, A, x, p), *b = product_of(c, B, x, p);
    if (A->ops->own_order || B->ops->own_order) {
        struct host_csr host = read_back(c, A);
        must_be_near(p, &host, x, a, b, 2, vks_format_name(vks_matrix_format(B)));
        host_csr_free(&host);
    } else {
        must_equal(a, b, vks_matrix_rows(A), "y = A x");
    }
}

/* Converts from each format to the next; the entries must be preserved. (All go through CSR.) */
static void round_trips(vks_context *c, struct host_csr a, enum precision p)
{
    OWNED(vks_matrix) *A = put_on(c, &a, p, VKS_FORMAT_CSR);
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        int g = f + 1 < VKS_FORMAT_COUNT_ ? f + 1 : VKS_FORMAT_AUTO + 1;
        OWNED(vks_matrix) *B = converted(c, A, (vks_format)f, true);
        OWNED(vks_matrix) *C = converted(c, B, (vks_format)g, g % 2);
        must_be_lean(B);
        must_be(c, B, &a, vks_format_name((vks_format)f));
        must_be_lean(B);
        must_be(c, C, &a, vks_format_name((vks_format)g));
        must_multiply_alike(c, A, B, p);
        must_multiply_alike(c, A, C, p);
    }
    must_be(c, A, &a, "the operand");
    host_csr_free(&a);
}

static struct host_csr far_columns(enum precision p)
{
    return random_csr(p, 100, 200000, 20, 4);
}

static struct host_csr long_among_short(enum precision p)
{
    uint32_t lengths[300];
    for (uint32_t i = 0; i < 300; i++)
        lengths[i] = i == 100 ? 2100 : i == 101 ? 257 : i == 130 ? 256 : i % 5;
    return csr_of_lengths(p, 300, 2500, lengths, 6);
}

TestOnBoth(convert, from_format_to_format_keeps_structure_values_and_products)
{
    for (enum precision p = 0; p < REAL_PRECISIONS; p++) {
        round_trips(c, random_csr(p, 300, 290, 30, 1), p);
        round_trips(c, far_columns(p), p);
        round_trips(c, long_among_short(p), p);
        round_trips(c, random_csr(p, 33, 7, 3, 2), p);
        round_trips(c, random_csr(p, 1, 1, 1, 3), p);
        round_trips(c, random_csr(p, 70, 50, 0, 3), p);
        round_trips(c, random_csr(p, 0, 5, 0, 3), p);
        round_trips(c, random_csr(p, 0, 0, 0, 3), p);
    }
}

TestOnBoth(convert, lean_matrices_take_new_values_and_stay_lean)
{
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 200, 200, 20, 1);
        OWNED(vks_matrix) *A = lean_one(c, &a, PRECISION_F64, (vks_format)f), *B;
        for (uint32_t k = 0; k < a.row[200]; k++)
            a.val[k] *= -3;
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        must_be_lean(A);
        must_be(c, A, &a, vks_format_name((vks_format)f));
        B = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
        must_multiply_alike(c, A, B, PRECISION_F64);
    }
}

static void solve_to(vks_context *c, const vks_matrix *A, double *x, vks_solve_report *r)
{
    uint32_t n = vks_matrix_rows(A);
    OWNED(vks_vector) *vx = put_vector(c, x, n, PRECISION_F64), *b = put_vector(c, x, n, PRECISION_F64);
    must_work(c, vks_vector_fill(b, 1));
    must_work(c, vks_cg_solve(A, b, vx, NULL, r));
    must_work(c, vks_vector_read(vx, 0, n, VKS_F64, x));
}

TestOnBoth(convert, lean_matrices_are_solved_as_others_are)
{
    OWNED_STRUCT(host_csr) a = random_spd(PRECISION_F64, 400, 3);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++) {
        OWNED(vks_matrix) *B = converted(c, A, (vks_format)f, true);
        double x[400] = {0}, y[400] = {0};
        vks_solve_report r, s;
        solve_to(c, A, x, &r);
        solve_to(c, B, y, &s);
        cr_expect_eq(s.reason, VKS_REASON_CONVERGED);
        cr_expect_leq(s.true_residual, 1e-8);
        if (!B->ops->own_order) {
            must_equal(y, x, 400, "x");
            cr_expect_eq(s.iterations, r.iterations);
            cr_expect_eq(s.true_residual, r.true_residual);
        }
        must_be_lean(B);
    }
}

/* A call must give the same result for lean operands as for others. */
static void must_be_as(vks_context *c, vks_matrix *got, vks_matrix *want, const char *what)
{
    OWNED_STRUCT(host_csr) a = read_back(c, want);
    must_be(c, got, &a, what);
    vks_matrix_destroy(got);
    vks_matrix_destroy(want);
}

static void make_others(vks_context *c, const vks_matrix *A, const vks_matrix *B)
{
    vks_matrix *a, *b;
    must_work(c, vks_matrix_transpose(A, VKS_FORMAT_CSR, &a));
    must_work(c, vks_matrix_transpose(B, VKS_FORMAT_CSR, &b));
    must_be_as(c, b, a, "the transpose");
    must_work(c, vks_matrix_add(2, A, -3, A, VKS_FORMAT_CSR, &a));
    must_work(c, vks_matrix_add(2, B, -3, B, VKS_FORMAT_CSR, &b));
    must_be_as(c, b, a, "a sum of two lean ones");
    must_work(c, vks_matrix_add(2, A, -3, B, VKS_FORMAT_CSR, &b));
    must_work(c, vks_matrix_add(2, A, -3, A, VKS_FORMAT_CSR, &a));
    must_be_as(c, b, a, "a sum of two, one lean");
    must_work(c, vks_matrix_drop(A, 0.5, VKS_FORMAT_CSR, &a));
    must_work(c, vks_matrix_drop(B, 0.5, VKS_FORMAT_CSR, &b));
    must_be_as(c, b, a, "what is large");
    must_work(c, vks_matrix_multiply(A, A, NULL, &a));
    must_work(c, vks_matrix_multiply(B, B, NULL, &b));
    must_be_as(c, b, a, "a product");
    must_work(c, vks_matrix_triple_product(A, A, A, NULL, &a));
    must_work(c, vks_matrix_triple_product(B, B, B, NULL, &b));
    must_be_as(c, b, a, "a product of three");
}

static void change_in_place(vks_context *c, vks_matrix *A, vks_matrix *B)
{
    OWNED(double) *v = random_vector(PRECISION_F64, 90, 3, 1);
    OWNED(vks_vector) *left = put_vector(c, v, 90, PRECISION_F64);
    vks_matrix *a, *b, *lean;
    must_work(c, vks_matrix_scale(A, left, NULL));
    must_work(c, vks_matrix_scale(B, left, NULL));
    must_be_lean(B);
    must_multiply_alike(c, A, B, PRECISION_F64);
    must_work(c, vks_matrix_multiply(A, A, NULL, &a));
    lean = converted(c, a, vks_matrix_format(B), true);
    must_work(c, vks_matrix_scale(A, left, left));
    must_work(c, vks_matrix_scale(B, left, left));
    must_work(c, vks_matrix_multiply_again(A, A, a));
    must_work(c, vks_matrix_multiply_again(B, B, lean));
    must_be_lean(lean);
    b = converted(c, lean, VKS_FORMAT_CSR, false);
    must_multiply_alike(c, lean, a, PRECISION_F64);
    must_be_as(c, b, a, "a product once more");
    vks_matrix_destroy(lean);
}

TestOnBoth(convert, lean_matrices_take_part_in_algebra_and_stay_lean)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 90, 90, 12, 5);
    for (int f = VKS_FORMAT_CSR + 1; f < VKS_FORMAT_COUNT_; f++) {
        vks_matrix *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
        vks_matrix *B = lean_one(c, &a, PRECISION_F64, (vks_format)f);
        make_others(c, A, B);
        must_be_lean(B);
        change_in_place(c, A, B);
        must_be_lean(B);
        must_be_as(c, B, A, "after all this");
    }
}

TestOnBoth(convert, lean_matrices_are_updated_by_assembly_and_stay_lean)
{
    uint32_t place[64];
    double val[64];
    OWNED(vks_array) *index, *values;
    OWNED(vks_assembly) *assembly;
    for (uint32_t i = 0; i < 64; i++) {
        place[i] = i / 2;
        val[i] = i + 1;
    }
    must_work(c, vks_array_create(c, 64, VKS_TYPE_U32, &index));
    must_work(c, vks_array_create(c, 64, VKS_TYPE_F64, &values));
    must_work(c, vks_array_write(index, 0, 64, place));
    must_work(c, vks_array_write(values, 0, 64, val));
    must_work(c, vks_assembly_create(c, 32, 32, index, index, &assembly));
    for (int f = VKS_FORMAT_CSR + 1; f < VKS_FORMAT_COUNT_; f++) {
        vks_matrix *A, *B;
        must_work(c, vks_assembly_matrix(assembly, values, VKS_FORMAT_CSR, &A));
        B = converted(c, A, (vks_format)f, true);
        must_work(c, vks_matrix_set_values(B, VKS_F64, val));
        must_work(c, vks_assembly_update(assembly, values, B));
        must_be_lean(B);
        must_multiply_alike(c, A, B, PRECISION_F64);
        must_be_as(c, B, A, "as assembled");
    }
}

TestOnHost(convert, lean_matrices_take_less_memory_than_others)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 300, 290, 30, 1);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    uint64_t csr = 12 * (uint64_t)a.row[300] + 4 * 301;
    cr_expect_eq(vks_matrix_format_bytes(A), csr);
    OWNED(vks_matrix) *B = converted(c, A, VKS_FORMAT_SELL, true);
    cr_expect_gt(vks_matrix_format_bytes(B), csr / 2);
    cr_expect_lt(vks_matrix_format_bytes(B), 4 * csr);
    cr_expect_eq(B->row.bytes, 4 * 301);
}

TestOnHost(convert, the_memory_of_a_format_includes_its_long_rows)
{
    uint32_t lengths[300];
    for (int i = 0; i < 300; i++)
        lengths[i] = i == 7 ? 3000 : 3;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 300, 3000, lengths, 1);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    cr_assert(A->csr.longs);
    for (int f = VKS_FORMAT_CSR; f < VKS_FORMAT_COUNT_; f++)
        for (int lean = 0; lean < 2; lean++) {
            vks_format_options o = {.format = (vks_format)f, .lean = lean};
            OWNED(vks_matrix) *B;
            vks_status s = vks_matrix_convert(A, &o, &B);
            cr_assert(s == VKS_OK || (s == VKS_LIMIT && f != VKS_FORMAT_SELL), "%s", vks_context_message(c));
            if (!s) /* all values, and the columns of the long row */
                cr_expect_gt(vks_matrix_format_bytes(B), 8 * (uint64_t)a.row[300] + 4 * 3000, "%s",
                             vks_format_name((vks_format)f));
        }
}

static void refuse(vks_context *c, const vks_matrix *A, vks_format_options o, vks_status s, const char *part)
{
    vks_matrix *B = NULL;
    must_refuse(c, vks_matrix_convert(A, &o, &B), s, part);
    cr_expect_null(B);
}

TestOnHost(convert, refuses_options_out_of_range_and_formats_that_do_not_suit)
{
    uint32_t lengths[640] = {[0] = 200};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 640, 640, lengths, 1);
    OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, VKS_FORMAT_CSR);
    refuse(c, A, (vks_format_options){.format = VKS_FORMAT_COUNT_}, VKS_INVALID_ARGUMENT, "not a vks_format");
    refuse(c, A, (vks_format_options){.slice_height = 3}, VKS_INVALID_ARGUMENT, "slices of 3 rows");
    refuse(c, A, (vks_format_options){.slice_height = 129}, VKS_INVALID_ARGUMENT, "slices of 129 rows");
    refuse(c, A, (vks_format_options){.block_size = 1}, VKS_INVALID_ARGUMENT, "blocks of 1 rows");
    refuse(c, A, (vks_format_options){.block_size = 9}, VKS_INVALID_ARGUMENT, "blocks of 9 rows");
    refuse(c, A, (vks_format_options){.padding = 0.5}, VKS_INVALID_ARGUMENT, "padding of 0.5 times");
    refuse(c, A, (vks_format_options){.padding = NAN}, VKS_INVALID_ARGUMENT, "padding of");
    refuse(c, A, (vks_format_options){.format = VKS_FORMAT_SELL, .padding = 1}, VKS_LIMIT,
           "6400 entries for 200; the most is 1 times");
    refuse(c, A, (vks_format_options){.format = VKS_FORMAT_SELL}, VKS_LIMIT, "the most is 8 times");
    OWNED(vks_matrix) *B;
    must_work(c, vks_matrix_convert(A, &(vks_format_options){VKS_FORMAT_SELL, .padding = 32}, &B));
}
