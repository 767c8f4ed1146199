/* Matrices of recursive graphs. */
#include "command/models/problem.h"
#include "entries/check.h"
#include "tests/support/own.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static struct host_csr load(const char *what)
{
    struct host_csr a;
    struct message m = {0};
    cr_assert_eq(problem_load(&m, what, &a), VKS_OK, "%s", m.text);
    cr_assert_eq(csr_arrays_check(&m, a.rows, a.cols, a.row, a.col), VKS_OK, "%s", m.text);
    return a;
}

Test(powerlaw, rows_are_rounded_up_and_equal_edges_are_one)
{
    OWNED_STRUCT(host_csr) a = load("powerlaw:1000:8");
    cr_expect_eq(a.rows, 1024);
    cr_expect_eq(a.cols, 1024);
    cr_expect_eq(host_csr_entries(&a), 6666); /* of 8192 edges; those of the peers' generator */
    for (size_t k = 0; k < host_csr_entries(&a); k++)
        cr_assert(fabs(a.val[k]) <= 1);
}

Test(powerlaw, the_mean_is_16_and_for_solves_8)
{
    OWNED_STRUCT(host_csr) a = load("powerlaw:4096"), b = load("powerlawspd:4096");
    cr_expect_eq(host_csr_entries(&a), 53426);
    cr_expect_eq(host_csr_entries(&b), 57640);
}

Test(powerlaw, a_few_rows_are_much_longer_than_the_mean)
{
    OWNED_STRUCT(host_csr) a = load("powerlaw:65536");
    uint32_t longest = 0;
    for (uint32_t i = 0; i < a.rows; i++)
        longest = a.row[i + 1] - a.row[i] > longest ? a.row[i + 1] - a.row[i] : longest;
    cr_expect_gt(longest, 100 * 16);
}

Test(powerlaw, the_one_for_solves_is_a_laplacian_plus_a_tenth)
{
    OWNED_STRUCT(host_csr) a = load("powerlawspd:1000");
    struct csr_diagnoses f;
    cr_assert_eq(csr_check(NULL, &a, &f), VKS_OK);
    cr_expect(f.symmetric && f.structurally_symmetric);
    for (uint32_t i = 0; i < a.rows; i++) {
        double sum = 0;
        for (size_t k = a.row[i]; k < a.row[i + 1]; k++)
            sum += a.val[k];
        cr_expect_float_eq(sum, 0.1, 1e-9, "row %u", i);
    }
}

Test(powerlaw, what_is_no_size_or_too_large_is_refused)
{
    static const struct {
        const char *what;
        vks_status status;
        const char *text;
    } cases[] = {{"powerlaw:0", VKS_INVALID_ARGUMENT, "'0' is not a size"},
                 {"powerlaw:10:", VKS_INVALID_ARGUMENT, "'' is not a mean"},
                 {"powerlaw:10:0", VKS_INVALID_ARGUMENT, "'0' is not a mean"},
                 {"powerlaw:10:2:3", VKS_INVALID_ARGUMENT, "'2:3' is not a mean"},
                 {"poisson2d:10:2", VKS_INVALID_ARGUMENT, "'10:2' is not a size"},
                 {"powerlaw:2147483649", VKS_LIMIT, "the limit is 2147483648"},
                 {"powerlaw:2147483648:2", VKS_LIMIT, "entries"},
                 {"powerlawspd:134217728:16", VKS_LIMIT, "entries"},
                 {"powerlawful:10", VKS_FILE, "powerlawful:10"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct host_csr a;
        struct message m = {0};
        cr_expect_eq(problem_load(&m, cases[i].what, &a), cases[i].status, "%s", cases[i].what);
        cr_expect(strstr(m.text, cases[i].text), "%s", m.text);
        cr_expect(!a.row && !a.col && !a.val);
    }
}
