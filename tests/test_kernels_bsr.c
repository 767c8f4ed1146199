/* The kernels of BSR for every size of block and all numbers of lanes, with full blocks and partial ones,
 * compared bit by bit with their definition. */
#include "device/host/isa.h"
#include "tests/support/cases/bsr.h"

#define X(kernel, ...)                                \
    static const struct kernel_case case_##kernel = { \
        .name = #kernel, .record = record_##kernel, .expect = expect_##kernel, __VA_ARGS__};
BSR_CASES(X)
#undef X

/* Full blocks, including those that are cut at the edges. */
static struct host_csr square(enum precision p, uint32_t size)
{
    return blocked_csr(p, 65 * size + 1, 65 * size + 1, size, 20, 1);
}

static struct host_csr wide(enum precision p, uint32_t size)
{
    return blocked_csr(p, 7 * size - 1, 3001, size, 30, 2);
}

static struct host_csr tall(enum precision p, uint32_t size)
{
    return blocked_csr(p, 300, 2 * size - 1, size, 2, 3);
}

static struct host_csr partial(enum precision p, uint32_t size)
{
    return random_csr(p, 70 * size + 1, 333, 70, 4);
}

static struct host_csr sparse(enum precision p, uint32_t size)
{
    return random_csr(p, 300, 5000 * size, 9, 5);
}

/* A full matrix that lacks one entry of one block. */
static struct host_csr almost_full(enum precision p, uint32_t size)
{
    struct host_csr a = blocked_csr(p, 40 * size, 40 * size, size, 10, 6);
    uint32_t hole = a.row[a.rows / 2] + 1, last = a.row[a.rows] - 1;
    memmove(a.col + hole, a.col + hole + 1, 4 * (size_t)(last - hole));
    memmove(a.val + hole, a.val + hole + 1, 8 * (size_t)(last - hole));
    for (uint32_t i = 0; i <= a.rows; i++)
        a.row[i] -= a.row[i] > hole;
    return a;
}

static struct host_csr every_length(enum precision p, uint32_t size)
{
    uint32_t lengths[141];
    for (uint32_t i = 0; i < 141; i++)
        lengths[i] = i;
    return csr_of_lengths(p, 141, 150 + size, lengths, 7);
}

/* Full blocks; some rows are too long to be stored. */
static struct host_csr long_among_full(enum precision p, uint32_t size)
{
    struct host_csr a = blocked_csr(p, 5 * size, 300, size, 12, 9),
                    b = new_csr(a.rows, 300, a.rows * (size_t)300);
    uint64_t seed = 1;
    for (uint32_t i = 0, to = 0; i < a.rows; i++) {
        bool is_long = i % (size + 1) == 1;
        uint32_t length = is_long ? 300 : a.row[i + 1] - a.row[i];
        for (uint32_t k = 0; k < length; k++) {
            b.col[to] = is_long ? k : a.col[a.row[i] + k];
            b.val[to++] = random_wide(&seed, p, 20);
        }
        b.row[i + 1] = to;
    }
    host_csr_free(&a);
    return b;
}

static struct host_csr empty(enum precision p, uint32_t size)
{
    return random_csr(p, 33 * size, 50, 0, 8);
}

static struct host_csr (*const shapes[])(enum precision, uint32_t) = {
    square, wide, tall, partial, sparse, almost_full, every_length, long_among_full, empty};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void attempt(vks_context *c, const struct kernel_case *k, const struct host_csr *A, enum precision p,
                    uint32_t size, uint32_t lanes, const char *where)
{
    double *x = random_vector(p, A->cols > A->rows ? A->cols : A->rows, 20, 50 + p);
    struct job j = {.p = p, .n = A->rows, .lanes = lanes, .size = size, .A = A, .x = x};
    job_run(&j, c->device, k, where);
    free(x);
}

/* Of the products, which narrow values affect, every third is mixed. */
static enum precision precision_of_turn(const struct kernel_case *k, uint32_t turn)
{
    return (enum precision)(turn % (k == &case_spmv_bsr ? PRECISIONS : REAL_PRECISIONS));
}

/* If pipelines are slow to make, lane counts alternate: every `stride`-th for each size and shape. */
static void walk_shapes(vks_context *c, const struct kernel_case *k, uint32_t most_lanes, uint32_t stride,
                        const char *where)
{
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++)
        for (int i = 0; i < SHAPES; i++) {
            enum precision p = precision_of_turn(k, size + (uint32_t)i);
            struct host_csr A = shapes[i](stored_precision(p), size);
            for (uint32_t turn = size + (uint32_t)i, lanes = 1; lanes <= most_lanes; lanes *= 2, turn++)
                if (turn % stride == 0 || most_lanes == 1)
                    attempt(c, k, &A, p, size, lanes, where);
            host_csr_free(&A);
        }
    close_context(c);
}

static void walk_everywhere(const struct kernel_case *k, uint32_t most_lanes)
{
    static const char *const isas[] = {"base", "v3", "v4"};
    for (int i = 0; i < 3; i++)
        if (host_isa_choose(isas[i]))
            walk_shapes(open_context("host", (struct device_options){.host_isa = isas[i]}), k, most_lanes, 1,
                        isas[i]);
    walk_shapes(open_gpu(), k, most_lanes, 4, gpu_name());
    walk_shapes(open_context(gpu_name(), (struct device_options){.max_groups = 3}), k, most_lanes, 6,
                "three groups");
}

Test(kernels_bsr, slices_are_as_wide_as_their_longest_rows_and_partial_blocks_are_found)
{
    walk_everywhere(&case_bsr_measure, 1);
}

Test(kernels_bsr, blocks_are_in_order_and_masks_tell_which_entries_are_there)
{
    walk_everywhere(&case_bsr_blocks, 1);
}

Test(kernels_bsr, values_stand_entry_by_entry_in_their_slices)
{
    walk_everywhere(&case_csr_to_bsr, 1);
}

Test(kernels_bsr, blocks_give_the_columns_and_values_of_csr_back)
{
    walk_everywhere(&case_bsr_to_csr, 1);
}

Test(kernels_bsr, products_have_the_bits_of_csr_for_every_size_and_lane_count)
{
    walk_everywhere(&case_spmv_bsr, 32);
}

/* If an entry is missing, an infinity or a NaN of x must not enter, nor a zero of the other sign. */
static struct host_csr diagonal_holes(uint32_t size)
{
    struct host_csr a = new_csr(10 * size, 10 * size, 10 * (size_t)size * size);
    uint32_t k = 0;
    for (uint32_t i = 0; i < a.rows; i++) {
        for (uint32_t c = 0; c < size; c++)
            if (c != i % size) {
                a.col[k] = i / size * size + c;
                a.val[k++] = c % 2 ? 1.5 : -0.0;
            }
        a.row[i + 1] = k;
    }
    return a;
}

static void meet_what_is_not_finite(vks_context *c, const char *where)
{
    for (uint32_t size = BSR_LEAST; size <= BSR_MOST; size++) {
        struct host_csr A = diagonal_holes(size);
        double *x = room(A.cols, 8);
        for (uint32_t i = 0; i < A.cols; i++)
            x[i] = i % (3 * size) == 0 ? INFINITY : i % (3 * size) == size + 1 ? NAN : 2;
        struct job j = {.p = PRECISION_F64, .n = A.rows, .lanes = 2, .size = size, .A = &A, .x = x};
        job_run(&j, c->device, &case_spmv_bsr, where);
        free(x);
        host_csr_free(&A);
    }
    close_context(c);
}

Test(kernels_bsr, what_is_missing_from_a_block_adds_nothing)
{
    meet_what_is_not_finite(open_host(), "host");
    meet_what_is_not_finite(open_gpu(), gpu_name());
}
