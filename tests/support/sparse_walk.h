/* Runs a kernel on matrices of every kind with all numbers of lanes, on all devices. */
#ifndef VKS_TESTS_SPARSE_WALK_H
#define VKS_TESTS_SPARSE_WALK_H

#include "device/host/isa.h"
#include "tests/support/job.h"

static inline struct host_csr lengths_up_to_200(enum precision p)
{
    return random_csr(p, 411, 411, 200, 1);
}

static inline struct host_csr rectangular_tall(enum precision p)
{
    return random_csr(p, 777, 33, 33, 2);
}

static inline struct host_csr rectangular_wide(enum precision p)
{
    return random_csr(p, 35, 3001, 90, 3);
}

static inline struct host_csr all_rows_empty(enum precision p)
{
    return random_csr(p, 600, 600, 0, 4);
}

static inline struct host_csr all_rows_full(enum precision p)
{
    uint32_t lengths[133];
    for (int i = 0; i < 133; i++)
        lengths[i] = 133;
    return csr_of_lengths(p, 133, 133, lengths, 5);
}

static inline struct host_csr one_long_row_among_short_ones(enum precision p)
{
    uint32_t lengths[523];
    for (uint32_t i = 0; i < 523; i++)
        lengths[i] = i == 260 ? 20000 : i % 4;
    return csr_of_lengths(p, 523, 20011, lengths, 6);
}

/* Lengths around the numbers of terms that loops take at once. */
static inline struct host_csr every_length_up_to_140(enum precision p)
{
    uint32_t lengths[141];
    for (uint32_t i = 0; i < 141; i++)
        lengths[i] = i;
    return csr_of_lengths(p, 141, 150, lengths, 7);
}

static inline struct host_csr empty_rows_between_full_tiles(enum precision p)
{
    uint32_t lengths[1025];
    for (uint32_t i = 0; i < 1025; i++)
        lengths[i] = i / 256 % 2 ? 0 : 40;
    return csr_of_lengths(p, 1025, 64, lengths, 8);
}

static inline struct host_csr rows_around_the_length_of_long_ones(enum precision p)
{
    return csr_of_long_rows(p, 61, 10);
}

/* Rows that begin and end at multiples of shares of 256, 768 and 1,024 entries, and next to them. */
static inline struct host_csr rows_at_the_bounds_of_shares(enum precision p)
{
    static const uint32_t lengths[] = {256, 256, 256, 255, 1,    256, 256, 0,   255, 256, 1,   1,
                                       253, 300, 256, 256, 0,    255, 256, 1,   255, 256, 256, 256,
                                       257, 1,   254, 2,   128,  127, 255, 0,   256, 255, 255, 2,
                                       1,   256, 251, 1,   1024, 2,   256, 255, 255, 1,   256, 0};
    return csr_of_lengths(p, sizeof lengths / sizeof *lengths, 1100, lengths, 9);
}

static struct host_csr (*const shapes[])(enum precision) = {lengths_up_to_200,
                                                            rectangular_tall,
                                                            rectangular_wide,
                                                            all_rows_empty,
                                                            all_rows_full,
                                                            one_long_row_among_short_ones,
                                                            every_length_up_to_140,
                                                            empty_rows_between_full_tiles,
                                                            rows_around_the_length_of_long_ones,
                                                            rows_at_the_bounds_of_shares};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static inline bool walk_lanes(vks_context *c, const struct kernel_case *k, const struct host_csr *A,
                              enum precision p, const char *where)
{
    uint32_t longest = A->cols > A->rows ? A->cols : A->rows;
    bool values = false;
    OWNED(double) *x = random_vector(p, longest, 20, 50 + p), *b = random_vector(p, A->rows, 20, 60 + p);
    for (uint32_t lanes = k->least_lanes ? k->least_lanes : 1; lanes <= (k->most_lanes ? k->most_lanes : 32);
         lanes *= 2) {
        struct job j = {.p = p, .n = A->rows, .lanes = lanes, .A = A, .x = x, .y = b};
        values = job_run(&j, c->device, k, where);
    }
    return values;
}

static inline void walk_shapes(vks_context *c, const struct kernel_case *k, const char *where)
{
    bool values = false, few_groups = c->device->info.max_groups == 3; /* strides are those of f64 */
    for (enum precision p = 0; p < (values && !few_groups ? PRECISIONS : REAL_PRECISIONS); p++)
        for (int i = 0; i < SHAPES && walks_in(c->device, p); i++) {
            OWNED_STRUCT(host_csr) A = shapes[i](stored_precision(p));
            values |= walk_lanes(c, k, &A, p, where);
        }
    close_context(c);
}

static inline void walk_host(const struct kernel_case *k)
{
    static const char *const isas[] = {"base", "v3", "v4"};
    for (int i = 0; i < 3; i++) {
        struct device_options o = {.host_isa = isas[i]};
        if (host_isa_choose(isas[i]))
            walk_shapes(open_context("host", o), k, isas[i]);
    }
}

static inline void walk_everywhere(const struct kernel_case *k)
{
    walk_host(k);
    walk_shapes(open_gpu(), k, gpu_name());
    walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), k, "three groups");
}

#endif
