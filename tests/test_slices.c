/* SELL of every slice height and sigma, and ELL: what is stored, conversion back to CSR, the bits of products
 * and solves, and refusals. */
#include "sparse/sell.h"
#include "tests/support/device_matrix.h"
#include "tests/support/large.h"
#include "vksolve/solver.h"

static const uint32_t heights[] = {4, 8, 32, 64, 128};
enum { HEIGHTS = sizeof heights / sizeof *heights, SIGMAS = 5 };

/* 1, the height, 100, 256, all rows. */
static uint32_t sigma_of(int which, uint32_t height)
{
    const uint32_t sigma[SIGMAS] = {1, height, 100, 256, UINT32_MAX};
    return sigma[which];
}

static struct host_csr few_long_rows(enum precision p)
{
    uint32_t lengths[700];
    for (uint32_t i = 0; i < 700; i++)
        lengths[i] = i == 500 ? 1100 : i == 501 ? 257 : i % 97 == 5 ? 256 : i % 7;
    return csr_of_lengths(p, 700, 1200, lengths, 3);
}

static struct host_csr one_dense_column(enum precision p)
{
    uint32_t lengths[333];
    for (uint32_t i = 0; i < 333; i++)
        lengths[i] = 1;
    struct host_csr a = csr_of_lengths(p, 333, 90000, lengths, 4);
    for (uint32_t i = 0; i < 333; i++)
        a.col[i] = 89999;
    return a;
}

/* Lengths that decay as a power of the row's number, in random order. */
static struct host_csr power_law(enum precision p)
{
    uint32_t lengths[600];
    uint64_t seed = 5;
    for (uint32_t i = 0; i < 600; i++)
        lengths[i] = 256 / (1 + random_below(&seed, 256));
    return csr_of_lengths(p, 600, 1000, lengths, 5);
}

static struct host_csr banded(enum precision p)
{
    return random_spd(p, 515, 6);
}

static struct host_csr long_rows_of_16_lanes(enum precision p)
{
    uint32_t lengths[140];
    for (uint32_t i = 0; i < 140; i++)
        lengths[i] = 96 + i % 90;
    return csr_of_lengths(p, 140, 70000, lengths, 7);
}

static struct host_csr long_rows_of_32_lanes(enum precision p)
{
    uint32_t lengths[70];
    for (uint32_t i = 0; i < 70; i++)
        lengths[i] = i % 9 ? 256 - i % 50 : 0;
    return csr_of_lengths(p, 70, 3000, lengths, 8);
}

static struct host_csr wide_and_half_empty(enum precision p)
{
    uint32_t lengths[129];
    for (uint32_t i = 0; i < 129; i++)
        lengths[i] = i % 2 ? 0 : i % 20;
    return csr_of_lengths(p, 129, 3001, lengths, 9);
}

static struct host_csr all_empty(enum precision p)
{
    return random_csr(p, 65, 9, 0, 1);
}

static struct host_csr one_by_one(enum precision p)
{
    return random_csr(p, 1, 1, 1, 3);
}

static struct host_csr no_rows(enum precision p)
{
    return random_csr(p, 0, 5, 0, 1);
}

static struct host_csr (*const shapes[])(enum precision) = {
    few_long_rows,         one_dense_column, power_law,           banded,  long_rows_of_16_lanes,
    long_rows_of_32_lanes, all_empty,        wide_and_half_empty, no_rows, one_by_one,
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Not finite at positions that padding might read, and at some that entries use. */
static double *awkward_vector(enum precision p, uint32_t n)
{
    double *x = random_vector(p, n, 10, 3);
    for (uint32_t i = 0; i < n; i += 7)
        x[i] = -0.0;
    if (n > 1)
        x[0] = INFINITY;
    return x;
}

static double *product_of(vks_context *c, const vks_matrix *A, enum precision p)
{
    uint32_t n = vks_matrix_rows(A);
    double *v = awkward_vector(p, vks_matrix_cols(A)), *y = room(n, 8);
    for (uint32_t i = 0; i < n; i++)
        y[i] = NAN;
    OWNED(vks_vector) *vx = put_vector(c, v, vks_matrix_cols(A), p), *vy = put_vector(c, y, n, p);
    must_work(c, vks_spmv(A, vx, vy));
    must_work(c, vks_vector_read(vy, 0, n, VKS_F64, y));
    free(v);
    return y;
}

static void must_multiply_alike(vks_context *c, const vks_matrix *A, const vks_matrix *B, enum precision p)
{
    OWNED(double) *a = product_of(c, A, p), *b = product_of(c, B, p);
    must_equal(b, a, vks_matrix_rows(A), vks_matrix_format_reason(B));
}

/* Lean; must convert back to its source, also with new values. */
static void must_be_csr_again(vks_context *c, const struct host_csr *a, enum precision p,
                              vks_format_options o)
{
    char what[100];
    OWNED(vks_matrix) *A = put_on(c, a, p, VKS_FORMAT_CSR), *B = NULL;
    o.lean = true;
    o.padding = 1e9;
    snprintf(what, sizeof what, "%s, slices of %u, sigma %u", vks_format_name(o.format), o.slice_height,
             o.sigma);
    must_work(c, vks_matrix_convert(A, &o, &B));
    must_be(c, B, a, what);
    must_multiply_alike(c, A, B, p);
    OWNED(double) *twice = room(host_csr_entries(a), 8);
    for (size_t k = 0; k < host_csr_entries(a); k++)
        twice[k] = 2 * a->val[k];
    must_work(c, vks_matrix_set_values(A, VKS_F64, twice));
    must_work(c, vks_matrix_set_values(B, VKS_F64, twice));
    must_multiply_alike(c, A, B, p);
}

static void walk_options(vks_context *c, const struct host_csr *a, enum precision p)
{
    must_be_csr_again(c, a, p, (vks_format_options){.format = VKS_FORMAT_ELL});
    for (int h = 0; h < HEIGHTS; h++)
        for (int s = 0; s < SIGMAS; s++)
            must_be_csr_again(c, a, p,
                              (vks_format_options){.format = VKS_FORMAT_SELL,
                                                   .slice_height = heights[h],
                                                   .sigma = sigma_of(s, heights[h])});
}

/* The precisions alternate: the kernels are tested in both. */
static void walk_shapes(vks_context *c, int first)
{
    for (int i = 0; i < SHAPES; i++) {
        enum precision p = (enum precision)((first + i) % REAL_PRECISIONS);
        OWNED_STRUCT(host_csr) a = shapes[i](p);
        walk_options(c, &a, p);
    }
    close_context(c);
}

Test(slices, of_every_height_and_sigma_are_csr_again_and_multiply_as_csr_on_the_host)
{
    walk_shapes(open_host(), 0);
}

Test(slices, of_every_height_and_sigma_are_csr_again_and_multiply_as_csr_on_lavapipe)
{
    walk_shapes(open_gpu(), 1);
}

static vks_matrix *in_slices(vks_context *c, const struct host_csr *a, vks_format format, uint32_t height,
                             uint32_t sigma)
{
    vks_matrix_options o = {
        .storage = {.format = format, .slice_height = height, .sigma = sigma, .padding = 1e9}};
    return matrix_from(c, a, &o);
}

static void expect_padded(vks_context *c, const struct host_csr *a, vks_format format, uint32_t height,
                          uint32_t sigma, uint32_t padded)
{
    OWNED(vks_matrix) *A = in_slices(c, a, format, height, sigma);
    cr_expect_eq(sell_of(A)->padded, padded, "%u entries instead of %u in slices of %u, sigma %u",
                 sell_of(A)->padded, padded, height, sigma);
}

static void store_less_when_sorted(vks_context *c)
{
    uint32_t lengths[256];
    for (uint32_t i = 0; i < 256; i++)
        lengths[i] = i % 2 ? 1 : 9; /* alternately */
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 256, 256, lengths, 1);
    expect_padded(c, &a, VKS_FORMAT_SELL, 0, 0, 256 * 9);
    expect_padded(c, &a, VKS_FORMAT_SELL, 32, 32, 256 * 9);
    expect_padded(c, &a, VKS_FORMAT_SELL, 32, 64, 128 * 9 + 128);
    expect_padded(c, &a, VKS_FORMAT_SELL, 32, 256, 128 * 9 + 128);
    expect_padded(c, &a, VKS_FORMAT_SELL, 4, 10, 1920);
    expect_padded(c, &a, VKS_FORMAT_SELL, 128, 256, 128 * 9 + 128);
    expect_padded(c, &a, VKS_FORMAT_SELL, 128, 4294967295u, 128 * 9 + 128);
    expect_padded(c, &a, VKS_FORMAT_ELL, 0, 0, 256 * 9);
    close_context(c);
}

Test(slices, whose_rows_are_sorted_store_less)
{
    store_less_when_sorted(open_host());
    store_less_when_sorted(open_gpu());
}

/* Rows of one length stay in their order, those with more stored entries come first, and windows do not
 * mix. */
static void keep_rows_within_windows(vks_context *c)
{
    static const uint32_t lengths[12] = {1, 3, 1, 3, 2, 0, 3, 300, 5, 5, 256, 0};
    static const uint32_t want[12] = {1, 3, 4, 0, 2, 5, 10, 8, 9, 6, 7, 11};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 12, 400, lengths, 1);
    vks_matrix *A = in_slices(c, &a, VKS_FORMAT_SELL, 4, 6);
    uint32_t order[12];
    struct memory m = {0};
    struct rec r;
    must_work(c, device_allocate(c->device, MEMORY_DEVICE, sizeof order, "order", &m));
    rec_create(&r, c->device, PRECISION_F32);
    copy_words(&r, sell_of(A)->order, (u32s)(uintptr_t)m.address, 12);
    must_work(c, rec_run(&r));
    must_work(c, device_read(c->device, &m, 0, order, sizeof order));
    for (int i = 0; i < 12; i++)
        cr_expect_eq(order[i], want[i], "row %u at place %d", order[i], i);
    rec_destroy(&r);
    device_release(c->device, &m);
    vks_matrix_destroy(A);
    close_context(c);
}

Test(slices, have_rows_sorted_by_length_within_windows_and_otherwise_as_they_stand)
{
    keep_rows_within_windows(open_host());
    keep_rows_within_windows(open_gpu());
}

static void solve(vks_context *c, const struct host_csr *a, vks_format_options o, double *x,
                  vks_solve_report *r)
{
    OWNED(double) *zeros = room(a->rows, 8);
    o.padding = 1e9;
    OWNED(vks_matrix) *A = matrix_from(c, a, &(vks_matrix_options){.storage = o});
    OWNED(vks_vector) *vx = put_vector(c, zeros, a->rows, PRECISION_F64),
                      *b = put_vector(c, zeros, a->rows, PRECISION_F64);
    must_work(c, vks_vector_fill(b, 1));
    must_work(c, vks_cg_solve(A, b, vx, NULL, r));
    must_work(c, vks_vector_read(vx, 0, a->rows, VKS_F64, x));
    cr_expect_eq(r->reason, VKS_REASON_CONVERGED);
}

static void solve_alike(vks_context *c, const struct host_csr *a, const double *want, uint32_t iterations)
{
    static const vks_format_options kinds[] = {
        {.format = VKS_FORMAT_ELL},
        {.format = VKS_FORMAT_SELL, .sigma = 256},
        {.format = VKS_FORMAT_SELL, .slice_height = 8},
        {.format = VKS_FORMAT_SELL, .slice_height = 64, .sigma = UINT32_MAX},
        {.format = VKS_FORMAT_ELL, .lean = true},
        {.format = VKS_FORMAT_SELL, .slice_height = 4, .sigma = 64, .lean = true}};
    OWNED(double) *x = room(a->rows, 8);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        vks_solve_report r;
        solve(c, a, kinds[i], x, &r);
        cr_expect_eq(r.iterations, iterations, "%u iterations instead of %u", r.iterations, iterations);
        must_equal(x, want, a->rows, vks_format_name(kinds[i].format));
    }
    close_context(c);
}

Test(slices, of_every_kind_are_solved_with_the_bits_of_csr)
{
    OWNED_STRUCT(host_csr) a = random_spd(PRECISION_F64, 700, 4);
    OWNED(double) *want = room(700, 8);
    vks_context *c = open_host();
    vks_solve_report r;
    solve(c, &a, (vks_format_options){.format = VKS_FORMAT_CSR}, want, &r);
    close_context(c);
    solve_alike(open_host(), &a, want, r.iterations);
    solve_alike(open_gpu(), &a, want, r.iterations);
}

static void refuse(vks_context *c, const struct host_csr *a, vks_format_options o, vks_status s,
                   const char *part)
{
    vks_matrix_options options = {.storage = o};
    vks_matrix *A = NULL;
    must_refuse(c, vks_matrix_from_csr(c, a->rows, a->cols, a->row, a->col, a->val, &options, &A), s, part);
    cr_expect_null(A);
}

TestOnHost(slices, of_other_heights_are_refused)
{
    OWNED_STRUCT(host_csr) a = random_csr(PRECISION_F64, 10, 10, 3, 1);
    uint32_t wrong[] = {1, 2, 3, 5, 12, 48, 127, 256, UINT32_MAX};
    for (int i = 0; i < 9; i++)
        refuse(c, &a, (vks_format_options){.format = VKS_FORMAT_SELL, .slice_height = wrong[i]},
               VKS_INVALID_ARGUMENT, "4, 8, 16, 32, 64 or 128");
}

static void refuse_padding(vks_context *c)
{
    uint32_t lengths[640] = {[0] = 200, [1] = 100};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 640, 640, lengths, 1);
    refuse(c, &a, (vks_format_options){.format = VKS_FORMAT_ELL}, VKS_LIMIT,
           "ELL would store 128000 entries for 300; the most is 8 times");
    refuse(c, &a, (vks_format_options){.format = VKS_FORMAT_ELL, .padding = 400}, VKS_LIMIT,
           "the most is 400 times");
    refuse(c, &a, (vks_format_options){.format = VKS_FORMAT_SELL, .slice_height = 128}, VKS_LIMIT,
           "SELL would store 25600 entries");
    vks_matrix_options o = {.storage = {.format = VKS_FORMAT_ELL, .padding = 420}};
    vks_matrix *A = matrix_from(c, &a, &o);
    cr_expect_eq(vks_matrix_format_bytes(A), 128000 * 12);
    vks_matrix_destroy(A);
    close_context(c);
}

Test(slices, are_refused_with_figures_where_they_would_be_padding)
{
    refuse_padding(open_host());
    refuse_padding(open_gpu());
}

Test(slices, are_refused_where_windows_are_too_many, LARGE_RUN)
{
    uint32_t n = 5 * 8388608 + 1;
    OWNED(vks_context) *c = open_host();
    OWNED_STRUCT(host_csr) a = new_csr(n, 1, 0);
    refuse(c, &a, (vks_format_options){.format = VKS_FORMAT_SELL, .slice_height = 4, .sigma = 5}, VKS_LIMIT,
           "41943041 rows in 8388609 windows of 5; the most is 8388608 windows");
}

static void expect_reason(vks_context *c, const struct host_csr *a, vks_format_options o, const char *part)
{
    vks_matrix_options options = {.storage = o};
    OWNED(vks_matrix) *A = matrix_from(c, a, &options);
    cr_expect(strstr(vks_matrix_format_reason(A), part), "\"%s\" does not say \"%s\"",
              vks_matrix_format_reason(A), part);
}

TestOnGpu(slices, that_are_chosen_say_their_height_and_sigma_where_they_are_unusual)
{
    uint32_t lengths[1024];
    for (uint32_t i = 0; i < 1024; i++)
        lengths[i] = i % 2 ? 30 : 10;
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F64, 1024, 1024, lengths, 1);
    expect_reason(c, &a, (vks_format_options){0}, "slices would store 1.50 times");
    expect_reason(c, &a, (vks_format_options){.sigma = 256},
                  "slices, sorted within 256 rows, store 1.00 times the entries");
    expect_reason(c, &a, (vks_format_options){.slice_height = 64, .sigma = 256},
                  "slices of 64 rows, sorted within 256 rows, store 1.00 times the entries");
}
