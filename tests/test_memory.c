/* Available memory, from texts in Linux's form. */
#include "report/memory.h"

#include <criterion/criterion.h>
#include <string.h>
#include <sys/resource.h>

Test(memory, of_the_machine_is_what_is_available_and_free_swap)
{
    cr_expect_eq(memory_of_machine("MemTotal:       100 kB\nMemFree:  7 kB\nMemAvailable:   50 kB\n"
                                   "SwapTotal:      9 kB\nSwapFree:   3 kB\n"),
                 53 * 1024);
    cr_expect_eq(memory_of_machine("MemAvailable:\t50 kB\n"), 50 * 1024);
    cr_expect_eq(memory_of_machine("MemTotal: 100 kB\nMemFree: 7 kB\n"), UINT64_MAX);
    cr_expect_eq(memory_of_machine("NotMemAvailable: 50 kB"), UINT64_MAX);
    cr_expect_eq(memory_of_machine(""), UINT64_MAX);
    cr_expect_eq(memory_of_machine("MemAvailable: none"), UINT64_MAX);
}

Test(memory, of_a_group_is_its_limit_less_what_cannot_be_dropped)
{
    cr_expect_eq(memory_of_group("1000\n", "700\n", "anon 5\ninactive_file 200\nactive_file 3\n"), 503);
    cr_expect_eq(memory_of_group("1000\n", "700\n", "active_file 400\n"), 700);
    cr_expect_eq(
        memory_of_group("1000\n", "700\n",
                        "inactive_file 1\nactive_file 2\ntotal_inactive_file 200\ntotal_active_file 50\n"),
        550);
    cr_expect_eq(memory_of_group("1000\n", "700\n", ""), 300);
    cr_expect_eq(memory_of_group("1000\n", "1700\n", ""), 0);
    cr_expect_eq(memory_of_group("1000\n", "7\n", "inactive_file 90\n"), 1000);
    cr_expect_eq(memory_of_group("max\n", "700\n", ""), UINT64_MAX);
    cr_expect_eq(memory_of_group("", "", ""), UINT64_MAX);
}

static void expect_group(const char *cgroups, int version, const char *path)
{
    char got[64] = "";
    cr_expect_eq(memory_group_path(cgroups, got, sizeof got), version, "%s", cgroups);
    cr_expect_str_eq(got, path, "%s", cgroups);
}

Test(memory, groups_of_both_versions_are_found)
{
    expect_group("0::/user.slice/a\n", 2, "/user.slice/a");
    expect_group("9:name=systemd:/s\n4:memory:/docker/b\n1:cpu:/\n0::/c\n", 1, "/docker/b");
    expect_group("0::/c\n4:memory:/docker/b\n", 1, "/docker/b");
    expect_group("4:cpu,memory:/b\n", 0, "");
    expect_group("", 0, "");
    expect_group("nonsense\n", 0, "");
    expect_group("0::/this path is longer than the room that there is for it, which is little\n", 0, "");
}

Test(memory, large_needs_are_refused_with_name_and_figures)
{
    struct message m = {0};
    cr_expect_eq(memory_check(&m, "a.mtx", "its entries", 1), VKS_OK);
    cr_expect_eq(memory_check(&m, "a.mtx", "its entries", 20 << 20), VKS_OK, "%s", m.text);
    cr_expect_eq(memory_check(&m, "a.mtx", "its entries", UINT64_MAX - 1), VKS_OUT_OF_MEMORY);
    cr_expect(strstr(m.text, "a.mtx: out of host memory: 18446744073709551614 bytes for its entries, and "),
              "%s", m.text);
}

#if !defined(__SANITIZE_ADDRESS__)
Test(memory, the_limit_of_the_address_space_counts)
{
    uint64_t before = memory_left();
    struct rlimit limit = {UINT64_C(3) << 30, RLIM_INFINITY};
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    uint64_t left = memory_left();
    cr_expect(left <= before && left < UINT64_C(3) << 30 && left > 1 << 30, "%llu", (unsigned long long)left);
}
#endif
