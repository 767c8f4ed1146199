/* Arrays beyond the largest allocation: one buffer that the queue binds to several of them. Lavapipe has no
 * sparse binding, so a driver in front of it emulates it (sparse_driver.h). */
#include "sparse_driver.h"
#include "tests/support/large.h"
#include "tests/support/matrix.h"
#include "vksolve/matrix.h"
#include "vksolve/solver.h"

#include <stdlib.h>

#define MIB ((uint64_t)1 << 20)

static const struct sparse_buffer *split_of(struct memory m)
{
    const struct array *a = m.handle;
    return sparse_buffer_of(a->block->buffer);
}

Test(vulkan_split, an_array_is_bound_to_as_few_allocations_as_it_takes)
{
    static const struct {
        uint64_t bytes, largest;
        uint32_t pieces; /* 0: one allocation, not bound by the queue */
    } cases[] = {
        {MIB, MIB, 0},         {MIB + 1, MIB, 2},         {2 * MIB, MIB, 2},
        {5 * MIB - 1, MIB, 5}, {5 * MIB + 1, MIB, 6},     {3 * MIB, MIB + 4096, 3},
        {3 * MIB, 3 * MIB, 0}, {3 * MIB, 3 * MIB - 1, 2}, {5 * MIB, 5 * MIB / 2 + 65535, 2},
        {2 * MIB, 65537, 32},  {5000000, 1000000, 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        OWNED_BY(sparse_close) struct app a;
        sparse_open(&a, cases[i].largest);
        OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
        struct memory m = new_array(d, MEMORY_DEVICE, cases[i].bytes);
        const struct sparse_buffer *b = split_of(m);
        cr_expect_eq(b ? b->pieces : 0, cases[i].pieces, "case %zu: %u pieces", i, b ? b->pieces : 0);
        cr_expect_eq(sparse.binds, cases[i].pieces != 0);
        cr_expect_eq(sparse.allocations - ZEROS, cases[i].pieces ? cases[i].pieces : 1);
        cr_expect_eq(m.bytes, cases[i].bytes);
        device_release(d, &m);
    }
}

static unsigned char byte_at(uint64_t i)
{
    return (unsigned char)(i * 2654435761u >> 13);
}

/* Writes and reads ranges that begin and end at words and between them, including near the ends of pieces. */
static void transfer(struct device *d, struct memory *m)
{
    static const struct {
        uint64_t offset, bytes;
    } parts[] = {{0, 5 * MIB + 7},           {1, 4},      {MIB - 3, 7}, {MIB, MIB},
                 {2 * MIB - 4, 2 * MIB + 9}, {5 * MIB, 7}};
    unsigned char *have = malloc(5 * MIB + 7), *got = malloc(5 * MIB + 7);
    cr_assert(have && got);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        for (uint64_t i = 0; i < parts[k].bytes; i++)
            have[parts[k].offset + i] = byte_at(i + 77 * k);
        must(device_write(d, m, parts[k].offset, have + parts[k].offset, parts[k].bytes));
        must(device_read(d, m, parts[k].offset, got, parts[k].bytes));
        cr_expect_arr_eq(got, have + parts[k].offset, parts[k].bytes, "part %zu", k);
    }
    must(device_read(d, m, 0, got, 5 * MIB + 7));
    cr_expect_arr_eq(got, have, 5 * MIB + 7);
    free(have);
    free(got);
}

Test(vulkan_split, transfers_keep_every_byte)
{
    for (int i = 0; i < 4; i++) {
        OWNED_BY(sparse_close) struct app a;
        sparse_open(&a, MIB);
        struct device_options o = {.without_unified = i % 2, .staging_bytes = i / 2 ? 65536 : 0};
        OWNED_BY(device_end) struct device *d = sparse_device(&a, o);
        struct memory m = new_array(d, MEMORY_DEVICE, 5 * MIB + 7);
        cr_expect_not_null(split_of(m));
        cr_expect_null(m.mapped);
        transfer(d, &m);
        device_release(d, &m);
    }
}

Test(vulkan_split, blocks_of_small_arrays_are_split_and_what_the_host_sees_is_not)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
    struct memory small = new_floats(d, 100, 3), shared = new_array(d, MEMORY_SHARED, 3 * MIB);
    float got[100];
    cr_expect_eq(split_of(small)->pieces, 4);
    cr_expect_null(split_of(shared));
    cr_expect_not_null(shared.mapped);
    must(device_read(d, &small, 0, got, sizeof got));
    cr_expect_eq(got[99], 3);
    device_release(d, &small);
    device_release(d, &shared);
}

Test(vulkan_split, the_queue_is_locked_for_each_binding)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
    for (uint32_t i = 1; i < 4; i++) {
        struct memory m = new_array(d, MEMORY_DEVICE, 2 * MIB);
        cr_expect_eq(sparse.locks, i);
        cr_expect_eq(sparse.binds, i);
        device_release(d, &m);
        vulkan_spare_drop(vulkan_of(d));
    }
}

Test(vulkan_split, a_released_array_is_kept_in_all_its_pieces_and_not_bound_again)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
    struct memory m = new_array(d, MEMORY_DEVICE, 8 * MIB);
    uint64_t place = m.address;
    device_release(d, &m);
    cr_expect_eq(sparse.allocations - ZEROS, 8);
    m = new_array(d, MEMORY_DEVICE, 7 * MIB);
    cr_expect_eq(m.address, place);
    cr_expect_eq(sparse.binds, 1);
    device_release(d, &m);
    m = new_array(d, MEMORY_DEVICE, 9 * MIB);
    cr_expect_eq(sparse.allocations - ZEROS, 17);
    cr_expect(vulkan_spare_drop(vulkan_of(d)));
    cr_expect_eq(sparse.allocations - ZEROS, 9);
    device_release(d, &m);
}

/* Each call for an array of five pieces fails: those for the buffer, the pieces, the binding. */
static void fail_each(VkResult failure, vks_status expected, const char *part)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
    for (uint32_t k = 1; k <= 7; k++) {
        struct memory m;
        sparse.calls = 0;
        sparse.fail_call = k;
        sparse.failure = failure;
        must_fail(device_allocate(d, MEMORY_DEVICE, 5 * MIB, "the values", &m), expected, part);
        cr_expect_eq(sparse.calls, k, "call %u fails, there were %u", k, sparse.calls);
        cr_expect_eq(sparse.buffers - ZEROS, 0, "%u buffers after call %u", sparse.buffers - ZEROS, k);
        cr_expect_eq(sparse.allocations - ZEROS, 0, "%u allocations after call %u",
                     sparse.allocations - ZEROS, k);
        cr_expect_null(m.handle);
        vulkan_of(d)->lost = false;
    }
    sparse.fail_call = sparse.calls = 0;
    struct memory m = new_array(d, MEMORY_DEVICE, 5 * MIB);
    cr_expect_eq(sparse.calls, 7);
    device_release(d, &m);
}

Test(vulkan_split, a_failure_of_any_call_is_reported_and_leaves_nothing)
{
    fail_each(VK_ERROR_OUT_OF_DEVICE_MEMORY, VKS_DEVICE_MEMORY, "has no room for the values, 5242880 bytes");
    fail_each(VK_ERROR_OUT_OF_HOST_MEMORY, VKS_OUT_OF_MEMORY, "host memory");
    fail_each(VK_ERROR_DEVICE_LOST, VKS_DEVICE_LOST, "was lost");
}

Test(vulkan_split, spare_memory_goes_before_an_array_is_refused)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    for (uint32_t k = 1; k <= 7; k++) {
        OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
        struct memory m = new_array(d, MEMORY_DEVICE, 2 * MIB);
        device_release(d, &m);
        sparse.calls = 0;
        sparse.fail_call = k;
        sparse.failure = VK_ERROR_OUT_OF_DEVICE_MEMORY;
        m = new_array(d, MEMORY_DEVICE, 5 * MIB);
        cr_expect_eq(sparse.allocations - ZEROS, 5);
        cr_expect_eq(sparse.calls, k + 7);
        device_release(d, &m);
    }
}

/* The binding never completes, and the wait for it returns this. */
static void never_bind(VkResult wait)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    struct device *d = sparse_device(&a, (struct device_options){0});
    struct vulkan *v = vulkan_of(d);
    struct memory m;
    sparse.calls = 0;
    sparse.fail_call = 4;
    sparse.failure = VK_TIMEOUT;
    sparse.wait = wait;
    must_fail(device_allocate(d, MEMORY_DEVICE, 2 * MIB, "the values", &m), VKS_TIMEOUT,
              "did not bind the memory of the values within 300 seconds");
    cr_expect_eq(v->hung, wait == VK_TIMEOUT);
    sparse.wait = VK_TIMEOUT;
    cr_expect_eq(sparse.buffers - ZEROS, 1, "what is being bound is not freed");
    cr_expect_eq(sparse.allocations - ZEROS, 2);
    app_signal(&a, v->timeline, v->submitted);
    device_destroy(d);
    for (uint32_t i = 0; i < BUFFERS_KEPT; i++)
        if (sparse.buffer[i].buffer)
            sparse_destroy(a.own.device, sparse.buffer[i].buffer, NULL);
    for (uint32_t i = 0; i < PIECES_KEPT; i++)
        if (sparse.piece[i].memory)
            sparse_free(a.own.device, sparse.piece[i].memory, NULL);
}

Test(vulkan_split, what_may_still_be_bound_is_not_freed)
{
    never_bind(VK_TIMEOUT);
    never_bind(VK_ERROR_OUT_OF_HOST_MEMORY);
}

/* Requests two arrays on a device that cannot split: one that just fits, and one that does not. */
static void refuse_to_split(struct app *a, const char *part)
{
    OWNED_BY(device_end) struct device *d = sparse_device(a, (struct device_options){0});
    cr_expect_eq(d->info.largest_array, MIB);
    struct memory m = new_array(d, MEMORY_DEVICE, MIB);
    device_release(d, &m);
    must_fail(device_allocate(d, MEMORY_DEVICE, MIB + 1, "the values", &m), VKS_DEVICE_MEMORY, part);
    cr_expect_eq(sparse.binds, 0);
}

Test(vulkan_split, what_is_missing_is_named_with_the_limit)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    a.features.core.features.sparseBinding = VK_FALSE;
    refuse_to_split(
        &a, "is 1048576 bytes, one allocation of memory, since sparseBinding was not enabled when the "
            "VkDevice was created");
    a.features.core.features.sparseBinding = VK_TRUE;
    sparse.without = VK_QUEUE_SPARSE_BINDING_BIT;
    refuse_to_split(&a, ", one allocation of memory, since its queue binds no memory, without "
                        "VK_QUEUE_SPARSE_BINDING_BIT");
    sparse.without = 0;
    a.features.core.features.shaderInt64 = VK_FALSE;
    refuse_to_split(
        &a, ", one allocation of memory, since shaderInt64 was not enabled when the VkDevice was created");
    a.features.core.features.shaderInt64 = VK_TRUE;
    sparse.types = 0;
    refuse_to_split(&a, ", one allocation of memory, since its memory for arrays is not for sparse binding");
}

Test(vulkan_split, a_device_of_vksolves_own_without_sparse_binding_says_so)
{
    OWNED_BY(clean_end) struct device *d = open_tested((struct device_options){.largest_array = MIB});
    struct memory m;
    if (d->info.not_split) /* current lavapipe */
        must_fail(device_allocate(d, MEMORY_DEVICE, MIB + 1, "the values", &m), VKS_DEVICE_MEMORY,
                  ", one allocation of memory, since the device has no sparseBinding");
}

Test(vulkan_split, the_largest_array_is_what_memory_and_addresses_allow)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){0});
    cr_expect_eq(d->info.largest_array, d->info.memory);
    device_destroy(d);
    sparse.address_space = 3 * MIB;
    d = sparse_device(&a, (struct device_options){0});
    struct memory m = new_array(d, MEMORY_DEVICE, 3 * MIB);
    device_release(d, &m);
    must_fail(device_allocate(d, MEMORY_DEVICE, 3 * MIB + 1, "the values", &m), VKS_DEVICE_MEMORY,
              "3145729 bytes for the values are too many: the largest array on ");
    device_destroy(d);
    sparse.address_space = MIB / 2;
    d = sparse_device(&a, (struct device_options){0});
    cr_expect_eq(d->info.largest_array, MIB, "one allocation takes no part of the address space");
}

Test(vulkan_split, tests_lower_the_size_of_the_pieces)
{
    OWNED_BY(sparse_close) struct app a;
    sparse_open(&a, MIB);
    OWNED_BY(device_end) struct device *d = sparse_device(&a, (struct device_options){.piece_bytes = 300000});
    struct memory m = new_array(d, MEMORY_DEVICE, 2 * MIB);
    cr_expect_eq(split_of(m)->pieces, 8, "of 262,144 bytes, whole alignments");
    device_release(d, &m);
}

/* On lavapipe with all arrays split and 64-bit addressing, or on the host. */
static vks_context *open_side(struct app *a, bool split)
{
    vks_context *c = NULL;
    if (split)
        must(context_of(&message, sparse_device(a, (struct device_options){.piece_bytes = 1}), &c));
    else
        must(vks_context_create(&(vks_context_options){.device = "host"}, &c));
    return c;
}

Test(vulkan_split, a_solve_in_split_arrays_has_the_bits_of_any_other, SHADER_RUN)
{
    enum { N = 3000 };
    struct host_csr A = random_spd(PRECISION_F64, N, 7);
    double *b = random_vector(PRECISION_F64, N, 3, 8), *x[2];
    struct app a;
    sparse_open(&a, 65536);
    for (int i = 0; i < 2; i++) {
        OWNED_BY(context_end) vks_context *c = open_side(&a, i);
        OWNED(vks_vector) *vb = NULL, *vx = NULL;
        x[i] = malloc(N * sizeof *x[i]);
        cr_assert_not_null(x[i]);
        OWNED(vks_matrix) *m = matrix_from(c, &A, NULL);
        must_work(c, vks_vector_create(c, N, VKS_F64, &vb));
        must_work(c, vks_vector_create(c, N, VKS_F64, &vx));
        must_work(c, vks_vector_write(vb, 0, N, VKS_F64, b));
        must_work(c, vks_cg_solve(m, vb, vx, NULL, NULL));
        cr_expect_eq(i && vulkan_wide(vulkan_of(c->device)), i);
        must_work(c, vks_vector_read(vx, 0, N, VKS_F64, x[i]));
    }
    cr_expect_geq(sparse.binds, 1);
    must_equal(x[1], x[0], N, "x");
    sparse_close(&a);
    host_csr_free(&A);
    free(b);
    free(x[0]);
    free(x[1]);
}
