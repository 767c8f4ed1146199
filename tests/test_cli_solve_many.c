/* vksolve solve for several matrices, and for a b with several columns. */
#include "cli.h"

TestSuite(cli_solve_many, .init = make_folder, .fini = remove_folder, .timeout = 120);

#define SOLVE "$VKSOLVE solve --device host "

static void write_columns(int rows, int columns)
{
    char *text = malloc((size_t)rows * columns * 8 + 128), *end = text;
    cr_assert(text);
    end += sprintf(end, "%%%%MatrixMarket matrix array real general\n%d %d\n", rows, columns);
    for (int k = 0; k < rows * columns; k++)
        end += sprintf(end, "%d\n", k * k % 17 - 5);
    write_text("b.mtx", text);
    free(text);
}

/* Column `which` of b or x. */
static void write_column(const char *from, int rows, int which, const char *to)
{
    char *text = read_text(from), *line = text, *end;
    cr_assert(text);
    for (int skip = 2 + which * rows; skip > 0; skip -= 1)
        line = strchr(line, '\n') + 1;
    end = line;
    for (int i = 0; i < rows; i++)
        end = strchr(end, '\n') + 1;
    *end = 0;
    OWNED(char) *whole = malloc(strlen(line) + 128);
    cr_assert(whole);
    sprintf(whole, "%%%%MatrixMarket matrix array real general\n%d 1\n%s", rows, line);
    write_text(to, whole);
    free(text);
}

/* Each solve begins with x = 0, so the columns of x are those of separate solves, whatever preceded them. */
static void each_column_is_a_solve_of_its_own(const char *options)
{
    char line[512];
    write_columns(100, 3);
    snprintf(line, sizeof line, SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx -o $FOLDER/x.mtx %s", options);
    expect(line, 0, "columns     3 of b, all converged, in ");
    for (int k = 0; k < 3; k++) {
        write_column("b.mtx", 100, k, "c.mtx");
        write_column("x.mtx", 100, k, "want.mtx");
        snprintf(line, sizeof line, SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/c.mtx -o $FOLDER/y.mtx %s",
                 options);
        expect(line, 0, "CONVERGED");
        expect("cmp $FOLDER/want.mtx $FOLDER/y.mtx && echo same", 0, "same");
    }
}

Test(cli_solve_many, each_column_is_a_solve_of_its_own)
{
    each_column_is_a_solve_of_its_own("--precond jacobi");
    each_column_is_a_solve_of_its_own("--precond block-jacobi/3 --reorder rcm");
    each_column_is_a_solve_of_its_own("--method gauss-jordan");
}

Test(cli_solve_many, the_report_is_of_a_column_that_failed)
{
    write_columns(100, 12);
    OWNED_STRUCT(ran) r = run(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx --max-iterations 20");
    cr_expect_eq(r.code, 2);
    cr_expect_eq(strncmp(r.out, "ITERATION_LIMIT: ", 17), 0, "%s", r.out);
    cr_expect(strstr(r.out, "12 of b, 0 converged") &&
                  strstr(r.out, "the rest of the report is about column 1\n"),
              "%s", r.out);
    cr_expect(strstr(r.out, "  column 10 ") && strstr(r.out, "  and 2 more; --json lists all"), "%s", r.out);
    ran_free(&r);
    r = run(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx --json -");
    cr_expect(json_valid(r.out), "%s", r.out);
    int reported = 0;
    for (const char *p = strstr(r.out, "\"columns\""); (p = strstr(p, "\"seconds\": ")); p++)
        reported++;
    cr_expect_eq(reported, 13, "12 columns and the stages, but %d", reported);
}

Test(cli_solve_many, what_is_of_one_column_is_refused_before_the_solve)
{
    write_columns(100, 2);
    expect(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx --history $FOLDER/h.csv", 1,
           "has 2 columns; --history takes one");
    expect(SOLVE "$MATRICES/nos4.mtx.gz -b $FOLDER/b.mtx --compare lapack", 1,
           "has 2 columns; --compare takes one");
    expect("test ! -e $FOLDER/h.csv && echo none", 0, "none");
}

Test(cli_solve_many, a_line_for_each_matrix)
{
    struct ran r = run(SOLVE "$MATRICES/nos4.mtx.gz $FOLDER/no.mtx $MATRICES/bcsstk06.mtx.gz");
    cr_expect_eq(r.code, 1);
    cr_expect_eq(count_lines(r.out), 4, "%s", r.out);
    cr_expect(strstr(r.out, "\nnos4 ") && strstr(r.out, "CONVERGED: cg with jacobi\nbcsstk06 "), "%s", r.out);
    cr_expect(strstr(r.out, "\n2 of 3 converged\n"), "%s", r.out);
    cr_expect(strstr(r.err, "no.mtx: cannot be opened"), "%s", r.err);
    ran_free(&r);
    expect(SOLVE "$MATRICES/nos4.mtx.gz $MATRICES/bcsstk06.mtx.gz", 0, "2 of 2 converged");
    expect(SOLVE "$MATRICES/nos4.mtx.gz $MATRICES/bcsstk06.mtx.gz --max-iterations 100", 2,
           "1 of 2 converged");
}

Test(cli_solve_many, what_is_of_one_matrix_is_refused)
{
    expect(SOLVE "a.mtx b.mtx -o $FOLDER/x.mtx", 1, "--output takes one matrix, but 2 are given");
    expect(SOLVE "a.mtx b.mtx c.mtx --explain", 1, "--explain takes one matrix, but 3 are given");
    expect(SOLVE "a.mtx - <$MATRICES/nos4.mtx.gz", 1, "standard input is one matrix, but 2 are given");
    expect(SOLVE "a.mtx ''", 1, "A.mtx is empty");
}

/* script (bsdutils) runs a command on a terminal. */
Test(cli_solve_many, colours_are_for_terminals_that_want_them)
{
    const char *in_green = "\033[1;32mCONVERGED\033[0m: ", *plain = "\nCONVERGED: ";
    struct ran r = run("TERM=xterm script -qec \"$VKSOLVE solve -d host $MATRICES/nos4.mtx.gz\" /dev/null");
    cr_expect(strstr(r.out, in_green), "%s", r.out);
    ran_free(&r);
    expect("TERM=xterm script -qec \"$VKSOLVE solve -d host $MATRICES/nos4.mtx.gz --max-iterations 2\" "
           "/dev/null",
           2, "\033[1;31mITERATION_LIMIT\033[0m: ");
    const char *const without[] = {"NO_COLOR=1 TERM=xterm", "TERM=dumb"};
    for (int i = 0; i < 2; i++) {
        char line[256];
        snprintf(line, sizeof line,
                 "export %s; echo; script -qec \"$VKSOLVE solve -d host $MATRICES/nos4.mtx.gz 2>/dev/null\" "
                 "/dev/null",
                 without[i]);
        r = run(line);
        cr_expect(strstr(r.out, plain) && !strchr(r.out, '\033'), "%s: %s", line, r.out);
        ran_free(&r);
    }
}
