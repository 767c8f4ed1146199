/* Formats: which one a matrix gets and why, equal bits of all, and refusals. */
#include "sparse/sell.h"
#include "tests/support/alike.h"
#include "tests/support/context.h"
#include "tests/support/matrix.h"
#include "tests/support/oracle.h"
#include "vksolve/solver.h"

static vks_matrix *upload(vks_context *c, const struct host_csr *A, vks_format format, vks_precision p)
{
    vks_matrix_options o = {.storage.format = format, .precision = p};
    return matrix_from(c, A, &o);
}

static void expect_choice(vks_context *c, struct host_csr A, vks_format format, const char *why)
{
    OWNED(vks_matrix) *m = upload(c, &A, VKS_FORMAT_AUTO, VKS_F64);
    cr_expect_eq(vks_matrix_format(m), format, "%s", vks_format_name(vks_matrix_format(m)));
    cr_expect(strstr(vks_matrix_format_reason(m), why), "\"%s\" does not say \"%s\"",
              vks_matrix_format_reason(m), why);
    host_csr_free(&A);
}

TestOnHost(format, is_csr_on_the_host)
{
    expect_choice(c, rows_of_length(PRECISION_F64, 1000, 1000, 30), VKS_FORMAT_CSR, "processor");
}

TestOnGpu(format, on_a_gpu_is_sell_where_rows_are_of_even_length)
{
    expect_choice(c, rows_of_length(PRECISION_F64, 4096, 1000, 6), VKS_FORMAT_SELL, "1.00 times");
    expect_choice(c, rows_of_length(PRECISION_F64, 1000, 1000, 30), VKS_FORMAT_SELL, "1.02 times");
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 95), VKS_FORMAT_SELL, "1.00 times");
}

TestOnGpu(format, on_a_gpu_is_csr_where_slices_would_bring_nothing)
{
    expect_choice(c, rows_of_length(PRECISION_F64, 4096, 1000, 5), VKS_FORMAT_CSR, "short");
    expect_choice(c, rows_of_length(PRECISION_F64, 1024, 1000, 96), VKS_FORMAT_CSR, "long");
    expect_choice(c, rows_of_length(PRECISION_F64, 1025, 1000, 96), VKS_FORMAT_CSR, "long");
    expect_choice(c, random_csr(PRECISION_F64, 2000, 2000, 60, 1), VKS_FORMAT_CSR, "times the entries");
    expect_choice(c, random_csr(PRECISION_F64, 0, 0, 0, 1), VKS_FORMAT_CSR, "too few");
}

/* y = A x, in the canonical order unless the format has its own, twice: with the values of A, and with new
 * ones. */
static void expect_products(vks_context *c, const struct host_csr *A, vks_format format, bool compact)
{
    uint32_t n = A->rows, lanes = csr_lanes(n, A->row[n]);
    OWNED(double) *x = random_vector(PRECISION_F64, A->cols, 10, 3), *got = room(n, 8), *want = room(n, 8);
    OWNED(vks_matrix) *m = upload(c, A, format, VKS_F64);
    x[0] = INFINITY; /* where padding might read it */
    OWNED(vks_vector) *vx = vector_of(c, PRECISION_F64, NULL, A->cols);
    OWNED(vks_vector) *vy = vector_of(c, PRECISION_F64, NULL, n);
    must_work(c, vks_vector_write(vx, 0, A->cols, VKS_F64, x));
    cr_expect_eq(vks_matrix_format(m), format);
    cr_expect_str_eq(vks_matrix_format_reason(m), "as asked");
    if (format == VKS_FORMAT_SELL)
        cr_expect_eq(sell_of(m)->base != NULL, compact, "columns are %scompact", compact ? "not " : "");
    for (int turn = 0; turn < 2; turn++) {
        must_work(c, vks_spmv(m, vx, vy));
        must_work(c, vks_vector_read(vy, 0, n, VKS_F64, got));
        for (uint32_t i = 0; i < n; i++)
            want[i] = canonical_row(PRECISION_F64, A, x, i, lanes);
        must_be_alike(m, PRECISION_F64, A, x, got, want, vks_format_name(format));
        for (uint32_t k = 0; k < A->row[n]; k++)
            A->val[k] *= -3;
        must_work(c, vks_matrix_set_values(m, VKS_F64, A->val));
    }
}

static void expect_all_formats(vks_context *c, struct host_csr A, bool compact)
{
    for (int f = VKS_FORMAT_AUTO + 1; f < VKS_FORMAT_COUNT_; f++)
        expect_products(c, &A, (vks_format)f, compact);
    host_csr_free(&A);
}

TestOnBoth(format, does_not_change_the_bits_of_a_product_also_after_new_values)
{
    expect_all_formats(c, rows_of_length(PRECISION_F64, 300, 5000, 7), true);
    expect_all_formats(c, random_csr(PRECISION_F64, 1000, 900, 30, 2), true);
    expect_all_formats(c, random_csr(PRECISION_F64, 777, 333, 180, 3), true);
    expect_all_formats(c, rows_of_length(PRECISION_F64, 100, 1000, 96), true);
    expect_all_formats(c, rows_of_length(PRECISION_F64, 70, 300, 230), true);
}

/* 64 rows of 16 entries; the columns of rows 5 and 6 span that distance. */
static struct host_csr columns_apart(uint32_t apart)
{
    struct host_csr A = rows_of_length(PRECISION_F64, 64, apart + 16, 16);
    for (uint32_t k = 0; k < 16; k++) {
        A.col[A.row[5] + k] = k;
        A.col[A.row[6] + k] = apart + k;
    }
    return A;
}

TestOnBoth(format, sell_has_compact_columns_where_16_bits_reach)
{
    expect_all_formats(c, columns_apart(65534), true);
    expect_all_formats(c, columns_apart(65535), false);
    expect_all_formats(c, rows_of_length(PRECISION_F64, 64, 100, 3), false);
    expect_all_formats(c, rows_of_length(PRECISION_F64, 64, 1000000, 8), false);
}

static void refuse_sell(struct host_csr A, const char *part)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        vks_matrix_options o = {.storage.format = VKS_FORMAT_SELL};
        vks_matrix *m = NULL;
        must_refuse(c, vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, &o, &m), VKS_LIMIT, part);
        cr_expect_null(m);
    }
    host_csr_free(&A);
}

Test(format, sell_is_refused_where_it_would_be_padding)
{
    uint32_t lengths[320] = {0};
    lengths[0] = 250;
    refuse_sell(csr_of_lengths(PRECISION_F64, 320, 1000, lengths, 4), "8000 entries for 250");
}

TestOnHost(format, is_refused_where_there_is_no_such)
{
    vks_matrix_options o = {.storage.format = VKS_FORMAT_COUNT_};
    vks_matrix *m = NULL;
    must_refuse(c, vks_matrix_read(c, "/nonexistent", &o, &m), VKS_INVALID_ARGUMENT, "not a vks_format");
    cr_expect_str_eq(vks_format_name(VKS_FORMAT_COUNT_), "?");
    cr_expect_str_eq(vks_format_text(VKS_FORMAT_COUNT_), "?");
    cr_expect_str_eq(vks_format_name(VKS_FORMAT_AUTO), "auto");
}

/* The host then computes the true residual, from copies of CSR. */
Test(format, sell_solves_where_there_are_no_64_bit_floats)
{
    OWNED_STRUCT(host_csr) A = random_spd(PRECISION_F32, 600, 3);
    double x[2][600];
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c =
            open_context(device ? gpu_name() : "host", (struct device_options){.without_f64 = device == 1});
        OWNED(vks_matrix) *m = upload(c, &A, VKS_FORMAT_SELL, VKS_F32);
        vks_solve_report r;
        OWNED(vks_vector) *vx = vector_of(c, PRECISION_F32, NULL, 600);
        OWNED(vks_vector) *vb = vector_of(c, PRECISION_F32, NULL, 600);
        must_work(c, vks_vector_fill(vb, 1));
        must_work(c, vks_cg_solve(m, vb, vx, NULL, &r));
        cr_expect_eq(r.reason, VKS_REASON_CONVERGED);
        must_work(c, vks_vector_read(vx, 0, 600, VKS_F64, x[device]));
    }
    must_equal(x[1], x[0], 600, "x");
}

/* 1,000 rows of 30 entries are 240,000 bytes of values, and 245,760 in slices. */
Test(format, is_csr_where_there_is_no_room_for_slices)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.largest_array = 242000});
    OWNED_STRUCT(host_csr) A = rows_of_length(PRECISION_F64, 1000, 1000, 30);
    expect_choice(c, rows_of_length(PRECISION_F64, 1000, 1000, 30), VKS_FORMAT_CSR, "no room");
    cr_expect_str_eq(vks_context_message(c), "");
    vks_matrix_options o = {.storage.format = VKS_FORMAT_SELL};
    vks_matrix *m = NULL;
    must_refuse(c, vks_matrix_from_csr(c, A.rows, A.cols, A.row, A.col, A.val, &o, &m), VKS_DEVICE_MEMORY,
                "245760 bytes for values in slices are too many");
    cr_expect_null(m);
}
