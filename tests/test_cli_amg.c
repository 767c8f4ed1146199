/* What the command reports about multigrid, in vksolve solve and vksolve info --amg. */
#include "cli_body.h"

#include <math.h>

TestSuite(cli_amg, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define SOLVE "$VKSOLVE solve --device host $FOLDER/A.mtx --precond amg "
#define INFO "$VKSOLVE info $FOLDER/A.mtx --amg "
#define AT "--coordinates $FOLDER/x.mtx "

/* A beam of 1,200 pieces on springs, too thin for constants to represent its smooth errors. */
static void make_beam(void)
{
    enum { PIECES = 1200 };
    char *text = malloc(3 * PIECES * 32), *at = text;
    cr_assert(text);
    at += sprintf(at, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", PIECES, PIECES,
                  3 * PIECES - 3);
    for (int i = 1; i <= PIECES; i++) {
        at += sprintf(at, "%d %d 6.000000001\n", i, i);
        if (i > 1)
            at += sprintf(at, "%d %d -4\n", i, i - 1);
        if (i > 2)
            at += sprintf(at, "%d %d 1\n", i, i - 2);
    }
    write_text("A.mtx", text);
    free(text);
}

Test(cli_amg, a_solve_tells_by_what_an_iteration_multiplies_the_residual)
{
    make_body();
    expect(SOLVE AT "--json $FOLDER/r.json", 0, ", each multiplies the residual by 0.");
    double residual = number_in("r.json", "true_residual"), k = number_in("r.json", "iterations");
    cr_expect_float_eq(number_in("r.json", "contraction"), pow(residual, 1 / k), 1e-12);
    expect(SOLVE AT "--max-iterations 3 --json $FOLDER/r.json", 2, "ITERATION_LIMIT");
    cr_expect_float_eq(number_in("r.json", "contraction"), cbrt(number_in("r.json", "true_residual")), 1e-12);
}

Test(cli_amg, a_matrix_that_it_does_not_suit_is_reported)
{
    make_beam();
    expect(
        SOLVE "--json $FOLDER/r.json", 0,
        "warning     multigrid is unsuitable for this matrix: an iteration multiplied the residual by 0.9");
    cr_expect_gt(number_in("r.json", "contraction"), 0.9);
}

Test(cli_amg, unknowns_of_nodes_that_no_option_gives_are_reported)
{
    static const char *const reported[] = {"'amg(block=3)'", "amg --coordinates $FOLDER/x.mtx", "jacobi"};
    char line[512];
    expect("$VKSOLVE generate elasticity3d 8 -o $FOLDER/A.mtx --coordinates $FOLDER/x.mtx", 0,
           "1,536 x 1,536");
    expect_parts(
        SOLVE, 0,
        "warning     A seems to have 3 unknowns at each node, which the options of multigrid do not set\n",
        "hint        amg(block=3) takes up to three times fewer iterations, and --coordinates", NULL);
    for (int i = 0; i < 3; i++) {
        snprintf(line, sizeof line, "$VKSOLVE solve --device host $FOLDER/A.mtx --precond %s", reported[i]);
        OWNED_STRUCT(ran) r = run(line);
        cr_expect(r.code == 0 && !strstr(r.out, "unknowns at each node"), "%s", r.out);
    }
}

/* A ring of 1,200 unknowns, whose rows sum to zero, and b = 1, which is not orthogonal to the constants. */
static void make_ring(double diagonal)
{
    enum { UNKNOWNS = 1200 };
    char *text = malloc(2 * UNKNOWNS * 32), *at = text;
    cr_assert(text);
    at += sprintf(at, "%%%%MatrixMarket matrix coordinate real symmetric\n%d %d %d\n", UNKNOWNS, UNKNOWNS,
                  2 * UNKNOWNS);
    for (int i = 1; i <= UNKNOWNS; i++) {
        at += sprintf(at, "%d %d %.17g\n", i, i, diagonal);
        at += i > 1 ? sprintf(at, "%d %d -1\n", i, i - 1) : sprintf(at, "%d 1 -1\n", UNKNOWNS);
    }
    write_text("A.mtx", text);
    at = text + sprintf(text, "%%%%MatrixMarket matrix array real general\n%d 1\n", UNKNOWNS);
    for (int i = 1; i <= UNKNOWNS; i++)
        at += sprintf(at, "%d\n", i % 7);
    write_text("b.mtx", text);
    free(text);
}

Test(cli_amg, a_neumann_problem_differs_from_one_that_it_does_not_suit)
{
    static const char *const preconds[] = {"amg", "jacobi --method cg", "jacobi"};
    char line[512];
    for (int i = 0; i < 3; i++) {
        make_ring(2);
        snprintf(line, sizeof line,
                 "$VKSOLVE solve --device host $FOLDER/A.mtx -b $FOLDER/b.mtx --precond %s", preconds[i]);
        OWNED_STRUCT(ran) r = run(line);
        cr_expect(r.code == 3 || r.code == 2, "%d", r.code);
        cr_expect(strstr(r.out, "warning     the rows of A sum to zero, or nearly so") &&
                      strstr(r.out, "hint        --singular keeps the constants out"),
                  "%s", r.out);
        cr_expect_not(strstr(r.out, "multigrid is unsuitable"));
        ran_free(&r);
        strcat(line, " --singular");
        r = run(line);
        cr_expect(r.code == 0 && strstr(r.out, "it was left out") && !strstr(r.out, "sum to zero"), "%s",
                  r.out);
        ran_free(&r);
        make_ring(1.99);
        r = run(line);
        cr_expect_not(strstr(r.out, "sum to zero"));
    }
}

Test(cli_amg, a_matrix_that_is_not_for_cg_goes_to_idr_or_is_refused)
{
    static const char head[] = "%%MatrixMarket matrix coordinate real ";
    char text[256];
    snprintf(text, sizeof text, "%sgeneral\n2 2 4\n1 1 2\n1 2 -1\n2 1 -0.5\n2 2 2\n", head);
    write_text("A.mtx", text);
    expect(SOLVE, 0, "method      idr with amg, ");
    expect(SOLVE "--method cg", 2, "(2, 1) is -0.5; --method auto takes such matrices");
    expect("$VKSOLVE solve --device host $FOLDER/A.mtx", 0, "method      idr with jacobi");
    snprintf(text, sizeof text, "%ssymmetric\n3 3 4\n1 1 2\n2 1 -1\n3 2 -1\n3 3 2\n", head);
    write_text("A.mtx", text);
    expect(SOLVE, 3, "ZERO_DIAGONAL: row 2 has a zero or missing diagonal entry"); /* it is not matched */
    expect(SOLVE "--method cg", 3, "other than zero; --method auto takes such matrices");
    snprintf(text, sizeof text, "%ssymmetric\n2 2 2\n1 1 2\n2 2 -3\n", head);
    write_text("A.mtx", text);
    expect(SOLVE, 3, "NOT_POSITIVE_DEFINITE: row 2 has a negative diagonal entry");
}

Test(cli_amg, unknowns_of_a_node_in_the_words_of_blocks_are_refused_with_the_right_ones)
{
    make_body();
    expect(SOLVE "--block 3", 1, "multigrid --precond 'amg(block=3)'");
    expect("$VKSOLVE solve $FOLDER/A.mtx --block 3", 1, "multigrid --precond 'amg(block=3)'");
    expect("$VKSOLVE solve $FOLDER/A.mtx --block-size 9 --precond chebyshev", 1, "block-jacobi/9\n");
}

/* As in the documentation. */
static const char *const ways_in_f32[] = {"amg --precision f32", "amg/f32", "amg --precision mixed"};

static void solve_diagonal(const char *first, const char *second, int way, int code, const char *words)
{
    char line[512];
    snprintf(line, sizeof line, "%%%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 %s\n2 2 %s\n",
             first, second);
    write_text("A.mtx", line);
    snprintf(line, sizeof line, "$VKSOLVE solve --device host $FOLDER/A.mtx --precond %s", ways_in_f32[way]);
    expect(line, code, words);
}

/* Copies in f32 are scaled: only ratios can be out of range. */
Test(cli_amg, a_diagonal_beyond_the_range_of_f32_is_reported_in_the_same_words_in_every_way)
{
    solve_diagonal("4e-38", "4e-38", 0, 3,
                   "NOT_FINITE: row 1 has a diagonal entry of 4e-38; scale A: that is beyond the range of "
                   "multigrid, in f32\n");
    for (int way = 0; way < 3; way++) {
        if (way)
            solve_diagonal("4e-38", "4e-38", way, 0, "CONVERGED: ");
        solve_diagonal("1", "1e38", way, 3, "; scale A: that is beyond the range of multigrid, in f32\n");
    }
}

Test(cli_amg, memory_is_reported_before_and_after)
{
    make_body();
    expect(SOLVE AT "--json $FOLDER/r.json", 0, " of memory, in the set-up up to ");
    double expected = number_in("r.json", "expected_bytes"), most = number_in("r.json", "setup_bytes");
    cr_expect(expected > most / 2 && most > number_in("r.json", "precond_bytes"), "%g %g", expected, most);
    expect(INFO AT "--json $FOLDER/i.json", 0, "(expected: ");
    cr_expect_gt(number_in("i.json", "setup_bytes"), most); /* in f32, and there is a rounded copy */
}

Test(cli_amg, levels_are_reported_with_their_seconds)
{
    make_body();
    expect(SOLVE AT "--json $FOLDER/r.json", 0, " 48 rows ");
    cr_expect_gt(number_in("r.json", "entries_a_row"), 30);
    OWNED_STRUCT(ran) r = run(SOLVE AT);
    const char *level = strstr(r.out, " 48 rows ");
    cr_expect(level && strstr(level, " a row, set up in "), "%s", r.out);
}

/* Rows of the second level: six for each of eight aggregates, or three. */
Test(cli_amg, info_shows_the_levels_of_nodes)
{
    make_body();
    expect(INFO AT, 0, " 48 rows ");
    expect(INFO "--block 3", 0, " 24 rows ");
    expect(INFO AT "--block 3", 0, " 48 rows ");
    expect(INFO "--coordinates - < $FOLDER/x.mtx", 0, " 48 rows ");
    expect(INFO AT "--json $FOLDER/i.json", 0, " 48 rows ");
    cr_expect_gt(number_in("i.json", "operator_complexity"), 1);
    cr_expect_gt(number_in("i.json", "entries_a_row"), 30);
}

Test(cli_amg, info_refuses_nodes_that_do_not_fit)
{
    make_body();
    expect("$VKSOLVE info $FOLDER/A.mtx --block 3", 1, "--block is for --amg");
    expect("$VKSOLVE info $FOLDER/A.mtx " AT, 1, "--coordinates is for --amg");
    expect(INFO "--block 9", 1, "from 1 to 8");
    expect(INFO "--block 5", 1, "nodes with 5 unknowns, but A has 648 rows, which is not a multiple");
    expect(INFO AT "--block 2", 1, "nodes with 2 unknowns and 3 coordinates; the two must be equal");
    expect(INFO "--coordinates $FOLDER/none.mtx", 1, "none.mtx: ");
    expect("$VKSOLVE info - --amg --coordinates - < $FOLDER/A.mtx", 1,
           "only one of A and --coordinates can come from standard input");
    expect(INFO AT "--json $FOLDER/x.mtx", 1, "x.mtx would overwrite the coordinates of nodes");
}
