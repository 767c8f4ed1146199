/* What the calls on vectors refuse, and the lifetimes of vectors and their context. */
#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vksolve/context.h"

static vks_vector *new_vector(vks_context *c, vks_precision p, uint32_t n)
{
    vks_vector *v = NULL;
    must_work(c, vks_vector_create(c, n, p, &v));
    return v;
}

Test(vector_refuse, ranges_that_leave_the_vector)
{
    vks_context *c = open_host();
    vks_vector *v = new_vector(c, VKS_F64, 10);
    double values[11] = {0};
    static const uint32_t ranges[][2] = {{11, 0}, {10, 1}, {0, 11}, {5, 6}, {1, UINT32_MAX}, {UINT32_MAX, 2}};
    for (int i = 0; i < 6; i++) {
        must_refuse(c, vks_vector_read(v, ranges[i][0], ranges[i][1], VKS_F64, values), VKS_INVALID_ARGUMENT,
                    "of a vector of 10");
        must_refuse(c, vks_vector_write(v, ranges[i][0], ranges[i][1], VKS_F32, values), VKS_INVALID_ARGUMENT,
                    "of a vector of 10");
    }
    vks_vector_destroy(v);
    close_context(c);
}

Test(vector_refuse, values_that_are_no_precision)
{
    vks_context *c = open_host();
    vks_vector *v = new_vector(c, VKS_F32, 3), *none = v;
    double values[3] = {0};
    must_refuse(c, vks_vector_create(c, 3, (vks_precision)9, &none), VKS_INVALID_ARGUMENT,
                "9 is not a vks_precision");
    cr_expect_null(none);
    must_refuse(c, vks_vector_create(c, 3, VKS_MIXED, &none), VKS_INVALID_ARGUMENT,
                "VKS_MIXED is a precision of matrices");
    cr_expect_null(none);
    must_refuse(c, vks_vector_read(v, 0, 3, (vks_precision)7, values), VKS_INVALID_ARGUMENT,
                "7 is not a vks_");
    must_refuse(c, vks_vector_write(v, 0, 3, (vks_precision)-1, values), VKS_INVALID_ARGUMENT,
                "-1 is not a vks_");
    vks_vector_destroy(v);
    close_context(c);
}

/* Each call with two vectors must refuse x and y. */
static void must_refuse_pair(const vks_vector *x, vks_vector *y, vks_context *c, const char *part)
{
    double result = 0;
    must_refuse(c, vks_vector_copy(x, y), VKS_INVALID_ARGUMENT, part);
    must_refuse(c, vks_vector_axpy(1, x, y), VKS_INVALID_ARGUMENT, part);
    must_refuse(c, vks_vector_dot(x, y, &result), VKS_INVALID_ARGUMENT, part);
}

Test(vector_refuse, vectors_of_different_contexts_lengths_or_precisions)
{
    vks_context *c = open_host(), *other = open_host();
    vks_vector *x = new_vector(c, VKS_F64, 10), *foreign = new_vector(other, VKS_F64, 10),
               *longer = new_vector(c, VKS_F64, 11), *narrower = new_vector(c, VKS_F32, 10);
    must_refuse_pair(x, foreign, c, "different contexts");
    must_refuse_pair(x, longer, c, "differ in length: 10 and 11");
    must_refuse_pair(x, narrower, c, "differ in precision");
    vks_vector_destroy(x);
    vks_vector_destroy(foreign);
    vks_vector_destroy(longer);
    vks_vector_destroy(narrower);
    close_context(c);
    close_context(other);
}

Test(vector_refuse, lengths_above_the_largest_index)
{
    vks_context *c = open_host();
    vks_vector *v = NULL;
    must_refuse(c, vks_vector_create(c, VKS_LARGEST_INDEX + 1, VKS_F32, &v), VKS_LIMIT, "4278190080");
    must_refuse(c, vks_vector_create(c, UINT32_MAX, VKS_F32, &v), VKS_LIMIT, "4278190080");
    cr_expect_null(v);
    close_context(c);
}

static void must_refuse_large(const char *device)
{
    vks_context *c = open_context(device, (struct device_options){.largest_array = 12345 * 8});
    vks_vector *v = NULL;
    must_refuse(c, vks_vector_create(c, 12346, VKS_F64, &v), VKS_DEVICE_MEMORY, "largest array on");
    cr_expect(strstr(vks_context_message(c), "is 98760"), "%s", vks_context_message(c));
    cr_expect(strstr(vks_context_message(c), "98768 bytes"), "%s", vks_context_message(c));
    cr_expect_null(v);
    close_context(c);
}

Test(vector_refuse, arrays_above_the_limit_with_it_named)
{
    must_refuse_large("host");
    must_refuse_large(gpu_name());
}

Test(vector_refuse, nothing_when_null_is_destroyed)
{
    vks_vector_destroy(NULL);
    vks_context_destroy(NULL);
    cr_expect_str_eq(vks_context_message(NULL), "");
    cr_expect_eq(vks_context_errno(NULL), 0);
}

static void outlive(const char *device)
{
    vks_context *c = open_context(device, (struct device_options){0});
    vks_vector *x = new_vector(c, VKS_F64, 300), *y = new_vector(c, VKS_F64, 300);
    vks_context_destroy(c);
    cr_expect_eq(destroyed_devices, 0, "the device went before its vectors");
    double dot = 7;
    cr_expect_eq(vks_vector_fill(x, 2), VKS_OK);
    cr_expect_eq(vks_vector_dot(x, x, &dot), VKS_OK);
    cr_expect_eq(dot, 1200);
    vks_vector_destroy(x);
    cr_expect_eq(destroyed_devices, 0, "the device went before its last vector");
    vks_vector_destroy(y);
    cr_expect_eq(destroyed_devices, 1, "the device outlives its last vector");
    destroyed_devices = 0;
}

Test(vector_refuse, to_close_the_device_before_the_last_vector_is_gone)
{
    outlive("host");
    outlive(gpu_name());
}

Test(vector_refuse, to_keep_a_message_after_a_call_that_succeeds)
{
    vks_context *c = open_host();
    vks_vector *v = new_vector(c, VKS_F64, 4);
    double sum = 0;
    must_refuse(c, vks_vector_read(v, 4, 1, VKS_F64, &sum), VKS_INVALID_ARGUMENT, "1 elements from 4 on");
    must_work(c, vks_vector_sum(v, &sum));
    cr_expect_str_eq(vks_context_message(c), "");
    vks_vector_destroy(v);
    close_context(c);
}

/* Small arrays, to save time; the bytes per second are meaningless here. */
Test(vector_refuse, to_measure_the_copy_bandwidth_twice)
{
    vks_context *c = open_context("host", (struct device_options){.largest_array = 1 << 20});
    double first = 0, second = 0;
    must_work(c, vks_context_copy_bandwidth(c, &first));
    must_work(c, vks_context_copy_bandwidth(c, &second));
    cr_expect_gt(first, 0);
    cr_expect_eq(first, second);
    close_context(c);
}
