/* The kernels on matrices, for shapes of every kind and all numbers of lanes, compared bit by bit with their
 * definition. */
#include "tests/support/cases/balanced.h"
#include "tests/support/cases/coo.h"
#include "tests/support/cases/pairs.h"
#include "tests/support/cases/sparse.h"
#include "tests/support/sparse_walk.h"

static const struct kernel_case product = {
    .name = "spmv_csr", .record = record_spmv_csr, .expect = expect_spmv_csr};
static const struct kernel_case balanced = {
    .name = "spmv_balanced", .record = record_spmv_balanced, .expect = expect_spmv_balanced};
static const struct kernel_case hot = {.name = "spmv_balanced, hot columns",
                                       .record = record_spmv_balanced_hot,
                                       .expect = expect_spmv_balanced_hot};
static const struct kernel_case coo = {
    .name = "spmv_coo", .record = record_spmv_coo, .expect = expect_spmv_coo};
static const struct kernel_case entries = {
    .name = "csr_to_coo", .record = record_csr_to_coo, .expect = expect_csr_to_coo, .most_lanes = 1};
static const struct kernel_case entries_back = {
    .name = "coo_to_csr", .record = record_coo_to_csr, .expect = expect_coo_to_csr, .most_lanes = 1};
static const struct kernel_case cleared = {.name = "clear_reals",
                                           .record = record_clear_reals,
                                           .expect = expect_clear_reals,
                                           .once = true,
                                           .most_lanes = 1};
static const struct kernel_case csc = {
    .name = "spmv_csc", .record = record_csc_products, .expect = expect_csc_products};
static const struct kernel_case csc_columns_back = {
    .name = "csc_to_csr", .record = record_csc_to_csr, .expect = expect_csc_to_csr, .most_lanes = 1};
static const struct kernel_case cached = {
    .name = "spmv_csr_cached", .record = record_csr_windows, .expect = expect_csr_windows};
static const struct kernel_case two_pass = {.name = "spmv_csr_two_pass",
                                            .record = record_csr_products,
                                            .expect = expect_csr_products,
                                            .most_lanes = 1};
static const struct kernel_case scattering[] = {{.name = "spmv_coo_atomic",
                                                 .record = record_spmv_coo_atomic,
                                                 .expect = expect_spmv_coo_atomic,
                                                 .most_lanes = 1},
                                                {.name = "spmv_coo_swap",
                                                 .record = record_spmv_coo_swap,
                                                 .expect = expect_spmv_coo_swap,
                                                 .most_lanes = 1},
                                                {.name = "spmv_csc_atomic",
                                                 .record = record_spmv_csc_atomic,
                                                 .expect = expect_spmv_csc_atomic,
                                                 .most_lanes = 1},
                                                {.name = "spmv_csc_swap",
                                                 .record = record_spmv_csc_swap,
                                                 .expect = expect_spmv_csc_swap,
                                                 .most_lanes = 1}};
static const struct kernel_case residual = {
    .name = "csr_residual", .record = record_csr_residual, .expect = expect_csr_residual};
static const struct kernel_case paired_residual = {.name = "pairs_residual",
                                                   .record = record_pairs_residual,
                                                   .expect = expect_pairs_residual,
                                                   .check = check_pairs_residual};
static const struct kernel_case diagonal = {
    .name = "csr_diagonal", .record = record_csr_diagonal, .expect = expect_csr_diagonal};
static const struct kernel_case signs = {
    .name = "csr_signs", .record = record_csr_signs, .expect = expect_csr_signs};
static const struct kernel_case row_sums = {
    .name = "csr_row_sums", .record = record_csr_row_sums, .expect = expect_csr_row_sums, .most_lanes = 1};
static const struct kernel_case dominance = {
    .name = "csr_dominance", .record = record_csr_dominance, .expect = expect_csr_dominance, .most_lanes = 1};

Test(kernels_sparse, products_have_the_defined_bits_on_the_host_for_every_shape_and_lane_count)
{
    walk_host(&product);
}

Test(kernels_sparse, products_have_the_defined_bits_on_lavapipe_for_every_shape_and_lane_count)
{
    walk_shapes(open_gpu(), &product, gpu_name());
}

Test(kernels_sparse, products_have_the_defined_bits_where_three_groups_stride_over_all_rows)
{
    walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), &product, "three groups");
}

Test(kernels_sparse, products_of_balanced_slices_have_the_bits_of_csr)
{
    walk_everywhere(&balanced);
}

Test(kernels_sparse, products_of_balanced_slices_have_the_bits_of_csr_with_hot_columns)
{
    walk_everywhere(&hot);
}

Test(kernels_sparse, products_of_coo_have_the_bits_of_csr)
{
    walk_everywhere(&coo);
}

Test(kernels_sparse, entries_hold_what_is_in_no_long_row_and_give_it_back)
{
    walk_everywhere(&entries);
    walk_everywhere(&entries_back);
}

Test(kernels_sparse, long_rows_are_left_when_others_are_cleared)
{
    walk_everywhere(&cleared);
}

Test(kernels_sparse, products_of_csc_have_the_bits_of_csr)
{
    walk_everywhere(&csc);
}

Test(kernels_sparse, columns_give_the_columns_and_values_of_csr_back)
{
    walk_everywhere(&csc_columns_back);
}

Test(kernels_sparse, products_with_a_window_of_x_have_the_bits_of_csr)
{
    walk_everywhere(&cached);
}

Test(kernels_sparse, products_in_two_passes_have_the_defined_bits)
{
    walk_everywhere(&two_pass);
}

Test(kernels_sparse, entries_that_are_added_in_any_order_are_all_added_once)
{
    for (size_t i = 0; i < sizeof scattering / sizeof *scattering; i++)
        walk_everywhere(&scattering[i]);
}

Test(kernels_sparse, residuals_have_the_defined_bits_on_the_host_for_every_shape_and_lane_count)
{
    walk_host(&residual);
}

Test(kernels_sparse, residuals_in_pairs_of_floats_have_the_defined_bits_and_precision)
{
    walk_everywhere(&paired_residual);
}

Test(kernels_sparse, residuals_have_the_defined_bits_on_lavapipe_for_every_shape_and_lane_count)
{
    walk_shapes(open_gpu(), &residual, gpu_name());
}

Test(kernels_sparse, residuals_have_the_defined_bits_where_three_groups_stride_over_all_rows)
{
    walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), &residual,
                "three groups");
}

/* A diagonal matrix with zero, missing, negative and infinite entries in rows far from the first. */
static struct host_csr faulty_diagonal(enum precision p, const uint32_t *zero, const uint32_t *negative,
                                       const uint32_t *infinite)
{
    enum { N = 3001 };
    uint32_t *lengths = room(N, 4);
    for (uint32_t i = 0; i < N; i++)
        lengths[i] = i != zero[0];
    struct host_csr A = csr_of_lengths(p, N, N, lengths, 9);
    for (uint32_t i = 0; i < N; i++)
        if (lengths[i]) {
            A.col[A.row[i]] = i;
            A.val[A.row[i]] = fabs(A.val[A.row[i]]);
        }
    A.val[A.row[zero[1]]] = -0.0;
    A.val[A.row[negative[0]]] *= -1;
    A.val[A.row[negative[1]]] *= -1;
    A.val[A.row[infinite[0]]] = NAN;
    A.val[A.row[infinite[1]]] = -INFINITY;
    free(lengths);
    return A;
}

static void name_first_rows(vks_context *c, const char *where)
{
    static const uint32_t rows[3][2] = {{1999, 2900}, {1500, 301}, {3000, 2222}},
                          swapped[3][2] = {{2900, 1999}, {2100, 2101}, {2222, 3000}};
    for (enum precision p = 0; p < REAL_PRECISIONS; p++)
        for (int turn = 0; turn < 2; turn++) {
            const uint32_t(*r)[2] = turn ? swapped : rows;
            struct host_csr A = faulty_diagonal(p, r[0], r[1], r[2]);
            struct job j = {.p = p, .n = A.rows, .lanes = 1, .A = &A};
            job_run(&j, c->device, &diagonal, where);
            job_begin(&j, c->device, &diagonal);
            job_must(&j, rec_run(&j.r));
            double *got = read_outputs(&j);
            cr_expect_eq(got[A.rows], 1999, "zero or missing");
            cr_expect_eq(got[A.rows + 1], turn ? 2100 : 301, "negative");
            cr_expect_eq(got[A.rows + 2], 2222, "not finite");
            free(got);
            job_end(&j);
            host_csr_free(&A);
        }
    close_context(c);
}

Test(kernels_sparse, each_flag_of_a_diagonal_names_the_first_row_of_its_kind)
{
    name_first_rows(open_host(), "host");
    name_first_rows(open_gpu(), gpu_name());
    name_first_rows(open_context(gpu_name(), (struct device_options){.max_groups = 3}), "three groups");
}

Test(kernels_sparse, diagonals_are_found_in_rows_of_every_length)
{
    walk_host(&diagonal);
    walk_shapes(open_gpu(), &diagonal, gpu_name());
}

Test(kernels_sparse, the_number_of_lanes_is_a_power_of_two_that_grows_with_the_mean_row_length_alone)
{
    uint32_t before = 1;
    cr_expect_eq(csr_lanes(0, 0), 1);
    for (uint32_t mean = 0; mean < 1000; mean++) {
        uint32_t lanes = csr_lanes(1000, 1000 * mean);
        cr_expect(lanes == before || lanes == 2 * before, "%u lanes for rows of %u, %u for shorter ones",
                  lanes, mean, before);
        cr_expect(lanes == 1 || lanes < mean, "%u lanes for rows of %u", lanes, mean);
        cr_expect_eq(csr_lanes(7, 7 * mean), lanes, "the number of rows counts");
        before = lanes;
    }
    cr_expect_eq(before, 32);
    cr_expect_eq(csr_lanes(1, 4278190080), 32);
    cr_expect_eq(csr_lanes(4278190080, 4278190080), 1);
}

Test(kernels_sparse, dominance_is_measured_in_rows_of_every_length)
{
    walk_host(&dominance);
    walk_shapes(open_gpu(), &dominance, gpu_name());
}

Test(kernels_sparse, magnitudes_are_summed_in_rows_of_every_length)
{
    walk_host(&row_sums);
    walk_shapes(open_gpu(), &row_sums, gpu_name());
}

Test(kernels_sparse, signs_are_summed_in_rows_of_every_length_and_by_every_number_of_lanes)
{
    walk_host(&signs);
    walk_shapes(open_gpu(), &signs, gpu_name());
}
