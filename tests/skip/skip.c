/* Disables tests of a suite by their names, by three regular expressions (share.cmake): those of
 * VKS_TESTS_LEFT_OUT, all but those of VKS_TESTS_ALONE, and those of VKS_TESTS_ON_DEVICE unless
 * VKSOLVE_TEST_DEVICE names a device. A Criterion pattern with as many alternatives takes half a second for
 * each test. */
#include "../support/gpu_name.h"

#include <criterion/criterion.h>
#include <criterion/hooks.h>
#include <regex.h>

static void disable(struct criterion_test_set *set, const char *variable, bool matching)
{
    const char *names = getenv(variable);
    if (!names)
        return;
    regex_t pattern;
    cr_assert_eq(regcomp(&pattern, names, REG_EXTENDED | REG_NOSUB), 0, "%s: %s", variable, names);
    FOREACH_SET(struct criterion_suite_set * suite, set->suites)
    FOREACH_SET(struct criterion_test * test, suite->tests)
    test->data->disabled |= (regexec(&pattern, test->name, 0, NULL, 0) == 0) == matching;
    regfree(&pattern);
}

ReportHook(PRE_ALL)(struct criterion_test_set *set)
{
    disable(set, "VKS_TESTS_LEFT_OUT", true);
    disable(set, "VKS_TESTS_ALONE", false);
    if (!gpu_wanted())
        disable(set, "VKS_TESTS_ON_DEVICE", true);
}
