/* vks_matrix_options.lanes: rows are summed by the requested number of lanes, in every format, so that parts
 * of a matrix are summed like the whole. */
#include "tests/support/alike.h"
#include "tests/support/device_matrix.h"
#include "tests/support/oracle.h"
#include "vksolve/algebra.h"
#include "vksolve/solver.h"

static const uint32_t all_lanes[] = {1, 2, 4, 8, 16, 32};
enum { ALL = sizeof all_lanes / sizeof *all_lanes };

Test(lanes, follow_from_the_mean_where_no_one_asks)
{
    static const uint64_t below[] = {12, 24, 48, 96, 192};
    cr_expect_eq(vks_lanes_of(0, 0), 1);
    cr_expect_eq(vks_lanes_of(1, UINT64_MAX), 32);
    for (int k = 0; k < 5; k++) {
        uint64_t rows = (uint64_t)1 << (10 * k), entries = rows * below[k];
        cr_expect_eq(vks_lanes_of(rows, entries - 1), all_lanes[k]);
        cr_expect_eq(vks_lanes_of(rows, entries), all_lanes[k + 1]);
    }
}

static vks_matrix *put_with(vks_context *c, const struct host_csr *a, vks_format format, uint32_t lanes)
{
    vks_matrix_options o = {.storage = {.format = format, .padding = 1000}, .lanes = lanes};
    return matrix_from(c, a, &o);
}

static void must_sum(vks_context *c, const vks_matrix *A, const struct host_csr *a, uint32_t lanes)
{
    OWNED(double) *x = random_vector(PRECISION_F64, a->cols, 10, 1), *got = room(a->rows, 8),
                  *want = room(a->rows, 8);
    OWNED(vks_vector) *vx = put_vector(c, x, a->cols, PRECISION_F64),
                      *vy = put_vector(c, got, a->rows, PRECISION_F64);
    must_work(c, vks_spmv(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, a->rows, VKS_F64, got));
    for (uint32_t i = 0; i < a->rows; i++)
        want[i] = canonical_row(PRECISION_F64, a, x, i, lanes);
    cr_expect_eq(vks_matrix_lanes(A), lanes);
    must_be_alike(A, PRECISION_F64, a, x, got, want, vks_format_name(vks_matrix_format(A)));
}

/* On a GPU each number of lanes is a pipeline, so each format uses one of them there. */
static void sum_in_all_formats(vks_context *c, struct host_csr a)
{
    const vks_format_options slices = {.format = VKS_FORMAT_SELL, .lean = true, .padding = 1000};
    bool host = c->device->info.kind == DEVICE_HOST;
    for (int k = 0; k < ALL * (VKS_FORMAT_COUNT_ - 1); k++) {
        vks_format format = (vks_format)(1 + k / ALL);
        if (!host && k % ALL != k / ALL % ALL)
            continue;
        OWNED(vks_matrix) *A = put_with(c, &a, format, all_lanes[k % ALL]), *B = NULL;
        must_sum(c, A, &a, all_lanes[k % ALL]);
        for (uint32_t i = 0; i < a.row[a.rows]; i++)
            a.val[i] *= -3;
        must_work(c, vks_matrix_set_values(A, VKS_F64, a.val));
        must_sum(c, A, &a, all_lanes[k % ALL]);
        must_work(c, vks_matrix_convert(A, &slices, &B));
        must_sum(c, B, &a, all_lanes[k % ALL]);
    }
    host_csr_free(&a);
}

static void sum_everything(vks_context *c)
{
    static const uint32_t lengths[] = {256, 0, 257, 1, 2, 31, 33, 300, 64, 1300};
    if (c->device->info.kind == DEVICE_HOST)
        sum_in_all_formats(c, random_csr(PRECISION_F64, 300, 250, 30, 2));
    sum_in_all_formats(c, csr_of_lengths(PRECISION_F64, 10, 1400, lengths, 3));
}

TestOnHost(lanes, that_are_asked_for_sum_rows_in_every_format_after_new_values_and_after_conversions)
{
    sum_everything(c);
}

TestOnGpu(lanes, that_are_asked_for_sum_rows_in_every_format_on_a_gpu)
{
    sum_everything(c);
}

/* Rows first .. end - 1. */
static struct host_csr part_of(const struct host_csr *a, uint32_t first, uint32_t end)
{
    uint32_t begin = a->row[first];
    struct host_csr part = new_csr(end - first, a->cols, a->row[end] - begin);
    for (uint32_t i = first; i <= end; i++)
        part.row[i - first] = a->row[i] - begin;
    memcpy(part.col, a->col + begin, 4 * (size_t)part.row[part.rows]);
    memcpy(part.val, a->val + begin, 8 * (size_t)part.row[part.rows]);
    return part;
}

TestOnHost(lanes, of_the_whole_make_parts_of_a_matrix_sum_as_the_whole_does)
{
    enum { N = 90 };
    uint32_t lengths[N];
    for (uint32_t i = 0; i < N; i++)
        lengths[i] = i < N / 2 ? 5 : 40;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, N, 100, lengths, 1);
    uint32_t lanes = vks_lanes_of(N, a.row[N]);
    for (uint32_t k = 0; k < 2; k++) {
        OWNED_STRUCT(host_csr) part = part_of(&a, k * N / 2, (k + 1) * N / 2);
        OWNED(vks_matrix) *A = put_with(c, &part, VKS_FORMAT_AUTO, lanes),
                          *B = put_with(c, &part, VKS_FORMAT_AUTO, 0);
        must_sum(c, A, &part, lanes);
        cr_expect_neq(vks_matrix_lanes(B), lanes, "part %u has the mean of the whole", k);
    }
}

TestOnHost(lanes, are_those_of_its_own_mean_for_a_transpose)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 100, 100, 30, 2);
    OWNED(vks_matrix) *A = put_with(c, &a, VKS_FORMAT_CSR, 16), *T = NULL;
    must_work(c, vks_matrix_transpose(A, VKS_FORMAT_CSR, &T));
    cr_expect_eq(vks_matrix_lanes(T), vks_lanes_of(100, a.row[100]));
}

TestOnHost(lanes, are_kept_by_the_copy_in_f32_for_iterations)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 100, 100, 30, 2);
    OWNED(vks_matrix) *A = put_with(c, &a, VKS_FORMAT_CSR, 16), *B = NULL;
    must_work(c, matrix_round(A, &(vks_format_options){.format = VKS_FORMAT_CSR}, &B));
    cr_expect_eq(vks_matrix_lanes(B), 16);
}

enum { ROWS = 400 };

static void solve_with(vks_context *c, vks_format format, uint32_t lanes, bool in_f32, double *x)
{
    OWNED_STRUCT(host_csr) a = random_spd(PRECISION_F64, ROWS, 1);
    OWNED(double) *b = random_vector(PRECISION_F64, ROWS, 3, 2);
    OWNED(vks_matrix) *A = put_with(c, &a, format, lanes);
    OWNED(vks_vector) *vb = put_vector(c, b, ROWS, PRECISION_F64),
                      *vx = put_vector(c, b, ROWS, PRECISION_F64);
    vks_solve_options o = {.iterate_in_f32 = in_f32};
    vks_solve_report report;
    must_work(c, vks_cg_solve(A, vb, vx, &o, &report));
    cr_expect_eq(report.reason, VKS_REASON_CONVERGED);
    must_work(c, vks_vector_read(vx, 0, ROWS, VKS_F64, x));
}

static bool are_equal(const double *a, const double *b)
{
    return !memcmp(a, b, ROWS * sizeof *a);
}

Test(lanes, decide_the_bits_of_solves_also_of_iterations_in_f32)
{
    double x[4][ROWS];
    for (int in_f32 = 0; in_f32 < 2; in_f32++) {
        OWNED(vks_context) *c = open_host();
        struct host_csr a = random_spd(PRECISION_F64, ROWS, 1);
        uint32_t own = vks_lanes_of(ROWS, a.row[ROWS]), other = own == 1 ? 4 : 1;
        host_csr_free(&a);
        solve_with(c, VKS_FORMAT_CSR, 0, in_f32, x[0]);
        solve_with(c, VKS_FORMAT_CSR, own, in_f32, x[1]);
        solve_with(c, VKS_FORMAT_CSR, other, in_f32, x[2]);
        solve_with(c, VKS_FORMAT_SELL, other, in_f32, x[3]);
        cr_expect(are_equal(x[0], x[1]));
        cr_expect_not(are_equal(x[0], x[2]));
        cr_expect(are_equal(x[2], x[3]));
    }
}

TestOnHost(lanes, are_powers_of_two_up_to_32)
{
    static const uint32_t wrong[] = {3, 5, 31, 33, 64, UINT32_MAX, 1u << 31};
    uint32_t row[] = {0, 1}, col[] = {0};
    double val[] = {1};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        vks_matrix *A = (vks_matrix *)c;
        vks_matrix_options o = {.lanes = wrong[k]};
        must_refuse(c, vks_matrix_from_csr(c, 1, 1, row, col, val, &o, &A), VKS_INVALID_ARGUMENT,
                    "lanes to sum a row: 1, 2, 4, 8, 16 or 32");
        cr_expect_null(A);
        must_refuse(c, vks_matrix_from_coo(c, 1, 1, 1, col, col, val, &o, &A), VKS_INVALID_ARGUMENT, "lanes");
    }
}
