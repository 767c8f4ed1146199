/* Disables the tests of a suite that VKS_TESTS_SKIPPED lists, and those that VKS_TESTS_ON_DEVICE lists unless
 * VKSOLVE_TEST_DEVICE names a device. Both are patterns separated by |. A Criterion pattern with as many
 * alternatives takes half a second for each test. */
#include "../support/gpu_name.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <fnmatch.h>

static bool is_skipped(const char *name, const char *patterns)
{
    char pattern[128];
    for (size_t length; *patterns; patterns += length + (patterns[length] == '|')) {
        length = strcspn(patterns, "|");
        cr_assert_lt(length, sizeof pattern, "too long a pattern: %s", patterns);
        memcpy(pattern, patterns, length);
        pattern[length] = 0;
        if (!fnmatch(pattern, name, 0))
            return true;
    }
    return false;
}

static void skip(struct criterion_test_set *set, const char *patterns)
{
    FOREACH_SET(struct criterion_suite_set * suite, set->suites)
    FOREACH_SET(struct criterion_test * test, suite->tests)
    test->data->disabled |= patterns && is_skipped(test->name, patterns);
}

ReportHook(PRE_ALL)(struct criterion_test_set *set)
{
    skip(set, getenv("VKS_TESTS_SKIPPED"));
    if (!gpu_wanted())
        skip(set, getenv("VKS_TESTS_ON_DEVICE"));
}
