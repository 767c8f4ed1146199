/* Arrays: their contents, and refusals. */
#include "tests/support/context.h"
#include "tests/support/data.h"
#include "vksolve/array.h"

static vks_array *new_array(vks_context *c, vks_type type, uint32_t n)
{
    vks_array *a = NULL;
    must_work(c, vks_array_create(c, n, type, &a));
    return a;
}

/* Calls `test` on both kinds of devices with every type. */
static void with_every_type(void (*test)(vks_context *, vks_type))
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        for (int type = 0; type < VKS_TYPE_COUNT_; type++)
            test(c, (vks_type)type);
    }
}

static void must_hold(vks_context *c, const vks_array *a, const void *want, const char *what)
{
    size_t bytes = (size_t)vks_array_length(a) * vks_type_bytes(vks_array_type(a));
    OWNED(char) *got = room(bytes, 1);
    must_work(c, vks_array_read(a, 0, vks_array_length(a), got));
    guards_check(c->device);
    cr_expect(!memcmp(got, want, bytes), "%s of %u elements of %s", what, vks_array_length(a),
              vks_type_name(vks_array_type(a)));
}

static unsigned char *random_bytes(size_t bytes, uint64_t seed)
{
    unsigned char *p = room(bytes, 1);
    for (size_t i = 0; i < bytes; i++)
        p[i] = (unsigned char)random_bits(&seed);
    return p;
}

static const uint32_t sizes[] = {0, 1, 255, 256, 257, 5000};

TEST_BY(with_every_type, primitive_array, a_new_array_is_zero_and_keeps_every_bit_that_is_written,
        vks_context *c, vks_type type)
{
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t n = sizes[i], bytes = vks_type_bytes(type);
        unsigned char *zeros = room(n, bytes), *values = random_bytes((size_t)n * bytes, i);
        OWNED(vks_array) *a = new_array(c, type, n);
        cr_expect_eq(vks_array_length(a), n);
        cr_expect_eq(vks_array_type(a), type);
        must_hold(c, a, zeros, "a new array");
        must_work(c, vks_array_write(a, 0, n, values));
        must_hold(c, a, values, "what was written");
        if (n > 3) {
            must_work(c, vks_array_write(a, 2, n - 3, zeros));
            memset(values + 2 * bytes, 0, (size_t)(n - 3) * bytes);
            must_hold(c, a, values, "a range of zeros");
        }
        free(zeros);
        free(values);
    }
}

/* Bits that a float unit would change: a denormal, and a NaN that signals. */
TEST_BY(with_every_type, primitive_array, fill_copies_the_bits_of_the_value, vks_context *c, vks_type type)
{
    static const uint32_t patterns[][2] = {{1, 0}, {0x7F800001u, 0x7FF00000u}, {0xFFFFFFFFu, 5}};
    uint32_t n = 777, bytes = vks_type_bytes(type);
    unsigned char *want = room(n, bytes);
    OWNED(vks_array) *a = new_array(c, type, n);
    for (int k = 0; k < 3; k++) {
        must_work(c, vks_array_fill(a, patterns[k]));
        for (uint32_t i = 0; i < n; i++)
            memcpy(want + (size_t)i * bytes, patterns[k], bytes);
        must_hold(c, a, want, "a filled array");
    }
    free(want);
}

Test(primitive_array, of_a_vector_is_the_same_memory_and_goes_with_the_vector)
{
    for (int device = 0; device < 2; device++) {
        OWNED(vks_context) *c = device ? open_gpu() : open_host();
        double values[300], back[300] = {0}, seven = 7;
        for (int i = 0; i < 300; i++)
            values[i] = 1.0 / (i + 1);
        OWNED(vks_vector) *v = vector_of(c, PRECISION_F64, values, 300);
        vks_array *a = vks_vector_array(v);
        cr_expect_eq(vks_array_type(a), VKS_TYPE_F64);
        cr_expect_eq(vks_array_length(a), 300);
        must_hold(c, a, values, "the elements of a vector");
        must_work(c, vks_array_fill(a, &seven));
        must_work(c, vks_vector_read(v, 0, 300, VKS_F64, back));
        cr_expect_eq(back[299], 7);
        vks_array_destroy(a);
        must_work(c, vks_vector_fill(v, 2));
    }
}

Test(primitive_array, types_have_names_and_sizes)
{
    cr_expect_str_eq(vks_type_name(VKS_TYPE_F32), "F32");
    cr_expect_str_eq(vks_type_name(VKS_TYPE_U64), "U64");
    cr_expect_str_eq(vks_type_name((vks_type)4), "?");
    cr_expect_eq(vks_type_bytes(VKS_TYPE_F64), 8);
    cr_expect_eq(vks_type_bytes(VKS_TYPE_U32), 4);
    cr_expect_eq(vks_type_bytes((vks_type)-1), 0);
}

Test(primitive_array, refuses_ranges_types_and_lengths_that_are_none)
{
    OWNED(vks_context) *c = open_context("host", (struct device_options){.largest_array = 12345 * 8});
    vks_array *a = new_array(c, VKS_TYPE_U64, 10), *none = a;
    uint64_t values[11] = {0};
    static const uint32_t ranges[][2] = {{11, 0}, {10, 1}, {0, 11}, {5, 6}, {1, UINT32_MAX}, {UINT32_MAX, 2}};
    for (int i = 0; i < 6; i++) {
        must_refuse(c, vks_array_read(a, ranges[i][0], ranges[i][1], values), VKS_INVALID_ARGUMENT,
                    "of an array of 10");
        must_refuse(c, vks_array_write(a, ranges[i][0], ranges[i][1], values), VKS_INVALID_ARGUMENT,
                    "of an array of 10");
    }
    must_refuse(c, vks_array_create(c, 3, (vks_type)4, &none), VKS_INVALID_ARGUMENT, "4 is not a vks_type");
    cr_expect_null(none);
    must_refuse(c, vks_array_create(c, VKS_LARGEST_INDEX + 1, VKS_TYPE_U32, &none), VKS_LIMIT, "4278190080");
    must_refuse(c, vks_array_create(c, 12346, VKS_TYPE_U64, &none), VKS_DEVICE_MEMORY, "98768 bytes");
    vks_array_destroy(a);
    vks_array_destroy(NULL);
}

Test(primitive_array, refuses_f64_on_a_device_without_64_bit_floats_but_not_u64)
{
    OWNED(vks_context) *c = open_context(gpu_name(), (struct device_options){.without_f64 = true});
    OWNED(vks_array) *a = NULL;
    must_refuse(c, vks_array_create(c, 3, VKS_TYPE_F64, &a), VKS_UNSUPPORTED, "no 64-bit floats");
    cr_expect_null(a);
    a = new_array(c, VKS_TYPE_U64, 3);
    uint64_t value = 0x123456789ABCDEFu, back[3] = {0};
    must_work(c, vks_array_fill(a, &value));
    must_work(c, vks_array_read(a, 0, 3, back));
    cr_expect_eq(back[2], value);
}
