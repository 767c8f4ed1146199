/* The kernels of SELL and ELL, for matrices of every kind, slices of every shape and all numbers of lanes,
 * compared bit by bit with their definition. */
#include "tests/support/cases/coded.h"
#include "tests/support/cases/slices.h"
#include "tests/support/cases/statistics.h"
#include "tests/support/sparse_walk.h"

/* Slices of few rows, of more than a squad, sorted within windows that are not aligned with slices, and of
 * all rows. */
static const struct slice_shape kinds[] = {{0},
                                           {.compact = true},
                                           {.height = 4, .compact = true},
                                           {.height = 8, .sigma = 100, .compact = true},
                                           {.height = 16, .sigma = 48},
                                           {.sigma = 256, .compact = true},
                                           {.height = 64},
                                           {.height = 128, .sigma = UINT32_MAX},
                                           {.ell = true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static void walk_kinds(struct kernel_case k)
{
    for (int i = 0; i < KINDS; i++) {
        char name[100];
        const struct slice_shape *s = &kinds[i];
        snprintf(name, sizeof name, "%s%s%s, slices of %u, sigma %u", k.name, s->compact ? ", compact" : "",
                 s->ell ? ", ELL" : "", s->height, s->sigma);
        struct kernel_case one = k;
        one.name = name;
        one.shape = *s;
        walk_host(&one);
        /* On lavapipe, heights only of compact slices; ./run test-device has all. */
        if (!gpu_wanted() && !s->compact && !s->ell && s->sigma != UINT32_MAX)
            continue;
        walk_shapes(open_gpu(), &one, gpu_name());
        if (s->ell || (s->sigma && s->compact)) /* strides do not depend on the shape of a slice */
            walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), &one,
                        "three groups");
    }
}

Test(kernels_slices, hold_the_rows_in_order_and_mark_what_is_missing)
{
    for (int i = 0; i < KINDS; i++) {
        struct kernel_case k = {.name = "csr_to_sell",
                                .record = record_csr_to_sell,
                                .expect = expect_csr_to_sell,
                                .most_lanes = 1,
                                .shape = kinds[i]};
        k.shape.compact = false;
        walk_host(&k);
        walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = i % 2 ? 3 : 0}), &k,
                    gpu_name());
    }
}

Test(kernels_slices, are_as_wide_as_their_longest_rows_and_lengths_are_counted)
{
    walk_kinds((struct kernel_case){.name = "row_lengths",
                                    .record = record_row_lengths,
                                    .expect = expect_row_lengths,
                                    .once = true,
                                    .most_lanes = 1});
}

Test(kernels_slices, give_the_columns_and_values_of_csr_back)
{
    walk_kinds((struct kernel_case){
        .name = "sell_to_csr", .record = record_sell_to_csr, .expect = expect_sell_to_csr, .most_lanes = 1});
}

Test(kernels_slices, have_the_least_columns_as_bases_and_the_most_above_them_is_found)
{
    walk_kinds((struct kernel_case){
        .name = "sell_bases", .record = record_sell_bases, .expect = expect_sell_bases, .most_lanes = 1});
}

Test(kernels_slices, sort_rows_by_keys_of_window_and_length)
{
    struct kernel_case k = {
        .name = "sell_keys", .record = record_sell_keys, .expect = expect_sell_keys, .most_lanes = 1};
    walk_everywhere(&k);
    k.shape.sigma = 1000;
    walk_everywhere(&k);
}

Test(kernels_slices, of_32_rows_in_their_order_have_products_with_the_bits_of_csr)
{
    struct kernel_case k = {
        .name = "spmv_sell", .record = record_spmv_sell, .expect = expect_spmv_sell, .most_lanes = 8};
    walk_everywhere(&k);
    k.name = "spmv_sell, compact columns";
    k.shape.compact = true;
    walk_everywhere(&k);
}

Test(kernels_slices, of_every_shape_have_products_with_the_bits_of_csr)
{
    walk_kinds((struct kernel_case){
        .name = "spmv_slices", .record = record_spmv_slices, .expect = expect_spmv_slices, .most_lanes = 8});
}

Test(kernels_slices, of_every_shape_have_products_of_many_lanes_with_the_bits_of_csr)
{
    walk_kinds((struct kernel_case){.name = "spmv_slices_wide",
                                    .record = record_spmv_slices_wide,
                                    .expect = expect_spmv_slices_wide,
                                    .least_lanes = 16});
}

/* Codes of 8 bits, and of 16. */
Test(kernels_slices, whose_entries_are_codes_have_products_with_the_bits_of_csr)
{
    struct kernel_case k = {
        .name = "spmv_coded", .record = record_spmv_coded, .expect = expect_spmv_coded, .most_lanes = 8};
    walk_shapes(open_host(), &k, "host");
    walk_shapes(open_gpu(), &k, gpu_name());
    k.shape.wide = true;
    walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), &k, "three groups");
}

Test(kernels_slices, whose_entries_are_codes_give_the_columns_and_values_of_csr_back)
{
    struct kernel_case k = {.name = "csr_to_coded",
                            .record = record_csr_to_coded,
                            .expect = expect_csr_to_coded,
                            .most_lanes = 1};
    k.shape.wide = true;
    walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), &k, "three groups");
}
