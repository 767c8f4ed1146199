/* VKS_PRECOND_AUTO: the facts that it finds in a matrix, and the choice that it derives. */
#include "solvers/auto/precond_policy.h"
#include "tests/support/device_matrix.h"

static struct precond_choice choice_of(uint32_t rows, uint32_t entries, struct signs signs, double share,
                                       const char *why)
{
    struct facts f = {.rows = rows, .entries = entries, .real_bytes = 8, .signs = signs, .share = share};
    char words[200];
    struct precond_choice c = precond_choose(&f, words, sizeof words);
    cr_expect(strstr(words, why), "%u rows: \"%s\" does not say \"%s\"", rows, words, why);
    return c;
}

Test(automatic, declines_multigrid_by_diagonal_and_signs)
{
    static const struct {
        struct signs signs;
        double share;
        const char *why;
        vks_precond_kind precond;
    } cases[] = {
        {{.diagonal = true, .dominated = 1}, 0, "no off-diagonal entries", VKS_PRECOND_JACOBI},
        {{.positive = NAN}, 1, "not finite", VKS_PRECOND_JACOBI},
        {{.dominated = 0.9}, 1, "dominates in 90 %", VKS_PRECOND_JACOBI},
        {{.positive = 0.51}, 0.24, "are 0.51 of the sum: multigrid is unsuitable", VKS_PRECOND_JACOBI},
        {{.positive = 0.21}, 0.24, "are 0.21 of the sum, as in vector problems", VKS_PRECOND_JACOBI},
        {{.positive = 0.21}, 0.25, "blocks explain 0.25 of the diagonal", VKS_PRECOND_BLOCK_JACOBI},
        {{.positive = 0.2, .dominated = 0.89}, 1, "may pay after", VKS_PRECOND_AMG}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct precond_choice c = choice_of(5000, 35000, cases[i].signs, cases[i].share, cases[i].why);
        cr_expect_eq(c.precond, cases[i].precond, "case %zu", i);
        cr_expect(c.precond != VKS_PRECOND_JACOBI || c.jacobi == NO_BUDGET);
    }
}

Test(automatic, takes_multigrid_after_as_many_iterations_as_its_set_up_costs)
{
    static const struct signs suits = {.positive = 0.2, .dominated = 0.89};
    struct precond_choice few = choice_of(FEW_ROWS + 1, 5000, suits, 0, "may pay after"),
                          more = choice_of(150102, 726674, suits, 0, "may pay after");
    cr_expect(few.jacobi > 250 && few.jacobi < 400, "%u iterations", few.jacobi);
    cr_expect(more.jacobi > 300 && more.jacobi < 600, "%u iterations", more.jacobi);
}

/* Small systems are never examined, medium ones after some iterations, large ones before the first. */
Test(automatic, looks_at_a_matrix_when_that_costs_little)
{
    struct facts f = {.entries = 7 * FEW_ROWS, .rows = FEW_ROWS, .real_bytes = 8};
    char why[200];
    cr_expect_eq(first_budget(&f, why, sizeof why), NO_BUDGET);
    cr_expect(strstr(why, "too few"), "%s", why);
    f.rows++;
    uint32_t after = first_budget(&f, why, sizeof why);
    cr_expect(after > 0 && after < 100, "%u iterations", after);
    f = (struct facts){.rows = 2097152, .entries = 14581760, .real_bytes = 8};
    cr_expect_eq(first_budget(&f, why, sizeof why), 0);
    cr_expect_eq(choice_of(f.rows, f.entries, f.signs, 0, "at once").precond, VKS_PRECOND_AMG);
}

/* Four rows with a diagonal of 10, and 9, 8.75, 9.25 and 0 off the diagonal: the second and the last are
 * dominated. */
TestOnBoth(automatic, measures_signs_by_their_definition)
{
    static const uint32_t row[] = {0, 3, 6, 8, 9}, col[] = {0, 1, 2, 0, 1, 2, 0, 2, 3};
    static const double val[] = {10, -8, 1, -8.5, 10, 0.25, -9.25, 10, 10};
    static const vks_precision stored[] = {VKS_F64, VKS_F32, VKS_MIXED};
    for (int i = 0; i < 3; i++) {
        struct signs s;
        OWNED(vks_matrix) *A = NULL;
        enum precision p = real_precision(precision_of(stored[i]));
        must_work(c, vks_matrix_from_csr(c, 4, 4, row, col, val,
                                         &(vks_matrix_options){.precision = stored[i]}, &A));
        must_work(c, signs_measure(c->device, A, p, &s));
        cr_expect(!s.diagonal && s.dominated == 0.5);
        cr_expect_float_eq(s.positive, 1.25 / 27, p == PRECISION_F32 ? 1e-7 : 1e-15);
    }
}
