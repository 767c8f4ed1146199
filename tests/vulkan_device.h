/* For the suites of the Vulkan device: the device of the tests; lavapipe runs with the validation layer,
 * which must report nothing. */
#ifndef VKS_TESTS_VULKAN_DEVICE_H
#define VKS_TESTS_VULKAN_DEVICE_H

#include "device/vulkan/vulkan.h"
#include "tests/support/gpu.h"
#include "tests/support/own.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct message message;

/* For a test of lavapipe's properties or of its speed. */
static inline void skip_unless_lavapipe(void)
{
    if (!on_lavapipe())
        cr_skip_test("%s is not lavapipe", gpu_name());
}

/* Opens the device; nothing has run on it yet. */
static inline struct device *open_tested(struct device_options o)
{
    struct device *d = NULL;
    o.unasked = true;
    o.name = gpu_index();
    o.validate = on_lavapipe();
    o.no_pipeline_cache = !o.cache_folder;
    vks_status s = device_vulkan_create(&message, &o, &d);
    cr_assert_eq(s, VKS_OK,
                 "these tests need lavapipe (mesa-vulkan-drivers) and the validation layer "
                 "(vulkan-validationlayers): %s",
                 message.text);
    return d;
}

/* Captures what is printed on stderr until stderr_back(), which returns the beginning of it. */
struct printed {
    FILE *file;
    int stderr_kept;
    char text[4096];
};

static inline struct printed stderr_away(void)
{
    struct printed p = {.file = tmpfile(), .stderr_kept = dup(STDERR_FILENO)};
    cr_assert(p.file && p.stderr_kept >= 0);
    fflush(stderr);
    dup2(fileno(p.file), STDERR_FILENO);
    return p;
}

static inline void stderr_back(struct printed *p)
{
    fflush(stderr);
    dup2(p->stderr_kept, STDERR_FILENO);
    close(p->stderr_kept);
    rewind(p->file);
    p->text[fread(p->text, 1, sizeof p->text - 1, p->file)] = 0;
    fclose(p->file);
}

/* Leaked objects are reported while the device is destroyed, so the output of that is checked. */
static inline void close_clean(struct device *d)
{
    cr_expect_eq(device_vulkan_messages(d), 0, "the validation layer printed messages");
    struct printed p = stderr_away();
    device_destroy(d);
    stderr_back(&p);
    cr_expect_str_empty(p.text, "printed while the device was destroyed: %s", p.text);
}
END_BY(clean_end, struct device, close_clean)
END_BY(device_end, struct device, device_destroy)

static inline void must(vks_status s)
{
    skip_without_f64(s, message.text);
    cr_assert_eq(s, VKS_OK, "%s: %s", vks_status_name(s), message.text);
}

/* The failure must be `expected`, and its message must contain `part`; the message is then cleared. */
static inline void must_fail(vks_status s, vks_status expected, const char *part)
{
    cr_expect_eq(s, expected, "%s instead of %s: %s", vks_status_name(s), vks_status_name(expected),
                 message.text);
    cr_expect(strstr(message.text, part), "\"%s\" does not say \"%s\"", message.text, part);
    message.text[0] = 0;
}

static inline struct memory new_array(struct device *d, enum memory_kind kind, uint64_t bytes)
{
    struct memory m;
    must(device_allocate(d, kind, bytes, "an array", &m));
    return m;
}

/* Arguments of kernels. */
static inline reals reals_at(struct memory m)
{
    return (reals)(uintptr_t)m.address;
}

static inline number number_of(struct memory m)
{
    return (number)(uintptr_t)m.address;
}

static inline struct memory new_floats(struct device *d, uint32_t count, float value)
{
    struct memory m = new_array(d, MEMORY_DEVICE, 4 * (uint64_t)count);
    OWNED(float) *values = malloc(4 * (size_t)count);
    cr_assert(values);
    for (uint32_t i = 0; i < count; i++)
        values[i] = value;
    must(device_write(d, &m, 0, values, 4 * (uint64_t)count));
    return m;
}

#endif
