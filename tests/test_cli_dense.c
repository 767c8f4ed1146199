/* vksolve invert, and solve --method gauss-jordan. */
#include "cli.h"

TestSuite(cli_dense, .init = make_folder, .fini = remove_folder, .timeout = 240);

#define INVERT "$VKSOLVE invert --device host "
#define SOLVE "$VKSOLVE solve --device host --method gauss-jordan "

static const char tridiagonal[] = "%%MatrixMarket matrix array real symmetric\n3 3\n2\n-1\n0\n2\n-1\n2\n";
static const char singular[] = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n";

/* The numbers of an array file of the folder. */
static int read_numbers(const char *name, double *to, int most)
{
    char *text = read_text(name), *at = text, *end;
    int count = 0;
    cr_assert_not_null(text);
    for (int line = 0; line < 2; line++) /* the banner and the size */
        at = strchr(at, '\n') + 1;
    for (; count < most && (to[count] = strtod(at, &end), end != at); at = end)
        count++;
    free(text);
    return count;
}

Test(cli_dense, an_inverse_is_written_as_an_array)
{
    static const double want[] = {0.75, 0.5, 0.25, 0.5, 1, 0.5, 0.25, 0.5, 0.75};
    double got[10];
    write_text("a.mtx", tridiagonal);
    expect(INVERT "$FOLDER/a.mtx -o $FOLDER/i.mtx", 0, "condition   0.125, reciprocal");
    cr_assert_eq(read_numbers("i.mtx", got, 10), 9);
    for (int e = 0; e < 9; e++)
        cr_expect_float_eq(got[e], want[e], 1e-15);
    expect(INVERT "$FOLDER/a.mtx -q -o -", 0, "%%MatrixMarket matrix array real general\n3 3\n");
    expect(INVERT "$FOLDER/a.mtx --precision f32", 0, "precision   f32");
}

Test(cli_dense, the_inverse_of_the_inverse_is_the_matrix)
{
    double a[9], want[] = {2, -1, 0, -1, 2, -1, 0, -1, 2};
    write_text("a.mtx", tridiagonal);
    expect(INVERT "$FOLDER/a.mtx -o $FOLDER/i.mtx.gz", 0, "DONE");
    expect(INVERT "$FOLDER/i.mtx.gz -o $FOLDER/b.mtx", 0, "DONE");
    cr_assert_eq(read_numbers("b.mtx", a, 9), 9);
    for (int e = 0; e < 9; e++)
        cr_expect_float_eq(a[e], want[e], 1e-14);
}

Test(cli_dense, programs_learn_of_pivots_and_determinants)
{
    write_text("a.mtx", tridiagonal);
    expect_parts(INVERT "$FOLDER/a.mtx --json -", 0, "\"determinant_sign\": 1",
                 "\"determinant_log\": 1.38629", "\"reason\": \"CONVERGED\"", NULL);
}

Test(cli_dense, a_singular_matrix_ends_with_3_and_without_a_file)
{
    write_text("a.mtx", singular);
    write_text("b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n3\n");
    expect(INVERT "$FOLDER/a.mtx -o $FOLDER/i.mtx", 3, "SINGULAR: the matrix is singular: column 2 depends");
    cr_expect_null(read_text("i.mtx"));
    expect(SOLVE "$FOLDER/a.mtx", 3, "dependent: many solutions");
    expect(SOLVE "$FOLDER/a.mtx -b $FOLDER/b.mtx", 3, "inconsistent: no solution");
}

Test(cli_dense, an_inverse_that_overflows_ends_with_3_and_without_a_file)
{
    write_text("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1e-310\n");
    expect(INVERT "$FOLDER/a.mtx -o $FOLDER/i.mtx", 3, "NOT_FINITE: the inverse overflows");
    cr_expect_null(read_text("i.mtx"));
}

/* An elimination has no partial x that would be worth waiting for. */
Test(cli_dense, an_interrupt_ends_elimination_at_once)
{
    expect("$VKSOLVE generate poisson2d 60 -o $FOLDER/p.mtx", 0, "");
    expect("timeout --preserve-status -s INT 0.2 " SOLVE "$FOLDER/p.mtx", 130, "");
}

Test(cli_dense, wrong_usage_of_invert_ends_with_1)
{
    write_text("a.mtx", tridiagonal);
    write_text("w.mtx", "%%MatrixMarket matrix array real general\n1 2\n1\n2\n");
    expect(INVERT "$FOLDER/none.mtx", 1, "none.mtx");
    expect(INVERT "$FOLDER/w.mtx", 1, "1 x 2; elimination needs a square matrix");
    expect(INVERT "$FOLDER/a.mtx --precision mixed", 1, "f64 or f32");
    expect(INVERT "$FOLDER/a.mtx -o $FOLDER/a.mtx", 1, "would overwrite");
    expect(INVERT "$FOLDER/a.mtx -o - --json -", 1, "standard output");
    expect(INVERT "$FOLDER/a.mtx -o /nonexistent/i.mtx", 1, "nonexistent");
    expect_parts("$VKSOLVE invert --help", 0, "usage: vksolve invert A.mtx", "--precision f64|f32 ", NULL);
}

Test(cli_dense, a_matrix_that_is_neither_symmetric_nor_definite_is_solved_as_lapack_does)
{
    struct ran r = run(SOLVE "$MATRICES/west0067.mtx.gz --compare lapack --json -");
    cr_expect_eq(r.code, 0, "%s", r.err);
    cr_expect(json_valid(r.out));
    const char *error = strstr(r.out, "\"error_vs_lapack\": ");
    cr_assert(error, "%s", r.out);
    cr_expect_lt(strtod(error + 19, NULL), 1e-10);
    cr_expect(strstr(r.out, "\"method\": \"gauss-jordan\"") && strstr(r.out, "\"precond\": \"none\""), "%s",
              r.out);
    cr_expect_null(strstr(r.out, "conjugate gradients"));
    ran_free(&r);
    expect(SOLVE "$MATRICES/west0067.mtx.gz", 0, "method      gauss-jordan, until");
    write_text("z.mtx", "%%MatrixMarket matrix coordinate real general\n67 1 0\n");
    expect(SOLVE "$MATRICES/west0067.mtx.gz --rhs $FOLDER/z.mtx --json -", 0, "\"initial_residual\": 0,");
    expect_parts(SOLVE "$MATRICES/west0067.mtx.gz --rtol 1e-17", 2, "STAGNATED: the true residual of ",
                 " is at rounding level: ", NULL);
}

Test(cli_dense, gauss_jordan_takes_no_preconditioner_and_no_large_matrix)
{
    write_text("a.mtx", tridiagonal);
    expect(SOLVE "$FOLDER/a.mtx --precond jacobi", 1, "gauss-jordan takes no preconditioner");
    expect("$VKSOLVE generate poisson2d 129 -o $FOLDER/p.mtx", 0, "");
    expect(SOLVE "$FOLDER/p.mtx", 1, "A has 16641 rows; gauss-jordan takes sparse matrices of up to 16384");
    write_text("h.mtx", "%%MatrixMarket matrix coordinate real general\n2000000000 2000000000 1\n1 1 1\n");
    expect("timeout 5 " SOLVE "$FOLDER/h.mtx", 1, "A has 2000000000 rows; gauss-jordan takes");
}

Test(cli_dense, a_nearly_singular_matrix_is_warned_of)
{
    write_text("a.mtx",
               "%%MatrixMarket matrix array real general\n3 3\n1\n2\n3\n4\n5\n6\n7\n8\n9.000000000000002\n");
    expect(INVERT "$FOLDER/a.mtx", 0, "warning     the matrix is nearly singular");
    OWNED_STRUCT(ran) r = run(SOLVE "$FOLDER/a.mtx");
    cr_expect(r.code == 0 || r.code == 2);
    cr_expect(strstr(r.out, "warning     the matrix is nearly singular"), "%s", r.out);
}
