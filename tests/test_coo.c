/* COO, CSC and the other products of CSR on matrices of every kind: the bits of CSR if the format promises
 * them, its own order if it has one, and else the bound of sums in any order; and refusals. */
#include "tests/support/alike.h"
#include "tests/support/cases/coo.h"
#include "tests/support/device_matrix.h"
#include "vksolve/solver.h"

static const vks_format formats[] = {VKS_FORMAT_CSR,         VKS_FORMAT_COO,        VKS_FORMAT_COO_ATOMIC,
                                     VKS_FORMAT_CSC,         VKS_FORMAT_CSC_ATOMIC, VKS_FORMAT_CSR_CACHED,
                                     VKS_FORMAT_CSR_TWO_PASS};
enum { FORMATS = sizeof formats / sizeof *formats };

static struct host_csr with_lengths(enum precision p, uint32_t rows, uint32_t cols,
                                    uint32_t (*length)(uint32_t))
{
    OWNED(uint32_t) *lengths = room(rows, 4);
    for (uint32_t i = 0; i < rows; i++) {
        lengths[i] = length(i);
        lengths[i] = lengths[i] < cols ? lengths[i] : cols;
    }
    return csr_of_lengths(p, rows, cols, lengths, 11);
}

static uint32_t dense_in_the_middle(uint32_t i)
{
    return i == 200 ? 100000 : i % 3;
}

static uint32_t power_law(uint32_t i)
{
    return 1000 / (i + 1) + i % 2;
}

static uint32_t blocks_of_four(uint32_t i)
{
    return 4 * (1 + i / 4 % 5);
}

static uint32_t one_empty_and_one_long(uint32_t i)
{
    return i == 100 ? 0 : i == 50 ? 300 : 2;
}

/* Entries i - 2 .. i + 2 of row i, if they exist. */
static struct host_csr banded(enum precision p, uint32_t n)
{
    struct host_csr a = new_csr(n, n, 5 * (size_t)n);
    uint64_t seed = 3;
    uint32_t k = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = i < 2 ? 0 : i - 2; j < n && j <= i + 2; j++, k++) {
            a.col[k] = j;
            a.val[k] = random_wide(&seed, p, 10);
        }
        a.row[i + 1] = k;
    }
    return a;
}

/* Each 256 rows have their own window of 300 columns, over which the entries of each row are spread. */
static struct host_csr with_windows(enum precision p, uint32_t tiles)
{
    uint32_t lengths[256 * 8];
    for (uint32_t i = 0; i < 256 * tiles; i++)
        lengths[i] = 6;
    struct host_csr a = csr_of_lengths(p, 256 * tiles, 300, lengths, 5);
    for (uint32_t k = 0; k < a.row[a.rows]; k++)
        a.col[k] += 300 * (k / (6 * 256));
    a.cols = 300 * tiles;
    return a;
}

/* A column that all rows have. */
static struct host_csr with_dense_column(enum precision p, uint32_t n)
{
    struct host_csr a = new_csr(n, n, 2 * (size_t)n);
    uint64_t seed = 4;
    for (uint32_t i = 0; i < n; i++) {
        a.row[i + 1] = 2 * i + 2;
        a.col[2 * i] = 1;
        a.col[2 * i + 1] = 2 + i % (n - 2);
        a.val[2 * i] = random_wide(&seed, p, 10);
        a.val[2 * i + 1] = random_wide(&seed, p, 10);
    }
    return a;
}

/* The value that the format promises for row i. */
static double promised(vks_format format, enum precision p, const struct host_csr *a, const double *x,
                       uint32_t i)
{
    uint32_t lanes = csr_lanes(a->rows, a->row[a->rows]);
    return format == VKS_FORMAT_CSR_TWO_PASS ? pairwise_row(p, a, x, i) : canonical_row(p, a, x, i, lanes);
}

static void must_keep_its_promise(const vks_matrix *A, enum precision p, const struct host_csr *a,
                                  const double *x, const double *got, const char *what)
{
    OWNED(double) *want = room(a->rows, sizeof *want);
    vks_format f = vks_matrix_format(A);
    bool any_order = f == VKS_FORMAT_COO_ATOMIC || f == VKS_FORMAT_CSC_ATOMIC;
    cr_assert_eq(A->ops->own_order, any_order || f == VKS_FORMAT_CSR_TWO_PASS);
    for (uint32_t i = 0; i < a->rows; i++)
        want[i] = promised(f, p, a, x, i);
    if (any_order)
        must_be_near(p, a, x, got, want, 2, what);
    else
        must_equal(got, want, a->rows, what);
}

/* With x unchanged, and with one element that is not finite, which must affect only rows with that column.
 * Frees a. */
static void attempt(vks_context *c, enum precision p, struct host_csr a, const char *kind)
{
    OWNED(double) *x = random_vector(p, a.cols, 10, 7), *got = room(a.rows, sizeof *got);
    for (int f = 0; f < FORMATS; f++) {
        char what[100];
        OWNED(vks_matrix) *A = put_on(c, &a, p, formats[f]);
        snprintf(what, sizeof what, "%s, %s, in %s", kind, precision_name(p), vks_format_name(formats[f]));
        for (int turn = 0; turn < 2; turn++) {
            double first = a.cols ? x[0] : 0;
            if (turn && a.cols)
                x[0] = INFINITY;
            for (uint32_t i = 0; i < a.rows; i++)
                got[i] = NAN; /* rows without entries must become 0 */
            vks_vector *vx = put_vector(c, x, a.cols, p), *vy = put_vector(c, got, a.rows, p);
            must_work(c, vks_spmv(A, vx, vy));
            must_work(c, vks_vector_read(vy, 0, a.rows, VKS_F64, got));
            must_keep_its_promise(A, p, &a, x, got, what);
            vks_vector_destroy(vx);
            vks_vector_destroy(vy);
            if (a.cols)
                x[0] = first;
        }
    }
    host_csr_free(&a);
}

static void walk(vks_context *c, enum precision p)
{
    attempt(c, p, random_csr(p, 0, 0, 0, 1), "0 x 0");
    attempt(c, p, random_csr(p, 9, 0, 0, 1), "9 x 0");
    attempt(c, p, random_csr(p, 0, 9, 0, 1), "0 x 9");
    attempt(c, p, random_csr(p, 400, 300, 0, 1), "empty");
    attempt(c, p, csr_of_lengths(p, 1, 1, (uint32_t[]){1}, 1), "1 x 1");
    attempt(c, p, random_csr(p, 700, 700, 9, 2), "square");
    attempt(c, p, random_csr(p, 1500, 40, 30, 3), "tall");
    attempt(c, p, random_csr(p, 60, 4000, 200, 4), "wide");
    attempt(c, p, banded(p, 1300), "banded");
    attempt(c, p, with_windows(p, 8), "in windows");
    attempt(c, p, with_lengths(p, 500, 500, blocks_of_four), "blocked");
    attempt(c, p, with_lengths(p, 500, 3000, dense_in_the_middle), "with a dense row");
    attempt(c, p, with_lengths(p, 300, 400, one_empty_and_one_long), "with one row empty and one long");
    attempt(c, p, with_dense_column(p, 3000), "with a dense column");
    attempt(c, p, with_lengths(p, 2000, 2000, power_law), "power law");
}

Test(coo, products_of_every_kind_of_matrix_keep_the_promise_of_their_format)
{
    everywhere(walk);
}

Test(coo, products_keep_the_promise_by_three_workgroups)
{
    in_both_precisions(open_context(gpu_name(), (struct device_options){.max_groups = 3}), walk);
}

/* f32 by compare-and-swap; lavapipe uses it for f64 anyway. */
Test(coo, products_keep_the_promise_where_memory_adds_no_floats)
{
    in_both_precisions(open_context(gpu_name(), (struct device_options){.without_atomic_add = true}), walk);
}

Test(coo, atomic_forms_in_f64_are_refused_where_words_of_64_bits_cannot_be_swapped)
{
    OWNED(vks_context) *c = open_context(
        gpu_name(), (struct device_options){.without_atomic_add = true, .without_atomic_swap64 = true});
    static const vks_format atomic[] = {VKS_FORMAT_COO_ATOMIC, VKS_FORMAT_CSC_ATOMIC};
    for (int i = 0; i < 2; i++) {
        OWNED_STRUCT(host_csr) a = banded(PRECISION_F32, 20);
        vks_matrix_options o = {.storage.format = atomic[i]};
        OWNED(vks_matrix) *A = NULL;
        must_refuse(c, vks_matrix_from_csr(c, 20, 20, a.row, a.col, a.val, &o, &A), VKS_UNSUPPORTED,
                    vks_format_name(atomic[i]));
        cr_expect_null(A);
        A = put_on(c, &a, PRECISION_F32, atomic[i]); /* that one has */
    }
}

/* 1,536 columns fit, 1,537 do not: rows 0 and 255 have the outermost columns. Row 301 is long, and does not
 * widen a window. */
static struct host_csr as_wide(enum precision p, uint32_t columns)
{
    uint32_t lengths[600] = {[0] = 1, [255] = 1, [300] = 7, [301] = 300};
    struct host_csr a = csr_of_lengths(p, 600, columns, lengths, 5);
    a.col[0] = 0;
    a.col[1] = columns - 1;
    return a;
}

static void fill_window(vks_context *c, enum precision p, uint32_t columns)
{
    static const struct kernel_case windows = {
        .name = "csr_windows", .record = record_csr_windows, .expect = expect_csr_windows};
    struct host_csr a = as_wide(p, columns);
    double *x = random_vector(p, columns, 10, 8);
    struct job j = {.p = p, .n = a.rows, .lanes = 1, .A = &a, .x = x};
    job_run(&j, c->device, &windows, "this device");
    free(x);
    attempt(c, p, a, "a window that just fits, or just does not");
}

TestEverywhere(coo, windows_of_x_hold_what_fits_and_no_more)
{
    fill_window(c, p, 1536);
    fill_window(c, p, 1537);
}

/* Halving sums n equal terms without error if n is a power of two; sequential summation loses them. */
TestOnHost(coo, two_passes_err_by_the_logarithm_of_the_length_of_a_row)
{
    uint32_t lengths[1] = {256};
    OWNED_STRUCT(host_csr) a = csr_of_lengths(PRECISION_F32, 1, 256, lengths, 1);
    double ones[256], y[2] = {0}, term = rounded(PRECISION_F32, 0.1);
    for (int k = 0; k < 256; k++) {
        a.val[k] = term;
        ones[k] = 1;
    }
    for (int turn = 0; turn < 2; turn++) {
        OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F32, turn ? VKS_FORMAT_CSR_TWO_PASS : VKS_FORMAT_CSR);
        OWNED(vks_vector) *x = put_vector(c, ones, 256, PRECISION_F32),
                          *v = put_vector(c, y, 1, PRECISION_F32);
        must_work(c, vks_spmv(A, x, v));
        must_work(c, vks_vector_read(v, 0, 1, VKS_F64, y + turn));
    }
    cr_expect_neq(y[0], 256 * term);
    cr_expect_eq(y[1], 256 * term);
}

/* Compared with the solve in CSR: formats with its bits take the same number of iterations. */
TestOnBoth(coo, systems_are_solved_in_each)
{
    OWNED_STRUCT(host_csr) a = random_spd(PRECISION_F64, 500, 3);
    double want[500] = {0}, got[500];
    uint32_t iterations = 0;
    for (int f = 0; f < FORMATS; f++) {
        OWNED(vks_matrix) *A = put_on(c, &a, PRECISION_F64, formats[f]);
        OWNED(vks_vector) *x = put_vector(c, want, 500, PRECISION_F64),
                          *b = put_vector(c, want, 500, PRECISION_F64);
        vks_solve_report r;
        must_work(c, vks_vector_fill(b, 1));
        must_work(c, vks_vector_fill(x, 0));
        must_work(c, vks_cg_solve(A, b, x, NULL, &r));
        must_work(c, vks_vector_read(x, 0, 500, VKS_F64, f == 0 ? want : got));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
        cr_expect_leq(r.true_residual, 1e-8);
        if (f == 0)
            iterations = r.iterations;
        else if (!A->ops->own_order) {
            must_equal(got, want, 500, vks_format_name(formats[f]));
            cr_expect_eq(r.iterations, iterations);
        }
    }
}

Test(coo, names_have_hyphens)
{
    cr_expect_str_eq(vks_format_name(VKS_FORMAT_COO_ATOMIC), "coo-atomic");
    cr_expect_str_eq(vks_format_name(VKS_FORMAT_CSR_TWO_PASS), "csr-two-pass");
}
