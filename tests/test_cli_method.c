/* vksolve solve --method: what auto chooses, what is reported as missing, and the options of each method. */
#include "cli.h"
#include "direct/umfpack.h"

#include <stdint.h>

TestSuite(cli_method, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define SOLVE "$VKSOLVE solve --device host "

Test(cli_method, auto_takes_cg_where_a_is_symmetric)
{
    expect(SOLVE "$MATRICES/nos4.mtx.gz", 0, "cg with jacobi, until");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method auto --precond none", 0, "cg with none, until");
}

/* Its diagonal is positive. */
Test(cli_method, a_preconditioner_for_an_indefinite_matrix_is_reported_with_a_hint)
{
    const char *hint = "hint        --method minres or idr handles an A that is not positive definite";
    expect(SOLVE "$MATRICES/jagmesh7.mtx.gz --precond jacobi", 3, hint);
    expect(SOLVE "$MATRICES/jagmesh7.mtx.gz --method cg", 3, hint);
    expect(SOLVE "$MATRICES/jagmesh7.mtx.gz --precond jacobi --method minres", 0, "CONVERGED");
}

Test(cli_method, auto_takes_what_solves_the_system)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 9\n2 2 9\n1 2 1\n2 1 2\n");
    expect(SOLVE "$FOLDER/a.mtx", 0, "method      idr with jacobi");
    expect(SOLVE "$FOLDER/a.mtx --method jacobi", 0, "CONVERGED");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1\n2 1 3\n2 2 -1\n");
    expect(SOLVE "$FOLDER/a.mtx", 0, "method      minres with row-sum");
}

Test(cli_method, what_options_would_attempt_is_explained_or_refused)
{
    const char *const explained[][2] = {
        {"--method gmres --restart 7",
         "one attempt: gmres with jacobi, restart 7, scaling ruiz (as asked)\n"},
        {"--method idr --precond 'ilut(rows=all)/3' --scaling match",
         "one attempt: idr with ilut(rows=all)/3, scaling match (as asked)\n"},
        {"--precond fsai/4", "one attempt: idr with fsai/4, scaling ruiz (as asked)\n"},
        {"--method direct", "one attempt: direct (as asked)\n"},
        {"--method cg", "warning     A is not symmetric"},
        {"--method auto", "attempts of --method auto, each from the best x so far"}};
    for (size_t i = 0; i < sizeof explained / sizeof *explained; i++) {
        char command[256];
        snprintf(command, sizeof command, SOLVE "$MATRICES/orsirr_1.mtx.gz --explain %s", explained[i][0]);
        expect(command, 0, explained[i][1]);
    }
    expect(SOLVE "$MATRICES/nos4.mtx.gz --explain --method cg --precond ilut", 1, "ilut is not symmetric");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --explain --method cg --scaling ruiz", 1,
           "cg iterates on A as it is");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --explain --method direct --scaling ruiz", 1,
           "direct takes A as it is, but the scaling ruiz was given");
    expect(SOLVE "$MATRICES/ash219.mtx.gz --explain --scaling ruiz", 1,
           "A is 219 x 85, so it is lsmr, which takes none");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --explain", 0, " idr with jacobi, scaling match, up to 200");
    expect(SOLVE "$MATRICES/ash219.mtx.gz --explain", 0, "one attempt: lsmr (A is not square)");
    expect(SOLVE "$MATRICES/ash219.mtx.gz --explain --method idr", 1, "is 219 x 85");
}

/* Nine tenths of the least number round to it: cycles without progress must be detected. */
Test(cli_method, lsmr_ends_with_the_least_numbers)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 5e-324\n3 2 5e-324\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx --method lsmr"),
                      t = run(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --method lsmr --max-iterations 20");
    cr_expect(r.code == 3 && strstr(r.out, "BREAKDOWN: ") && !strstr(r.out, "nan"), "%s", r.out);
    cr_expect(t.code == 3 && strstr(t.out, "NOT_FINITE: a NaN or an infinity") && !strstr(t.out, "nan"), "%s",
              t.out);
}

Test(cli_method, a_singular_matrix_is_reported_with_a_hint_at_lsmr)
{
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n2 2 4\n1 2 2\n2 1 2\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n");
    expect_parts(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx", 3, "SINGULAR: ", "hint        --method lsmr finds",
                 NULL);
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --method lsmr", 0, "CONVERGED: a least-squares solution");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 4\n1 1 1\n2 2 6\n1 2 2\n2 1 3\n");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx", 3,
           "\n            gmres with ilut(drop=0.0001,rows=all)/20, restart 50, scaling match: ");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx --json -", 3,
           "\"precond\": \"ilut(drop=0.0001,rows=all)/20\",\n      \"scaling\": \"match\",\n      "
           "\"restart\": 50");
}

/* Rows with 9 on the diagonal and `left` before it. */
static void write_bidiagonal(uint32_t n, int left)
{
    size_t room = 64 + 40 * (size_t)n, used;
    OWNED(char) *text = malloc(room);
    cr_assert(text);
    used = (size_t)snprintf(text, room, "%%%%MatrixMarket matrix coordinate integer general\n%u %u %u\n", n,
                            n, 2 * n - 1);
    for (uint32_t i = 1; i <= n; i++) {
        used += (size_t)snprintf(text + used, room - used, "%u %u 9\n", i, i);
        if (i > 1)
            used += (size_t)snprintf(text + used, room - used, "%u %u %d\n", i, i - 1, left);
    }
    write_text("large.mtx", text);
}

Test(cli_method, auto_solves_where_a_is_large_and_not_symmetric)
{
    write_bidiagonal(4097, 2);
    expect(SOLVE "$FOLDER/large.mtx", 0, "method      idr with jacobi");
    expect_parts(SOLVE "$FOLDER/large.mtx --explain", 0,
                 "1. idr with jacobi, up to 96 products (A is not symmetric, by the times of the host)",
                 "gauss-jordan (only if: it has at most 4,096 rows)", NULL);
}

Test(cli_method, jacobi_tells_weight_rate_and_warnings)
{
    expect("$VKSOLVE generate poisson2d 10 -o $FOLDER/p.mtx", 0, "100 x 100");
    struct ran r = run(SOLVE "$FOLDER/p.mtx --method jacobi --history $FOLDER/h.csv --json $FOLDER/r.json");
    cr_expect_eq(r.code, 0);
    cr_expect(strstr(r.out, "method      jacobi, weight 1, until"), "%s", r.out);
    cr_expect(strstr(r.out, "each multiplies the residual by 0.9594"), "%s", r.out); /* cos(pi / 11) */
    cr_expect_not(strstr(r.out, "warning"), "%s", r.out);
    ran_free(&r);
    char *json = read_text("r.json"), *history = read_text("h.csv");
    cr_assert(json && history && json_valid(json));
    cr_expect(strstr(json, "\"weight\": 1,") && strstr(json, "\"contraction\": 0.959"), "%s", json);
    cr_expect(strstr(history, "iteration,residual\n0,") && strstr(history, "\n8,") &&
                  strstr(history, "\n16,"),
              "%s", history);
    cr_expect_not(strstr(history, "\n1,"));
    free(json);
    free(history);
    expect(SOLVE "$FOLDER/p.mtx --method jacobi --weight 0.5", 0, "jacobi, weight 0.5, until");
    expect(SOLVE "$FOLDER/p.mtx --method jacobi --weight auto", 0, "jacobi, weight 0.6667, until");
    expect_parts(SOLVE "$MATRICES/nos4.mtx.gz --method jacobi", 2, "DIVERGED: the residual grows by 1.0196",
                 "warning     A is not diagonally dominant: in row ", NULL);
    expect(SOLVE "$MATRICES/bcsstm01.mtx.gz --method jacobi", 3, "ZERO_DIAGONAL: row ");
}

Test(cli_method, weights_are_checked)
{
    static const char *const wrong[] = {"0", "-1", "nan", "Auto", "1x", "''"};
    for (int i = 0; i < 6; i++) {
        char line[128];
        snprintf(line, sizeof line, SOLVE "a --method jacobi --weight %s", wrong[i]);
        expect(line, 1, "must be a number above 0, or auto");
    }
    expect(SOLVE "$MATRICES/nos4.mtx.gz --weight 0.5", 1, "cg has no weight, but 0.5 was given");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method jacobi --precond jacobi", 1,
           "jacobi takes no preconditioner");
}

Test(cli_method, jacobi_that_is_refused_has_no_weight)
{
    expect_parts(SOLVE "$MATRICES/west0067.mtx.gz --method jacobi", 3, "method      jacobi, until",
                 "ZERO_DIAGONAL", NULL);
}

Test(cli_method, the_picture_of_elimination_has_no_line)
{
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method gauss-jordan --plot $FOLDER/p.svg", 0, "CONVERGED");
    OWNED(char) *text = read_text("p.svg");
    cr_assert(text);
    cr_expect(strstr(text, "recomputed in f64") && !strstr(text, "by the iteration"), "%s", text);
}

Test(cli_method, the_picture_of_jacobi_tells_the_weight)
{
    expect(SOLVE "$MATRICES/gr_30_30.mtx.gz --method jacobi --max-iterations 100 --plot $FOLDER/p.svg", 2,
           "ITERATION_LIMIT: an iteration multiplies the residual by 0.9");
    OWNED(char) *text = read_text("p.svg");
    cr_assert(text);
    cr_expect(strstr(text, "jacobi, weight 1 in f64"), "%s", text);
}

Test(cli_method, blocks_are_reported_and_sizes_checked)
{
    expect("$VKSOLVE generate elasticity3d 5 -o $FOLDER/e.mtx", 0, "375 x 375");
    expect(SOLVE "$FOLDER/e.mtx --precond block-jacobi --json $FOLDER/r.json", 0,
           "cg with block-jacobi (125 blocks of up to 3 rows), until");
    char *json = read_text("r.json");
    cr_assert(json && json_valid(json));
    cr_expect(strstr(json, "\"blocks\": 125,") && strstr(json, "\"largest_block\": 3,"), "%s", json);
    free(json);
    expect(SOLVE "$FOLDER/e.mtx --precond block-jacobi --block-size 10", 0, "(38 blocks of up to 10 rows)");
    expect(SOLVE "$MATRICES/pores_1.mtx.gz --precond ilut", 0, "(1 block of up to 30 rows)");
    write_text("a.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n1 2 1\n");
    expect(SOLVE "$FOLDER/a.mtx --method richardson --precond block-jacobi/1", 3, "row 2 of A, is singular");
    expect(SOLVE "a --precond block-jacobi --block-size 33", 1, "must be a whole number from 1 to 32");
    expect(SOLVE "$FOLDER/e.mtx --method jacobi --precond block-jacobi", 1, "jacobi takes no preconditioner");
}

/* What does not depend on UMFPACK. */
Test(cli_method, direct_and_its_comparison_need_umfpack)
{
    expect(SOLVE "$MATRICES/west0067.mtx.gz --method direct", 1,
           "UMFPACK is not installed (Debian: apt install libumfpack6, or on Debian 12 libumfpack5)");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --compare direct", 0, "  direct: UMFPACK is not installed");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --method gauss-jordan --compare direct --json -", 0,
           "\"error_vs_direct\": null");
    expect(SOLVE "a --method direct --singular", 1, "--singular does not work with direct");
}

static bool has_umfpack(void)
{
    struct message m;
    struct umfpack u;
    unsetenv("VKSOLVE_UMFPACK");
    return !umfpack_open(&m, &u);
}

Test(cli_method, direct_solves_and_tells_its_refinement)
{
    if (!has_umfpack())
        cr_skip_test("UMFPACK is not installed");
    expect_parts(SOLVE "$MATRICES/west0067.mtx.gz --method direct --device auto --reorder rcm", 0,
                 "(UMFPACK works on the host)", "method      direct, until",
                 "warning     A is not reordered: UMFPACK does this itself", NULL);
    expect(SOLVE "$MATRICES/west0067.mtx.gz --method direct --precision f32", 0, "CONVERGED");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --method direct --precond jacobi", 1,
           "direct takes no preconditioner");
    write_text("s.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n");
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n0\n");
    expect_parts(SOLVE "$FOLDER/s.mtx -b $FOLDER/b.mtx --method direct", 3,
                 "SINGULAR: the matrix is singular", "not computed: no x was found\n", NULL);
}

Test(cli_method, auto_begins_with_factors_of_small_systems_unless_asked_not_to)
{
    if (!has_umfpack())
        cr_skip_test("UMFPACK is not installed");
    expect(SOLVE "$MATRICES/nos4.mtx.gz", 0, "method      direct, until");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --explain", 0, "   1. direct (its factors take next to no time)\n");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method 'auto(direct=no)'", 0, "method      cg with jacobi, until");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method 'auto(device=any)'", 0, "method      cg with jacobi, until");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method 'auto(device=own,direct=yes)'", 0, "method      direct");
    expect(SOLVE "$MATRICES/nos4.mtx.gz --method 'auto(device=any,direct=no)' --precond amg", 0,
           "cg with amg");
}

Test(cli_method, wrong_options_of_auto_are_reported)
{
    static const char *const wrong[] = {"auto(",           "auto()",         "auto(device=gpu)",
                                        "auto(direct)",    "auto(direct=no", "auto(direct=no,)",
                                        "auto(direct=no)x"};
    char command[256];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        snprintf(command, sizeof command, SOLVE "a --method '%s'", wrong[i]);
        expect(command, 1, "--method: expected options of auto as in auto(device=any,direct=no)");
    }
    expect(SOLVE "a --method 'cg(direct=no)'", 1, "--method: cg takes no options in brackets");
    expect(SOLVE "a --method nonsense", 1, "--method: unknown method nonsense; expected auto, cg, jacobi");
}

Test(cli_method, what_direct_finds_is_compared)
{
    if (!has_umfpack())
        cr_skip_test("UMFPACK is not installed");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --method gauss-jordan --compare direct", 0,
           "\n  sparse LU (UMFPACK) ");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --compare direct", 0, "  the solutions differ by ");
    OWNED_STRUCT(ran) r =
        run(SOLVE "$MATRICES/west0067.mtx.gz --method gauss-jordan --compare direct --json -");
    cr_expect_eq(r.code, 0, "%s", r.err);
    cr_expect(json_valid(r.out), "%s", r.out);
    const char *error = strstr(r.out, "\"error_vs_direct\": ");
    cr_assert(error && strstr(r.out, "\"direct\": {"), "%s", r.out);
    cr_expect_lt(strtod(error + 19, NULL), 1e-10);
    cr_expect_null(strstr(r.out, "lapack"));
}
